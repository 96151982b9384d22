"""The counts of the strategy lab: sums of integers over deals, and the estimates computed from them.

All sums are exact, so batches can be added in any order with the same result, and files can store them.
"""

import math
from collections.abc import Mapping
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from millebornes.arena.statistics import Estimate, t_quantile

Whole: TypeAlias = npt.NDArray[np.int64]
Counts: TypeAlias = dict[str, Whole]
"""Sums by name. Within a study, arrays with the same name always have the same shape."""

TAIL: Final = 0.975


def add(one: Mapping[str, Whole], other: Mapping[str, Whole]) -> Counts:
    """Return the sums of two batches added together. Each of them can be empty."""
    if not one or not other:
        return dict(one or other)
    return {name: one[name] + other[name] for name in one}


def moments(values: npt.ArrayLike) -> Whole:
    """Return the number, sum and sum of squares over the first axis (the deals), as an array of shape (3, …)."""
    found = np.asarray(values, np.int64)
    count = np.full(found.shape[1:], len(found), np.int64)
    return np.stack([count, found.sum(axis=0), (found * found).sum(axis=0)])


def pair_moments(values: npt.ArrayLike, sizes: npt.ArrayLike) -> Whole:
    """Return the sums over the first axis that `ratio` needs, as an array of shape (6, …).

    They are the number of clusters that aren't empty, and the sums of x, y, x², xy and y².
    """
    x, y = np.asarray(values, np.int64), np.asarray(sizes, np.int64)
    return np.stack([(y > 0).sum(axis=0), *(part.sum(axis=0) for part in (x, y, x * x, x * y, y * y))])


def mean(found: Whole, scale: float = 1.0) -> Estimate:
    """Return the mean times ``scale``, with an interval by Student's t, from the three `moments` of a number."""
    count, total, squares = (int(number) for number in found)
    if not count:
        return Estimate(math.nan, math.nan, -math.inf, math.inf)
    if count < 2:
        return Estimate(scale * total / count, math.nan, -math.inf, math.inf)
    # integers of any length, so nothing is rounded, however many deals there are
    error = math.sqrt((count * squares - total * total) / (count - 1)) / count
    return estimate(scale * total / count, abs(scale) * error, count - 1)


def ratio(found: Whole, scale: float = 1.0) -> Estimate:
    """Return the mean over all items times ``scale``, computed from six `pair_moments`.

    The items of a deal may depend on each other.
    """
    clusters, x, y, xx, xy, yy = (int(number) for number in found)
    if not y:
        return Estimate(math.nan, math.nan, -math.inf, math.inf)
    value = x / y
    if clusters < 2:
        return Estimate(scale * value, math.nan, -math.inf, math.inf)
    rest = max(0.0, (xx * y * y - 2 * xy * x * y + yy * x * x) / (y * y))
    error = math.sqrt(rest * clusters / (clusters - 1)) / y
    return estimate(scale * value, abs(scale) * error, clusters - 1)


def estimate(value: float, stderr: float, freedom: int) -> Estimate:
    """Return a number with its standard error and its interval by Student's t."""
    reach = t_quantile(TAIL, freedom) * stderr
    return Estimate(value, stderr, value - reach, value + reach)


def win_parts(points: Whole) -> tuple[Whole, int]:
    """Return each side's part of the win as an integer, and the integer for a whole win.

    The last axis of ``points`` is the sides.
    """
    whole = math.lcm(*range(1, points.shape[-1] + 1))
    best = points == points.max(axis=-1, keepdims=True)
    return best * (whole // best.sum(axis=-1, keepdims=True)), whole
