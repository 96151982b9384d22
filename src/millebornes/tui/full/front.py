"""Screens that can be answered once, while they are in front."""

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from textual.await_complete import AwaitComplete
from textual.screen import Screen

__all__ = ["Front"]

if TYPE_CHECKING:
    _Base = Screen[Any]
else:
    _Base = object  # Textual takes the styles of the first base that is a screen; they must be those of the other one


class Front(_Base):
    """A screen that can be dismissed only while it is in front; to be named before Textual's own class.

    A double click, or keys typed ahead, would answer it twice otherwise, and the second time take away what lies below.
    """

    async def prepare(self) -> None:
        """Get ready; called once the screen has its widgets."""

    async def on_mount(self) -> None:
        """Get ready, unless the program ends meanwhile: then the screen has no widgets."""
        if self.is_attached:
            await self.prepare()

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Go away with an answer."""
        if self.is_current and self.is_mounted:
            with contextlib.suppress(asyncio.InvalidStateError):  # the program ends, and nobody waits for the answer
                return super().dismiss(result)
        return AwaitComplete()
