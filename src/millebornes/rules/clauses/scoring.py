"""R7: the score of a hand."""

from typing import Final, NamedTuple

from millebornes.editions import Rules

__all__ = ["SCORE_LINES", "SCORE_SHEET", "ScoreLine", "count_lines", "points_of"]


class ScoreLine(NamedTuple):
    """R7: a line of the score sheet, and its points for each thing that it counts."""

    name: str
    per: str
    """The thing it counts."""
    points: int = 0
    setting: str = ""
    """The setting (R9) that replaces the points."""


SCORE_SHEET: Final = (
    ScoreLine("distance", "each mile", 1),
    ScoreLine("safeties", "each safety on the table", 100),
    ScoreLine("all_safeties", "all four safeties", setting="all_safeties_bonus"),
    ScoreLine("coups_fourres", "each coup fourré", 300),
    ScoreLine("trip_completed", "reaching the goal in force", 400),
    ScoreLine("delayed_action", "reaching it with the draw pile empty", 300),
    ScoreLine("safe_trip", "reaching it without a 200", 300),
    ScoreLine("extension", "reaching it in an extended hand", 200),
    ScoreLine("shut_out", "each opposing side without a mile by then", 500),
)
"""The lines of the score sheet, in the order in which programs write them."""

SCORE_LINES: Final = tuple(line.name for line in SCORE_SHEET)
"""The names of the lines."""


def points_of(rules: Rules) -> tuple[int, ...]:
    """R7: return the points that each line gives for each thing it counts, by these rules."""
    return tuple(getattr(rules, line.setting) if line.setting else line.points for line in SCORE_SHEET)


def count_lines(
    miles: int,
    safeties: int,
    coups: int,
    completed: bool,
    delayed: bool,
    two_hundreds: int,
    extended: bool,
    others: int,
) -> tuple[int, ...]:
    """R7: return how many things each line counts for a side, in the order of `SCORE_SHEET`.

    ``completed`` is true if the side has completed the trip (R6.1); otherwise the last five lines count nothing.
    ``delayed`` is true if the draw pile is empty. ``others`` is the number of opposing sides that have no miles.
    """
    all_four = int(safeties == 4)
    if not completed:
        return miles, safeties, all_four, coups, 0, 0, 0, 0, 0
    return miles, safeties, all_four, coups, 1, int(delayed), int(not two_hundreds), int(extended), others
