"""Pairs of moves that were played out, as sums for least squares.

Every move of a decision is played out. The difference between the results of two moves is then compared with the
difference between the values that the maxims give them.
"""

import dataclasses
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.maxim_weights import Advice
from millebornes.policies.net import MAX_OPINION
from millebornes_research.lab.counts import Counts
from millebornes_research.lab.playouts import Playouts, sample_playouts, worths
from millebornes_research.lab.study import Study

MAX_WEIGHT: Final = 10_000
"""The limit of a weight, in points. A weight beyond it would be a command rather than an estimate."""
TURNS_BETWEEN: Final = 15
"""One turn in this number is played out, because the turns of a hand have much in common."""
NEAR: Final = 50
"""A move is compared with the move made if its value is less than this number of points lower.

All other moves are clearly worse.
"""
SPREAD: Final = 1500
"""Differences between the results of two moves are limited to this number of points.

Otherwise, a few extreme hands would outweigh all others.
"""
FINITE_DIFFERENCE: Final = 64
"""The change of a weight that is used to measure its effect.

It is so large that rounding hides little of the effect.
"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pairs(Study):
    """Pairs of similar moves in a decision that were played out, as the sums for least squares.

    The counts have one row and one column for each of ``weights``. For turns, they are ``products``, the products of
    the effects of the weights (each multiplied by `FINITE_DIFFERENCE`); ``errors``, the products of the effects with
    the errors of the values, in points; and ``pairs``, the number of pairs. For questions about an extension, they are
    ``extend_products``, ``extend_errors`` and ``questions``. ``decisions`` is the number of decisions. All of them are
    integers, so they don't depend on how the deals were divided among workers.
    """

    rules: Rules
    player: str
    weights: tuple[str, ...]
    deals: int
    seed: int

    weight: ClassVar[float] = 20.0

    def count(self, deals: range) -> Counts:
        """Play these deals, play out some of their decisions, and return the counts."""
        advice = KernelPlayer.named(self.player, self.rules).advice
        samples = sample_playouts(self.rules, advice, deals, seed=self.seed, every=TURNS_BETWEEN)
        asked = samples.decisions["question"] == 1
        turns = self._sums(advice, samples, np.flatnonzero(~asked), NEAR, SPREAD)
        questions = self._sums(advice, samples, np.flatnonzero(asked), 2 * MAX_OPINION, 2 * MAX_OPINION)
        return {
            "products": turns[0],
            "errors": turns[1],
            "pairs": turns[2],
            "extend_products": questions[0],
            "extend_errors": questions[1],
            "questions": questions[2],
            "decisions": np.array([len(asked)], np.int64),
        }

    def _sums(
        self, advice: Advice, samples: Playouts, which: npt.NDArray[np.int64], near: int, spread: int
    ) -> list[npt.NDArray[np.int64]]:
        chosen = samples.decisions["chosen"]
        counts = samples.decisions["count"][which]
        rows = np.repeat(which, counts)
        places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        worth = worths(samples, rows, places, (advice,))[:, 0]
        best = worths(samples, rows, chosen[rows], (advice,))[:, 0]
        pair = (
            (places != chosen[rows])
            & (best - worth < near)
            & (np.abs(worth) < MAX_OPINION)
            & (np.abs(best) < MAX_OPINION)
        )
        rows, places, worth, best = rows[pair], places[pair], worth[pair], best[pair]
        changed = tuple(advice._replace(**{name: getattr(advice, name) + FINITE_DIFFERENCE}) for name in self.weights)
        effects = worths(samples, rows, places, changed) - worth[:, None]
        effects -= worths(samples, rows, chosen[rows], changed) - best[:, None]
        effects[np.abs(effects) > MAX_WEIGHT] = 0  # a command that appears or disappears
        brought = samples.decisions["values"][rows, places] - samples.decisions["values"][rows, chosen[rows]]
        missed = np.clip(brought, -spread, spread) - (worth - best)
        exact = effects.astype(np.float64)  # floats multiply faster, and integers below 2**53 are exact
        products, errors = exact.T @ exact, exact.T @ missed.astype(np.float64)
        return [products.astype(np.int64), errors.astype(np.int64), np.array([len(rows)], np.int64)]


def solved(products: npt.NDArray[np.int64], errors: npt.NDArray[np.int64], count: int, ridge: float) -> list[float]:
    """Return the change of each weight. Weights without any effect don't change."""
    change = np.zeros(len(errors))
    told = np.flatnonzero(np.diag(products))
    if len(told):
        size = np.sqrt(np.diag(products)[told] / count)  # each weight's own size, so that the ridge is equal for all
        scaled = products[np.ix_(told, told)] / np.outer(size, size) + ridge * np.eye(len(told))
        change[told] = np.linalg.solve(scaled, errors[told] / size) / size * FINITE_DIFFERENCE
    return [float(number) for number in change]
