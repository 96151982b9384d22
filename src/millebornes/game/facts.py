"""What a hand says of itself at one moment, read from its packed state."""

from typing import Final

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game.checks import seat_error
from millebornes.game.parts import Pending, cards_of_word
from millebornes.game.scoresheet import Scoresheet
from millebornes.game.tableau import Tableau
from millebornes.rules import clauses
from millebornes.rules.engine import Engine
from millebornes.rules.state import NOBODY, Phase

__all__ = ["HandFacts"]

_CARDS: Final = tuple(Card)
OVER: Final = int(Phase.OVER)


class HandFacts:
    """Whose decision it is, what lies on the table, and what everybody holds."""

    __slots__ = ()

    rules: Rules
    """What is played by."""
    state: bytes
    """The packed state (a STATE record)."""

    _engine: Engine

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
        return clauses.goal_in_force(self.rules, self.extended)

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

    def cards(self, seat: int | None) -> tuple[Card, ...]:
        """The cards in a seat's hand, sorted as texts. Raises `SeatError`.

        >>> [str(card) for card in hand.cards(0)]
        ['100', '25', '25', '25', 'flat_tire', 'gasoline', 'repairs']
        """
        if type(seat) is not int or not 0 <= seat < self.rules.seats:
            raise seat_error(self.rules, seat)
        return cards_of_word(self._word("hand", seat))

    def _cards(self, seat: int) -> tuple[Card, ...]:
        """As `cards`, of a number that the state itself gives."""
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
    def scores(self) -> tuple[Scoresheet, ...]:
        """The score sheet of each side as the table stands (R7); final when the hand is over."""
        return tuple(Scoresheet.of(lines) for lines in self._engine.scores(self.state))
