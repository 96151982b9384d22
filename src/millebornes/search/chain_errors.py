"""Standard errors of means over worlds whose hidden hands come from several Markov chains.

Hands of one chain are alike, so worlds that share a chain tell less than as many independent ones. How far the means of
the chains lie apart shows how much less. Few chains tell little of that, so what is usual counts too.
"""

from collections.abc import Sequence
from typing import Final

__all__ = ["HANDS", "variance_of_mean"]

USUAL: Final = 2.0
"""What is usual counts as much as so many chains."""
HANDS: Final = 0.8
"""Usually a hand sampled by a chain is worth so many independent worlds: no number of worlds tells more than that.

Measured for chains of 20,000 steps by analyses of the same positions with other seeds.
"""


def variance_of_mean(variance: float, sizes: Sequence[int], means: Sequence[float], hands: float) -> float:
    """The variance of the mean over all worlds of some chains.

    ``variance`` is that of a single world. ``sizes`` says how many worlds have their hands from each chain, ``means``
    what these brought on average, and ``hands`` how many hands a chain was asked for.
    """
    worlds = sum(sizes)
    usual = variance / (HANDS * hands)
    share = sum(size * size for size in sizes) / worlds
    apart = usual
    if len(sizes) > 1:
        middle = sum(size * mean for size, mean in zip(sizes, means, strict=True)) / worlds
        between = sum(size * (mean - middle) ** 2 for size, mean in zip(sizes, means, strict=True))
        found = (between - (len(sizes) - 1) * variance) / (worlds - share)
        apart = max(0.0, (USUAL * usual + (len(sizes) - 1) * found) / (USUAL + len(sizes) - 1))
    return variance / worlds + apart * share / worlds
