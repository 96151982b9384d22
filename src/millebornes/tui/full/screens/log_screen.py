"""A window with the log of the whole match, hand by hand."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Button

from millebornes.i18n import Translator
from millebornes.session.log import HandLog
from millebornes.tui.full.screens.dialogs import ReadingDialog
from millebornes.tui.full.widgets.text_widgets import FollowedText

__all__ = ["LogScreen"]


class LogScreen(ReadingDialog):
    """Shows the log, and updates it while the game continues in the background. The text is ``#match-log-text``.

    The arrow keys, Page Up, Page Down, Home, End and the mouse wheel scroll the log. Escape, Enter, Space and Q close
    the window.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,q,f4", "close", show=False)]

    def __init__(self, log: Sequence[HandLog], _: Translator) -> None:
        super().__init__(classes="dialog")
        self._ = _
        self._log = tuple(log)

    def compose(self) -> ComposeResult:
        """Lay out the logs of the hands, one below another, in a scrolling box."""
        with Vertical(classes="dialog-box -reader") as box:
            box.border_title = self._("The match so far")
            with VerticalScroll(id="match-log"):
                yield FollowedText(_written(self._log), id="match-log-text")
            yield Button(self._("Close (Esc)"), id="close", compact=True)

    async def prepare(self) -> None:
        """Scroll to the end, and let keys scroll the log."""
        self.query_one("#match-log", VerticalScroll).focus()

    def follow(self, log: Sequence[HandLog]) -> None:
        """Add new events. If the reader has scrolled back, the text doesn't move."""
        if tuple(log) == self._log or not self.query("#match-log-text"):
            return
        self._log = tuple(log)
        scroll = self.query_one("#match-log", VerticalScroll)
        text = self.query_one("#match-log-text", FollowedText)
        text.follows = scroll.scroll_offset.y >= scroll.max_scroll_y
        text.update(_written(self._log))


def _written(log: Sequence[HandLog]) -> Text:
    text = Text()
    for number, hand in enumerate(log):
        text.append("\n\n" * bool(number) + hand.heading, "bold underline")
        for line in hand.lines:
            text.append(f"\n  {line}")
    return text
