"""The review of the match that has just ended, as lines of text."""

import datetime
import io
from collections.abc import Callable
from typing import Final

from rich.console import Console

from millebornes.analysis.career import summary_of
from millebornes.analysis.match_review import Review
from millebornes.analysis.reviews import QUICK, review
from millebornes.errors import SaveError
from millebornes.session.game_session import GameSession
from millebornes.session.record import match_result
from millebornes.storage import keep_review
from millebornes.tui.common.review_text import review_text
from millebornes.words.troubles import not_kept

NARROWEST: Final = 13


def review_sitting(session: GameSession, progress: Callable[[int, int], None]) -> tuple[Review, str | None]:
    """Return the review of a finished match, and the error if it couldn't be saved for the statistics."""
    found = review(session.match, session.stored_names, effort=QUICK, progress=progress)
    if session.practice or not session.participants.people:
        return found, None
    now = datetime.datetime.now(datetime.UTC)
    try:
        keep_review(summary_of(found, match_result(session, now).id))
    except SaveError as error:
        return found, not_kept(error, session.translate)
    return found, None


def report_lines(found: Review, session: GameSession, width: int, *, ascii_only: bool = False) -> list[str]:
    """Return the report as lines that are ``width`` columns wide."""
    encoding = "ascii" if ascii_only else "utf-8"
    stream = io.TextIOWrapper(io.BytesIO(), encoding, errors="replace", newline="\n")
    console = Console(file=stream, width=max(NARROWEST, width), color_system=None, force_terminal=False)
    review_text(found, console, session.words)
    stream.flush()
    stream.seek(0)
    return [line.rstrip() for line in stream.read().splitlines()]
