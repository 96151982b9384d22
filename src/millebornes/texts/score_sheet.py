"""The score sheet of a hand as rows (R7), with the totals of the match below them."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from millebornes.game import LINES, Scoresheet
from millebornes.i18n import N_, Translator
from millebornes.score_lines import SCORE_SHEET

__all__ = ["LABELS", "TOTALS", "Row", "score_rows"]

TOTALS: Final = {
    "hand_total": N_("Hand Total"),
    "overall_total": N_("Overall Total"),
    "games": N_("Games"),
}
"""The rows below the lines, by name and in order: the points in the hand and in the match, and matches won."""

LABELS: Final = {line.name: line.label for line in SCORE_SHEET} | TOTALS
"""The labels by row, in the words of the classic game: the lines in the order of R7, then the totals."""


class Row(NamedTuple):
    """A row of the sheet: its name, its label in the viewer's language, and a number for each side."""

    name: str
    label: str
    values: tuple[int, ...]

    @property
    def is_total(self) -> bool:
        """Whether the row is a total. Otherwise it is a line of R7."""
        return self.name in TOTALS


def score_rows(
    sheets: Sequence[Scoresheet],
    overall: Sequence[int],
    games: Sequence[int] | None,
    _: Translator,
    order: Sequence[int] | None = None,
) -> list[Row]:
    """Return the rows of the score sheet of a hand.

    ``sheets``, ``overall`` (points in the match) and ``games`` (matches won) are by side. Without ``games``, that row
    is left out. The columns are the sides in ``order``, by default all of them.
    """
    columns = range(len(sheets)) if order is None else order
    by_name: dict[str, Sequence[int]] = {line: [getattr(sheet, line) for sheet in sheets] for line in LINES}
    by_name |= {"hand_total": [sheet.total for sheet in sheets], "overall_total": overall}
    if games is not None:
        by_name["games"] = games
    return [Row(name, _(LABELS[name]), tuple(values[side] for side in columns)) for name, values in by_name.items()]
