"""Ratings from reviews: how strong somebody seems to be whose decisions lose so much."""

import itertools
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

__all__ = ["CAP", "FEWEST", "SCALE", "Rating", "rating"]

CAP: Final = 100.0
"""A decision counts with at most so many points: a few great losses tell less of a player than many small ones."""
FEWEST: Final = 30
"""Decisions that a rating takes at least."""
SCALE: Final = (
    (1.9, 140.0),
    (4.4, 60.0),
    (6.2, 0.0),
    (8.0, -47.0),
    (13.0, -150.0),
    (16.0, -240.0),
    (19.0, -320.0),
    (24.0, -400.0),
    (28.0, -480.0),
)
"""Mean losses in points a decision, each at most `CAP`, and the Elo on the ladder of such a player.

Measured by ``scripts/analysis-figures`` with other decks than the figures of docs/analysis.md.
"""


class Rating(NamedTuple):
    """A rating on the ladder's scale, `basic` being 0, and its interval of 95 %."""

    value: float
    ci95: tuple[float, float]


def rating(losses: Sequence[float]) -> Rating | None:
    """The rating of who has lost so many points at each of his decisions; None for too few."""
    count = len(losses)
    if count < FEWEST:
        return None
    capped = [min(CAP, loss) for loss in losses]
    mean = math.fsum(capped) / count
    error = math.sqrt(math.fsum((loss - mean) ** 2 for loss in capped) / (count - 1) / count)
    return Rating(_elo(mean), (_elo(mean + 1.96 * error), _elo(max(0.0, mean - 1.96 * error))))


def _elo(loss: float) -> float:
    """The Elo at a mean loss: interpolated between what was measured, and continued beyond it."""
    for (before, above), (after, below) in itertools.pairwise(SCALE):
        if loss <= after or (after, below) == SCALE[-1]:
            return above + (loss - before) * (below - above) / (after - before)
    raise AssertionError(SCALE)
