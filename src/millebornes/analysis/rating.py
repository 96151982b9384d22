"""Ratings from reviews: how strong somebody seems to be whose decisions lose so much."""

import itertools
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from millebornes.storage.summary import Z_95

__all__ = ["MAX_LOSS", "MIN_DECISIONS", "SCALE", "ReviewRating", "rating", "weight_of"]

MAX_LOSS: Final = 400.0
"""A decision counts with at most so many points."""
MIN_DECISIONS: Final = 100
"""Decisions that a rating takes at least."""
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
"""Mean square roots of the losses in points, and the Elo on the ladder of such a player.

Measured by ``research/scripts/analysis-figures ratings`` with the seeds ``fit`` and ``test``. Neighbours that losses
hardly tell apart are taken together.
"""
SCALE_ERROR: Final = 0.12
"""By so much (a standard error) players of the same Elo differ in their mean square root: the scale's own error."""
MIN_ELO: Final = -700.0
MAX_ELO: Final = 250.0
"""Beyond these, losses tell nothing of how strong a player is."""
SCATTER: Final = 11.5
"""Square roots scatter by this variance, times their mean, for each decision of a hand, as these are alike …"""
PRIOR_HANDS: Final = 6
"""… which counts as much as what so many hands tell."""
MIN_MEAN: Final = 0.3


class ReviewRating(NamedTuple):
    """A rating on the ladder's scale, `basic` being 0, and its interval of 95 %."""

    value: float
    ci95: tuple[float, float]


def weight_of(loss: float) -> float:
    """What a loss in points counts for a rating: its square root, so that a few great losses don't outweigh the others.

    Noise of the analysis may make a loss a little negative; it counts as none.
    """
    return math.sqrt(min(MAX_LOSS, max(0.0, loss)))


def rating(hands: Sequence[Sequence[float]]) -> ReviewRating | None:
    """The rating of whoever has lost so many points at the decisions of each hand; None for too few decisions.

    The interval counts hands, not decisions, since those of one hand are alike, and the error of the scale.
    """
    counted = [[weight_of(loss) for loss in hand] for hand in hands if hand]
    count = sum(map(len, counted))
    if count < MIN_DECISIONS:
        return None
    mean = math.fsum(itertools.chain.from_iterable(counted)) / count
    number = len(counted)
    # what a bootstrap of the hands gives, and with it what is usual, for few hands tell little of how they scatter
    apart = math.fsum((math.fsum(hand) - len(hand) * mean) ** 2 for hand in counted) / count
    apart *= number / max(1, number - 1)
    variance = (number * apart + PRIOR_HANDS * SCATTER * max(MIN_MEAN, mean)) / (number + PRIOR_HANDS)
    error = math.sqrt(variance / count + SCALE_ERROR**2)
    return ReviewRating(_elo(mean), (_elo(mean + Z_95 * error), _elo(max(0.0, mean - Z_95 * error))))


def _elo(mean: float) -> float:
    """The Elo at a mean square root: interpolated between what was measured, and continued beyond it for a while."""
    for (before, above), (after, below) in itertools.pairwise(SCALE):
        if mean <= after or (after, below) == SCALE[-1]:
            found = above + (mean - before) * (below - above) / (after - before)
            return min(MAX_ELO, max(MIN_ELO, found))
    raise AssertionError(SCALE)
