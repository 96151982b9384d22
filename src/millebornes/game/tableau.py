"""A tableau with a side's battle pile, speed pile, distance cards and safeties, and a hazard that can be answered."""

import dataclasses
import functools
from typing import Any, Final, NamedTuple

import msgspec

from millebornes.cards import DISTANCES, SAFETIES, Card
from millebornes.rules import clauses
from millebornes.rules.clauses import Status
from millebornes.rules.state import Side
from millebornes.rules.tables import status_of
from millebornes.schema.view import SideObject, SpeedName

_status_of = functools.cache(status_of)
_SPEEDS: Final[dict[Card | None, SpeedName | None]] = {
    None: None,
    Card.SPEED_LIMIT: "speed_limit",
    Card.END_OF_LIMIT: "end_of_limit",
}


class Pending(NamedTuple):
    """The hazard that can be answered with a coup fourré."""

    hazard: Card
    """The hazard card."""
    side: int
    """The side that was hit."""
    by: int
    """The seat that played the hazard."""


@dataclasses.dataclass(frozen=True, slots=True)
class Tableau:
    """The tableau of one side as every player sees it. It is created from a packed side word."""

    word: int
    """The whole tableau, packed in 64 bits."""

    @property
    def status(self) -> Status:
        """The part of the tableau on which the clauses R3 and R4 depend, apart from the miles."""
        return _status_of(self.word & Side.STATUS_MASK)

    @property
    def battle(self) -> Card | None:
        """The card that is visible on top of the battle pile, or None.

        A 200 played as a roll appears as the 200 (R4.7).
        """
        top = self.status.battle
        return Card.D200 if top is Card.ROLL and self.word >> Side.ROLL_IS_200 & 1 else top

    @property
    def speed(self) -> Card | None:
        """The card that is visible on top of the speed pile, or None."""
        if self.word >> Side.LIMIT & 1:
            return Card.SPEED_LIMIT
        return Card.END_OF_LIMIT if self.word >> Side.END_OF_LIMIT & 1 else None

    @property
    def distance(self) -> int:
        """The distance that the side has driven, in miles."""
        return 25 * (self.word >> Side.MILES & Side.MILES_MASK)

    @property
    def distance_cards(self) -> dict[Card, int]:
        """The number of cards of each kind that were played for distance.

        >>> hand.tableaux[0].distance_cards[Card("200")]
        0
        """
        return {
            card: self.word >> shift & (1 << bits) - 1
            for card, shift, bits in zip(DISTANCES, Side.DISTANCES, Side.DISTANCE_BITS, strict=True)
        }

    @property
    def safeties(self) -> tuple[Card, ...]:
        """The safeties that the side owns, including those that were called as a coup fourré."""
        return tuple(card for i, card in enumerate(SAFETIES) if self.word >> Side.SAFETIES + i & 1)

    @property
    def coups_fourres(self) -> tuple[Card, ...]:
        """The safeties that were called as a coup fourré."""
        return tuple(card for i, card in enumerate(SAFETIES) if self.word >> Side.COUPS + i & 1)

    @property
    def is_moving(self) -> bool:
        """Whether the side is moving (R3.3)."""
        return clauses.is_moving(self.status)

    @property
    def under(self) -> Card | None:
        """The hazard that stops the side (R3.1), or None."""
        return clauses.under(self.status)

    @property
    def is_limited(self) -> bool:
        """Whether the side is limited (R3.2)."""
        return clauses.is_limited(self.status)

    def to_dict(self) -> dict[str, Any]:
        """Return the tableau as a SIDE object for transcripts and the bot protocol.

        >>> hand.tableaux[0].to_dict()["moving"]
        False
        """
        side: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self.to_object()))
        return side

    def to_object(self) -> SideObject:
        """Return the result of `to_dict` as a Struct.

        >>> hand.tableaux[0].to_object().distance
        0
        """
        return SideObject(
            battle=self.battle,
            speed=_SPEEDS[self.speed],
            distance=self.distance,
            cards=self.distance_cards,
            safeties=self.safeties,
            coups_fourres=self.coups_fourres,
            moving=self.is_moving,
            under=self.under,
            limited=self.is_limited,
        )

    def __repr__(self) -> str:
        return f"Tableau({self.word:#x})"


@functools.lru_cache(maxsize=8192)
def side_object(word: int) -> SideObject:
    """Return the SIDE object for a side word.

    The results are cached, because a game asks for the same ones many times.
    """
    return Tableau(word).to_object()
