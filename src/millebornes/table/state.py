"""The state of a table, which is made from its log: the seats, the game, the messages, and the next steps."""

from collections import deque
from collections.abc import Sequence
from typing import Final

import msgspec

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import RULES_VERSION, Action, FairShuffle, Hand, Match, Move, Phase, View
from millebornes.game.fair_shuffle import commitment_of
from millebornes.players.table import Forfeit
from millebornes.schema import api
from millebornes.table import facts
from millebornes.table.clocks import Clocks, CoupWindow
from millebornes.table.messages import Message, MessageWriter, without_undone
from millebornes.table.questions import Coup, Extension, SeatQuestion, Turn
from millebornes.table.refusal import CommandError
from millebornes.table.seats import Seats
from millebornes.table.shuffling import OpenShuffle, cards_of
from millebornes.table.views import ASKED, public_view, seat_view

PASS: Final = Move(Action.PASS)


class TableState(Seats):
    """The state that a log determines. `apply` adds the next fact. All other methods only read."""

    def __init__(self, created: facts.Created, rules: Rules | None = None) -> None:
        """Begin a log. ``rules`` are those of the table, if they have been read already.

        Raises `RulesChanged` if the rules have changed since the table was created.
        """
        if created.rules_version != RULES_VERSION:
            raise facts.RulesChanged(
                f"the table was set up with version {created.rules_version} of the rules, but this program uses "
                f"version {RULES_VERSION}"
            )
        super().__init__(created)
        self.rules = Rules.parse(created.rules) if rules is None else rules
        self.seq = 0
        """The number of facts so far."""
        self.version = 0
        """The number of messages so far."""
        self.question_version = 0
        """The version of the current question. A command based on this or a later version can answer it."""
        self.at = created.at
        """The time of the latest fact in the game, whose number is `game_seq`. Chat and presence don't count."""
        self.game_seq = 0
        self.hands = 0
        """The number of hands dealt so far, in all matches."""
        self.latest = created.at
        """The time of the latest fact. Times in a log never go backwards."""
        self.is_brief = False
        """Whether questions can be left out, because these messages won't be sent."""
        self.messages: deque[Message] = deque()
        """The messages of this hand and the previous one."""
        self.clocks: Clocks | None = None
        self._set_clocks()
        self.open: OpenShuffle | None = None
        self.undone = 0
        """How often moves have been taken back."""
        self.proposal: facts.Proposed | None = None
        """The settings that a person proposes for the next match."""
        self.agreed: set[int] = set()
        """The seats that have agreed to the proposal or to another seat's request."""
        self.requested: facts.Requested | None = None
        """The request that other seats have to agree to, or None."""
        self.requested_version = 0
        """The version at which this request was made."""
        self.ended: facts.Requested | None = None
        """The request with which people ended this match early, or None."""
        self._is_changed = False
        """Whether the match to be dealt has other settings than the one before."""
        self._won = list(created.won)
        """The matches that each side had won before seats changed for the match to be dealt, or none."""
        self.shuffles: dict[int, FairShuffle] = {}
        """The shuffles in this match, by the number of the hand."""
        self.window: CoupWindow | None = None
        """The window in which a coup fourré can be called, if one is open."""
        self.match: Match | None = None
        """The current match, or None before the first deal."""
        self.number = 1
        """The number of the current match at this table, or of the first one before it is dealt."""
        self.loss: Forfeit | None = None
        """The forfeit with which a computer player ended this match, or None."""
        self._wins: list[int] = []
        """The number of matches that each side has won, without one that people ended."""
        self._shown: tuple[int, int] | None = None
        """The latest `moment` at which the cards drawn for it were shown to their player."""
        self._settled: tuple[int, int] | None = None
        """The latest `moment` at which the question about a coup fourré was settled for everyone (R5.5)."""
        self._hand_begins: deque[int] = deque(maxlen=2)

    def _set_clocks(self) -> None:
        self.clocks = None if self.created.clock is None else Clocks(*self.created.clock, self.humans)

    # ------------------------------------------------------------------ reading

    @property
    def floor(self) -> int:
        """The version of the latest message that is no longer kept."""
        return self.messages[0].version - 1 if self.messages else self.version

    @property
    def hand(self) -> Hand | None:
        """The current hand, or None before the first deal."""
        return None if self.match is None else self.match.hand

    @property
    def is_match_over(self) -> bool:
        """Whether the match has ended, on points or by a forfeit. One that people ended isn't over in this sense."""
        return self.match is not None and (self.loss is not None or self.match.is_over)

    @property
    def status(self) -> api.Status:
        """The status: ``waiting`` (for people or a hand), ``playing``, ``hand_over``, ``match_over``, ``cancelled``."""
        match = self.match
        if self.is_cancelled:
            return "cancelled"
        if match is None or self.open is not None:
            return "waiting"
        if self.is_match_over or self.ended is not None:
            return "match_over"
        return "hand_over" if match.hand.is_over else "playing"

    def is_late(self, seat: int, at: int) -> bool:
        """Return whether a seat has run out of time."""
        return self.clocks is not None and self.clocks.running == seat and self.clocks.due <= at

    @property
    def next_hand(self) -> tuple[int, int]:
        """The numbers of the match and the hand that will be dealt next."""
        match = self.match
        if match is None:
            return 1, 1
        if self.is_match_over or self.is_agreed or self._is_changed:
            return self.number + 1, 1
        return self.number, match.hand_number + 1

    @property
    def is_between(self) -> bool:
        """Whether the settings may change, because a match has just ended, or a hand at a table of single hands."""
        return self.status == "match_over" or (self.status == "hand_over" and self.created.match_target is None)

    @property
    def is_agreed(self) -> bool:
        """Whether all people who are present agree to the proposed settings for the next match."""
        return self.proposal is not None and bool(self.present) and self.agreed.issuperset(self.present)

    @property
    def next_rules(self) -> Rules:
        """The rules of the next hand."""
        return Rules.parse(self.proposal.rules) if self.proposal is not None and self.is_agreed else self.rules

    @property
    def concerned(self) -> frozenset[int]:
        """The seats that still have to agree to another seat's request. Only partners decide about resigning."""
        wish = self.requested
        if wish is None:
            return frozenset()
        own = set(self.rules.seats_of(self.rules.side_of(wish.seat)))
        return frozenset(self.present if wish.what != "resign" else own.intersection(self.present)) - self.agreed

    @property
    def winner(self) -> int | None:
        """The side that won the match, or None for a draw, an unfinished match, and one that people ended."""
        if self.ended is not None:
            return 1 - self.rules.side_of(self.ended.seat) if self.ended.what == "resign" else None
        if self.match is None:
            return None
        return self.match.winner if self.loss is None else self.loss.winner(self.rules.sides)

    @property
    def games(self) -> list[int]:
        """The number of matches that each side has won at this table. There are none before the first deal."""
        won = list(self._wins)
        if self.ended is not None and self.winner is not None:
            won[self.winner] += 1
        return won

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is, as far as all players can see. While a window is open, this is None."""
        if self.status != "playing" or self.window is not None or self.match is None:
            return None
        return self.match.hand.apparent_seat

    @property
    def overall(self) -> tuple[int, ...]:
        """Each side's points in the match. The points of the current hand are included unless a forfeit ended it."""
        match = self.match
        if match is None:
            return ()
        if match.hand.is_over or self.loss is not None:
            return match.totals
        return tuple(total + sheet.total for total, sheet in zip(match.totals, match.hand.scores, strict=True))

    def question(self, seat: int) -> SeatQuestion | None:
        """Return the question to a person's seat, which only that seat may see, if it is asked and can answer."""
        hand = self.hand
        if hand is None or self.deciding() != seat or not self.humans[seat]:
            return None
        if self.window is None:
            return Extension(seat) if hand.phase is Phase.EXTEND else Turn(seat, hand.drawn_cards)
        safety = hand.coup_question
        return Coup(seat, safety, True) if safety is not None and self.asked == seat else None

    def deciding(self) -> int | None:
        """Return the seat that has to decide, or None. That seat may be asked in secret (R5.5)."""
        return None if self.match is None or self.status != "playing" else self.match.hand.seat

    @property
    def asked(self) -> int | None:
        """The seat that is secretly asked about a coup fourré, which may be an opening one, or None (R5.5)."""
        return self.deciding() if self.match is not None and self.match.hand.phase in ASKED else None

    @property
    def moment(self) -> tuple[int, int]:
        """The numbers of the current hand and ply. Together they identify this moment of the match."""
        return (0, 0) if self.match is None else (self.match.hand_number, self.match.hand.ply)

    def view(self, seat: int | None) -> View | None:
        """Return the table as a seat or a spectator (None) sees it. While no hand is dealt, return None."""
        if self.match is None or self.status == "waiting":
            return None
        view = seat_view(self.match, seat or 0, is_announced=self._shown == self.moment)
        return public_view(view) if seat is None else view

    @property
    def is_settled(self) -> bool:
        """Whether the question about a coup fourré, which may be asked now, has been settled for everyone (R5.5)."""
        return self._settled == self.moment

    def before_latest(self, seat: int | None = None, *, as_before: bool = False) -> Hand | None:
        """Return this hand as it was before the latest decision of a person, or None if there is nothing to take back.

        ``seat`` is the person's seat, or None for any. A pass on a coup fourré counts only if one person plays at one
        screen, because taking it back would otherwise reveal it (R5.5). Logs written up to November 2026 need
        ``as_before``: then, it counted at every table with one person.
        """
        if self.match is None:
            return None
        counts_passes = (as_before or self.is_one_screen) and sum(self.humans) < 2
        then = self.match.hand
        while then.parent is not None:
            mover = then.parent.seat
            is_theirs = mover is not None and self.humans[mover] and seat in {None, mover}
            if is_theirs and (counts_passes or then.move != PASS):
                return then.parent
            then = then.parent
        return None

    def deck(self) -> tuple[Card, ...]:
        """Return the deck of the next hand, which results from the open shuffle."""
        return self._shuffle().deck(self.rules)

    @property
    def commitment(self) -> str | None:
        """The server's commitment for the next hand, or None."""
        return None if self.open is None else self._shuffle().commitment

    def _shuffle(self) -> FairShuffle:
        assert self.open is not None
        return self.open.fair(self.created.table, self.rules.seats)

    def stand_at(self, match: Match) -> None:
        """Take over a match whose earlier hands are no facts of this log, such as that of an exercise."""
        self.match = match
        self._shown = self._settled = self.moment

    # ------------------------------------------------------------------ applying facts

    def apply(self, fact: facts.Fact) -> Sequence[Message]:
        """Apply the next fact and return its messages. If it can't follow, raises `MilleBornesError` for good."""
        out, fact = MessageWriter(self.version), facts.not_before(fact, self.latest)
        self.latest = fact.at
        has_acted = False
        ran = None if self.clocks is None else self.clocks.stop(fact.at)
        match fact:
            case facts.Created():
                self.sit(out, self.creator)
            case facts.Joined(seat=seat, name=name):
                self.names[seat] = name
                self.sit(out, seat)
            case facts.Placed() | facts.Swapped() | facts.Cancelled() if self.match is not None:
                raise facts.LogError("a seat was changed or the table was cancelled after the first deal")
            case facts.Placed() | facts.Swapped():
                self.open = None  # the hand is shuffled again, with a contribution from the next person
                self.apply_seat_fact(out, fact)
                self._set_clocks()
            case facts.Cancelled():
                self.is_cancelled, self.open = True, None
            case facts.Left() | facts.Returned() | facts.Away() | facts.Back() | facts.Waited() | facts.Rekeyed():
                self.apply_seat_fact(out, fact)
            case facts.Announcement():
                pass
            case facts.SeedContributed(seat=seat, seed=seed):
                if self.open is None:
                    raise facts.LogError("a contribution to the shuffle was sent, but no hand is waiting to be dealt")
                self.open.seeds[seat] = bytes.fromhex(seed)
                out.skip()
            case facts.Proposed(seat=seat):
                if not self.is_between:
                    raise facts.LogError("a rematch was proposed during a match")
                self.proposal, self.agreed = fact, {seat}
                out.proposed(fact, self.shown_names[seat])
            case facts.Agreed(seat=seat):
                if self.proposal is None and self.requested is None:
                    raise facts.LogError("a seat agreed, but nothing is proposed")
                self.agreed.add(seat)
            case facts.Requested():
                self._request(out, fact)
            case facts.Declined():
                if self.requested is None:
                    raise facts.LogError("a seat declined, but nothing is requested")
                self._drop_request()
            case facts.Shuffled(hand=hand, server_seed=seed):
                self._adopt_proposal(out, fact)
                self._send_hello(out, hand)
                self.open = OpenShuffle(fact, {})
                out.broadcast(api.ShuffleEvent(hand=hand, commitment=commitment_of(bytes.fromhex(seed))))
            case facts.HandDealt():
                self._deal(out, fact)
            case facts.Undone() if sum(self.humans) > 1 and not self.is_one_screen:
                raise facts.LogError("a move was taken back at a table with several people, but not all of them agreed")
            case _:
                if self.requested is not None and self.requested.what == "undo":
                    self._drop_request()
                self._play(out, fact)
        if isinstance(fact, facts.SeatFact) and fact.event is not None:
            out.announce(fact, fact.event, self.shown_names[fact.seat])
        if self.requested is not None and not self.concerned:
            has_acted = True
            self._grant(out, self.requested)
        self.seq += 1
        self.version = out.version
        if self.clocks is not None:
            self._set_clock(self.clocks, fact, ran)
        if has_acted or not isinstance(fact, facts.AsideFact):
            self.at, self.game_seq = fact.at, self.seq
            if self.window is not None and self.window.seq == 0:
                self.window = CoupWindow.settled(self.created, self.seq, fact.at)
        self.messages += out.made
        while len(self._hand_begins) == 2 and self.messages[0].version < self._hand_begins[0]:
            self.messages.popleft()
        return out.made

    def _request(self, out: MessageWriter, fact: facts.Requested) -> None:
        """Accept a request from a seat. The new request replaces any earlier one."""
        if self.status not in {"playing", "hand_over"}:
            raise facts.LogError("a request was made while no match was being played")
        if fact.what == "resign" and self.rules.sides != 2:
            raise facts.LogError("a side resigned at a table of more than two sides")
        self.requested, self.requested_version, self.agreed = fact, out.version + 1, {fact.seat}
        if self.concerned:
            out.broadcast(api.RequestedEvent(seat=fact.seat, name=self.shown_names[fact.seat], what=fact.what))

    def _grant(self, out: MessageWriter, wish: facts.Requested) -> None:
        self._drop_request()
        if wish.seat in self.away:  # no one wants it any more
            return
        assert self.match is not None
        if wish.what == "undo":
            self._play(out, facts.Undone(at=wish.at, seat=wish.seat, settled=wish.settled))
            return
        self.ended, self.window, self._is_changed = wish, None, True
        if wish.what == "resign":
            out.broadcast(api.ResignedEvent(seat=wish.seat, name=self.shown_names[wish.seat]))
        reason = "forfeit" if wish.what == "resign" else "stopped"
        out.match_over(self.match.totals, self.winner, reason)

    def _drop_request(self) -> None:
        self.requested, self.agreed = None, set()

    def _set_clock(self, clocks: Clocks, fact: facts.Fact, ran: int | None) -> None:
        """Start the clock of the seat whose turn all players can see. ``ran`` is the seat whose clock has run."""
        if isinstance(fact, facts.HandDealt):
            clocks.fill()
        elif isinstance(fact, facts.MoveMade) and fact.seat == ran:
            clocks.add(fact.seat)
        seat = self.turn
        clocks.start(None if seat is None or self.is_played_for(seat) else seat, fact.at)

    def _send_hello(self, out: MessageWriter, hand: int) -> None:
        if hand == 1:
            names = [name or "" for name in self.shown_names]
            out.hello(self.rules, names, self.created.match_target)

    def adopted_proposal(self, fact: facts.Fact) -> facts.Proposed | None:
        """Return the proposal that takes effect with a fact, because all agree and the fact begins another match."""
        if self.match is None or not isinstance(fact, facts.Shuffled | facts.HandDealt) or fact.match <= self.number:
            return None
        return self.proposal if self.is_agreed else None

    def _adopt_proposal(self, out: MessageWriter, fact: facts.Shuffled | facts.HandDealt) -> None:
        """Take over the settings that all agree to, if another match begins. Any other proposal or request lapses."""
        proposal = self.adopted_proposal(fact)
        if proposal is not None:
            if proposal.swap is not None:
                self._reseat(
                    out, facts.Swapped(at=fact.at, seat=proposal.swap[0], other=proposal.swap[1], by=proposal.seat)
                )
            self.created = msgspec.structs.replace(
                self.created,
                rules=proposal.rules,
                match_target=proposal.match_target,
                coup_window=proposal.coup_window,
            )
            self.rules, self._is_changed = Rules.parse(proposal.rules), True
        self.proposal, self.requested, self.agreed = None, None, set()

    def _reseat(self, out: MessageWriter, fact: facts.Swapped) -> None:
        """Let two seats change places between matches. Earlier messages, which were for others, are dropped."""
        seats, self._won = (fact.seat, fact.other), self.games
        one, other = map(self.rules.side_of, seats)
        if self.rules.seats == self.rules.sides or self.humans[fact.seat] != self.humans[fact.other]:
            # The count follows a side of one seat, and a person who plays against computers.
            self._won[one], self._won[other] = self._won[other], self._won[one]
        self.messages.clear()
        self.apply_seat_fact(out, fact)
        self._set_clocks()

    def _deal(self, out: MessageWriter, fact: facts.HandDealt) -> None:
        self._adopt_proposal(out, fact)
        self.hands += 1
        if fact.hand == 1:
            self.shuffles = {}
        if self.open is None:
            self._send_hello(out, fact.hand)
        else:
            self.shuffles[fact.hand] = self._shuffle()
            self.open = None
        self._hand_begins.append(out.version + 1)
        match, deck = self.match, cards_of(fact.deck)
        if match is None or self.is_match_over or self._is_changed:
            self._begin_match(fact, deck)
        else:
            self.match = match.next_hand(deck)
        match = self.match
        assert match is not None
        self._shown = self._settled = None
        out.hand(match.hand_number, match.hand, match.before.totals)
        self._go_on(out)
        is_brief = self.is_brief
        for n, text in enumerate(fact.moves, 1):
            self.is_brief = is_brief or n < len(fact.moves)  # only the last question is still open
            self._replay(out, Move.parse(text))
        self.is_brief = is_brief

    def _begin_match(self, fact: facts.HandDealt, deck: Sequence[Card]) -> None:
        """Deal the first hand of a match. The right to go first moves one seat to the left each time."""
        self._wins = self._won or self.games or [0] * self.rules.sides
        self._won, self.ended, self.loss, self._is_changed = [], None, None, False
        self.number = fact.match
        names = [name or "" for name in self.shown_names]
        first, target = (fact.match - 1) % self.rules.seats, self.created.match_target
        if fact.first is not None:
            first = fact.first
        self.match = Match.start(self.rules, deck=deck, first=first, players=names, match_target=target)

    def _replay(self, out: MessageWriter, move: Move) -> None:
        """Make a move from another hand. If it isn't a call, close any open window first."""
        if self.window is not None and move.action is not Action.COUP:
            self._play(out, facts.Closed(at=self.latest))
        if move != PASS:
            seat = self.deciding()
            assert seat is not None
            self._play(out, facts.MoveMade(at=self.latest, seat=seat, move=move.text))

    def _play(self, out: MessageWriter, fact: facts.Fact) -> None:
        if self.match is None:
            raise facts.LogError(f"{type(fact).__name__} came before the first hand")
        match fact:
            case facts.MoveMade():
                self._move(out, self.match, fact)
            case facts.Undone():
                self._take_back(out, self.match, fact)
            case facts.Closed():
                self._close(out, self.match)
            case facts.SeatForfeited():
                self._lose(fact)
            case _:
                raise facts.LogError(f"{type(fact).__name__} isn't a fact of the game")
        self.window = None
        self._go_on(out)

    def _move(self, out: MessageWriter, match: Match, fact: facts.MoveMade) -> None:
        move, seat = Move.parse(fact.move), fact.seat
        if seat != self.deciding() or move == PASS or (self.window is not None and self.asked is None):
            raise facts.LogError("a seat moved that didn't have to decide")
        if fact.late:
            out.broadcast(api.TimeOutEvent(seat=seat, name=self.shown_names[seat]))
        self._advance(match.play(move))
        out.moved(seat, move.text, self.moment[1])

    def _advance(self, match: Match) -> None:
        """Take over the match after a move or a pass, and count it if it is won."""
        self.match = match
        self._count_win(1)

    def _count_win(self, by: int) -> None:
        if self.is_match_over and self.winner is not None:
            self._wins[self.winner] += by

    def _take_back(self, out: MessageWriter, match: Match, fact: facts.Undone) -> None:
        """Go back to before a seat's latest decision. The cards still to come stay the same.

        A question about a coup fourré that came before the decision stays settled. Otherwise, only those who don't hold
        the safety would be asked again (R5.5), because the pass of those who do is part of the hand. Logs written up to
        November 2026 lead to the state that they had then.
        """
        as_before = not fact.settled
        point = self.before_latest(fact.seat, as_before=as_before)
        if point is None:
            raise facts.LogError("a move was taken back, but the seat has made none in this hand")
        self._count_win(-1)
        self.undone += 1
        self.loss = None
        self.match = match.with_hand(point)
        self._shown = self.moment
        self._settled = None if as_before or point.phase in ASKED else self.moment
        out.undone(fact.seat, self.shown_names[fact.seat], point)
        kept = sum(move != PASS for move in point.moves)
        self.messages = deque(without_undone(self.messages, kept))

    def _close(self, out: MessageWriter, match: Match) -> None:
        """Close the window. If a seat is being asked, it passes on the coup fourré."""
        if self.window is None:
            raise facts.LogError("a window was closed, but none is open")
        holder = self.asked
        out.passed(holder if holder is not None and self.humans[holder] else None)
        self._settled = self.moment
        if holder is not None:
            self._advance(match.play(PASS))

    def _lose(self, fact: facts.SeatForfeited) -> None:
        decides = self.deciding()
        is_turn = decides is not None and not self.humans[decides]
        if not self.is_one_screen and (not is_turn or (self.window is not None and self.asked is None)):
            raise facts.LogError("a forfeit was recorded, but it isn't a computer player's turn")
        self.loss = Forfeit(self.rules.side_of(fact.seat), fact.seat, self.places[fact.seat], fact.reason)
        self._count_win(1)

    def _go_on(self, out: MessageWriter) -> None:
        """Continue until the table has to wait for a player, and add messages for everything that happens."""
        match = self.match
        assert match is not None
        hand = match.hand
        if self.loss is None and self._settled != self.moment and hand.coup_question is not None and hand.entitled:
            self._open_window(out)
        elif hand.is_over or self.is_match_over:
            self._end(out, match)
        else:
            seat = hand.seat
            assert seat is not None
            if self._shown != self.moment:
                self._shown = self.moment
                if hand.drawn_cards:
                    out.drew(seat, hand.drawn_cards, hand.ply)
            out.choose(self.view(seat) if self.humans[seat] and not self.is_brief else None, hand.ply)
            self.question_version = out.version

    def _open_window(self, out: MessageWriter) -> None:
        """R5.5: add a message whether or not a seat is asked. Only a seat that is asked sees the question."""
        holder = self.asked
        is_told = holder is not None and self.humans[holder] and not self.is_brief
        out.choose(self.view(holder) if is_told else None)
        self.question_version = out.version
        self.window = CoupWindow(0, 0, 0, 0, 0)

    def _end(self, out: MessageWriter, match: Match) -> None:
        self._drop_request()
        if self.loss is None:
            out.hand_over(match.hand, match.totals)
        if self.is_match_over:
            out.match_over(match.totals, self.winner, "finished" if self.loss is None else "forfeit")
        self.question_version = out.version


