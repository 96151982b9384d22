"""The list of commands to choose from."""

import contextlib
from typing import Any, cast

from textual import work
from textual.app import ComposeResult
from textual.command import CommandInput, CommandList, CommandPalette, SearchIcon
from textual.containers import Horizontal, Vertical
from textual.css.query import NoMatches
from textual.errors import NoWidget
from textual.events import Click
from textual.widgets import LoadingIndicator

from millebornes.tui.full.base_screen import AnsweredOnce
from millebornes.tui.full.start_rows import Options

__all__ = ["Hits", "Palette"]


class Hits(CommandList, Options):
    """The commands that are found; a click on one that is not there any more does nothing, nor do pages of none."""

    def _on_click(self, event: Click) -> None:  # type: ignore[override]  # as in the base class, if not async
        option = event.style.meta.get("option")
        if option is not None and option >= self.option_count:
            event.prevent_default()


class Palette(AnsweredOnce, CommandPalette):
    """Textual's list of commands, which takes keys and clicks also while it is being put up and closed."""

    def compose(self) -> ComposeResult:
        """The field to type in, and what is found."""
        with Vertical(id="--container"):
            with Horizontal(id="--input"):
                yield SearchIcon()
                yield CommandInput(placeholder=self._placeholder, select_on_focus=False)
            with Vertical(id="--results"):
                yield Hits()
                yield LoadingIndicator()

    def _on_click(self, event: Click) -> None:  # type: ignore[override]  # as in the base class
        try:
            self.get_widget_at(event.screen_x, event.screen_y)
        except NoWidget:  # nothing is painted yet
            event.prevent_default()

    def _action_cursor_down(self) -> None:
        with contextlib.suppress(NoMatches):
            super()._action_cursor_down()

    def _action_command_list(self, action: str) -> None:
        with contextlib.suppress(NoMatches):
            super()._action_command_list(action)

    @work(exclusive=True, group=CommandPalette._GATHER_COMMANDS_GROUP)
    async def _gather_commands(self, search_value: str) -> None:
        gather = cast("Any", CommandPalette._gather_commands).__wrapped__
        with contextlib.suppress(NoMatches):  # the list has gone
            await gather(self, search_value)
