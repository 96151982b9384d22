"""Estimate the value of each move of a decision, and the differences between moves, from the outcomes of simulations.

Outcomes are stored as sums: the number of simulations, the sums of values, and the sums of products. These can be
added, wherever the simulations were run, and always need the same small amount of memory.

All moves are tried in the same simulations, and most of the influence of luck is removed from the results. Two numbers
are used as control variates (Lavenberg and Welch, 1981): how much better a side's draws were than the average of the
possible cards, and how much more the opponents' hands are worth than their average. Both numbers are zero on average,
whichever moves are made. Their weights are fitted to the same simulations.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.card_worth import WORTH_BY_KIND
from millebornes.search.rollouts import OUTCOME, SeatKnowledge

COLUMNS: Final = {name: offset // 8 for name, (_dtype, offset, *_) in (OUTCOME.fields or {}).items()}
"""The place of each field among the numbers of an `OUTCOME`, all of which are floats."""
DETAILS: Final = OUTCOME.itemsize // 8
"""The number of all numbers in an `OUTCOME`."""
FIGURES: Final = 1 + max(COLUMNS[field] for field in ("lead", "won", "chance", "luck"))
"""The number of those that suffice for the values of moves. They come first."""
MIN_FITTED: Final = 48
"""The minimum number of simulations for fitting control variates."""
ROUNDING: Final = 1e-11
"""If a smaller fraction of the variance than this remains, it counts as zero."""
USUAL_CHAINS: Final = 2.0
"""The usual spread between the means of chains has the same weight as this number of chains."""
WORLDS_PER_HAND: Final = 0.8
"""The number of independent simulations that one hand of a chain is worth (measured for chains of 20,000 steps)."""

Numbers = npt.NDArray[np.float64]
NO_PRODUCTS: Final = np.zeros((0, 0))


class SampleMean(NamedTuple):
    """The mean over simulations, its standard error, and the number of simulations."""

    value: float
    stderr: float
    worlds: int


class Sums(NamedTuple):
    """The sums over simulations in which the same moves were tried.

    ``values`` contains the sums of the same numbers for each move, followed by the sum of the values of the other
    hands. ``products`` contains the sum of the products of each pair of these values.
    """

    worlds: int
    values: Numbers
    products: Numbers


def sums_of(outcomes: npt.NDArray[np.void], known: SeatKnowledge, rules: Rules, first: int, width: int) -> Sums:
    """Return the sums over the first ``width`` numbers of `OUTCOME` records of shape (worlds, moves).

    ``first`` is the number of the first simulation, which determines what hands the others had.
    """
    worlds, moves = outcomes.shape
    table = np.empty((worlds, width * moves + 1))
    table[:, :-1] = outcomes.view(np.float64).reshape(worlds, moves, -1)[..., :width].reshape(worlds, -1)
    worths = _hand_worths(known, rules)
    table[:, -1] = (worths - worths.mean())[np.arange(first, first + worlds) % len(worths)]
    # The result of a matrix product would depend on the number of threads, which affects the last digits.
    return Sums(worlds, table.sum(0), np.einsum("wi,wj->ij", table, table))


def _hand_worths(known: SeatKnowledge, rules: Rules) -> Numbers:
    """Return the value of the other seats' hands in each sample: the partners' minus the average of the other sides."""
    own = rules.side_of(int(known.base["seat"]))
    shift = 3 * np.arange(len(WORTH_BY_KIND), dtype=np.uint64)
    total = np.zeros(len(known.hands))
    for n, seat in enumerate(known.other_seats.tolist()):
        counts = known.hands[:, n, None] >> shift & np.uint64(7)
        share = 1.0 if rules.side_of(seat) == own else -1.0 / (rules.sides - 1)
        total += share * (counts @ WORTH_BY_KIND)
    return total


class Evaluation:
    """The estimates of several moves, given by their places, after stages in which fewer and fewer moves were tried.

    The first ``width`` numbers of each `OUTCOME` are stored: `FIGURES` or `DETAILS`. If ``controls`` is true, the luck
    of the draws and of the hands is removed. If ``paired`` is false, each move was tried in separate simulations.

    ``hands`` is the number of hands sampled by each chain if these are similar, so that standard errors must include
    the spread of the means of chains. It is None if hands are independent.
    """

    def __init__(
        self,
        moves: int,
        *,
        width: int = FIGURES,
        controls: bool = True,
        paired: bool = True,
        hands: float | None = None,
    ) -> None:
        self._width: Final = width
        self._controls: Final = controls and paired
        self._paired: Final = paired
        self._hands: Final = hands
        size = width * moves + 1
        self._batches: Final[list[tuple[int, Sums]]] = []
        self._stages: Final[list[Sums]] = [Sums(0, np.zeros(size), np.zeros((size, size)))]
        self._counts: Final = np.zeros(moves, np.int64)
        self._left: tuple[int, ...] = tuple(range(moves))

    @property
    def left(self) -> tuple[int, ...]:
        """The indices of the moves that are still being tried."""
        return self._left

    @property
    def worlds(self) -> int:
        """The number of simulations in which the remaining moves were tried."""
        return self._stages[-1].worlds

    @property
    def rollouts(self) -> int:
        """The number of simulated hands: the sum of the numbers of simulations of all moves."""
        return int(self._counts.sum())

    def worlds_of(self, place: int) -> int:
        """Return the number of simulations in which the move was tried."""
        return int(self._counts[place])

    def narrow(self, left: Sequence[int]) -> None:
        """Continue with only these moves."""
        if tuple(left) != self._left:
            self._left = tuple(left)
            self._stages.append(self._stages[-1])

    def add(self, sums: Sums, chain: int) -> None:
        """Add the results of the remaining moves in more simulations. ``chain`` numbers the samples of hands."""
        columns = [self._width * place + n for place in self._left for n in range(self._width)] + [-1]
        before = self._stages[-1]
        values, products = np.zeros(len(before.values)), before.products.copy()
        values[columns] = sums.values
        products[np.ix_(columns, columns)] += sums.products
        self._batches.append((chain, Sums(sums.worlds, values, NO_PRODUCTS)))
        self._stages[-1] = Sums(before.worlds + sums.worlds, before.values + values, products)
        self._counts[list(self._left)] += sums.worlds

    # ------------------------------------------------------------------ estimates

    def mean(self, place: int, field: str) -> SampleMean:
        """Return the mean of a field over the outcomes of a move, in all simulations in which it was tried."""
        return self._mean_of({self._column(place, field): 1.0}, (place,))

    def difference(self, place: int, other: int, field: str, *at: int) -> SampleMean:
        """Return the mean difference of a field between two moves, over the simulations in which both were tried.

        If the field contains several numbers, ``at`` is the index of one of them.
        """
        if place == other:
            return SampleMean(0.0, 0.0, self.worlds_of(place))
        columns = {self._column(place, field, *at): 1.0, self._column(other, field, *at): -1.0}
        return self._mean_of(columns, (place, other))

    def plain_mean(self, place: int, other: int, field: str, *at: int) -> float:
        """Return the mean of a field after a move, luck included, in the simulations in which both moves were tried."""
        stage = self._stage((place, other))
        return float(stage.values[self._column(place, field, *at)] / stage.worlds)

    def product_mean(self, place: int, field: str, other: str, *at: int) -> float:
        """Return the mean product of a field and a number of the field ``other`` over the outcomes of a move."""
        stage = self._stage((place,))
        return float(stage.products[self._column(place, field), self._column(place, other, *at)] / stage.worlds)

    def variance_ratio(self, place: int, other: int, field: str) -> float | None:
        """Return how many times more separate simulations would be needed, or None if the moves never differ."""
        difference = self.difference(place, other, field)
        stage = self._stage((place, other))
        apart = 0.0
        for one in (place, other):
            column = self._column(one, field)
            apart += stage.products[column, column] / stage.worlds - (stage.values[column] / stage.worlds) ** 2
        return float(apart / (difference.stderr**2 * difference.worlds)) if difference.stderr > 0 else None

    def _column(self, place: int, field: str, *at: int) -> int:
        index = int(np.ravel_multi_index(at, OUTCOME[field].shape)) if at else 0
        return self._width * place + COLUMNS[field] + index

    def _stage(self, places: Sequence[int]) -> Sums:
        """Return the sums over all simulations in which each of these moves was tried."""
        worlds = min(self.worlds_of(place) for place in places)
        return next(stage for stage in self._stages if stage.worlds == worlds)

    def _mean_of(self, weights: dict[int, float], places: Sequence[int]) -> SampleMean:
        worlds, values, products = self._stage(places)
        number = len(weights)
        used = list(weights)
        if self._controls and worlds >= MIN_FITTED:
            used += [*(self._column(place, "luck") for place in places), len(values) - 1]
        factors = np.zeros(len(used))
        factors[:number] = list(weights.values())
        means, squares = values[used] / worlds, products[np.array(used)[:, None], used] / worlds
        spread = squares - np.outer(means, means)
        if len(used) > number:
            both = spread[number:] @ factors
            factors[number:] = -np.linalg.lstsq(spread[number:, number:], both, rcond=1e-9)[0]
        variance = float(factors @ spread @ factors) if self._paired else float(factors**2 @ spread.diagonal())
        variance *= worlds / max(1, worlds - 1 - len(used) + number)
        if variance <= ROUNDING * float(factors[:number] ** 2 @ squares.diagonal()[:number]):
            variance = 0.0
        mean = float(factors @ means)
        if self._hands is None:
            return SampleMean(mean, float(np.sqrt(variance / worlds)), worlds)
        sizes, brought = self._by_chain(used, factors, worlds)
        return SampleMean(mean, float(np.sqrt(variance_of_mean(variance, sizes, brought, self._hands))), worlds)

    def _by_chain(self, used: list[int], factors: Numbers, worlds: int) -> tuple[list[int], list[float]]:
        """Return the numbers of simulations and the mean weighted sums of the chains in the first ``worlds``."""
        sizes: dict[int, int] = {}
        totals: dict[int, float] = {}
        done = 0
        for chain, batch in self._batches:
            if done == worlds:
                break
            done += batch.worlds
            sizes[chain] = sizes.get(chain, 0) + batch.worlds
            totals[chain] = totals.get(chain, 0.0) + float(factors @ batch.values[used])
        return list(sizes.values()), [totals[chain] / size for chain, size in sizes.items()]


def variance_of_mean(variance: float, sizes: Sequence[int], means: Sequence[float], hands: float) -> float:
    """Return the variance of the mean over all simulations in several chains.

    ``variance`` is that of one simulation. ``sizes`` and ``means`` are the numbers of simulations and mean results in
    each chain, and ``hands`` is the number of hands sampled from a chain. These are similar, so simulations in one
    chain are worth less. The spread of the means shows how much less, together with the usual spread if there are few
    chains.
    """
    worlds = sum(sizes)
    usual = variance / (WORLDS_PER_HAND * hands)
    share = sum(size * size for size in sizes) / worlds
    apart = usual
    if len(sizes) > 1:
        middle = sum(size * mean for size, mean in zip(sizes, means, strict=True)) / worlds
        between = sum(size * (mean - middle) ** 2 for size, mean in zip(sizes, means, strict=True))
        measured = (between - (len(sizes) - 1) * variance) / (worlds - share)
        apart = max(0.0, (USUAL_CHAINS * usual + (len(sizes) - 1) * measured) / (USUAL_CHAINS + len(sizes) - 1))
    return variance / worlds + apart * share / worlds