# ------------------------------------------------------------------ the length of a log
# Reading a log takes about 12 ms per hand, so logs have a maximum length.

MAX_HANDS: Final = 200
"""The maximum number of hands at a table, in all its matches together."""
MAX_HANDS_BEFORE_MATCH: Final = 150
"""After this many hands, no new match begins, so that the current match can finish."""
MAX_FACTS: Final = 50_000
"""After this many facts, only the current hand can add more. `MAX_HANDS` hands need about half as many."""


def has_room(state: TableState) -> bool:
    """Return whether the log has room for more facts than the current hand needs."""
    return state.seq < MAX_FACTS


def is_complete(state: TableState) -> bool:
    """Return whether no more hands will be dealt at a table."""
    most = MAX_HANDS_BEFORE_MATCH if state.status == "match_over" else MAX_HANDS
    return state.hands >= most or not has_room(state)


def may_undo(state: TableState, seat: int) -> bool:
    """Return whether a seat may take back its decision now, because it plays only against computers."""
    is_asked = isinstance(state.question(seat), Turn | Extension)
    return is_asked and sum(state.humans) == 1 and _has_moved(state, seat)


def may_request_undo(state: TableState, seat: int) -> bool:
    """Return whether a seat may ask the other people to let it take back its latest move."""
    return sum(state.humans) > 1 and seat in state.present and _has_moved(state, seat)


def _has_moved(state: TableState, seat: int) -> bool:
    """Return whether a seat has made a decision in this hand that it can take back now. During a window, it can't."""
    is_open = state.status == "playing" and state.window is None and has_room(state)
    return is_open and state.before_latest(seat) is not None


def check_room(state: TableState, fact: facts.Fact) -> None:
    """Raise `CommandError` (complete) if a table's log has no room for a fact that people can cause at any time.

    Leaving isn't such a fact, because it makes the others wait.
    """
    is_limited = isinstance(fact, facts.SeedContributed | facts.Joined | facts.Left)
    is_unlimited = isinstance(fact, facts.AsideFact) and not is_limited
    if is_unlimited and not has_room(state):
        raise CommandError("complete", "this table is complete: its log is full; set up another one")
