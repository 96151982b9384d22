"""One hand of Mille Bornes, immutable: every move makes a new `Hand` that remembers the one before."""

import functools
import hashlib
from collections.abc import Iterable
from typing import Final, cast

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.errors import MilleBornesError, NotationError
from millebornes.game.legal import LegalMoves, illegal_move
from millebornes.game.move import Move, MoveCodes, move_codes
from millebornes.game.scoresheet import Scoresheet
from millebornes.game.tableau import Tableau
from millebornes.game.view import Pending, View, cards_of_word
from millebornes.rules.clauses import Reason
from millebornes.rules.engine import Engine, Position, engine_for
from millebornes.rules.refusal import Seen, refusal
from millebornes.rules.state import NOBODY, Phase

__all__ = ["Hand", "check_deck", "deck_word", "shuffled_deck"]

_CARDS: Final = tuple(Card)
_CARD_OF: Final[dict[object, Card]] = {card.value: card for card in _CARDS}
OVER: Final = int(Phase.OVER)


def shuffled_deck(rules: Rules, seed: int | str, hand: int = 1) -> tuple[Card, ...]:
    """The deck of hand ``hand`` (from 1) of the match with this seed, in drawing order; the same on every machine.

    A seed is any whole number or text; ``7`` and ``"7"`` are the same seed.
    """
    return tuple(_CARDS[kind] for kind in engine_for(rules).shuffled(deck_word(seed, hand)))


