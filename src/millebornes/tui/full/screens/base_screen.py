"""The base of all screens: they stay reliable, and each question is answered once, while its screen is on top."""

import asyncio
import contextlib
import math
from typing import Any

from rich.console import RenderableType
from textual import events
from textual.await_complete import AwaitComplete
from textual.geometry import Offset
from textual.message import Message
from textual.screen import Screen

from millebornes.tui.full.textual_private import HookedScreen
from millebornes.tui.full.widgets.key_line import Behind, KeyHelp
from millebornes.tui.full.widgets.too_small import TooSmall

__all__ = ["AnsweredOnce", "BareScreen", "Steady"]


class Steady(HookedScreen):
    """A screen that copes with events in any order. List it before Textual's own class among the bases.

    It fixes three things that Textual leaves to chance. A screen may appear while the program ends, and then it has no
    widgets. A see-through screen always shows the one directly below it, because two of them could otherwise draw each
    other forever. If the terminal reports several sizes, only the latest counts, because the screen could otherwise
    keep switching between two.

    The second click of a double click does not count if the first one closed a screen above. Input from before
    `open_since` does not count either (see `millebornes.tui.full.terminal.early_input`).
    """

    open_since = math.inf
    """When the question became visible. Earlier answers do not count."""
    _is_ready = False

    uncovered: tuple[float, Offset] | None = None
    """When a screen above this one closed, and where the mouse was then."""

    async def prepare(self) -> None:
        """Prepare the screen. Called once it has its widgets."""

    async def on_mount(self) -> None:
        """Prepare the screen, unless the program is already ending: then the screen has no widgets."""
        if self.is_attached:
            await self.prepare()
            self._is_ready = True
            self.ask_anew()

    def key_help(self) -> KeyHelp:
        """Return the keys for the last line of the screen. None means that something else is shown there."""
        return ()

    def ask_anew(self) -> None:
        """Start a new question: input from before it is visible is not an answer to it."""
        self.open_since = math.inf
        self.call_after_refresh(self._seen, None)

    def _seen(self, since: float | None) -> None:
        if TooSmall.holds(self.app.size):
            return
        if self._is_ready and self.open_since == math.inf and self.is_current:
            self.open_since = Message().time if since is None else since

    def painted(self, since: float | None) -> None:
        """Accept answers from the start of the frame, because people can answer as soon as they see it.

        ``since`` is None if the terminal is too small. Then no answer counts.
        """
        if since is None:
            self.open_since = math.inf
        else:
            self._seen(since)

    def on_screen_resume(self) -> None:
        """Start again, because the screen above has closed."""
        self.ask_anew()

    def drop_grip(self) -> None:
        """Drop what the mouse holds, without effect."""

    def render(self) -> RenderableType:
        """Return the background: the screen below, if this one is see-through."""
        stack, background = self.app.screen_stack, self.styles.background
        if background.a < 1 and self in stack[1:]:
            return Behind(stack[stack.index(self) - 1], background, self.key_help())
        return super().render()

    def on_resize(self, event: events.Resize) -> None:
        """Ignore every size except the latest."""
        if event.size != self.app.size:  # another event will follow
            event.stop()
            event.prevent_default()

    def is_second_click(self, event: events.Event) -> bool:
        """Return whether an event is part of a double click whose first click was for the screen above."""
        if self.uncovered is None or not isinstance(event, events.MouseDown | events.MouseUp | events.Click):
            return False
        since, where = self.uncovered
        soon = event.time - since < self.app.CLICK_CHAIN_TIME_THRESHOLD
        return soon and event.screen_offset == where and not event.is_forwarded

    def takes(self, event: events.Event) -> bool:
        """Ignore the second click of a double click that was for the screen above."""
        return not self.is_second_click(event)


class BareScreen(Steady, Screen[None]):
    """The empty screen below all others."""


class AnsweredOnce(Steady):
    """A screen that can be dismissed only while it is on top. List it before Textual's own class among the bases.

    Otherwise a double click would answer it twice, and the second time remove the screen below
    (https://github.com/Textualize/textual/issues/4884).
    """

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close the screen with an answer."""
        if self.is_current and self.is_mounted:
            with contextlib.suppress(asyncio.InvalidStateError):  # the program is ending, so nothing waits for this
                gone = super().dismiss(result)
                below = self.app.screen
                if isinstance(below, Steady):
                    below.uncovered = Message().time, self.app.mouse_position
                    below.ask_anew()
                return gone
        return AwaitComplete()
