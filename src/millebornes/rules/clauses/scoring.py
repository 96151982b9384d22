"""R7: what a hand scores."""

from typing import Final, NamedTuple

from millebornes.editions import Rules

__all__ = ["SCORE_LINES", "SCORE_SHEET", "ScoreLine", "count_lines", "points_of"]


class ScoreLine(NamedTuple):
    """R7: a line of the score sheet, and the points it gives for each thing that it counts."""

    name: str
    per: str
    """What it counts."""
    points: int = 0
    setting: str = ""
    """The setting (R9) that says how many points instead."""


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
"""Their names."""


def points_of(rules: Rules) -> tuple[int, ...]:
    """R7: the points that each line gives for each thing that it counts, by these rules."""
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
    """R7: how many things each line counts for a side, in the order of `SCORE_SHEET`.

    ``completed``: the side has completed the trip (R6.1); only then do the last five lines count anything. ``delayed``:
    the draw pile is empty. ``others`` are the opposing sides without a mile.
    """
    all_four = int(safeties == 4)
    if not completed:
        return miles, safeties, all_four, coups, 0, 0, 0, 0, 0
    return miles, safeties, all_four, coups, 1, int(delayed), int(not two_hundreds), int(extended), others
