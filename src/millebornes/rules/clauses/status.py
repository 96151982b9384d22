"""R3: the status of a side."""

from typing import NamedTuple

from millebornes.cards import HAZARDS, SAFETY_OF, Card


class Status(NamedTuple):
    """The part of a side's tableau that the clauses R3 and R4 depend on, apart from its miles.

    ``battle`` is the card that counts as the top of the battle pile. A 200 played as a roll counts as a roll (R4.7).
    ``limit_shown`` is true if a speed limit is on top of the speed pile. ``safeties`` contains the safeties that the
    side owns.
    """

    battle: Card | None
    limit_shown: bool
    safeties: frozenset[Card]


def under(side: Status) -> Card | None:
    """R3.1: return the hazard that stops the side, or None."""
    if side.battle in HAZARDS and SAFETY_OF[side.battle] not in side.safeties:
        return side.battle
    return None


def is_limited(side: Status) -> bool:
    """R3.2: return whether the side is limited."""
    return side.limit_shown and Card.RIGHT_OF_WAY not in side.safeties


def is_moving(side: Status) -> bool:
    """R3.3: return whether the side is moving."""
    return side.battle is Card.ROLL or (Card.RIGHT_OF_WAY in side.safeties and under(side) is None)
