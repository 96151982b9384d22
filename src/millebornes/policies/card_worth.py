"""The value of each kind of card to the side that receives it.

Each card counts as its value minus the average of the cards that could have come instead. The values were fitted to
40,000 hands of `maxims` against itself (classic, two seats) so that the sum comes closest to the difference in points
at the end. It explains half of the variance (a correlation of 0.72), and each value has a standard error of 6 or less.
At other tables and editions, and for `basic`, the correlation was 0.62 to 0.76, at most 0.04 less than with own values.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from millebornes.cards import Card

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
"""The value of each kind of card in points. Only the differences between values matter."""

WORTH_BY_KIND: Final = np.array([float(WORTH[card]) for card in Card])
"""The same values for kernels, by the index of the kind."""
