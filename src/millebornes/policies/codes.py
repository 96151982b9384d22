"""The integers by which policies represent kinds of cards, moves and distances.

Kinds are in the order of `millebornes.cards.Card`, moves are the codes of `millebornes.rules.state`, and distances are
in units of 25 miles.
"""

from typing import Final

from millebornes.cards import DISTANCES, HAZARDS, REMEDIES, REMEDY_OF, SAFETIES, SAFETY_OF, Card
from millebornes.rules import state, tables

UNITS: Final = tuple(card.miles // 25 for card in DISTANCES)
ACCIDENT: Final = Card.ACCIDENT.index
STOP: Final = Card.STOP.index
SPEED_LIMIT: Final = Card.SPEED_LIMIT.index
REPAIRS: Final = Card.REPAIRS.index
ROLL: Final = Card.ROLL.index
END_OF_LIMIT: Final = Card.END_OF_LIMIT.index
SAFETY: Final = Card.DRIVING_ACE.index
RIGHT_OF_WAY: Final = Card.RIGHT_OF_WAY.index
KINDS: Final = state.KINDS
ROLL_200: Final = tables.roll_200_code()
DISTANCE_PLAYS: Final = sum(1 << 3 * kind + 1 for kind in range(ACCIDENT))
HAZARD_PLAYS: Final = sum(1 << 3 * kind + 1 for kind in range(ACCIDENT, REPAIRS))
REMEDY_PLAYS: Final = sum(1 << 3 * kind + 1 for kind in range(REPAIRS, SAFETY))
SAFETY_PLAYS: Final = sum(1 << 3 * kind + 1 for kind in range(SAFETY, KINDS))
"""Masks of the move codes that play a class of cards. The codes that discard them are one bit lower."""
PASS: Final = tables.PASS
EXTEND: Final = tables.EXTEND
FINISH: Final = tables.FINISH

assert [REMEDY_OF[hazard] for hazard in HAZARDS] == list(REMEDIES), "policies find a remedy by its place"
assert [SAFETY_OF[hazard] for hazard in HAZARDS] == [*SAFETIES, SAFETIES[-1]], "policies find a safety by its place"


def units(kind: int) -> int:
    """Return the length of a distance card in units of 25 miles."""
    return kind + 1 + 3 * (kind >> 2)


def lowest(word: int) -> int:
    """Return the position of the lowest set bit."""
    return (word & -word).bit_length() - 1
