"""What all screens have in common: they keep steady, and those that ask are answered once, while they are on top."""

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
    """A screen that stands whatever comes at once; to be named before Textual's own class.

    Three things that Textual leaves to luck: a screen may be put up while the program ends, and then has no widgets;
    what shows through it is what lies below it, or two of them could each be drawn through the other without end; and
    of several sizes of the terminal only the latest counts, or the screen could go on changing between two.

    And the second click of a double click, whose first took away what lay above, is not meant for this screen. Nor is
    anything that was typed or clicked before `open_since` (see `millebornes.tui.full.terminal.early_input`).
    """

    open_since = math.inf
    """When what it asks came into sight; until then no answer counts."""
    _is_ready = False

    uncovered: tuple[float, Offset] | None = None
    """When a screen above this one went away, and where the mouse was then."""

    async def prepare(self) -> None:
        """Get ready; called once the screen has its widgets."""

    async def on_mount(self) -> None:
        """Get ready, unless the program ends meanwhile: then the screen has no widgets."""
        if self.is_attached:
            await self.prepare()
            self._is_ready = True
            self.ask_anew()

    def key_help(self) -> KeyHelp:
        """The keys for the last line of the screen; none where something else is there."""
        return ()

    def ask_anew(self) -> None:
        """Something else is asked now: what comes before it can be seen is no answer to it."""
        self.open_since = math.inf
        self.call_after_refresh(self._seen, None)

    def _seen(self, since: float | None) -> None:
        if TooSmall.holds(self.app.size):
            return
        if self._is_ready and self.open_since == math.inf and self.is_current:
            self.open_since = Message().time if since is None else since

    def painted(self, since: float | None) -> None:
        """Whoever sees a frame may answer at once, so its beginning counts; on one that is too small nothing counts."""
        if since is None:
            self.open_since = math.inf
        else:
            self._seen(since)

    def on_screen_resume(self) -> None:
        """What lay above has gone."""
        self.ask_anew()

    def drop_grip(self) -> None:
        """What the mouse holds is dropped nowhere."""

    def render(self) -> RenderableType:
        """The background: the screen below, where it shows through."""
        stack, background = self.app.screen_stack, self.styles.background
        if background.a < 1 and self in stack[1:]:
            return Behind(stack[stack.index(self) - 1], background, self.key_help())
        return super().render()

    def on_resize(self, event: events.Resize) -> None:
        """Of several sizes only the latest counts."""
        if event.size != self.app.size:  # another one is on its way
            event.stop()
            event.prevent_default()

    def is_second_click(self, event: events.Event) -> bool:
        """Whether an event belongs to a double click whose first click was meant for what lay above."""
        if self.uncovered is None or not isinstance(event, events.MouseDown | events.MouseUp | events.Click):
            return False
        since, where = self.uncovered
        soon = event.time - since < self.app.CLICK_CHAIN_TIME_THRESHOLD
        return soon and event.screen_offset == where and not event.is_forwarded

    def takes(self, event: events.Event) -> bool:
        """Leave out the second click of a double click that was meant for what lay above."""
        return not self.is_second_click(event)


class BareScreen(Steady, Screen[None]):
    """The empty screen that lies below all others."""


class AnsweredOnce(Steady):
    """A screen that can be dismissed only while no other lies above it; to be named before Textual's own class.

    A double click would answer it twice otherwise, and the second time take away what lies below
    (https://github.com/Textualize/textual/issues/4884).
    """

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Go away with an answer."""
        if self.is_current and self.is_mounted:
            with contextlib.suppress(asyncio.InvalidStateError):  # the program ends, and nobody waits for the answer
                gone = super().dismiss(result)
                below = self.app.screen
                if isinstance(below, Steady):
                    below.uncovered = Message().time, self.app.mouse_position
                    below.ask_anew()
                return gone
        return AwaitComplete()
