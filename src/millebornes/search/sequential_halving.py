"""Find the best of several moves by sequential halving, which can be stopped at any time."""

import math
import time
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

FIRST: Final = 16
"""The number of simulations in the first round. Each later round has twice as many as the previous one …"""
MAX_BATCH: Final = 256
"""… but no more than this number."""
MAX_DEVIATIONS: Final = 3.0
"""A move is dropped early if it is this number of standard deviations behind the best move."""
INLIER_PROBABILITY: Final = 0.8
"""The probability that a move is roughly as good as expected …"""
OUTLIER_SCALE: Final = 7.0
"""… and how many times greater the standard deviation is if it isn't."""
PSEUDO_COUNT: Final = 16
"""The expected noise has the same weight as this number of simulations, because a few aren't enough to measure it."""
UNKNOWN: Final = 1e60
"""The variance assumed for a move that hasn't been tried."""
TINY: Final = 1e-300

Numbers = npt.NDArray[np.float64]
RollOut = Callable[[npt.NDArray[np.int64], int], Numbers]
"""Plays moves (given by places) out in this many more simulations, and returns values of shape (worlds, moves)."""


class Budget(NamedTuple):
    """The limits of a decision: the total number of rollouts, and the time when it must end (`time.perf_counter`)."""

    rollouts: int | None
    until: float | None


class Prior(NamedTuple):
    """The expected values of moves before any of them is tried: arrays of shape (moves,), zero for the reference move.

    The lead of a move, in the unit of the values, has a distribution around ``mean``. With `INLIER_PROBABILITY`, it is
    normal with the standard deviation ``spread``. Otherwise, the standard deviation is `OUTLIER_SCALE` times as large.
    A single simulation adds noise with standard deviation ``noise``.
    """

    mean: Numbers
    spread: Numbers
    noise: float = 0.0


class MoveEstimates(NamedTuple):
    """The estimates of moves after a search, as arrays of shape (moves,)."""

    lead: Numbers  # mean value minus that of the move at place ``start``, over the simulations in which both were tried
    error: Numbers  # standard error of the lead
    expected: Numbers  # posterior mean of the lead by Bayes' rule
    doubt: Numbers  # standard deviation of the expected lead
    worlds: npt.NDArray[np.int64]  # the number of simulations in which each move was tried
    value: float  # mean value of ``start``


class _DifferenceSums:
    """Sums of the differences from the move that was expected to be best, in the same simulations."""

    def __init__(self, moves: int, start: int, prior: Prior | None) -> None:
        self.start = start
        self.prior = prior
        self.sum = np.zeros(moves)
        self.square = np.zeros(moves)
        self.worlds = np.zeros(moves, np.int64)
        self.value = 0.0

    def add(self, places: npt.NDArray[np.int64], values: Numbers) -> None:
        own = values[:, np.flatnonzero(places == self.start)[0]]
        difference = values - own[:, None]
        self.sum[places] += difference.sum(0)
        self.square[places] += (difference * difference).sum(0)
        self.worlds[places] += len(values)
        self.value += float(own.sum())

    def estimate(self) -> MoveEstimates:
        worlds = np.maximum(1, self.worlds)
        lead = self.sum / worlds
        squares = np.maximum(0.0, self.square - worlds * lead * lead)
        error = np.sqrt(squares) / worlds
        expected, doubt = lead, error
        if self.prior is not None:
            noise = noise_of(self.prior, squares, worlds)
            expected, doubt = posterior(self.prior, lead, np.where(self.worlds > 0, noise, UNKNOWN))
        return MoveEstimates(lead, error, expected, doubt, self.worlds, self.value / worlds[self.start])


def noise_of(prior: Prior, squares: Numbers, worlds: npt.NDArray[np.int64]) -> Numbers:
    """Return the variance of mean leads from sums of squared deviations, using the prior's noise for small samples."""
    pseudo_count = PSEUDO_COUNT if prior.noise > 0 else 0
    return np.asarray((squares + pseudo_count * prior.noise**2) / (worlds + pseudo_count) / worlds)


def posterior(prior: Prior, lead: Numbers, noise: Numbers) -> tuple[Numbers, Numbers]:
    """Return the posterior mean and standard deviation of leads, given measured leads and their variance ``noise``."""
    variance = prior.spread**2 * np.array([[1.0], [OUTLIER_SCALE**2]])
    total = np.maximum(TINY, variance + noise)
    share = variance / total
    mean = prior.mean + share * (lead - prior.mean)
    likely = (
        np.log([[INLIER_PROBABILITY], [1 - INLIER_PROBABILITY]])
        - ((lead - prior.mean) ** 2 / total + np.log(total)) / 2
    )
    weight = np.exp(likely - likely.max(0))
    weight /= weight.sum(0)
    expected = (weight * mean).sum(0)
    return expected, np.sqrt((weight * (share * noise + (mean - expected) ** 2)).sum(0))


def halve(moves: int, start: int, roll_out: RollOut, budget: Budget, prior: Prior | None = None) -> MoveEstimates:
    """Simulate the moves in rounds of equal cost, and drop the worse half after each.

    The move at ``start``, which is expected to be the best, is never dropped, because all others are measured against
    it. Moves that are clearly worse than the best are dropped early. Without ``prior``, only the simulations count.
    """
    sums = _DifferenceSums(moves, start, prior)
    left = np.arange(moves)
    rounds = max(1, math.ceil(math.log2(max(2, moves))))
    begin = time.perf_counter()
    spent = 0
    size = FIRST
    number = 0
    while len(left) > 1:
        if budget.rollouts is not None:
            size = min(size, (budget.rollouts - spent) // len(left))
            if size < 1:
                break
        before = time.perf_counter()
        sums.add(left, roll_out(left, size))
        now = time.perf_counter()
        spent += size * len(left)
        done = 0.0 if budget.rollouts is None else spent / max(1, budget.rollouts)
        in_time = MAX_BATCH
        if budget.until is not None:
            done = max(done, (now - begin) / max(1e-9, budget.until - begin))
            # no round may take too long, so assume that each simulation takes as long as in this round
            each = (now - before) / size
            in_time = int((budget.until - now) / (1.2 * each))
            if in_time < 1:
                break
        size = min(2 * size, MAX_BATCH, in_time)
        estimates = sums.estimate()
        left = _plausible(left, start, estimates)
        if done * rounds >= number + 1:
            number += 1
            left = _better_half(left, start, estimates)
    return sums.estimate()


def _plausible(left: npt.NDArray[np.int64], start: int, found: MoveEstimates) -> npt.NDArray[np.int64]:
    best = left[np.argmax(found.expected[left])]
    margin = MAX_DEVIATIONS * np.maximum(found.doubt[left], found.doubt[best])
    return np.asarray(left[(found.expected[left] + margin >= found.expected[best]) | (left == start)])


def _better_half(left: npt.NDArray[np.int64], start: int, found: MoveEstimates) -> npt.NDArray[np.int64]:
    if len(left) <= 2:
        return left
    order = left[np.argsort(-found.expected[left], kind="stable")]
    best = set(order[: (len(left) + 1) // 2].tolist()) | {start}
    return np.array([place for place in left.tolist() if place in best], np.int64)
