"""One hand of Mille Bornes. Hands are immutable: every move creates a new `Hand` that remembers the previous one."""

import dataclasses
import functools
import operator
import struct
from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import Final, NamedTuple

from millebornes.cards import CODES, Card, sorted_cards
from millebornes.editions import Rules, make_rules
from millebornes.errors import ArgumentError, MilleBornesError, NotationError
from millebornes.game.checks import check_names, check_rules, check_seat
from millebornes.game.decks import cards_of_word, check_deck, shuffled_deck
from millebornes.game.legal import LegalMoves, illegal_move
from millebornes.game.move import Move, MoveCodes, as_move, move_codes
from millebornes.game.position import cards_text, counts_text, parse_state, side_text, trip_text, turn_text
from millebornes.game.scoresheet import Scoresheet
from millebornes.game.tableau import Pending, Tableau
from millebornes.game.view import View
from millebornes.kernels.notice import on_compiling
from millebornes.rules import clauses
from millebornes.rules.clauses import Reason
from millebornes.rules.engine import Engine, Position, engine_for
from millebornes.rules.moves import Action
from millebornes.rules.state import NOBODY, SEATS, STATE, Phase

_CARDS: Final = tuple(Card)
_KINDS: Final = range(len(_CARDS))
_set: Final = object.__setattr__
"""The function that sets attributes in spite of `Hand.__setattr__`, which refuses to."""
_OVER: Final = int(Phase.OVER)
_PLACES: Final = {name: place for name, (_type, place, *_title) in (STATE.fields or {}).items()}
"""The offset of each field of a state, in bytes.

Large decks have the same offsets, because the deck is the last field.
"""
_WORDS: Final = struct.Struct(f"<{2 * SEATS}Q")
"""The hand words and the side words, with which a state begins."""
_SEAT: Final = _PLACES["seat"]
_PHASE: Final = _PLACES["phase"]
_DECK: Final = _PLACES["deck"]


@functools.lru_cache(maxsize=64)
def _codes_by_seat(rules: Rules) -> tuple[MoveCodes, ...]:
    return tuple(move_codes(rules, rules.side_of(seat)) for seat in range(rules.seats))


@dataclasses.dataclass(slots=True)
class _Deal:
    """The data that stays the same during a hand."""

    engine: Engine
    codes: tuple[MoveCodes, ...]
    """The move codes of each seat."""
    deck: bytes | None
    """The kinds of cards in drawing order, or None for a hand made from a position."""


class _Past(NamedTuple):
    """The past of a hand, as moves instead of snapshots."""

    state: bytes
    """The state right after the deal."""
    moves: tuple[Move, ...]
    """All moves except the latest."""


