"""Ratings from reviews: estimate how strong a player is from the losses of their decisions."""

import itertools
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from millebornes.storage.summary import Z_95

__all__ = ["MAX_LOSS", "MIN_DECISIONS", "SCALE", "ReviewRating", "rating", "weight_of"]

MAX_LOSS: Final = 400.0
"""A decision's loss counts as at most this many points."""
MIN_DECISIONS: Final = 100
"""The minimum number of decisions for a rating."""
SCALE: Final = (
    (0.59, 136.0),
    (0.86, 92.0),
    (1.20, 40.0),
    (1.43, 0.0),
    (1.97, -47.0),
    (2.50, -135.0),
    (2.72, -258.0),
    (3.08, -414.0),
)
"""Mean square roots of the losses in points, each with the Elo on the ladder of players with this mean.

Measured by ``research/scripts/analysis-figures ratings`` with the seeds ``fit`` and ``test``. Neighbouring players with
almost the same losses are combined.
"""
SCALE_ERROR: Final = 0.12
"""The scale's own error: how much the mean square roots of players with the same Elo differ, as a standard error."""
MIN_ELO: Final = -700.0
MAX_ELO: Final = 250.0
"""The highest rating. Above it, and below ``MIN_ELO``, losses no longer show how strong a player is."""
SCATTER: Final = 11.5
"""The typical variance of the square roots per decision, divided by their mean. Decisions in one hand are alike."""
PRIOR_HANDS: Final = 6
"""The weight of the typical variance in an interval, as a number of hands."""
MIN_MEAN: Final = 0.3


class ReviewRating(NamedTuple):
    """A rating on the ladder's scale, on which `basic` is 0, and its 95% interval."""

    value: float
    ci95: tuple[float, float]


def weight_of(loss: float) -> float:
    """Return the weight of a loss in points: its square root, so that a few big losses don't outweigh the rest.

    Noise can make a loss slightly negative. Such a loss counts as zero.
    """
    return math.sqrt(min(MAX_LOSS, max(0.0, loss)))


def rating(hands: Sequence[Sequence[float]]) -> ReviewRating | None:
    """Return the rating of a player with these losses in points, by hand, or None if there are too few decisions.

    The interval is based on hands instead of decisions, because decisions in one hand are alike. It includes the error
    of the scale.
    """
    counted = [[weight_of(loss) for loss in hand] for hand in hands if hand]
    count = sum(map(len, counted))
    if count < MIN_DECISIONS:
        return None
    mean = math.fsum(itertools.chain.from_iterable(counted)) / count
    number = len(counted)
    # the variance between hands, as in a bootstrap, plus a typical value, because a few hands show little of it
    apart = math.fsum((math.fsum(hand) - len(hand) * mean) ** 2 for hand in counted) / count
    apart *= number / max(1, number - 1)
    variance = (number * apart + PRIOR_HANDS * SCATTER * max(MIN_MEAN, mean)) / (number + PRIOR_HANDS)
    error = math.sqrt(variance / count + SCALE_ERROR**2)
    return ReviewRating(_elo(mean), (_elo(mean + Z_95 * error), _elo(max(0.0, mean - Z_95 * error))))


def _elo(mean: float) -> float:
    """Return the Elo at a mean square root, interpolated between measured values and extrapolated a little beyond."""
    for (before, above), (after, below) in itertools.pairwise(SCALE):
        if mean <= after or (after, below) == SCALE[-1]:
            found = above + (mean - before) * (below - above) / (after - before)
            return min(MAX_ELO, max(MIN_ELO, found))
    raise AssertionError(SCALE)
