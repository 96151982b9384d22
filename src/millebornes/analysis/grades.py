"""Grades of decisions by what they lose."""

import functools
from typing import Final

from millebornes.analysis.records import Grade, Objective
from millebornes.editions import Rules
from millebornes.policies.match_equity import SPAN, equity_for

__all__ = ["POINTS", "Thresholds", "thresholds"]

POINTS: Final = (25.0, 75.0, 175.0)
"""A loss of so many points of lead and more is an inaccuracy, a mistake, a blunder."""
MAX_HARMLESS_LOSS: Final = 10.0
"""A loss of fewer points is as good as none."""
MIN_ERRORS: Final = 2.0
"""A loss counts where it is more than so many standard errors."""


class Thresholds:
    """What a loss must be for each grade; ``unit`` is what a point of lead is worth in the objective.

    In matches that is its worth at the start of the match, so that the same chance counts the same throughout.
    """

    def __init__(self, unit: float) -> None:
        self.unit: Final = unit
        self._limits: Final = tuple(points * unit for points in POINTS)
        self._grades: Final = (Grade.FINE, Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)

    def grade(self, loss: float, stderr: float) -> Grade:
        """The grade of a decision. A loss that is not beyond doubt is never graded as more than fine."""
        if loss <= MIN_ERRORS * stderr or loss < MAX_HARMLESS_LOSS * self.unit:
            return Grade.BEST if loss < MAX_HARMLESS_LOSS * self.unit else Grade.FINE
        return self._grades[sum(loss >= limit for limit in self._limits)]

    def is_certain(self, loss: float, stderr: float) -> bool:
        """Whether more rollouts would hardly change the grade."""
        edges = (MAX_HARMLESS_LOSS * self.unit, *self._limits)
        return all(abs(loss - edge) > MIN_ERRORS * stderr for edge in edges)


@functools.lru_cache(maxsize=64)
def thresholds(rules: Rules, objective: Objective, target: int | None) -> Thresholds:
    """The thresholds at a table."""
    if objective is Objective.POINTS or target is None:
        return Thresholds(1.0)
    return Thresholds(equity_for(rules, target).slope((0,) * rules.sides, 0, span=SPAN))