class Hand:
    """A snapshot of a hand: the seat to decide, all cards, and the moves made so far.

    Create one with `Hand.deal` or `Hand.from_deck`. Hands are immutable, so `play` returns a new hand. The seat to
    decide has already drawn. Two hands are equal if their rules and states are equal, even if different moves led to
    them.
    """

    __slots__ = ("_deal", "_past", "_words", "move", "ply", "rules", "state")

    rules: Rules
    """The rules of the table."""
    state: bytes
    """The packed state, which is a STATE record."""
    move: Move | None
    """The latest move."""
    ply: int
    """The number of moves made so far."""

    _deal: _Deal
    _past: "Hand | _Past | None"
    _words: tuple[int, ...]

    def __init__(
        self,
        rules: Rules,
        position: Position,
        parent: "Hand | None" = None,
        move: Move | None = None,
        deck: bytes | None = None,
    ) -> None:
        state, words = position
        if parent is None or deck is not None:
            deal = _Deal(engine_for(rules), _codes_by_seat(rules), deck)
        else:
            deal = parent._deal
        _set(self, "rules", rules)
        _set(self, "state", state)
        _set(self, "_past", parent)
        _set(self, "move", move)
        _set(self, "ply", 0 if parent is None else parent.ply + 1)
        _set(self, "_words", words)
        _set(self, "_deal", deal)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a hand cannot be changed ({name}); play() returns a new one")

    # ------------------------------------------------------------------ making hands

    @classmethod
    def deal(cls, rules: Rules, seed: int | str | None = None, first: int = 0, hand: int = 1) -> "Hand":
        """Deal hand number ``hand`` of the match with this seed. ``first`` is the nominal first seat (R2.7).

        Raises `ArgumentError` if the rules or the seed have the wrong type, and `NotationError` if the table doesn't
        have the first seat.

        >>> Hand.deal(make_rules("classic"), seed=1958).cards(0)[:2]
        (Card('100'), Card('25'))
        """
        check_rules(rules)
        if seed is None:
            raise ArgumentError("seed: give a whole number or a string to deal from, as in Hand.deal(rules, 1)")
        return cls.from_deck(rules, shuffled_deck(rules, seed, hand), first)

    @classmethod
    def from_deck(cls, rules: Rules, deck: Iterable[Card | str], first: int = 0) -> "Hand":
        """Deal the first cards from a given deck in drawing order.

        Raises `NotationError` if these rules need another deck.

        >>> Hand.from_deck(hand.rules, hand.deck, first=1).seat
        1
        """
        check_rules(rules)
        if type(first) is not int or not 0 <= first < rules.seats:
            raise NotationError(f"first: {first!r} isn't a seat; the seats are 0 to {rules.seats - 1}")
        cards = check_deck(rules, deck)
        kinds = bytes(card.index for card in cards)
        return cls(rules, engine_for(rules).start(tuple(kinds), first), deck=kinds)

    # ------------------------------------------------------------------ playing

    def play(self, move: Move | str) -> "Hand":
        """Return the hand after a move.

        Raises `IllegalMoveError` (with the clause and the legal moves) if the move is illegal, `NotationError` if a
        string isn't a move, and `ArgumentError` for other types.

        >>> hand.play("-repairs").discard_top
        Card('repairs')
        """
        if not isinstance(move, Move):
            move = as_move(move)
        deal = self._deal
        code = deal.codes[self.state[_SEAT]].codes.get(move)
        if code is None or not self._words[code >> 6] >> (code & 63) & 1:
            reason = self.why_not(move)
            if reason is None:  # The clauses and the tables made from them disagree, so refuse it.
                raise MilleBornesError(f"{move} is refused, but no clause forbids it; please report this position")
            raise illegal_move(move, reason, self.legal_moves)
        return Hand(self.rules, deal.engine.apply(self.state, code), self, move)

    def play_all(self, moves: Iterable[Move | str]) -> "Hand":
        """Return the hand after several moves.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).tableaux[0].is_limited
        True
        """
        hand = self
        for move in moves:
            hand = hand.play(move)
        return hand

    def compact(self) -> "Hand":
        """Return an equal hand that takes up only a kilobyte or two, because it stores moves instead of snapshots.

        Its `parent`, `at` and `back` replay the moves. The snapshots of a few hands are cached.

        >>> later = hand.play_all(["-repairs", "speed_limit>0"])
        >>> later.compact().parent == later.parent
        True
        """
        start = self.at(0)
        # `Streams` may have moved a seat's cards to the top of the deck since the deal. Snapshots of such hands can't
        # be replayed.
        if start._deal.deck is not self._deal.deck or self._past is None:
            return self
        hand = Hand(self.rules, Position(self.state, self._words), self, self.move)
        _set(hand, "_past", _Past(start.state, self.moves[:-1]))
        _set(hand, "ply", self.ply)
        return hand

    @property
    def parent(self) -> "Hand | None":
        """The hand before the latest move, or None if no move has been made.

        >>> hand.play("-repairs").parent == hand
        True
        """
        past = self._past
        return self.at(self.ply - 1) if isinstance(past, _Past) else past

    def back(self, plies: int = 1) -> "Hand":
        """Return the hand as it was ``plies`` moves ago. Raises `IndexError` if fewer moves have been made.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).back(2) == hand
        True
        """
        return self.at(self.ply - plies)

    @property
    def moments(self) -> "tuple[Hand, ...]":
        """The hands after the deal and after each move, in order. The last of them is this hand.

        >>> [then.ply for then in hand.play_all(["-repairs", "speed_limit>0"]).moments]
        [0, 1, 2]
        """
        hands = [self]
        while (parent := hands[-1].parent) is not None:
            hands.append(parent)
        return tuple(reversed(hands))

    def at(self, ply: int) -> "Hand":
        """Return the hand as it was after its first ``ply`` moves. Raises `IndexError` if fewer moves have been made.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).at(1).seat
        1
        """
        if not 0 <= ply <= self.ply:
            raise IndexError(f"ply {ply} is out of range; this hand has plies 0 to {self.ply}")
        hand = self
        while hand.ply > ply:
            past = hand._past
            assert past is not None
            hand = past if isinstance(past, Hand) else _played_again(hand.rules, past, hand._deal.deck)
        return hand

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of the seat to decide. There are none when the hand is over.

        >>> hand.legal_moves
        <LegalMoves -100 -25 -flat_tire -gasoline -repairs>
        """
        return LegalMoves(self._deal.codes[self.state[_SEAT]], self._words)

    def why_not(self, move: Move | str) -> Reason | None:
        """Return the reason why the seat to decide can't make this move, with the clause, or None if it can.

        >>> hand.why_not("25").name
        'NOT_MOVING'
        """
        return self.view(self._byte("seat")).why_not(move)

    # ------------------------------------------------------------------ the state

    def _byte(self, field: str) -> int:
        return self.state[_PLACES[field]]

    def _word(self, field: str, index: int) -> int:
        start = _PLACES[field] + 8 * index
        return int.from_bytes(self.state[start : start + 8], "little")

    @property
    def phase(self) -> Phase:
        """The kind of decision that has to be made."""
        return Phase(self._byte("phase"))

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended."""
        return self.state[_PHASE] == _OVER

    @property
    def seat(self) -> int | None:
        """The seat to decide, or None when the hand is over."""
        return None if self.is_over else self._byte("seat")

    @property
    def first(self) -> int:
        """The nominal first seat (R2.7)."""
        return self._byte("first")

    @property
    def extended(self) -> bool:
        """Whether an extension has been called (R6.2)."""
        return bool(self._byte("extended"))

    @property
    def goal(self) -> int:
        """The goal in force, in miles."""
        return clauses.goal_in_force(self.rules, self.extended)

    @property
    def completed_by(self) -> int | None:
        """The side that has completed the trip (R6.1), or None."""
        side = self._byte("completed")
        return None if side == NOBODY else side

    @property
    def pending(self) -> Pending | None:
        """The hazard that the seat to decide can answer, or None if the phase isn't COUP."""
        hazard = self._byte("hazard")
        return None if hazard == NOBODY else Pending(_CARDS[hazard], self._byte("target"), self._byte("attacker"))

    @property
    def draw_pile(self) -> int:
        """The number of cards left in the draw pile."""
        return self.rules.cards - self._byte("drawn")

    def cards(self, seat: int | None) -> tuple[Card, ...]:
        """Return the cards in a seat's hand, sorted by their names.

        Raises `SeatError` if the table doesn't have this seat.

        >>> [str(card) for card in hand.cards(0)]
        ['100', '25', '25', '25', 'flat_tire', 'gasoline', 'repairs']
        """
        return cards_of_word(self._word("hand", check_seat(self.rules, seat)))

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """The cards in every hand, by seat."""
        return tuple([cards_of_word(word) for word in _WORDS.unpack_from(self.state)[: self.rules.seats]])

    @property
    def tableaux(self) -> tuple[Tableau, ...]:
        """The tableau of each side."""
        return tuple([Tableau(word) for word in _WORDS.unpack_from(self.state)[SEATS : SEATS + self.rules.sides]])

    @property
    def _discarded(self) -> bytes:
        return self.state[_DECK : _DECK + self._byte("discarded")]

    @property
    def _undrawn(self) -> bytes:
        return self.state[_DECK + self._byte("drawn") : _DECK + self.rules.cards]

    @property
    def discards(self) -> dict[Card, int]:
        """The number of cards of each kind in the discard pile."""
        return dict(zip(_CARDS, map(self._discarded.count, _KINDS), strict=True))

    @property
    def discard_pile(self) -> tuple[Card, ...]:
        """The cards in the discard pile, in the order in which they were discarded."""
        return tuple(_CARDS[kind] for kind in self._discarded)

    @property
    def discard_top(self) -> Card | None:
        """The card that was discarded last, or None."""
        pile = self._discarded
        return _CARDS[pile[-1]] if pile else None

    @property
    def played(self) -> dict[Card, int]:
        """The number of cards of each kind in all tableaux, including those that are buried in piles.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).played[Card("speed_limit")]
        1
        """
        piles = self._undrawn + self._discarded
        left = list(map(operator.sub, self.rules.deck, map(piles.count, _KINDS)))
        for hand in self.hands:
            for card in hand:
                left[card.index] -= 1
        return dict(zip(_CARDS, left, strict=True))

    @property
    def scores(self) -> tuple[Scoresheet, ...]:
        """The score sheets of all sides at this moment (R7). They are final when the hand is over."""
        return tuple(Scoresheet.of(lines) for lines in self._deal.engine.scores(self.state))

    # ------------------------------------------------------------------ what follows from the latest move

    @property
    def drawn(self) -> int:
        """The number of cards that the seat to decide has drawn for this decision (R2.5).

        This is zero for a hand made from a position, because the draw isn't known.

        >>> hand.drawn
        1
        """
        before = self.parent
        if before is not None:
            return before.draw_pile - self.draw_pile
        dealt = self.rules.seats * self.rules.hand_size
        return 0 if self._deal.deck is None else self.rules.cards - dealt - self.draw_pile

    @property
    def drawn_cards(self) -> tuple[Card, ...]:
        """The cards that the seat to decide has drawn for this decision, in the order in which it drew them.

        Raises the same errors as `deck` if there are such cards.

        >>> hand.drawn_cards
        (Card('flat_tire'),)
        """
        count, end = self.drawn, self._byte("drawn")
        return self.cards_in_deck(end - count, end) if count else ()

    @property
    def latest_hazard(self) -> Pending | None:
        """The hazard that has just been played, or None, whether or not anyone is asked to answer it (R5.1, R5.5).

        >>> hand.play_all(["-repairs", "speed_limit>0"]).latest_hazard
        Pending(hazard=Card('speed_limit'), side=0, by=1)
        """
        move, before = self.move, self.parent
        if move is None or before is None:
            return self.pending
        if move.card is None or move.target is None or before.seat is None:
            return None
        return Pending(move.card, move.target, before.seat)

    @property
    def coup_question(self) -> Card | None:
        """The safety that someone might call now, given what every player can see (R5.1, R5.5, R5.6), or None.

        It doesn't depend on the cards in anyone's hand, so you can show it to all players. The seat that is really
        asked is `seat`.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).coup_question
        Card('right_of_way')
        """
        hazard = self.latest_hazard
        if hazard is not None:
            answer: Card | None = clauses.answer_to(hazard.hazard)
        else:
            starts = self.parent is None and (self._deal.deck is not None or self.phase is Phase.OPENING)
            answer = clauses.opening_answer(self.rules) if starts else None
        if answer is None:
            return None
        seen = sum(answer in tableau.safeties for tableau in self.tableaux) + self.discards[answer]
        return answer if clauses.is_answer_hidden(answer, seen, self.rules) else None

    @property
    def entitled(self) -> tuple[int, ...]:
        """The seats to which the `coup_question` is put, in the order in which they are asked (R5.1, R5.5).

        There are none if there is no question. A seat is included even if it doesn't hold the safety. Seats without
        cards are left out, because everyone can see that they hold no safety.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).entitled
        (0,)
        """
        if self.coup_question is None:
            return ()
        hazard = self.latest_hazard
        target, after = (None, self.first - 1) if hazard is None else (hazard.side, hazard.by)
        drawn = {self.seat: self.drawn}
        return tuple(
            seat
            for seat in clauses.seats_to_ask(target, after, self.rules)
            if len(self.cards(seat)) > drawn.get(seat, 0)
        )

    @property
    def apparent_seat(self) -> int | None:
        """The seat to decide, as far as every player can see.

        This property doesn't reveal who is asked about a coup (R5.5). In the phases COUP and OPENING, it is the seat
        that has the next turn if no one calls. It is None when the hand is over.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).apparent_seat
        0
        """
        if self.pending is not None:
            after = clauses.turn_after_answer(False, self._byte("seat"), self.pending.by, self.rules.seats)
            return clauses.turn_goes_to(after, self.hands, self.draw_pile, self.rules.seats)
        return self.first if self.phase is Phase.OPENING else self.seat

    @property
    def skipped(self) -> tuple[int, ...]:
        """The seats that were skipped between the latest move and this turn, in order.

        These seats have no cards (R2.6), or lost their turn because of a coup fourré (R5.3).

        >>> hand.play("-repairs").skipped
        ()
        """
        move, before = self.move, self.parent
        if move is None or before is None or before.seat is None:
            return ()
        pending, rules = before.pending, self.rules
        if move.action is Action.COUP:
            return () if pending is None else clauses.seats_between(pending.by, before.seat, rules)
        if self.seat is None or self.phase is not Phase.PLAY:
            return ()
        # Passing on a coup fourré isn't a turn, so play continues to the left of the attacker (R5.4).
        mover = before.seat if pending is None else pending.by
        if move.action is Action.PLAY and move.card is not None and clauses.gives_another_turn(move.card):
            mover -= 1
        return tuple(seat for seat in clauses.seats_between(mover, self.seat, rules) if not self.cards(seat))

    # ------------------------------------------------------------------ looking back

    @property
    def deck(self) -> tuple[Card, ...]:
        """The whole deck in drawing order, including the cards that have been drawn.

        Raises `MilleBornesError` if the hand was made from a position, because its past isn't known.

        >>> hand.deck[:2]
        (Card('25'), Card('75'))
        """
        return self.cards_in_deck(0, self.rules.cards)

    def cards_in_deck(self, start: int, end: int) -> tuple[Card, ...]:
        """Return the cards of the deck from index ``start`` up to, but not including, ``end``, in drawing order.

        Raises the same errors as `deck`.

        >>> hand.cards_in_deck(0, 2)
        (Card('25'), Card('75'))
        """
        if self._deal.deck is None:
            raise MilleBornesError(
                "this hand comes from a position, which does not record the order in which the cards were drawn"
            )
        return tuple(_CARDS[kind] for kind in self._deal.deck[start:end])

    def dealt(self, seat: int | None) -> tuple[Card, ...]:
        """Return the cards that were dealt to a seat, in the order in which it received them (R2.4).

        Raises the same errors as `deck`.

        >>> hand.dealt(1)
        (Card('75'), Card('end_of_limit'), Card('75'), Card('50'), Card('spare_tire'), Card('speed_limit'))
        """
        place = (check_seat(self.rules, seat) - self.first) % self.rules.seats
        return self.cards_in_deck(0, self.rules.seats * self.rules.hand_size)[place :: self.rules.seats]

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves made so far, including passes.

        >>> hand.play("-repairs").moves
        (Move.parse('-repairs'),)
        """
        moves = []
        hand = self
        while hand.move is not None:
            moves.append(hand.move)
            past = hand._past
            assert past is not None
            if isinstance(past, _Past):
                return (*past.moves, *reversed(moves))
            hand = past
        return tuple(reversed(moves))

    # ------------------------------------------------------------------ showing

    def view(
        self, seat: int | None, totals: tuple[int, ...] = (), hand_number: int = 1, match_target: int | None = None
    ) -> View:
        """R2.3, R5.5: return everything that a seat can see.

        While another seat is asked about a coup fourré or the opening call, the view shows no seat to decide. The other
        arguments add the totals of the match, the number of the hand and the match target. Raises `SeatError` if the
        table doesn't have this seat, and `ArgumentError` for None, which is the value of `seat` when the hand is over.

        >>> hand.view(1).hand_sizes
        (7, 6)
        """
        seat, rules, phase, hands = check_seat(self.rules, seat), self.rules, self.phase, self.hands
        is_secret = (phase is Phase.COUP or phase is Phase.OPENING) and self.seat != seat
        return View(
            rules=rules,
            seat=seat,
            phase=Phase.PLAY if is_secret else phase,
            mover=None if is_secret else self.seat,
            hand=hands[seat],
            hand_sizes=tuple(map(len, hands)),
            draw_pile=self.draw_pile,
            tableaux=self.tableaux,
            discard_top=self.discard_top,
            discards=MappingProxyType(self.discards),
            played=MappingProxyType(self.played),
            first=self.first,
            extended=self.extended,
            completed_by=self.completed_by,
            pending=None if is_secret else self.pending,
            totals=totals or (0,) * rules.sides,
            hand_number=hand_number,
            match_target=match_target,
        )

    def to_svg(self, names: Iterable[str] = ()) -> str:
        """Draw the table with all hands face up, as an SVG document.

        ``names`` contains a name for each seat, or nothing. Raises `NotationError` if the number of names is wrong.

        >>> hand.to_svg(["Ann", "Bo"])[:4]
        '<svg'
        """
        from millebornes.game.svg import HandPicture, draw

        return draw(
            HandPicture(
                rules=self.rules,
                tableaux=self.tableaux,
                hands=self.hands,
                draw_pile=self.draw_pile,
                discard_top=self.discard_top,
                discards=len(self.discard_pile),
                goal=self.goal,
                mover=self.seat,
                names=check_names(self.rules, names),
            )
        )

    def _repr_svg_(self) -> str:
        return self.to_svg()

    # ------------------------------------------------------------------ being a value

    @classmethod
    def parse(cls, text: str) -> "Hand":
        """Return the hand described by a position in text form (docs/positions.md).

        Its past isn't known, so it has no `deck`. Raises a `NotationError` that names the field and the problem, or an
        `EditionError` if the rules are invalid.

        >>> Hand.parse(str(hand)) == hand
        True
        """
        return cls(*parse_state(text))

    def __str__(self) -> str:
        sides, pending = [side_text(tableau.word) for tableau in self.tableaux], self.pending
        if pending is not None and pending.hazard is not Card.SPEED_LIMIT:
            sides[pending.side] = f"{CODES[pending.hazard]}/{side_text(self._word('saved', 0))}"
        return " ".join(
            (
                str(self.rules),
                "|".join(sides),
                "|".join(cards_text(sorted_cards(hand)) for hand in self.hands),
                cards_text(_CARDS[kind] for kind in self._undrawn),
                cards_text(self.discard_pile),
                counts_text(self.played),
                turn_text(self.phase, self._byte("seat"), pending),
                str(self.first),
                trip_text(self.extended, self.completed_by),
            )
        )

    def __repr__(self) -> str:
        return f"Hand.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self.state == other.state and self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self.state)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        start = self.at(0)
        return _rebuild, (self.rules, start.state, self._deal.deck, self.moves)


@functools.lru_cache(maxsize=4)
def _played_again(rules: Rules, past: _Past, deck: bytes | None) -> Hand:
    return _rebuild(rules, past.state, deck, past.moves)


def _rebuild(rules: Rules, state: bytes, deck: bytes | None, moves: tuple[Move, ...]) -> Hand:
    return Hand(rules, Position(state, engine_for(rules).words(state)), deck=deck).play_all(moves)


def prepare(on_compile: Callable[[], None] | None = None) -> None:
    """Load the kernels that a game needs, or compile them if this is the first run after installation.

    Compiling takes several seconds. If compilation is necessary, ``on_compile`` is called first, so that a screen can
    show a message. You can call this function in another thread.
    """
    with on_compiling(on_compile):
        hand = Hand.deal(make_rules(), 0)
        hand = hand.play(hand.legal_moves[0])
        view = hand.view(0)
        _ = hand.scores, view.legal_moves
