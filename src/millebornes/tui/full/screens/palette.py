"""The command palette."""

from typing import Final

from textual.app import ComposeResult
from textual.command import CommandInput, CommandList, CommandPalette, SearchIcon
from textual.containers import Horizontal, Vertical
from textual.errors import NoWidget
from textual.events import Click
from textual.widgets import LoadingIndicator

from millebornes.tui.full.screens.base_screen import SingleAnswerScreen
from millebornes.tui.full.widgets.form import StartOptions


class Hits(CommandList, StartOptions):
    """The commands that match. Clicking on a command that has disappeared, or paging in an empty list, does nothing."""

    def on_click(self, event: Click) -> None:
        """Ignore a click on a command that has disappeared."""
        option = event.style.meta.get("option")
        if option is not None and option >= self.option_count:
            event.prevent_default()


PLACEHOLDER: Final = "Search for commands…"

IN_THE_LIST: Final = {"cursor_down", "command_list"}
"""The actions of Textual's command palette that move the cursor in the list."""


class Palette(SingleAnswerScreen, CommandPalette):
    """Textual's command palette. In this version, keys and clicks are safe even while it opens or closes."""

    def compose(self) -> ComposeResult:
        """Lay out the text field and the list of matching commands."""
        with Vertical(id="--container"):
            with Horizontal(id="--input"):
                yield SearchIcon()
                yield CommandInput(placeholder=PLACEHOLDER, select_on_focus=False)
            with Vertical(id="--results"):
                yield Hits()
                yield LoadingIndicator()

    def on_click(self, event: Click) -> None:
        """Ignore a click before the palette is visible."""
        try:
            self.get_widget_at(event.screen_x, event.screen_y)
        except NoWidget:
            event.prevent_default()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow actions in the list only while the list exists."""
        return action not in IN_THE_LIST or bool(self.query(CommandList))
