"""R3: the status of a side."""

from typing import NamedTuple

from millebornes.cards import HAZARDS, SAFETY_OF, Card

__all__ = ["Status", "is_limited", "is_moving", "under"]


class Status(NamedTuple):
    """All of a side's tableau that clauses R3 and R4 depend on, miles apart.

    ``battle`` is the effective top of the battle pile, where a 200 in place of a roll counts as a roll (R4.7);
    ``limit_shown`` tells whether a speed limit tops the speed pile; ``safeties`` are those that the side owns.
    """

    battle: Card | None
    limit_shown: bool
    safeties: frozenset[Card]


def under(side: Status) -> Card | None:
    """R3.1: the hazard that holds the side up, if any."""
    if side.battle in HAZARDS and SAFETY_OF[side.battle] not in side.safeties:
        return side.battle
    return None


def is_limited(side: Status) -> bool:
    """R3.2: is the side's speed limited?"""
    return side.limit_shown and Card.RIGHT_OF_WAY not in side.safeties


def is_moving(side: Status) -> bool:
    """R3.3: is the side moving?"""
    return side.battle is Card.ROLL or (Card.RIGHT_OF_WAY in side.safeties and under(side) is None)
