"""Means, shares and Elo differences, with intervals that allow for games on the same deal.

Games on the same deal aren't independent. All functions therefore work with *clusters*, each of which is the sum over
the games on one deal. Intervals are 95% intervals, unless you pass another ``confidence``, which is the probability
below their upper end. The intervals use Student's t distribution with one degree of freedom fewer than there are
clusters.
"""

import functools
import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

CONFIDENCE: Final = 0.975
"""The probability below the upper end of a two-sided 95% interval."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)
"""The points and weights of Gauss–Legendre integration from -1 to 1."""


class Estimate(NamedTuple):
    """A number with its standard error and an interval. By default, this is a 95% interval (see ``confidence``).

    ``low`` and ``high`` are infinite if nothing is known.
    """

    value: float
    """The estimated number."""
    stderr: float
    """Its standard error."""
    low: float
    high: float


def plain(found: Estimate) -> dict[str, Any]:
    """Return an estimate as plain data with ``value``, ``stderr`` and ``ci95``. Unknown numbers are None."""
    value, stderr, low, high = (round(x, 6) if math.isfinite(x) else None for x in found)
    return {"value": value, "stderr": stderr, "ci95": [low, high]}


def variance(values: Sequence[float]) -> float:
    """Return the unbiased variance of a sample, or NaN if it has fewer than two values."""
    if len(values) < 2:
        return math.nan
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def ratio_estimate(sums: Sequence[float], sizes: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """Return the mean over all items, given the sum and the number of items in each cluster.

    The standard error is the linearised error of a ratio of two random sums. Clusters may differ in size, as the number
    of hands differs between matches. Clusters without items are ignored.
    """
    pairs = [(total, size) for total, size in zip(sums, sizes, strict=True) if size]
    count = math.fsum(size for _, size in pairs)
    if not count:
        return Estimate(math.nan, math.nan, -math.inf, math.inf)
    mean = math.fsum(total for total, _ in pairs) / count
    clusters = len(pairs)
    if clusters < 2:
        return Estimate(mean, math.nan, -math.inf, math.inf)
    rest = math.fsum((total - mean * size) ** 2 for total, size in pairs)
    stderr = math.sqrt(rest * clusters / (clusters - 1)) / count
    reach = t_quantile(confidence, clusters - 1) * stderr
    return Estimate(mean, stderr, mean - reach, mean + reach)


def mean_estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of independent values."""
    return ratio_estimate(values, [1.0] * len(values))


def share_estimate(sums: Sequence[float], sizes: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """Return a share between 0 and 1, given the points won and the number of games in each cluster.

    The interval is Wilson's score interval for as many independent games as would give the same standard error. This
    interval always lies within 0 and 1, and has some width even if all games ended the same way.
    """
    plain = ratio_estimate(sums, sizes)
    share = plain.value
    clusters = sum(1 for size in sizes if size)
    if clusters < 2:
        return Estimate(share, plain.stderr, 0.0, 1.0)
    games = float(clusters)
    if plain.stderr > 0:
        games = share * (1 - share) / plain.stderr**2
    z = t_quantile(confidence, clusters - 1)
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    reach = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    # If all games ended the same way, rounding must not keep one end away from 0 or 1, where an Elo is infinite.
    low = 0.0 if share == 0 else max(0.0, middle - reach)
    return Estimate(share, plain.stderr, low, 1.0 if share == 1 else min(1.0, middle + reach))


def elo_of_share(share: float) -> float:
    """Return by how much Elo a player must be stronger to score this share on average, infinite for 0 and 1."""
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return 400 * math.log10(share / (1 - share)) + 0.0


def share_of_elo(elo: float) -> float:
    """Return the share that a player scores on average if it is stronger by ``elo``."""
    return 1 / (1 + 10 ** (-elo / 400))


@functools.cache
def t_quantile(probability: float, freedom: int) -> float:
    """Return the quantile of Student's t distribution for a probability from 0.5 to 1, to about eight digits."""
    low, high = 0.0, 1.0
    while _t_distribution(high, freedom) < probability:
        high *= 2
        if high > 1e12:
            return math.inf
    for _ in range(80):
        middle = (low + high) / 2
        if _t_distribution(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _t_distribution(t: float, freedom: int) -> float:
    """Return the probability that a Student's t variable is at most ``t``. ``t`` must not be negative.

    With the tangent of an angle times the root of ``freedom`` in place of t, the density is a power of its cosine.
    """
    end = math.atan2(t, math.sqrt(freedom))
    if freedom < 1000:
        scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
    else:  # there, the difference of the logarithms is less precise than its series
        scale = math.sqrt(freedom / 2) * (1 - 1 / (4 * freedom) + 1 / (32 * freedom**2))
    angles = end * (NODES + 1) / 2
    return 0.5 + scale / math.sqrt(math.pi) * end / 2 * float(WEIGHTS @ np.cos(angles) ** (freedom - 1))
