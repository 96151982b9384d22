"""Means, shares and Elo with honest intervals, where games come in clusters that share a deal.

Games of one deal are not independent, so everything here counts by *clusters*: each is the sum over the games of one
deal. Intervals are for 95 %, with Student's t for clusters minus one degrees of freedom, unless the ``confidence`` of
their upper end is another.
"""

import functools
import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

__all__ = [
    "CONFIDENCE",
    "Estimate",
    "elo_of_share",
    "mean_estimate",
    "plain",
    "ratio_estimate",
    "share_estimate",
    "share_of_elo",
    "t_quantile",
    "variance",
]

CONFIDENCE: Final = 0.975
"""The upper tail of a two-sided interval of 95 %."""


class Estimate(NamedTuple):
    """A number, its standard error, and its interval, of 95 % unless another ``confidence`` was asked for.

    ``low`` and ``high`` are infinite where nothing is known.
    """

    value: float
    """The mean."""
    stderr: float
    """Its standard error."""
    low: float
    high: float


def plain(found: Estimate) -> dict[str, Any]:
    """An estimate as plain data: ``value``, ``stderr`` and ``ci95``, None where nothing is known."""
    value, stderr, low, high = (round(x, 6) if math.isfinite(x) else None for x in found)
    return {"value": value, "stderr": stderr, "ci95": [low, high]}


def variance(values: Sequence[float]) -> float:
    """The unbiased variance of a sample; NaN for fewer than two values."""
    if len(values) < 2:
        return math.nan
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def ratio_estimate(sums: Sequence[float], sizes: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """The mean of something over all items, from its sum and the number of items in each cluster.

    The standard error is that of a ratio of two random sums (linearised): clusters may differ in size, as matches do
    in hands. Clusters without items count for nothing.
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
    """The mean of independent values."""
    return ratio_estimate(values, [1.0] * len(values))


def share_estimate(sums: Sequence[float], sizes: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """A share between 0 and 1, from the points won and the games in each cluster.

    Wilson's interval, with as many independent games as would give the same standard error; it keeps within 0 and 1,
    and has a width even where every game ended the same way.
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
    return Estimate(share, plain.stderr, max(0.0, middle - reach), min(1.0, middle + reach))


def elo_of_share(share: float) -> float:
    """The Elo difference at which a player is expected to score this share; infinite for 0 and 1."""
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return 400 * math.log10(share / (1 - share)) + 0.0


def share_of_elo(elo: float) -> float:
    """The share that a player is expected to score who is stronger by so many Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


@functools.cache
def t_quantile(probability: float, freedom: int) -> float:
    """The quantile of Student's t for a probability from 0.5 to 1, by halving; good to nine digits."""
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
    """The chance that Student's t is at most t (which is not negative)."""
    return 1 - _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's way of computing one)."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges quickly only below
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    tiny = 1e-300
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    fraction = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for term in (even, odd):
            d = 1 / ((1 + term * d) or tiny)
            c = (1 + term / c) or tiny
            step = c * d
            fraction *= step
        if abs(step - 1) < 1e-15:
            break
    return front * fraction / a
