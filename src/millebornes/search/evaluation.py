"""Evaluate a decision with any number of rollouts: estimate the value of each move, and the differences between moves.

All moves are tried in the same simulations, and most of the influence of luck is removed from the results. Two numbers
are used as control variates (Lavenberg and Welch, 1981): how much better a side's draws were than the average of the
possible cards, and how much more the opponents' hands are worth than their average. Both numbers are zero on average,
whichever moves are made. Their weights are fitted to the same simulations.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.card_worth import WORTH_BY_KIND
from millebornes.policies.dispatch import Workspace
from millebornes.search.outcomes import OUTCOME, follow_up
from millebornes.search.searcher import RolloutQuestion, Searcher
from millebornes.search.sequential_halving import MAX_DEVIATIONS, believed, noise_of

__all__ = ["Evaluation", "SampleMean", "hand_worths", "variance_of_mean"]

MAX_MOVES_AFTER: Final = ((128, 5), (512, 3))
"""Pairs of a number of simulations, and how many of the best moves are still tried after them."""
MIN_FITTED: Final = 48
"""The minimum number of simulations for fitting control variates."""

USUAL_CHAINS: Final = 2.0
"""The usual spread between the means of chains has the same weight as this number of chains."""
WORLDS_PER_HAND: Final = 0.8
"""The number of independent simulations that one hand of a chain is worth (measured for chains of 20,000 steps)."""

NO_OUTCOMES: Final = np.zeros(0, OUTCOME)

Numbers = npt.NDArray[np.float64]


class SampleMean(NamedTuple):
    """The mean over simulations, its standard error, and the number of simulations."""

    value: float
    stderr: float
    worlds: int


class Evaluation:
    """The current estimates of the moves in one decision. Each call of `add` improves them.

    ``always`` contains the places of moves that are always tried, like the first choice and the ``kept`` best moves. If
    ``objective`` is ``"chance"``, moves are compared by the chance to win the match. If it is ``"lead"``, they are
    compared by points. Don't use the searcher for anything else while you use this object.
    """

    def __init__(
        self,
        searcher: Searcher,
        question: RolloutQuestion,
        *,
        objective: str = "lead",
        always: tuple[int, ...] = (),
        kept: int = 1,
    ) -> None:
        self._searcher: Final = searcher
        self._objective: Final = objective
        self._always: Final = {*always, question.start}
        self._kept: Final = kept
        moves = len(question.codes)
        self._parts: Final[list[list[npt.NDArray[np.void]]]] = [[] for _move in range(moves)]
        self.left = np.arange(moves)
        """The indices of the moves that are still being tried."""
        self.worlds = 0
        self.rollouts = 0
        self._worths = np.zeros(0)
        """The value of the other seats' hands in each simulation, relative to the mean of their sample."""
        self._chains: Final[list[int]] = []
        """The number of the first simulation that uses each sample of hands."""
        self._believed: tuple[Numbers, Numbers] | None = None
        self._begin(question)

    def renew(self, question: RolloutQuestion) -> None:
        """Continue with a new sample of the opponents' hands and playing styles for the same decision.

        Each sample comes from a random walk of limited length, so samples differ from each other. More simulations with
        the same sample can't average out this difference.
        """
        self._worths = self._worths_in(self.worlds)
        self._begin(question)

    def _begin(self, question: RolloutQuestion) -> None:
        self._question = question
        worth = hand_worths(question, self._searcher.rules)
        self._sample = worth - worth.mean()
        self._chains.append(self.worlds)

    def add(self, worlds: int) -> None:
        """Try the remaining moves in more simulations, and then drop bad moves."""
        out = np.zeros((worlds, len(self.left)), OUTCOME)
        self._searcher.share_out(self._play, self.left, self.worlds, out)
        for place, outcomes in zip(self.left.tolist(), out.T, strict=True):
            self._parts[place].append(outcomes)
        self.worlds += worlds
        self.rollouts += worlds * len(self.left)
        self._believed = None
        self._narrow()

    def _play(self, workspace: Workspace, places: npt.NDArray[np.int64], first: int, out: npt.NDArray[np.void]) -> None:
        question = self._question
        codes = question.codes[places]
        follow_up(workspace, question.known, question.seating, question.stakes, first, question.seed, codes, out)

    def _narrow(self) -> None:
        expected, doubt = self.expected()
        best = int(np.argmax(expected))
        margin = MAX_DEVIATIONS * np.maximum(doubt, doubt[best])
        ranked = sorted(self.left.tolist(), key=lambda place: -expected[place])
        kept = [place for place in ranked if expected[place] + margin[place] >= expected[best]]
        for worlds, most in MAX_MOVES_AFTER:
            if self.worlds >= worlds:
                kept = kept[:most]
        kept += ranked[: self._kept]
        self.left = np.array(sorted({*kept, *(self._always & set(self.left.tolist()))}), np.int64)

    # ------------------------------------------------------------------ estimates

    def outcomes(self, place: int) -> npt.NDArray[np.void]:
        """Return the outcomes of a move: one `OUTCOME` record for each simulation.

        All moves have the same simulations.
        """
        parts = self._parts[place]
        if len(parts) != 1:
            parts[:] = [np.concatenate([NO_OUTCOMES, *parts])]
        return parts[0]

    def mean(self, place: int, field: str) -> SampleMean:
        """Return the mean of a field over the outcomes of a move."""
        outcomes = self.outcomes(place)
        return self._mean_of(outcomes[field], outcomes)

    def difference(self, place: int, other: int, field: str, *at: int) -> SampleMean:
        """Return the mean difference of a field between two moves, over the simulations in which both were tried.

        If the field contains several numbers, ``at`` is the index of one of them.
        """
        first, second = self.outcomes(place), self.outcomes(other)
        worlds = min(len(first), len(second))
        index: tuple[Any, ...] = (slice(worlds), *at)
        return self._mean_of(first[field][index] - second[field][index], first[:worlds], second[:worlds])

    def expected(self) -> tuple[Numbers, Numbers]:
        """Return the expected lead of each move over the first choice by Bayes' rule, and its standard deviation."""
        if self._believed is None:
            self._believed = self._expect()
        return self._believed

    def _expect(self) -> tuple[Numbers, Numbers]:
        start, prior = self._question.start, self._question.prior
        differences = [self.difference(place, start, self._objective) for place in range(len(self._parts))]
        lead = np.array([mean.value for mean in differences])
        error = np.array([mean.stderr for mean in differences])
        worlds = np.array([mean.worlds for mean in differences])
        if prior is None:
            return lead, error
        expected, doubt = believed(prior, lead, noise_of(prior, error**2 * worlds**2, worlds))
        expected[start] = doubt[start] = 0.0
        return expected, doubt

    def _worths_in(self, worlds: int) -> Numbers:
        """Return the value of the other seats' hands in each of the first ``worlds`` simulations."""
        if len(self._worths) < worlds:
            more = self._sample[np.arange(len(self._worths), worlds) % len(self._sample)]
            self._worths = np.concatenate([self._worths, more])
        return self._worths[:worlds]

    def _mean_of(self, values: Numbers, *outcomes: npt.NDArray[np.void]) -> SampleMean:
        worlds = len(values)
        mean, rest = float(values.mean()), values - values.mean()
        variance = float(rest @ rest) / max(1, worlds - 1)
        if variance and worlds >= MIN_FITTED:
            controls = np.stack([self._worths_in(worlds), *(part["luck"] for part in outcomes)])
            middle = controls.mean(1)
            apart = controls - middle[:, None]
            weights = np.linalg.lstsq(apart @ apart.T, apart @ rest, rcond=1e-9)[0]
            mean -= float(weights @ middle)
            rest -= weights @ apart
            variance = float(rest @ rest) / max(1, worlds - 1 - len(controls))
        starts = [start for start in self._chains if start < worlds]
        sizes = np.diff([*starts, worlds]).tolist()
        means = (np.add.reduceat(rest, starts) / sizes).tolist()
        return SampleMean(mean, float(np.sqrt(variance_of_mean(variance, sizes, means, len(self._sample)))), worlds)


def hand_worths(question: RolloutQuestion, rules: Rules) -> Numbers:
    """Return the value of the other seats' hands in each sample: the partners' minus the average of the other sides."""
    known = question.known
    own = rules.side_of(int(known.base["seat"]))
    shift = 3 * np.arange(len(WORTH_BY_KIND), dtype=np.uint64)
    total = np.zeros(len(known.hands))
    for n, seat in enumerate(known.other_seats.tolist()):
        counts = known.hands[:, n, None] >> shift & np.uint64(7)
        share = 1.0 if rules.side_of(seat) == own else -1.0 / (rules.sides - 1)
        total += share * (counts @ WORTH_BY_KIND)
    return total


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
        found = (between - (len(sizes) - 1) * variance) / (worlds - share)
        apart = max(0.0, (USUAL_CHAINS * usual + (len(sizes) - 1) * found) / (USUAL_CHAINS + len(sizes) - 1))
    return variance / worlds + apart * share / worlds
