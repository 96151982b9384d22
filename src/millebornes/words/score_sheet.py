"""The rows of a hand's score sheet (R7), followed by the totals of the match."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from millebornes.game import LINES, Scoresheet
from millebornes.i18n import N_, Translator
from millebornes.score_lines import SCORE_SHEET

TOTALS: Final = {
    "hand_total": N_("Hand Total"),
    "overall_total": N_("Overall Total"),
    "games": N_("Matches Won"),
}
"""The rows below the scored lines, in order: the points in this hand, the points in the match, and the matches won."""

LABELS: Final = {line.name: line.label for line in SCORE_SHEET} | TOTALS
"""The label of each row. The lines of R7 come first, then the totals."""


class Row(NamedTuple):
    """A row of the score sheet: its name, its label in the viewer's language, and one number for each side."""

    name: str
    label: str
    values: tuple[int, ...]

    @property
    def is_total(self) -> bool:
        """Whether this row is a total rather than one of the lines in R7."""
        return self.name in TOTALS


def score_rows(
    sheets: Sequence[Scoresheet],
    overall: Sequence[int],
    games: Sequence[int] | None,
    _: Translator,
    order: Sequence[int] | None = None,
) -> list[Row]:
    """Return the rows of a hand's score sheet.

    ``sheets``, ``overall`` (the points in the match) and ``games`` (the matches won) each have one entry per side.
    Without ``games``, the row for matches won is left out. The columns follow ``order``, which lists sides and defaults
    to all of them.
    """
    columns = range(len(sheets)) if order is None else order
    by_name: dict[str, Sequence[int]] = {line: [getattr(sheet, line) for sheet in sheets] for line in LINES}
    by_name |= {"hand_total": [sheet.total for sheet in sheets], "overall_total": overall}
    if games is not None:
        by_name["games"] = games
    return [Row(name, _(LABELS[name]), tuple(values[side] for side in columns)) for name, values in by_name.items()]
