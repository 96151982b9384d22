"""Longer texts: the log of the match, and its review, which is made in the background while its window is open."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Resize
from textual.widget import Widget
from textual.widgets import ProgressBar, Static
from textual.worker import get_current_worker

from millebornes.errors import MilleBornesError
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.session.log import HandLog
from millebornes.tui.full.screens.dialogs import AROUND, Reader

if TYPE_CHECKING:
    from millebornes.analysis.match_review import Review


class LogScreen(Reader):
    """Shows the log in ``#match-log-text``, and updates it while the game continues in the background."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("f4", "answer('close')", show=False)]
    NAME = "match-log"

    def __init__(self, log: Sequence[HandLog], _: Translator) -> None:
        super().__init__(_("The match so far"), (), _)
        self._log = tuple(log)

    def text(self, id: str) -> Static:
        """Return the logs of the hands, one below another."""
        return Static(_written(self._log), id=id)

    async def _prepare(self) -> None:
        await super()._prepare()
        self.query_one(VerticalScroll).anchor()

    def follow(self, log: Sequence[HandLog]) -> None:
        """Add new events. If the reader has scrolled back, the text doesn't move."""
        if tuple(log) != self._log:
            self._log = tuple(log)
            for scroll in self.query(VerticalScroll):
                if scroll.scroll_offset.y >= scroll.max_scroll_y:  # Page Down at the end has released it
                    scroll.anchor()
            for text in self.query("#match-log-text").results(Static):
                text.update(_written(self._log))


def _written(log: Sequence[HandLog]) -> Text:
    text = Text()
    for number, hand in enumerate(log):
        text.append("\n\n" * bool(number) + hand.heading, "bold underline")
        for line in hand.lines:
            text.append(f"\n  {line}")
    return text


class _LeftError(Exception):
    """Raised when the player closes the window before the review is finished."""


class ReviewScreen(Reader):
    """Reviews a finished match and shows the report in ``#review-text``. It can be closed before it is finished."""

    NAME = "review"

    def __init__(self, session: GameSession, _: Translator, *, ascii_only: bool = False) -> None:
        super().__init__(_("Review of the match"), [_("Judging every decision…")], _)
        self._session = session
        self._ascii = ascii_only
        self._found: tuple[Review, str | None] | None = None

    def below(self) -> Iterable[Widget]:
        """Return a progress bar."""
        return [ProgressBar(id="review-bar", show_eta=False)]

    async def _prepare(self) -> None:
        await super()._prepare()
        self.run_worker(self._work, thread=True)

    def _work(self) -> None:
        # This import loads the simulations, which the game doesn't have to wait for.
        from millebornes.tui.common.review import review_sitting

        worker = get_current_worker()

        def tell(done: int, total: int) -> None:
            if worker.is_cancelled:
                raise _LeftError
            self.call_later(self._show, done, total)

        try:
            self._found = review_sitting(self._session, tell)
        except _LeftError:
            return
        except MilleBornesError as error:
            self.call_later(self._finish, [str(error)])
        else:
            self._write()

    def _write(self) -> None:
        """Write the report at the width of the window."""
        from millebornes.tui.common.review import report_lines

        if self._found is not None:
            found, trouble = self._found
            width = self.app.size.width - AROUND
            lines = report_lines(found, self._session, width, ascii_only=self._ascii)
            self.call_later(self._finish, lines if trouble is None else [trouble, "", *lines])

    def on_resize(self, event: Resize) -> None:
        """Write the report again, because its tables and its plot depend on the width."""
        if self._found is not None:
            self.run_worker(self._write, thread=True, group="writing", exclusive=True)

    def _show(self, done: int, total: int) -> None:
        for bar in self.query(ProgressBar):
            bar.update(total=total, progress=done)

    def _finish(self, lines: Sequence[str]) -> None:
        self.query(ProgressBar).set(display=False)
        for text in self.query("#review-text").results(Static):
            text.update("\n".join(lines))