def deck_word(seed: int | str, hand: int) -> int:
    """The 64 bits from which the deck of hand ``hand`` (from 1) of the match with this seed is shuffled."""
    digest = hashlib.sha256(f"millebornes deck {hand} {seed}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "little")


@functools.lru_cache(maxsize=64)
def _codes_by_seat(rules: Rules) -> tuple[MoveCodes, ...]:
    return tuple(move_codes(rules, rules.side_of(seat)) for seat in range(rules.seats))


def check_deck(rules: Rules, cards: Iterable[Card | str]) -> tuple[Card, ...]:
    """A deck in drawing order, checked to be exactly the cards of these rules. Raises `NotationError`."""
    deck = []
    found = dict.fromkeys(_CARDS, 0)
    for text in cast("Iterable[object]", cards):
        card = _CARD_OF.get(text) if isinstance(text, str) else None
        if card is None:
            raise NotationError(f"the deck holds {text!r}, which is no card")
        deck.append(card)
        found[card] += 1
    for card, wanted in zip(_CARDS, rules.deck, strict=True):
        if found[card] != wanted:
            raise NotationError(f"the deck holds {found[card]} x {card}, but these rules want {wanted}")
    return tuple(deck)


class Hand:
    """A hand at some moment: whose decision it is, what lies on the table, and how it came to be.

    Made by `Hand.deal` or `Hand.from_deck`; `play` returns a new hand. Always stands after the draws of the seat that
    decides. Equal hands have equal rules and equal states (what led there may differ).
    """

    __slots__ = ("_by_seat", "_codes", "_deck", "_engine", "_words", "move", "parent", "ply", "rules", "state")

    rules: Rules
    state: bytes
    """The packed state (a STATE record)."""
    parent: "Hand | None"
    """The hand before the latest move."""
    move: Move | None
    """The latest move."""
    ply: int
    """How many moves have been made."""

    _engine: Engine
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
        _set_parent(self, parent)
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
    def deal(cls, rules: Rules, seed: int | str, first: int = 0, hand: int = 1) -> "Hand":
        """Deal hand ``hand`` of the match with this seed; ``first`` is the nominal first seat (R2.7)."""
        return cls.from_deck(rules, shuffled_deck(rules, seed, hand), first)

    @classmethod
    def from_deck(cls, rules: Rules, deck: Iterable[Card | str], first: int = 0) -> "Hand":
        """Deal a given deck, in drawing order. Raises `NotationError` when it is not the deck of these rules."""
        if type(first) is not int or not 0 <= first < rules.seats:
            raise NotationError(f"first: {first!r} is no seat; the seats are 0 to {rules.seats - 1}")
        cards = check_deck(rules, deck)
        kinds = bytes(card.index for card in cards)
        return cls(rules, engine_for(rules).start(tuple(kinds), first), deck=kinds)

    # ------------------------------------------------------------------ playing

    def play(self, move: Move | str) -> "Hand":
        """The hand after a move.

        Raises `IllegalMoveError` (which clause, what else) or `NotationError` (no move at all).
        """
        if isinstance(move, str):
            move = Move.parse(move)
        code = self._codes.codes.get(move)
        if code is None or not self._words[code >> 6] >> (code & 63) & 1:
            reason = self.why_not(move)
            if reason is None:  # the clauses and their tables disagree: never let a wrong move pass for a right one
                raise MilleBornesError(f"{move} is refused, but no clause forbids it; please report this position")
            raise illegal_move(move, reason, self.legal_moves)
        return Hand(self.rules, self._engine.apply(self.state, code), self, move)

    def play_all(self, moves: Iterable[Move | str]) -> "Hand":
        """The hand after several moves."""
        hand = self
        for move in moves:
            hand = hand.play(move)
        return hand

    def back(self, plies: int = 1) -> "Hand":
        """The hand some moves earlier. Raises `IndexError` before the deal."""
        return self.at(self.ply - plies)

    def at(self, ply: int) -> "Hand":
        """The hand after its first ``ply`` moves. Raises `IndexError` when there were not as many."""
        if not 0 <= ply <= self.ply:
            raise IndexError(f"ply {ply} is not within this hand's 0 to {self.ply}")
        hand = self
        while hand.ply > ply and hand.parent is not None:
            hand = hand.parent
        return hand

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of the seat that decides; none when the hand is over."""
        return LegalMoves(self._codes, self._words)

    def why_not(self, move: Move | str) -> Reason | None:
        """The clause and reason why the seat that decides may not make this move; None when it may."""
        move = Move.parse(move) if isinstance(move, str) else move
        seat = self._byte("seat")
        hazard = self._byte("hazard")
        seen = Seen(
            self.rules,
            self.phase,
            seat,
            self.cards(seat),
            tuple(self._word("side", side) for side in range(self.rules.sides)),
            self.extended,
            None if hazard == NOBODY else _CARDS[hazard],
        )
        return refusal(seen, move.action, move.card, move.target)

    # ------------------------------------------------------------------ looking

    def _byte(self, field: str) -> int:
        return self.state[self._engine.offsets[field]]

    def _word(self, field: str, index: int) -> int:
        start = self._engine.offsets[field] + 8 * index
        return int.from_bytes(self.state[start : start + 8], "little")

    @property
    def phase(self) -> Phase:
        """What is to be decided."""
        return Phase(self._byte("phase"))

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended."""
        return self.state[self._engine.phase_offset] == OVER

    @property
    def seat(self) -> int | None:
        """The seat that decides; None when the hand is over."""
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
        return self.rules.extension_goal if self.extended and self.rules.extension_goal else self.rules.goal

    @property
    def completed_by(self) -> int | None:
        """The side that completed the trip, if any (R6.1)."""
        side = self._byte("completed")
        return None if side == NOBODY else side

    @property
    def pending(self) -> Pending | None:
        """The hazard that is being answered (phase COUP)."""
        hazard = self._byte("hazard")
        return None if hazard == NOBODY else Pending(_CARDS[hazard], self._byte("target"), self._byte("attacker"))

    @property
    def draw_pile(self) -> int:
        """Cards left to draw."""
        return self.rules.cards - self._byte("drawn")

    @property
    def deck(self) -> tuple[Card, ...]:
        """The whole deck in drawing order, what has been drawn included.

        Raises `MilleBornesError` for a hand that was made from a position, where the past is not known.
        """
        if self._deck is None:
            raise MilleBornesError(
                "this hand comes from a position, which does not tell in what order the cards were drawn"
            )
        return tuple(_CARDS[kind] for kind in self._deck)

    def cards(self, seat: int) -> tuple[Card, ...]:
        """The cards in a seat's hand, sorted as texts."""
        return cards_of_word(self._word("hand", seat))

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """All hands, by seat."""
        return tuple(self.cards(seat) for seat in range(self.rules.seats))

    @property
    def tableaux(self) -> tuple[Tableau, ...]:
        """What lies before each side."""
        return tuple(Tableau(self._word("side", side)) for side in range(self.rules.sides))

    @property
    def discards(self) -> dict[Card, int]:
        """Cards in the discard pile by kind."""
        pile = self.discard_pile
        return {card: pile.count(card) for card in _CARDS}

    @property
    def discard_pile(self) -> tuple[Card, ...]:
        """The discards in the order in which they were made, the latest last."""
        start = self._engine.offsets["deck"]
        return tuple(_CARDS[kind] for kind in self.state[start : start + self._byte("discarded")])

    @property
    def discard_top(self) -> Card | None:
        """The latest discard."""
        pile = self.discard_pile
        return pile[-1] if pile else None

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves made, passes included."""
        found = []
        hand: Hand | None = self
        while hand is not None and hand.move is not None:
            found.append(hand.move)
            hand = hand.parent
        return tuple(reversed(found))

    @property
    def scores(self) -> tuple[Scoresheet, ...]:
        """The score sheet of each side as the table stands (R7); final when the hand is over."""
        return tuple(Scoresheet.of(lines) for lines in self._engine.scores(self.state))

    def view(
        self, seat: int, totals: tuple[int, ...] = (), hand_number: int = 1, match_target: int | None = None
    ) -> View:
        """What a seat sees. The other arguments tell it where the match stands."""
        if not 0 <= seat < self.rules.seats:
            raise IndexError(f"there is no seat {seat}; the seats are 0 to {self.rules.seats - 1}")
        return View.from_record(self.rules, self._engine.view(self.state, seat), totals, hand_number, match_target)

    def to_svg(self, names: Iterable[str] = ()) -> str:
        """A picture of the table with all hands open, as an SVG document; ``names`` are by seat."""
        from millebornes.game.svg import Scene, draw

        scene = Scene(
            rules=self.rules,
            tableaux=self.tableaux,
            hands=self.hands,
            draw_pile=self.draw_pile,
            discard_top=self.discard_top,
            discards=len(self.discard_pile),
            goal=self.goal,
            mover=self.seat,
            names=tuple(names),
        )
        return draw(scene)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    # ------------------------------------------------------------------ being a value

    @classmethod
    def parse(cls, text: str) -> "Hand":
        """The hand with this position text (docs/positions.md); what led there, and so its `deck`, is not known.

        Raises `NotationError` that names the field and what is wrong, or `EditionError` where it is the rules.
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
    _set_parent,
    _set_move,
    _set_ply,
    _set_engine,
    _set_words,
    _set_by_seat,
    _set_codes,
    _set_deck,
) = (
    getattr(Hand, name).__set__
    for name in ("rules", "state", "parent", "move", "ply", "_engine", "_words", "_by_seat", "_codes", "_deck")
)


def _rebuild(rules: Rules, state: bytes, deck: bytes | None, moves: tuple[Move, ...]) -> Hand:
    return Hand(rules, Position(state, engine_for(rules).words(state)), deck=deck).play_all(moves)
