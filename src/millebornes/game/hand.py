"""One hand of Mille Bornes, immutable: every move makes a new `Hand` that remembers the one before."""

import functools
from collections.abc import Iterable
from typing import Final, NamedTuple

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.errors import ArgumentError, MilleBornesError, NotationError
from millebornes.game.checks import check_rules, check_seat, wrong_move
from millebornes.game.decks import check_deck, shuffled_deck
from millebornes.game.legal import LegalMoves, illegal_move
from millebornes.game.move import Move, MoveCodes, move_codes
from millebornes.game.questions import HandQuestions
from millebornes.game.view import View
from millebornes.rules.clauses import Reason
from millebornes.rules.engine import Position, engine_for
from millebornes.rules.refusal import Seen, refusal
from millebornes.rules.state import NOBODY

__all__ = ["Hand"]

_CARDS: Final = tuple(Card)


@functools.lru_cache(maxsize=64)
def _codes_by_seat(rules: Rules) -> tuple[MoveCodes, ...]:
    return tuple(move_codes(rules, rules.side_of(seat)) for seat in range(rules.seats))


class _Past(NamedTuple):
    """How a hand came to be, without its moments."""

    state: bytes
    """That of the deal."""
    moves: tuple[Move, ...]
    """All but the latest."""


class Hand(HandQuestions):
    """A hand at some moment: whose decision it is, what lies on the table, and how it came to be.

    Made by `Hand.deal` or `Hand.from_deck`; `play` returns a new hand. Always stands after the draws of the seat that
    decides. Equal hands have equal rules and equal states (what led there may differ).
    """

    __slots__ = ("_by_seat", "_codes", "_deck", "_engine", "_past", "_words", "move", "ply", "rules", "state")

    move: Move | None
    """The latest move."""
    ply: int
    """How many moves have been made."""

    _past: "Hand | _Past | None"
    _words: tuple[int, ...]
    _codes: MoveCodes
    _by_seat: tuple[MoveCodes, ...]
    _deck: bytes | None

    def __init__(
        self,
        rules: Rules,
        position: Position,
        parent: "Hand | None" = None,
        move: Move | None = None,
        deck: bytes | None = None,
    ) -> None:
        engine = parent._engine if parent is not None else engine_for(rules)
        by_seat = parent._by_seat if parent is not None else _codes_by_seat(rules)
        state, words = position
        _set_rules(self, rules)
        _set_state(self, state)
        _set_past(self, parent)
        _set_move(self, move)
        _set_ply(self, 0 if parent is None else parent.ply + 1)
        _set_engine(self, engine)
        _set_words(self, words)
        _set_by_seat(self, by_seat)
        _set_codes(self, by_seat[state[engine.seat_offset]])
        _set_deck(self, deck if parent is None else parent._deck)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a hand cannot be changed ({name}); play() returns a new one")

    # ------------------------------------------------------------------ making hands

    @classmethod
    def deal(cls, rules: Rules, seed: int | str | None = None, first: int = 0, hand: int = 1) -> "Hand":
        """Deal hand ``hand`` of the match with this seed; ``first`` is the nominal first seat (R2.7).

        Raises `ArgumentError` for what are no rules or no seed, `NotationError` for a wrong seat.

        >>> Hand.deal(make_rules("classic"), seed=1958).cards(0)[:2]
        (Card('100'), Card('25'))
        """
        check_rules(rules)
        if seed is None:
            raise ArgumentError("seed: say a whole number or a text to deal from, as in Hand.deal(rules, 1)")
        return cls.from_deck(rules, shuffled_deck(rules, seed, hand), first)

    @classmethod
    def from_deck(cls, rules: Rules, deck: Iterable[Card | str], first: int = 0) -> "Hand":
        """Deal a given deck, in drawing order. Raises `NotationError` when it is not the deck of these rules.

        >>> Hand.from_deck(hand.rules, hand.deck, first=1).seat
        1
        """
        check_rules(rules)
        if type(first) is not int or not 0 <= first < rules.seats:
            raise NotationError(f"first: {first!r} is no seat; the seats are 0 to {rules.seats - 1}")
        cards = check_deck(rules, deck)
        kinds = bytes(card.index for card in cards)
        return cls(rules, engine_for(rules).start(tuple(kinds), first), deck=kinds)

    # ------------------------------------------------------------------ playing

    def play(self, move: Move | str) -> "Hand":
        """The hand after a move.

        Raises `IllegalMoveError` (which clause, what else), `NotationError` (no move at all) or `ArgumentError` (no
        text either).

        >>> hand.play("-repairs").discard_top
        Card('repairs')
        """
        if isinstance(move, str):
            move = Move.parse(move)
        elif not isinstance(move, Move):
            raise wrong_move(move)
        code = self._codes.codes.get(move)
        if code is None or not self._words[code >> 6] >> (code & 63) & 1:
            reason = self.why_not(move)
            if reason is None:  # the clauses and their tables disagree: never let a wrong move pass for a right one
                raise MilleBornesError(f"{move} is refused, but no clause forbids it; please report this position")
            raise illegal_move(move, reason, self.legal_moves)
        return Hand(self.rules, self._engine.apply(self.state, code), self, move)

    def play_all(self, moves: Iterable[Move | str]) -> "Hand":
        """The hand after several moves.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).tableaux[0].is_limited
        True
        """
        hand = self
        for move in moves:
            hand = hand.play(move)
        return hand

    def compact(self) -> "Hand":
        """An equal hand that takes a kilobyte or two, whatever led to it: it keeps the moves, not the moments.

        Its `parent`, `at` and `back` play the moves again. The moments of a few such hands are kept meanwhile.

        >>> later = hand.play_all(["-repairs", "speed_limit>0"])
        >>> later.compact().parent == later.parent
        True
        """
        start = self.at(0)
        # A seat's own cards may have been laid on top since the deal (`Streams`): such moments cannot be played again.
        if start._deck is not self._deck or self._past is None:
            return self
        hand = Hand(self.rules, Position(self.state, self._words), self, self.move)
        _set_past(hand, _Past(start.state, self.moves[:-1]))
        _set_ply(hand, self.ply)
        return hand

    @property
    def parent(self) -> "Hand | None":
        """The hand before the latest move; None where there is none.

        >>> hand.play("-repairs").parent == hand
        True
        """
        past = self._past
        return self.at(self.ply - 1) if isinstance(past, _Past) else past

    def back(self, plies: int = 1) -> "Hand":
        """The hand some moves earlier. Raises `IndexError` before the deal.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).back(2) == hand
        True
        """
        return self.at(self.ply - plies)

    @property
    def moments(self) -> "tuple[Hand, ...]":
        """The hand after each number of moves, from the deal on; the last one is this hand.

        >>> [then.ply for then in hand.play_all(["-repairs", "speed_limit>0"]).moments]
        [0, 1, 2]
        """
        found = [self]
        while (parent := found[-1].parent) is not None:
            found.append(parent)
        return tuple(reversed(found))

    def at(self, ply: int) -> "Hand":
        """The hand after its first ``ply`` moves. Raises `IndexError` when there were not as many.

        >>> hand.play_all(["-repairs", "speed_limit>0"]).at(1).seat
        1
        """
        if not 0 <= ply <= self.ply:
            raise IndexError(f"ply {ply} is not within this hand's 0 to {self.ply}")
        hand = self
        while hand.ply > ply:
            past = hand._past
            assert past is not None
            hand = past if isinstance(past, Hand) else _played_again(hand.rules, past, hand._deck)
        return hand

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of the seat that decides; none when the hand is over.

        >>> hand.legal_moves
        <LegalMoves -100 -25 -flat_tire -gasoline -repairs>
        """
        return LegalMoves(self._codes, self._words)

    def why_not(self, move: Move | str) -> Reason | None:
        """The clause and reason why the seat that decides may not make this move; None when it may.

        >>> hand.why_not("25")
        <Reason.NOT_MOVING: ('R4.1', 'your side is not moving; first play a roll')>
        """
        if isinstance(move, str):
            move = Move.parse(move)
        elif not isinstance(move, Move):
            raise wrong_move(move)
        seat = self._byte("seat")
        hazard = self._byte("hazard")
        seen = Seen(
            self.rules,
            self.phase,
            seat,
            self._cards(seat),
            tuple(self._word("side", side) for side in range(self.rules.sides)),
            self.extended,
            None if hazard == NOBODY else _CARDS[hazard],
        )
        return refusal(seen, move.action, move.card, move.target)

    # ------------------------------------------------------------------ looking back

    @property
    def deck(self) -> tuple[Card, ...]:
        """The whole deck in drawing order, what has been drawn included.

        Raises `MilleBornesError` for a hand that was made from a position, where the past is not known.

        >>> hand.deck[:2]
        (Card('25'), Card('75'))
        """
        return self.cards_in_deck(0, self.rules.cards)

    def cards_in_deck(self, start: int, end: int) -> tuple[Card, ...]:
        """The cards from place ``start`` up to ``end`` of the deck in drawing order. Raises as `deck` does.

        >>> hand.cards_in_deck(0, 2)
        (Card('25'), Card('75'))
        """
        if self._deck is None:
            raise MilleBornesError(
                "this hand comes from a position, which does not tell in what order the cards were drawn"
            )
        return tuple(_CARDS[kind] for kind in self._deck[start:end])

    def dealt(self, seat: int | None) -> tuple[Card, ...]:
        """The cards that a seat was dealt, in the order in which it got them (R2.4). Raises as `deck` does.

        >>> hand.dealt(1)
        (Card('75'), Card('end_of_limit'), Card('75'), Card('50'), Card('spare_tire'), Card('speed_limit'))
        """
        place = (check_seat(self.rules, seat) - self.first) % self.rules.seats
        return self.cards_in_deck(0, self.rules.seats * self.rules.hand_size)[place :: self.rules.seats]

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves made, passes included.

        >>> hand.play("-repairs").moves
        (Move.parse('-repairs'),)
        """
        found = []
        hand = self
        while hand.move is not None:
            found.append(hand.move)
            past = hand._past
            assert past is not None
            if isinstance(past, _Past):
                return (*past.moves, *reversed(found))
            hand = past
        return tuple(reversed(found))

    # ------------------------------------------------------------------ showing

    def view(
        self, seat: int | None, totals: tuple[int, ...] = (), hand_number: int = 1, match_target: int | None = None
    ) -> View:
        """What a seat sees. The other arguments tell it where the match stands.

        Raises `SeatError`, or `ArgumentError` for None, which `seat` is when the hand is over.

        >>> hand.view(1).hand_sizes
        (7, 6)
        """
        record = self._engine.view(self.state, check_seat(self.rules, seat))
        return View.from_record(self.rules, record, totals, hand_number, match_target)

    def to_svg(self, names: Iterable[str] = ()) -> str:
        """A picture of the table with all hands open, as an SVG document; ``names`` are by seat (or none).

        Raises `NotationError` for another number of them.

        >>> hand.to_svg(["Ann", "Bo"])[:4]
        '<svg'
        """
        from millebornes.game.svg import draw_table

        return draw_table(self, self.hands, len(self.discard_pile), self.seat, names)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    # ------------------------------------------------------------------ being a value

    @classmethod
    def parse(cls, text: str) -> "Hand":
        """The hand with this position text (docs/positions.md); what led there, and so its `deck`, is not known.

        Raises `NotationError` that names the field and what is wrong, or `EditionError` where it is the rules.

        >>> Hand.parse(str(hand)) == hand
        True
        """
        from millebornes.game.position import parse_state

        return cls(*parse_state(text))

    def __str__(self) -> str:
        from millebornes.game.position_text import state_text

        return state_text(self.rules, self.state)

    def __repr__(self) -> str:
        return f"Hand.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self.state == other.state and self.rules == other.rules

    def __hash__(self) -> int:
        return hash(self.state)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        start = self.at(0)
        return _rebuild, (self.rules, start.state, self._deck, self.moves)


# Setting a slot through its descriptor passes by __setattr__, and is quick.
(
    _set_rules,
    _set_state,
    _set_past,
    _set_move,
    _set_ply,
    _set_engine,
    _set_words,
    _set_by_seat,
    _set_codes,
    _set_deck,
) = (
    getattr(Hand, name).__set__
    for name in ("rules", "state", "_past", "move", "ply", "_engine", "_words", "_by_seat", "_codes", "_deck")
)


@functools.lru_cache(maxsize=4)
def _played_again(rules: Rules, past: _Past, deck: bytes | None) -> Hand:
    return _rebuild(rules, past.state, deck, past.moves)


def _rebuild(rules: Rules, state: bytes, deck: bytes | None, moves: tuple[Move, ...]) -> Hand:
    return Hand(rules, Position(state, engine_for(rules).words(state)), deck=deck).play_all(moves)
