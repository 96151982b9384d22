"""The list of commands to choose from."""

import contextlib
from typing import Any, cast

from textual import work
from textual.command import CommandPalette
from textual.css.query import NoMatches

from millebornes.tui.full.front import Front

__all__ = ["Palette"]


class Palette(Front, CommandPalette):
    """Textual's list of commands, which can be closed while somebody still types in it."""

    @work(exclusive=True, group=CommandPalette._GATHER_COMMANDS_GROUP)
    async def _gather_commands(self, search_value: str) -> None:
        gather = cast("Any", CommandPalette._gather_commands).__wrapped__
        with contextlib.suppress(NoMatches):  # the list has gone
            await gather(self, search_value)
