"""The score sheet of a hand, as a table of a page."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from millebornes.game import LINES
from millebornes.i18n import N_
from millebornes.session.cast import Cast
from millebornes.session.sitting import Sitting
from millebornes.web.pages.wording import Words

__all__ = ["Sheet", "sheet_of"]

TERMS: Final = {
    "distance": N_("Milestones Played"),
    "safeties": N_("Each Safety"),
    "all_safeties": N_("All 4 Safeties"),
    "coups_fourres": N_("Each Coup Fourré"),
    "trip_completed": N_("Trip Completed"),
    "delayed_action": N_("Delayed Action"),
    "safe_trip": N_("Safe Trip"),
    "extension": N_("Extension"),
    "shut_out": N_("Shut-Out"),
}
"""The lines of R7 by name, in the words of the plain game."""


class Sheet(NamedTuple):
    """A table: a head with the sides, a row for each line that anybody scored in, and rows of totals."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    totals: tuple[tuple[str, tuple[int, ...]], ...]
    story: str


def sheet_of(sitting: Sitting, viewer: int | None, cast: Cast, words: Words) -> Sheet:
    """The sheet of the hand that is over, the viewer's own side first."""
    _, match = words.translate, sitting.match
    own = None if viewer is None else cast.rules.side_of(viewer)
    order: Sequence[int] = sorted(range(cast.rules.sides), key=lambda side: side != own)
    sheets = [match.hand.scores[side] for side in order]
    rows = [(_(TERMS[line]), tuple(getattr(sheet, line) for sheet in sheets)) for line in LINES]
    completed = match.hand.completed_by
    story = _("No one has completed the trip.")
    if completed is not None:
        story = _("{side}: trip completed.").format(side=cast.side(completed, viewer))
    return Sheet(
        tuple(cast.side(side, viewer) for side in order),
        tuple(row for row in rows if any(row[1])),
        (
            (_("Hand Total"), tuple(sheet.total for sheet in sheets)),
            (_("Overall Total"), tuple(match.totals[side] for side in order)),
        ),
        story,
    )
