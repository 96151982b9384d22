"""The base classes of all screens. These classes make screens reliable and allow only one answer to each question."""

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
    """A screen that copes with events in any order. Put it before Textual's own class in the list of base classes.

    The class solves three problems of Textual. A screen can appear while the program is ending, and then has no
    widgets. Two transparent screens can draw each other endlessly, so a transparent screen here always shows the screen
    directly below it. If the terminal reports several sizes in a row, the screen could keep switching between two of
    them, so only the latest size counts.

    If the first click of a double click closes a screen, the second click doesn't count for the screen below. Input
    from before `open_since` doesn't count either (see `millebornes.tui.full.terminal.early_input`).
    """

    open_since = math.inf
    """The time at which the question became visible. Earlier input doesn't count as an answer."""
    _is_ready = False

    uncovered: tuple[float, Offset] | None = None
    """The time at which a screen above this one closed, and the position of the mouse at that time."""

    async def prepare(self) -> None:
        """Prepare the screen. This method is called once the screen has its widgets."""

    async def on_mount(self) -> None:
        """Prepare the screen, unless the program is ending and the screen has no widgets."""
        if self.is_attached:
            await self.prepare()
            self._is_ready = True
            self.ask_anew()

    def key_help(self) -> KeyHelp:
        """Return the keys to show on the last line of the screen, or None if something else is shown there."""
        return ()

    def ask_anew(self) -> None:
        """Start a new question. Input from before it is visible doesn't count as an answer."""
        self.open_since = math.inf
        self.call_after_refresh(self._seen, None)

    def _seen(self, since: float | None) -> None:
        if TooSmall.holds(self.app.size):
            return
        if self._is_ready and self.open_since == math.inf and self.is_current:
            self.open_since = Message().time if since is None else since

    def painted(self, since: float | None) -> None:
        """Accept answers from the start of a frame, because people can answer as soon as they see it.

        ``since`` is None if the terminal is too small. In that case, no answer counts.
        """
        if since is None:
            self.open_since = math.inf
        else:
            self._seen(since)

    def on_screen_resume(self) -> None:
        """Start the question again, because the screen above has closed."""
        self.ask_anew()

    def drop_grip(self) -> None:
        """Forget what the mouse is holding."""

    def render(self) -> RenderableType:
        """Return the background, which is the screen below if this screen is transparent."""
        stack, background = self.app.screen_stack, self.styles.background
        if background.a < 1 and self in stack[1:]:
            return Behind(stack[stack.index(self) - 1], background, self.key_help())
        return super().render()

    def on_resize(self, event: events.Resize) -> None:
        """Ignore all sizes except the latest."""
        if event.size != self.app.size:  # an event for another size will follow
            event.stop()
            event.prevent_default()

    def is_second_click(self, event: events.Event) -> bool:
        """Return whether an event belongs to a double click whose first click closed the screen above."""
        if self.uncovered is None or not isinstance(event, events.MouseDown | events.MouseUp | events.Click):
            return False
        since, where = self.uncovered
        soon = event.time - since < self.app.CLICK_CHAIN_TIME_THRESHOLD
        return soon and event.screen_offset == where and not event.is_forwarded

    def takes(self, event: events.Event) -> bool:
        """Return False for the second click of a double click that closed the screen above."""
        return not self.is_second_click(event)


class BareScreen(Steady, Screen[None]):
    """The empty screen that is below all other screens."""


class AnsweredOnce(Steady):
    """A screen that can only be dismissed while it is on top. Put it before Textual's own class in the base classes.

    Otherwise, a double click would answer it twice, and the second answer would remove the screen below
    (https://github.com/Textualize/textual/issues/4884).
    """

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close the screen and return its result."""
        if self.is_current and self.is_mounted:
            with contextlib.suppress(asyncio.InvalidStateError):  # the program is ending, so nothing waits for this
                gone = super().dismiss(result)
                below = self.app.screen
                if isinstance(below, Steady):
                    below.uncovered = Message().time, self.app.mouse_position
                    below.ask_anew()
                return gone
        return AwaitComplete()
