"""The score sheet of a hand, as a table of a page."""

from typing import NamedTuple

from millebornes.session.game_session import GameSession
from millebornes.texts.participants import Participants
from millebornes.texts.score_sheet import Row, score_rows
from millebornes.web.pages.locale_text import Words

__all__ = ["Sheet", "sheet_of"]


class Sheet(NamedTuple):
    """A table: a head with the sides, a row for each line that anybody scored in, and rows of totals."""

    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    totals: tuple[Row, ...]
    story: str


def sheet_of(sitting: GameSession, viewer: int | None, participants: Participants, words: Words) -> Sheet:
    """The sheet of the hand that is over, the viewer's own side first."""
    _, completed, order = words.translate, sitting.hand.completed_by, participants.own_first(viewer)
    rows = score_rows(sitting.hand.scores, sitting.overall, None, _, order)
    story = _("No one has completed the trip.")
    if completed is not None:
        story = _("{side}: trip completed.").format(side=participants.side(completed, viewer))
    return Sheet(
        tuple(participants.side(side, viewer) for side in order),
        tuple(row for row in rows if not row.is_total and any(row.values)),
        tuple(row for row in rows if row.is_total),
        story,
    )
