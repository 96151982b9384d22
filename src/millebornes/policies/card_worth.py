"""The value of a card to the side that gets it, by its kind.

The values come from 40,000 hands of the player `maxims` against itself (the classic edition, two seats). Take each
card's value, less the average of the cards that could have come instead, and add it up over all cards that a side gets.
These values make that sum come closest to the difference in points at the end of a hand. They account for half of its
variance (a correlation of 0.72). Each has a standard error of 6 points or less. They also work at every other table:
over 4,000 to 8,000 hands at each of the other editions' tables for two, for `basic`, and at classic tables of 3, 4 and
6, the correlation was 0.62 to 0.76. That is at most 0.04 less than with values fitted to the table. The difference in
points was 0.83 to 1.03 times the luck these values add up to.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from millebornes.cards import Card

__all__ = ["WORTH", "WORTH_BY_KIND"]

WORTH: Final[Mapping[Card, int]] = {
    Card.D25: -63,
    Card.D50: -58,
    Card.D75: -63,
    Card.D100: -44,
    Card.D200: -17,
    Card.ACCIDENT: 84,
    Card.OUT_OF_GAS: 84,
    Card.FLAT_TIRE: 84,
    Card.STOP: 18,
    Card.SPEED_LIMIT: -14,
    Card.REPAIRS: -29,
    Card.GASOLINE: -29,
    Card.SPARE_TIRE: -29,
    Card.ROLL: 20,
    Card.END_OF_LIMIT: -34,
    Card.DRIVING_ACE: 403,
    Card.EXTRA_TANK: 403,
    Card.PUNCTURE_PROOF: 403,
    Card.RIGHT_OF_WAY: 896,
}
"""The value of a card of each kind in points, compared with the average of a full deck. Kinds that differ only in name
share a number. Only differences matter.
"""

WORTH_BY_KIND: Final = np.array([float(WORTH[card]) for card in Card])
"""The same values by the index of the kind, for kernels."""
