"""The state of a table, which is made from its log: the seats, the game, the messages, and the next steps."""

from collections import deque
from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec import UNSET

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import RULES_VERSION, Action, FairShuffle, Move, Phase, View
from millebornes.game.fair_shuffle import commitment_of
from millebornes.players import ForfeitError
from millebornes.schema import api
from millebornes.session import requests
from millebornes.session.game_loop import GameLoop
from millebornes.session.game_session import GameSession
from millebornes.web.errors import ApiError
from millebornes.web.table import events
from millebornes.web.table.clocks import Clocks, CoupWindow
from millebornes.web.table.messages import Message, MessageWriter, without_undone
from millebornes.web.table.seats import Seats
from millebornes.web.table.shuffling import OpenShuffle, cards_of, first_loop

__all__ = [
    "MAX_EVENTS",
    "MAX_HANDS",
    "MAX_HANDS_BEFORE_MATCH",
    "PASS",
    "TableState",
    "check_room",
    "has_room",
    "is_complete",
    "may_request_undo",
    "may_undo",
]

_ASKED: Final = frozenset((Phase.COUP, Phase.OPENING))
PASS: Final = Move(Action.PASS)


class TableState(Seats):
    """The state that a log determines. `apply` adds the next event. All other methods only read."""

    def __init__(self, created: events.Created) -> None:
        """Raises `RulesChanged` if the rules have changed since the table was created."""
        if created.rules_version != RULES_VERSION:
            raise events.RulesChanged(
                f"the table was set up with version {created.rules_version} of the rules, but this program uses "
                f"version {RULES_VERSION}"
            )
        super().__init__(created)
        self.rules = Rules.parse(created.rules)
        self.seq = 0
        """The number of events so far."""
        self.version = 0
        """The number of messages so far."""
        self.question_version = 0
        """The version of the current question. A command based on this or a later version can answer it."""
        self.at = created.at
        """The time of the latest event in the game, whose number is `game_seq`. Chat and presence don't count."""
        self.game_seq = 0
        self.hands = 0
        """The number of hands dealt so far, in all matches."""
        self.latest = created.at
        """The time of the latest event. Times in a log never go backwards."""
        self.is_brief = False
        """Whether questions can be left out, because these messages won't be sent."""
        self.messages: deque[Message] = deque()
        """The messages of this hand and the previous one."""
        self.clocks: Clocks | None = None
        self._set_clocks()
        self.open: OpenShuffle | None = None
        self.undone = 0
        """How often moves have been taken back."""
        self.proposal: events.Proposed | None = None
        """The settings that a person proposes for the next match."""
        self.agreed: set[int] = set()
        """The seats that have agreed to the proposal or to another seat's request."""
        self.requested: events.Requested | None = None
        """The request that other seats have to agree to, or None."""
        self.requested_version = 0
        """The version at which this request was made."""
        self.ended: events.Requested | None = None
        """The request with which people ended this match early, or None."""
        self._is_changed = False
        """Whether the match to be dealt has other settings than the one before."""
        self._won: list[int] = []
        """The matches that each side had won before seats changed for the match to be dealt, or none."""
        self.shuffles: dict[int, FairShuffle] = {}
        """The shuffles in this match, by the number of the hand."""
        self.window: CoupWindow | None = None
        self.loop: GameLoop | None = None
        self._deck: tuple[Card, ...] = ()
        self._hand_begins: deque[int] = deque(maxlen=2)

    def _set_clocks(self) -> None:
        self.clocks = None if self.created.clock is None else Clocks(*self.created.clock, self.humans)

    # ------------------------------------------------------------------ reading

    @property
    def floor(self) -> int:
        """The version of the latest message that is no longer kept."""
        return self.messages[0].version - 1 if self.messages else self.version

    @property
    def session(self) -> GameSession | None:
        """The session, or None before the first deal."""
        return None if self.loop is None else self.loop.session

    @property
    def status(self) -> api.Status:
        """The status: ``waiting`` (for people or a hand), ``playing``, ``hand_over``, ``match_over``, ``cancelled``."""
        session = self.session
        if self.is_cancelled:
            return "cancelled"
        if session is None or self.open is not None:
            return "waiting"
        if session.is_over or self.ended is not None:
            return "match_over"
        return "hand_over" if session.hand.is_over else "playing"

    def is_late(self, seat: int, at: int) -> bool:
        """Return whether a seat has run out of time."""
        return self.clocks is not None and self.clocks.running == seat and self.clocks.due <= at

    @property
    def next_hand(self) -> tuple[int, int]:
        """The numbers of the match and the hand that will be dealt next."""
        session = self.session
        if session is None:
            return 1, 1
        if session.is_over or self.is_agreed or self._is_changed:
            return session.number + 1, 1
        return session.number, session.match.hand_number + 1

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
        return None if self.session is None else self.session.winner

    @property
    def games(self) -> list[int]:
        """The number of matches that each side has won at this table. There are none before the first deal."""
        won = [] if self.session is None else list(self.session.games)
        if self.ended is not None and self.winner is not None:
            won[self.winner] += 1
        return won

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is, as far as all players can see. While a window is open, this is None."""
        if self.status != "playing" or self.window is not None or self.session is None:
            return None
        return self.session.hand.apparent_seat

    def question(self, seat: int) -> requests.Turn | requests.Extension | requests.Coup | None:
        """Return the question to a person's seat, which only that seat may see, if it is asked and can answer."""
        request = None if self.loop is None or self.status != "playing" else self.loop.request
        if not isinstance(request, requests.Ask):
            return None
        for question in request.questions:
            if question.seat == seat and isinstance(question, requests.Turn | requests.Extension | requests.Coup):
                return question if not isinstance(question, requests.Coup) or question.holds else None
        return None

    def deciding(self) -> int | None:
        """Return the seat that has to decide, or None. That seat may be asked in secret (R5.5)."""
        return None if self.session is None or self.status != "playing" else self.session.hand.seat

    @property
    def asked(self) -> int | None:
        """The seat that is secretly asked about a coup fourré, which may be an opening one, or None (R5.5)."""
        return self.deciding() if self.session is not None and self.session.hand.phase in _ASKED else None

    def view(self, seat: int | None) -> View | None:
        """Return the table as a seat or a spectator (None) sees it. While no hand is dealt, return None."""
        return None if self.session is None or self.status == "waiting" else self.session.view(seat)

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

    # ------------------------------------------------------------------ applying events

    def apply(self, event: events.TableEvent) -> Sequence[Message]:
        """Apply the next event and return its messages. If it can't follow, raises `MilleBornesError` for good."""
        out, event = MessageWriter(self.version), events.forward(event, self.latest)
        self.latest = event.at
        has_acted = False
        ran = None if self.clocks is None else self.clocks.stop(event.at)
        match event:
            case events.Created():
                self.sit(out, self.creator)
            case events.Joined(seat=seat, name=name):
                self.names[seat] = name
                self.sit(out, seat)
            case events.Placed() | events.Swapped() | events.Cancelled() if self.loop is not None:
                raise events.LogError("a seat was changed or the table was cancelled after the first deal")
            case events.Placed() | events.Swapped():
                self.open = None  # the hand is shuffled again, with a contribution from the next person
                self.come_or_go(out, event)
                self._set_clocks()
            case events.Cancelled(seat=seat):
                self.is_cancelled, self.open = True, None
                out.plain(api.CancelledEvent(seat=seat, name=self.shown_names[seat]))
            case events.Left() | events.Returned() | events.Away() | events.Back() | events.Waited() | events.Rekeyed():
                self.come_or_go(out, event)
            case events.Said(seat=seat, text=text, phrase=phrase):
                known = UNSET if phrase is None else phrase
                out.plain(api.ChatEvent(seat=seat, name=self.shown_names[seat], text=text, phrase=known))
            case events.Gave(seat=seat, seed=seed):
                if self.open is None:
                    raise events.LogError("a contribution to the shuffle was sent, but no hand is waiting to be dealt")
                self.open.seeds[seat] = bytes.fromhex(seed)
                out.nothing()
            case events.Proposed(seat=seat):
                if not self.is_between:
                    raise events.LogError("a rematch was proposed during a match")
                self.proposal, self.agreed = event, {seat}
                out.proposed(event, self.shown_names[seat])
            case events.Agreed(seat=seat):
                if self.proposal is None and self.requested is None:
                    raise events.LogError("a seat agreed, but nothing is proposed")
                self.agreed.add(seat)
                out.plain(api.AgreedEvent(seat=seat, name=self.shown_names[seat]))
            case events.Requested():
                self._request(out, event)
            case events.Declined(seat=seat):
                if self.requested is None:
                    raise events.LogError("a seat declined, but nothing is requested")
                self._drop_request()
                out.plain(api.DeclinedEvent(seat=seat, name=self.shown_names[seat]))
            case events.Shuffled(hand=hand, server_seed=seed):
                self._adopt(out, event)
                self._greet(out, hand)
                self.open = OpenShuffle(event, {})
                out.plain(api.ShuffleEvent(hand=hand, commitment=commitment_of(bytes.fromhex(seed))))
            case events.HandDealt():
                self._deal(out, event)
            case events.Undone() if sum(self.humans) > 1:
                raise events.LogError(
                    "a move was taken back at a table with several people, but not all of them agreed"
                )
            case _:
                if self.requested is not None and self.requested.what == "undo":
                    self._drop_request()
                self._play(out, event)
        if self.requested is not None and not self.concerned:
            has_acted = True
            self._grant(out, self.requested)
        self.seq += 1
        self.version = out.version
        if self.clocks is not None:
            self._set_clock(self.clocks, event, ran)
        if has_acted or not isinstance(event, events.AsideEvent):
            self.at, self.game_seq = event.at, self.seq
            if self.window is not None and self.window.seq == 0:
                self.window = CoupWindow.settled(self.created, self.seq, event.at)
        self.messages += out.made
        while len(self._hand_begins) == 2 and self.messages[0].version < self._hand_begins[0]:
            self.messages.popleft()
        return out.made

    def _request(self, out: MessageWriter, event: events.Requested) -> None:
        """Accept a request from a seat. The new request replaces any earlier one."""
        if self.status not in {"playing", "hand_over"}:
            raise events.LogError("a request was made while no match was being played")
        if event.what == "resign" and self.rules.sides != 2:
            raise events.LogError("a side resigned at a table of more than two sides")
        self.requested, self.requested_version, self.agreed = event, out.version + 1, {event.seat}
        if self.concerned:
            out.plain(api.RequestedEvent(seat=event.seat, name=self.shown_names[event.seat], what=event.what))

    def _grant(self, out: MessageWriter, wish: events.Requested) -> None:
        self._drop_request()
        if wish.seat in self.away:  # no one wants it any more
            return
        assert self.session is not None
        if wish.what == "undo":
            self._play(out, events.Undone(at=wish.at, seat=wish.seat, settled=wish.settled))
            return
        self.ended, self.window, self._is_changed = wish, None, True
        if wish.what == "resign":
            out.plain(api.ResignedEvent(seat=wish.seat, name=self.shown_names[wish.seat]))
        reason = "forfeit" if wish.what == "resign" else "stopped"
        out.match_over(self.session.match.totals, self.winner, reason)

    def _drop_request(self) -> None:
        self.requested, self.agreed = None, set()

    def _set_clock(self, clocks: Clocks, event: events.TableEvent, ran: int | None) -> None:
        """Start the clock of the seat whose turn all players can see. ``ran`` is the seat whose clock has run."""
        if isinstance(event, events.HandDealt):
            clocks.fill()
        elif isinstance(event, events.MoveMade) and event.seat == ran:
            clocks.add(event.seat)
        seat = self.turn
        clocks.start(None if seat is None or self.is_played_for(seat) else seat, event.at)

    def _greet(self, out: MessageWriter, hand: int) -> None:
        if hand == 1:
            names = [name or "" for name in self.shown_names]
            out.hello(self.rules, names, self.created.match_target)

    def adopted_by(self, event: events.TableEvent) -> events.Proposed | None:
        """Return the proposal that takes effect with an event, because all agree and the event begins another match."""
        session = self.session
        is_next = (
            isinstance(event, events.Shuffled | events.HandDealt)
            and session is not None
            and event.match > session.number
        )
        return self.proposal if is_next and self.is_agreed else None

    def _adopt(self, out: MessageWriter, event: events.Shuffled | events.HandDealt) -> None:
        """Take over the settings that all agree to, if another match begins. Any other proposal or request lapses."""
        proposal = self.adopted_by(event)
        if proposal is not None:
            if proposal.swap is not None:
                self._reseat(
                    out, events.Swapped(at=event.at, seat=proposal.swap[0], other=proposal.swap[1], by=proposal.seat)
                )
            self.created = msgspec.structs.replace(
                self.created,
                rules=proposal.rules,
                match_target=proposal.match_target,
                coup_window=proposal.coup_window,
            )
            self.rules, self._is_changed = Rules.parse(proposal.rules), True
        self.proposal, self.requested, self.agreed = None, None, set()

    def _reseat(self, out: MessageWriter, event: events.Swapped) -> None:
        """Let two seats change places between matches. Earlier messages, which were for others, are dropped."""
        seats, self._won = (event.seat, event.other), self.games
        one, other = map(self.rules.side_of, seats)
        if self.rules.seats == self.rules.sides or self.humans[event.seat] != self.humans[event.other]:
            # The count follows a side of one seat, and a person who plays against computers.
            self._won[one], self._won[other] = self._won[other], self._won[one]
        self.messages.clear()
        self.come_or_go(out, event)
        self._set_clocks()

    def _deal(self, out: MessageWriter, event: events.HandDealt) -> None:
        self._adopt(out, event)
        self._deck = cards_of(event.deck)
        self.hands += 1
        if event.hand == 1:
            self.shuffles = {}
        if self.open is None:
            self._greet(out, event.hand)
        else:
            self.shuffles[event.hand] = self._shuffle()
            self.open = None
        self._hand_begins.append(out.version + 1)
        if self.loop is None or self._is_changed:
            names = [name or "" for name in self.shown_names]
            won, self._won = self._won or self.games, []
            self.ended = None
            self.loop = first_loop(self.created, self.rules, self.places, names, lambda: self._deck, event.match)
            self.loop.session.games = won or self.loop.session.games
            self._is_changed = False
        else:
            self.loop.answer(requests.Continue())
        self._go_on(out)
        is_brief = self.is_brief
        for n, text in enumerate(event.moves, 1):
            self.is_brief = is_brief or n < len(event.moves)  # only the last question is still open
            self._replay(out, Move.parse(text))
        self.is_brief = is_brief

    def _replay(self, out: MessageWriter, move: Move) -> None:
        """Make a move from another hand. If it isn't a call, close any open window first."""
        assert self.session is not None
        if self.window is not None and move.action is not Action.COUP:
            self._play(out, events.Closed(at=self.latest))
        if move != PASS:
            assert self.session.hand.seat is not None
            self._play(out, events.MoveMade(at=self.latest, seat=self.session.hand.seat, move=move.text))

    def _play(self, out: MessageWriter, event: events.TableEvent) -> None:
        loop = self.loop
        if loop is None:
            raise events.LogError(f"{type(event).__name__} came before the first hand")
        match event:
            case events.MoveMade(seat=seat, move=text, late=late):
                move = Move.parse(text)
                if late:
                    out.plain(api.TimeOutEvent(seat=seat, name=self.shown_names[seat]))
                if isinstance(loop.request, requests.Compute) and loop.request.seat == seat:
                    loop.answer(requests.ComputerMove(move))
                else:
                    loop.answer(requests.PersonMove(seat, move))
                self.window = None
            case events.Undone(seat=seat, settled=settled):
                self.undone += 1
                loop.answer(requests.TakeBack(seat, as_before=not settled))
                self.window = None
            case events.Closed():
                self._close(out, loop)
            case events.SeatForfeited(seat=seat, reason=reason):
                if not isinstance(loop.request, requests.Compute):
                    raise events.LogError("a forfeit was recorded, but it isn't a computer player's turn")
                self.window = None
                loop.answer(requests.ComputerMove(None, ForfeitError(self.places[seat], seat, reason)))
        self._go_on(out)

    def _close(self, out: MessageWriter, loop: GameLoop) -> None:
        """Close the window. If a seat is being asked, it passes on the coup fourré."""
        if self.window is None:
            raise events.LogError("a window was closed, but none is open")
        holder = self.asked
        out.passed(holder if holder is not None and self.humans[holder] else None)
        while not isinstance(loop.request, requests.Event):
            match loop.request:
                case requests.Ask(questions):
                    assert questions[0].seat is not None
                    loop.answer(requests.PersonMove(questions[0].seat, PASS))
                case requests.Compute():
                    loop.answer(requests.ComputerMove(PASS))
                case _work:
                    loop.answer(None)
        self.window = None

    def _go_on(self, out: MessageWriter) -> None:
        """Run the game loop until it has to wait for a player, and add messages for everything that happens."""
        loop = self.loop
        assert loop is not None
        while True:
            match loop.request:
                case requests.Event(kind=requests.EventKind.WINDOW_OPENS):
                    following = loop.answer()
                    while isinstance(following, requests.Save):
                        following = loop.answer(None)
                    self._open_window(out, loop.session)
                case requests.Event(kind=requests.EventKind.WINDOW_CLOSES) if self.window is not None:
                    break
                case requests.Event() as event:
                    self._tell(out, event, loop.session)
                    loop.answer()
                case requests.Save() | requests.RecordResult():
                    loop.answer(None)
                case requests.Ask(questions):
                    if self.window is None:
                        self._ask(out, questions[0].seat, loop.session)
                    break
                case requests.Compute(seat=seat):
                    if self.window is None:
                        self._ask(out, seat, loop.session)
                    break
                case _trouble:
                    loop.answer()
        loop.session.log.clear()  # these messages have been sent, and the log would otherwise keep every position

    def _ask(self, out: MessageWriter, seat: int | None, session: GameSession) -> None:
        """Ask a question if all players can see which seat is asked. If it is None, all are asked to continue."""
        if seat is not None:
            out.choose(session.view(seat) if self.humans[seat] and not self.is_brief else None, session.hand.ply)
        self.question_version = out.version

    def _open_window(self, out: MessageWriter, session: GameSession) -> None:
        """R5.5: add a message whether or not a seat is asked. Only a seat that is asked sees the question."""
        holder = self.asked
        is_told = holder is not None and self.humans[holder] and not self.is_brief
        out.choose(session.view(holder) if is_told else None)
        self.question_version = out.version
        self.window = CoupWindow(0, 0, 0, 0, 0)

    def _tell(self, out: MessageWriter, event: requests.Event, session: GameSession) -> None:
        match event.kind:
            case requests.EventKind.HAND:
                out.hand(session.match.hand_number, session.hand.at(0), session.match.before.totals)
            case requests.EventKind.MOVE:
                assert event.seat is not None
                assert event.move is not None
                out.moved(event.seat, event.move.text, session.hand.ply)
            case requests.EventKind.TAKEN_BACK:
                assert event.seat is not None
                out.undone(event.seat, self.shown_names[event.seat], session.hand)
                kept = sum(move != PASS for move in session.hand.moves)
                self.messages = deque(without_undone(self.messages, kept))
            case requests.EventKind.TURN:
                drawn = session.hand.drawn_cards
                if drawn and event.seat is not None:
                    out.drew(event.seat, drawn, session.hand.ply)
            case requests.EventKind.END:
                self._drop_request()
                if session.loss is None:
                    out.hand_over(session.hand, session.match.totals)
                if session.is_over:
                    reason = "finished" if session.loss is None else "forfeit"
                    out.match_over(session.match.totals, session.winner, reason)
            case _:
                pass


