"""Ratings based on reviews: estimates of how strong players are, given how much their decisions lose."""

import itertools
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from millebornes.storage.summary import Z_95

MAX_LOSS: Final = 400.0
"""A single decision counts as a loss of at most this many points."""
MIN_DECISIONS: Final = 100
"""A player gets a rating only after at least this many decisions."""
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
"""Pairs of numbers: the average square root of the losses (in points), and the Elo of ladder players with this average.

They were measured by ``research/scripts/analysis-figures ratings`` with the seeds ``fit`` and ``test``. Neighbouring
players with almost the same losses are combined.
"""
SCALE_ERROR: Final = 0.12
"""The uncertainty of the scale: the standard error of the average square root among players with the same Elo."""
MIN_ELO: Final = -700.0
MAX_ELO: Final = 250.0
"""The highest possible rating. Beyond this and ``MIN_ELO``, losses no longer show how strong a player is."""
SCATTER: Final = 11.5
"""The typical variance per decision of the square roots, divided by their average.

Decisions in the same hand are alike.
"""
PRIOR_HANDS: Final = 6
"""The typical variance counts in an interval as much as this many hands."""
MIN_MEAN: Final = 0.3


class ReviewRating(NamedTuple):
    """A rating with its 95% interval, on the scale of the ladder, where `basic` has 0."""

    value: float
    ci95: tuple[float, float]


def weight_of(loss: float) -> float:
    """Return the weight of a loss in points, which is its square root. A few big losses then don't outweigh all others.

    Because of noise, a loss can be slightly negative. Such a loss counts as zero.
    """
    return math.sqrt(min(MAX_LOSS, max(0.0, loss)))


def rating(hands: Sequence[Sequence[float]]) -> ReviewRating | None:
    """Return the rating of a player, or None after too few decisions.

    ``hands`` has a list of losses in points per hand.

    The interval is based on hands and not on decisions, because decisions in the same hand are alike. The interval
    includes the uncertainty of the scale.
    """
    counted = [[weight_of(loss) for loss in hand] for hand in hands if hand]
    count = sum(map(len, counted))
    if count < MIN_DECISIONS:
        return None
    mean = math.fsum(itertools.chain.from_iterable(counted)) / count
    number = len(counted)
    # the variance between hands, as in a bootstrap, and the typical variance, because a few hands show little
    apart = math.fsum((math.fsum(hand) - len(hand) * mean) ** 2 for hand in counted) / count
    apart *= number / max(1, number - 1)
    variance = (number * apart + PRIOR_HANDS * SCATTER * max(MIN_MEAN, mean)) / (number + PRIOR_HANDS)
    error = math.sqrt(variance / count + SCALE_ERROR**2)
    return ReviewRating(_elo(mean), (_elo(mean + Z_95 * error), _elo(max(0.0, mean - Z_95 * error))))


def _elo(mean: float) -> float:
    """Return the Elo for an average square root, interpolated between measured values or extrapolated a little."""
    for (before, above), (after, below) in itertools.pairwise(SCALE):
        if mean <= after or (after, below) == SCALE[-1]:
            elo = above + (mean - before) * (below - above) / (after - before)
            return min(MAX_ELO, max(MIN_ELO, elo))
    raise AssertionError(SCALE)
