"""Store the results of simulations as sums: the number of simulations, the sums of values, and the sums of products.

The sums over many blocks of simulations can be added, wherever the blocks were played, and always need the same small
amount of memory. Means, differences and standard errors can be computed from these sums. The weights of control
variates (`millebornes.search.evaluation`) can be computed from them too.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.search.evaluation import MIN_FITTED, SampleMean, variance_of_mean

__all__ = ["FIELDS", "Moments", "Sums", "sums_of"]

FIELDS: Final = ("lead", "won", "chance", "luck")
"""The fields stored for each move (`OUTCOME`). The value of the hands is stored as one more number."""
LUCK: Final = FIELDS.index("luck")

ROUNDING: Final = 1e-11
"""If a smaller fraction of the variance than this remains, it counts as zero."""

HANDS_PER_CHAIN: Final = 1400.0
"""The approximate number of hands that a chain provides for a block of simulations."""

Numbers = npt.NDArray[np.float64]


NO_PRODUCTS: Final = np.zeros((0, 0))


class Sums(NamedTuple):
    """The sums over simulations in which the same moves were tried.

    ``values`` contains the sum of each field for each move, followed by the sum of the values of the hands.
    ``products`` contains the sum of the products of each pair of these values.
    """

    worlds: int
    values: Numbers
    products: Numbers


def sums_of(outcomes: npt.NDArray[np.void], hands: Numbers) -> Sums:
    """Return the sums over `OUTCOME` records of shape (worlds, moves), and over the values of the other hands."""
    worlds, moves = outcomes.shape
    table = np.empty((worlds, len(FIELDS) * moves + 1))
    for place, field in enumerate(FIELDS):
        table[:, place : -1 : len(FIELDS)] = outcomes[field]
    table[:, -1] = hands
    # The result of a matrix product would depend on the number of threads, which affects the last digits.
    return Sums(worlds, table.sum(0), np.einsum("wi,wj->ij", table, table))


class Moments:
    """The estimates of several moves, given by their places, after stages in which fewer and fewer moves were tried.

    If ``controls`` is true, the luck of the draws and of the hands is removed. If ``paired`` is false, each move was
    tried in separate simulations. If ``chained`` is true, the hands in a block of simulations are similar because they
    come from one chain, and standard errors include the spread of the means of such blocks
    (`millebornes.search.evaluation`).
    """

    def __init__(self, moves: int, *, controls: bool = True, paired: bool = True, chained: bool = False) -> None:
        self._controls: Final = controls and paired
        self._paired: Final = paired
        self._chained: Final = chained
        self._blocks: Final[list[Sums]] = []
        width = len(FIELDS) * moves + 1
        self._counts: Final = np.zeros(moves, np.int64)
        self._stages: Final[list[Sums]] = [Sums(0, np.zeros(width), np.zeros((width, width)))]
        self._left: tuple[int, ...] = tuple(range(moves))

    @property
    def left(self) -> tuple[int, ...]:
        """The indices of the moves that are still being tried."""
        return self._left

    @property
    def worlds(self) -> int:
        """The number of simulations in which the remaining moves were tried."""
        return self._stages[-1].worlds

    def worlds_of(self, place: int) -> int:
        """Return the number of simulations in which the move was tried."""
        return int(self._counts[place])

    def narrow(self, left: Sequence[int]) -> None:
        """Continue with only these moves."""
        self._left = tuple(left)
        self._stages.append(self._stages[-1])

    def add(self, sums: Sums) -> None:
        """Add the results of the remaining moves in another block of simulations."""
        columns = [len(FIELDS) * place + n for place in self._left for n in range(len(FIELDS))] + [-1]
        known = self._stages[-1]
        values, products = known.values.copy(), known.products.copy()
        whole = np.zeros(len(values))
        whole[columns] = sums.values
        self._blocks.append(Sums(sums.worlds, whole, NO_PRODUCTS))
        values += whole
        products[np.ix_(columns, columns)] += sums.products
        self._stages[-1] = Sums(known.worlds + sums.worlds, values, products)
        self._counts[list(self._left)] += sums.worlds

    def mean(self, place: int, field: str) -> SampleMean:
        """Return the mean of a field over the outcomes of a move, in all simulations in which it was tried."""
        return self._mean_of({self._column(place, field): 1.0}, (place,))

    def difference(self, place: int, other: int, field: str) -> SampleMean:
        """Return the mean difference of a field between two moves, over the simulations in which both were tried."""
        return self._mean_of({self._column(place, field): 1.0, self._column(other, field): -1.0}, (place, other))

    def variance_ratio(self, place: int, other: int, field: str) -> float | None:
        """Return how many times more separate simulations would be needed, or None if the moves never differ."""
        difference = self.difference(place, other, field)
        stage = self._stage((place, other))
        apart = 0.0
        for one in (place, other):
            column = self._column(one, field)
            apart += stage.products[column, column] / stage.worlds - (stage.values[column] / stage.worlds) ** 2
        return float(apart / (difference.stderr**2 * difference.worlds)) if difference.stderr > 0 else None

    @staticmethod
    def _column(place: int, field: str) -> int:
        return len(FIELDS) * place + FIELDS.index(field)

    def _stage(self, places: Sequence[int]) -> Sums:
        """Return the sums over all simulations in which each of these moves was tried."""
        worlds = min(self.worlds_of(place) for place in places)
        return next(stage for stage in self._stages if stage.worlds == worlds)

    def _mean_of(self, weights: dict[int, float], places: Sequence[int]) -> SampleMean:
        """Return the mean of a weighted sum of the columns that belong to these moves."""
        worlds, values, products = self._stage(places)
        columns = list(weights)
        factors = np.array(list(weights.values()))
        means = values / worlds
        mean = float(factors @ means[columns])
        own = products[np.ix_(columns, columns)] / worlds - np.outer(means[columns], means[columns])
        variance = float(factors @ own @ factors) if self._paired else float(factors**2 @ own.diagonal())
        controls: list[int] = []
        taken = np.zeros(0)
        if self._controls and worlds >= MIN_FITTED:
            controls = [*(len(FIELDS) * place + LUCK for place in places), len(values) - 1]
            spread = products[np.ix_(controls, controls)] / worlds - np.outer(means[controls], means[controls])
            shared = products[np.ix_(controls, columns)] / worlds - np.outer(means[controls], means[columns])
            both = shared @ factors
            taken = np.linalg.lstsq(spread, both, rcond=1e-9)[0]
            mean -= float(taken @ means[controls])
            variance -= float(taken @ both)
        variance = variance * worlds / max(1, worlds - 1 - len(controls))
        scale = float(factors**2 @ (products.diagonal()[columns] / worlds))
        if variance <= ROUNDING * scale:
            variance = 0.0
        if not self._chained:
            return SampleMean(mean, float(np.sqrt(variance / worlds)), worlds)
        weighed = np.zeros(len(values))
        weighed[columns] = factors
        weighed[controls] -= taken
        sizes, brought = self._brought(weighed, worlds)
        return SampleMean(mean, float(np.sqrt(variance_of_mean(variance, sizes, brought, HANDS_PER_CHAIN))), worlds)

    def _brought(self, weights: Numbers, worlds: int) -> tuple[list[int], list[float]]:
        """Return the sizes of the blocks of ``worlds`` simulations, and the mean of a weighted sum in each block."""
        sizes: list[int] = []
        means = []
        for block in self._blocks:
            if sum(sizes) + block.worlds > worlds:
                break
            sizes.append(block.worlds)
            means.append(float(weights @ block.values) / block.worlds)
        return sizes, means
