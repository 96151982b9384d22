"""Grades for decisions, based on how much they lose."""

import functools
from typing import Final, NamedTuple

from millebornes.analysis.records import MISTAKES
from millebornes.editions import Rules
from millebornes.policies.match_equity import SPAN, equity_for
from millebornes.schema.exercises import Grade, Objective

POINTS: Final = (25.0, 75.0, 175.0)
"""The smallest losses, in points of lead, of an inaccuracy, a mistake and a blunder."""
MAX_HARMLESS_LOSS: Final = 10.0
"""A loss smaller than this many points is negligible."""
MIN_ERRORS: Final = 2.0
"""A loss counts only if it is larger than this many standard errors."""


class Thresholds(NamedTuple):
    """The smallest loss for each grade. ``unit`` is the value of one point of lead in the unit of the objective.

    In a match, this value is taken at the start of the match, so that the same loss of winning chances gets the same
    grade throughout.
    """

    unit: float

    def grade(self, loss: float, stderr: float) -> Grade:
        """Return the grade of a decision. If the loss may be due to chance, the grade is never worse than fine."""
        if loss < MAX_HARMLESS_LOSS * self.unit:
            return Grade.BEST
        if loss <= MIN_ERRORS * stderr:
            return Grade.FINE
        return (Grade.FINE, *MISTAKES)[sum(loss >= points * self.unit for points in POINTS)]

    def is_certain(self, loss: float, stderr: float) -> bool:
        """Return whether the grade is unlikely to change with more simulations."""
        return all(abs(loss - points * self.unit) > MIN_ERRORS * stderr for points in (MAX_HARMLESS_LOSS, *POINTS))


@functools.lru_cache(maxsize=64)
def thresholds(rules: Rules, objective: Objective, target: int | None) -> Thresholds:
    """Return the thresholds at a table."""
    if objective is Objective.POINTS or target is None:
        return Thresholds(1.0)
    return Thresholds(equity_for(rules, target).slope((0,) * rules.sides, 0, span=SPAN))
