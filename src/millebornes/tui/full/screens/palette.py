"""The list of commands to choose from."""

from typing import Final

from textual.app import ComposeResult
from textual.command import CommandInput, CommandList, CommandPalette, SearchIcon
from textual.containers import Horizontal, Vertical
from textual.errors import NoWidget
from textual.events import Click
from textual.widgets import LoadingIndicator

from millebornes.tui.full.screens.base_screen import AnsweredOnce
from millebornes.tui.full.screens.start_rows import StartOptions

__all__ = ["Hits", "Palette"]


class Hits(CommandList, StartOptions):
    """The commands that are found; a click on one that is not there any more does nothing, nor do pages of none."""

    def on_click(self, event: Click) -> None:
        """Leave out a click on a command that has gone."""
        option = event.style.meta.get("option")
        if option is not None and option >= self.option_count:
            event.prevent_default()


PLACEHOLDER: Final = "Search for commands…"

IN_THE_LIST: Final = {"cursor_down", "command_list"}
"""Actions of Textual's list of commands that move in it."""


class Palette(AnsweredOnce, CommandPalette):
    """Textual's list of commands, which takes keys and clicks also while it is being put up and closed."""

    def compose(self) -> ComposeResult:
        """The field to type in, and what is found."""
        with Vertical(id="--container"):
            with Horizontal(id="--input"):
                yield SearchIcon()
                yield CommandInput(placeholder=PLACEHOLDER, select_on_focus=False)
            with Vertical(id="--results"):
                yield Hits()
                yield LoadingIndicator()

    def on_click(self, event: Click) -> None:
        """Leave out a click before anything is painted."""
        try:
            self.get_widget_at(event.screen_x, event.screen_y)
        except NoWidget:
            event.prevent_default()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Move in the list only while it is there."""
        return action not in IN_THE_LIST or bool(self.query(CommandList))
