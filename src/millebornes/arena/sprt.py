"""A sequential test between two strengths, which stops as soon as the games show which of them is closer to the truth.

Programmers of chess engines use the same test to accept changes: a generalised likelihood ratio test on the results of
*pairs*. All games on one deal count as one result. The test therefore benefits from duplicate deals, and isn't misled
because games on the same deal are related.
"""

import dataclasses
import math
from collections import Counter
from collections.abc import Mapping
from typing import Final

from millebornes.arena.report import TestResult
from millebornes.arena.statistics import share_of_elo
from millebornes.errors import MilleBornesError

ERROR_RATE: Final = 0.05
UNSEEN_COUNT: Final = 0.5
"""The assumed count of a result that hasn't occurred yet, so that a few equal results don't decide the test."""


def log_likelihood_ratio(counts: Mapping[float, float], share0: float, share1: float) -> float:
    """Return how much more likely the results are with the mean ``share1`` than with ``share0`` (natural logarithm).

    ``counts`` says how often each average score of a pair (from 0 to 1) occurred. With duplicate deals for two players,
    five scores are possible. For each of the two means, the most likely distribution of scores with that mean is used.
    """
    seen = {value: count or UNSEEN_COUNT for value, count in sorted(counts.items())}
    total = sum(seen.values())
    shares = {value: count / total for value, count in seen.items()}
    at0, at1 = _likeliest(shares, share0), _likeliest(shares, share1)
    return total * math.fsum(share * math.log(at1[value] / at0[value]) for value, share in shares.items())


def _likeliest(shares: Mapping[float, float], mean: float) -> dict[float, float]:
    """Return the most likely distribution with this mean, given the observed shares of the results.

    Each share is divided by 1 + x (value - mean), for the x that gives this mean.
    """
    low, high = min(shares) - mean, max(shares) - mean
    if not low < 0 < high:
        raise MilleBornesError(f"no results between {min(shares)} and {max(shares)} can have the mean {mean:.4f}")
    below, above = -1 / high, -1 / low  # between these bounds, all probabilities are positive
    x = 0.0
    for _ in range(100):
        parts = [(share, (value - mean) / (1 + x * (value - mean))) for value, share in shares.items()]
        slope = math.fsum(share * part for share, part in parts)
        if slope > 0:
            below = x
        else:
            above = x
        # Take Newton's step or, if it would leave the interval, halve the interval.
        after = x + slope / math.fsum(share * part * part for share, part in parts)
        if not below < after < above:
            after = (below + above) / 2
        if abs(after - x) <= 1e-13 * max(1.0, abs(x)):
            break
        x = after
    return {value: share / (1 + x * (value - mean)) for value, share in shares.items()}


@dataclasses.dataclass
class Sprt:
    """A test of "A is ``elo0`` stronger than B" against "A is ``elo1`` stronger", with an error rate of 5% either way.

    `add` takes A's average score (0 to 1) in the games on one more deal. ``games`` is the number of games on a deal,
    which determines the possible scores.
    """

    elo0: float
    elo1: float
    games: int = 2
    counts: Counter[float] = dataclasses.field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Raises `MilleBornesError` unless ``elo0`` is less than ``elo1`` and games can show both strengths."""
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise MilleBornesError(
                f"a sequential test needs elo0 < elo1, both between -1000 and 1000, not {self.elo0:g} and {self.elo1:g}"
            )
        for half in range(2 * self.games + 1):
            self.counts[half / (2 * self.games)] += 0

    def add(self, score: float) -> None:
        """Add the result of another deal."""
        self.counts[round(score * 2 * self.games) / (2 * self.games)] += 1

    @property
    def llr(self) -> float:
        """The log likelihood ratio of the results so far."""
        if not self.counts.total():
            return 0.0
        return log_likelihood_ratio(self.counts, share_of_elo(self.elo0), share_of_elo(self.elo1))

    @property
    def bounds(self) -> tuple[float, float]:
        """The values of `llr` at which the test decides for ``elo0`` and for ``elo1`` (Wald's bounds)."""
        return math.log(ERROR_RATE / (1 - ERROR_RATE)), math.log((1 - ERROR_RATE) / ERROR_RATE)

    @property
    def decision(self) -> str | None:
        """``"elo0"`` or ``"elo1"`` once the test is decided, otherwise None."""
        low, high = self.bounds
        llr = self.llr
        return "elo0" if llr <= low else "elo1" if llr >= high else None

    def result(self) -> TestResult:
        """Return the current state of the test."""
        low, high = self.bounds
        return TestResult(
            elo0=float(self.elo0),
            elo1=float(self.elo1),
            llr=round(self.llr, 4),
            bounds=(round(low, 4), round(high, 4)),
            decision=self.decision,
            pairs=tuple(self.counts[value] for value in sorted(self.counts)),
        )
