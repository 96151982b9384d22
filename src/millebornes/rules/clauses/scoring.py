"""R7: the score of a hand."""

from millebornes.editions import Rules
from millebornes.score_lines import SCORE_SHEET


def points_of(rules: Rules) -> tuple[int, ...]:
    """R7: return the points that each line gives for each thing it counts, under these rules."""
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
    """R7: return the number of things that each line counts for a side, in the order of `SCORE_SHEET`.

    ``completed`` is true if the side has completed the trip (R6.1); otherwise the last five lines are 0. ``delayed`` is
    true if the draw pile is empty. ``others`` is the number of opposing sides that have driven no miles.
    """
    all_four = int(safeties == 4)
    if not completed:
        return miles, safeties, all_four, coups, 0, 0, 0, 0, 0
    return miles, safeties, all_four, coups, 1, int(delayed), int(not two_hundreds), int(extended), others