# ------------------------------------------------------------------ the length of a log
# Reading a log takes about 25 ms per hand, so logs have a maximum length.

MAX_HANDS: Final = 200
"""The maximum number of hands at a table, in all its matches together."""
MAX_HANDS_BEFORE_MATCH: Final = 150
"""After this many hands, no new match begins, so that the current match can finish."""
MAX_EVENTS: Final = 50_000
"""After this many events, only the current hand can add more. `MAX_HANDS` hands need about half as many."""


def has_room(state: TableState) -> bool:
    """Return whether the log has room for more events than the current hand needs."""
    return state.seq < MAX_EVENTS


def is_complete(state: TableState) -> bool:
    """Return whether no more hands will be dealt at a table."""
    most = MAX_HANDS_BEFORE_MATCH if state.status == "match_over" else MAX_HANDS
    return state.hands >= most or not has_room(state)


def may_undo(state: TableState, seat: int) -> bool:
    """Return whether a seat may take back its decision now, because it plays only against computers."""
    is_asked = isinstance(state.question(seat), requests.Turn | requests.Extension)
    return is_asked and sum(state.humans) == 1 and _has_moved(state, seat)


def may_request_undo(state: TableState, seat: int) -> bool:
    """Return whether a seat may ask the other people to let it take back its latest move."""
    return sum(state.humans) > 1 and seat in state.present and _has_moved(state, seat)


def _has_moved(state: TableState, seat: int) -> bool:
    """Return whether a seat has made a decision in this hand that it can take back now. During a window, it can't."""
    session = state.session
    is_open = state.status == "playing" and state.window is None and has_room(state)
    return is_open and session is not None and session.undo_point(seat) is not None


def check_room(state: TableState, event: events.TableEvent) -> None:
    """Raise `ApiError` (complete) if a table's log has no room for an event that people can cause at any time.

    Leaving isn't such an event, because it makes the others wait.
    """
    is_unlimited = isinstance(event, events.AsideEvent) and not isinstance(
        event, events.Gave | events.Joined | events.Left
    )
    if is_unlimited and not has_room(state):
        raise ApiError(409, "complete", "this table is complete: its log is full; set up another one")
