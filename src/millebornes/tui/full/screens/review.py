"""The review of the match that has just ended.

The review is made in the background while its window is open, and then shown there.
"""

import asyncio
import threading
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Button, ProgressBar, Static

from millebornes.errors import MilleBornesError
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.tui.full.screens.dialogs import ReadingDialog

__all__ = ["ReviewScreen"]

AROUND = 8
"""The number of columns outside the text, including the scroll bar."""


class _LeftError(Exception):
    """Raised when the player closes the window before the review is finished."""


class ReviewScreen(ReadingDialog):
    """Reviews a finished match and shows the report. The text is ``#review-text``.

    The arrow keys, Page Up, Page Down, Home, End and the mouse wheel scroll the text. Escape, Enter, Space and Q close
    the window, even before the review is finished.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,q", "close", show=False)]

    def __init__(self, session: GameSession, _: Translator, *, ascii_only: bool = False) -> None:
        super().__init__(classes="dialog")
        self._session = session
        self._ = _
        self._ascii = ascii_only
        self._left = threading.Event()

    def compose(self) -> ComposeResult:
        """Lay out a progress bar and a space for the report."""
        with Vertical(classes="dialog-box -reader") as box:
            box.border_title = self._("Review of the match")
            with VerticalScroll(id="review-scroll"):
                yield Static(self._("Judging every decision…"), id="review-text", markup=False)
            yield ProgressBar(id="review-bar", show_eta=False)
            yield Button(self._("Close (Esc)"), id="close", compact=True)

    async def prepare(self) -> None:
        """Start the review, and let keys scroll the text."""
        self.query_one("#review-scroll").focus()
        self.run_worker(self._work(), group="review")

    def on_unmount(self) -> None:
        """Stop the review if it isn't finished."""
        self._left.set()

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        width = self.app.size.width - AROUND

        def tell(done: int, total: int) -> None:
            if self._left.is_set():
                raise _LeftError
            loop.call_soon_threadsafe(self._show, done, total)

        def make() -> list[str]:
            # This import loads the simulations, which the game doesn't have to wait for.
            from millebornes.tui.common.review import report_lines, review_sitting

            found, trouble = review_sitting(self._session, tell)
            lines = report_lines(found, self._session, self._, width, ascii_only=self._ascii)
            return lines if trouble is None else [trouble, "", *lines]

        try:
            lines = await loop.run_in_executor(None, make)
        except _LeftError:
            return
        except MilleBornesError as error:
            lines = [str(error)]
        if not self._left.is_set() and self.is_attached:
            self.query_one("#review-bar").display = False
            self.query_one("#review-text", Static).update("\n".join(lines))

    def _show(self, done: int, total: int) -> None:
        if not self._left.is_set() and self.query("#review-bar"):
            self.query_one("#review-bar", ProgressBar).update(total=total, progress=done)
