"""The base classes of all screens. These classes make screens reliable and allow only one answer to each question."""

import asyncio
import contextlib
import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderableType
from rich.control import Control
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.color import Color
from textual.geometry import Offset, Size
from textual.message import Message
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import Screen
from textual.widgets import Static

from millebornes.i18n import Translator
from millebornes.tui.full.terminal.early_input import TypedAhead
from millebornes.tui.full.terminal.textual_private import HookedScreen

LEAST: Final = Size(20, 8)  # the smallest terminal, in columns and rows, on which you can play


class TooSmall:
    """A picture that fills the terminal with a message about the size that the game needs."""

    def __init__(self, size: Size, _: Translator) -> None:
        self._size = size
        text = _("The window is too small: {now}. The game needs {least}.")
        now, least = f"{size.width}×{size.height}", f"{LEAST.width}×{LEAST.height}"
        self._lines = textwrap.wrap(text.format(now=now, least=least), max(1, size.width), break_long_words=True)

    @staticmethod
    def holds(size: Size) -> bool:
        """Return whether a terminal is too small."""
        return size.width < LEAST.width or size.height < LEAST.height

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[Segment]:
        width, height = self._size
        for row in range(height):
            yield Control.move_to(0, row).segment
            text = self._lines[row] if row < len(self._lines) else ""
            yield Segment(set_cell_size(text, width))


KeyHelp = Sequence[tuple[str, str]]  # keys as they are shown to players, each with its meaning in a word or two
GAP: Final = 3
_PARTED: Final = re.compile(r"\s*:\s+")


def keys_of(subtitle: str) -> KeyHelp:
    """Return the keys from the lower edge of a window, such as ``Enter: list · Esc: back``."""
    parts = (_PARTED.split(part, maxsplit=1) for part in subtitle.split(" · "))
    return [(part[0], part[1]) for part in parts if len(part) == 2]


class ScreenBelow(BackgroundScreen):
    """The background of a dialogue: the screen below it, but with the dialogue's keys on the last line.

    A widget would cause another layout while the contents of the dialogue are still changing.
    """

    def __init__(self, screen: Screen[object], color: Color, keys: KeyHelp) -> None:
        super().__init__(screen, color)
        self._keys = keys

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterable[Segment]:
        below = cast("Iterable[Segment]", super().__rich_console__(console, options))
        lines = list(Segment.split_lines(below))
        for line in lines[:-1]:
            yield from line
            yield Segment.line()
        for line in lines[-1:]:
            yield from self._last_line(line)

    def _last_line(self, below: list[Segment]) -> Iterable[Segment]:
        width = sum(cell_len(segment.text) for segment in below)
        ground = next((segment.style.bgcolor for segment in below if segment.style is not None), None)
        style = Style(bgcolor=ground)
        for worded in range(len(self._keys), -1, -1):
            shown = [Segment(" ", style)]
            for n, (key, words) in enumerate(self._keys):
                shown.append(Segment(f" {key} ", style + Style(reverse=True)))
                shown.append(Segment((f" {words}" if n < worded else "") + " " * GAP, style))
            if sum(cell_len(segment.text) for segment in shown) <= width:
                break
        return Segment.adjust_line_length(shown, width, style)


class StableScreen(HookedScreen):
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

    closed_above: tuple[float, Offset] | None = None
    """The time at which a screen above this one closed, and the position of the mouse at that time."""

    async def _prepare(self) -> None:
        """Prepare the screen. This method is called once the screen has its widgets."""

    async def on_mount(self) -> None:
        """Prepare the screen, unless the program is ending and the screen has no widgets."""
        if self.is_attached:
            await self._prepare()
            self._is_ready = True
            self.restart_question()

    def _key_help(self) -> KeyHelp:
        """Return the keys to show on the last line of the screen, or None if something else is shown there."""
        return ()

    def restart_question(self) -> None:
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

        If the terminal is too small, ``since`` is None, and no answer counts.
        """
        if since is None:
            self.open_since = math.inf
        else:
            self._seen(since)

    def on_screen_resume(self) -> None:
        """Start the question again, because the screen above has closed."""
        self.restart_question()

    def typed_ahead(self) -> TypedAhead | None:
        """Return which keys count that are typed before the current question is visible, or None if none do."""
        return None

    def render(self) -> RenderableType:
        """Return the background, which is the screen below if this screen is transparent."""
        stack, background = self.app.screen_stack, self.styles.background
        if background.a < 1 and self in stack[1:]:
            return ScreenBelow(stack[stack.index(self) - 1], background, self._key_help())
        return super().render()

    def on_resize(self, event: events.Resize) -> None:
        """Ignore all sizes except the latest."""
        if event.size != self.app.size:  # an event for another size will follow
            event.stop()
            event.prevent_default()

    def is_double(self, event: events.Event) -> bool:
        """Return whether an event belongs to the second click of a double click that closed the screen above."""
        if self.closed_above is None or not isinstance(event, events.MouseDown | events.MouseUp):
            return False
        since, where = self.closed_above
        return event.time - since < self.app.CLICK_CHAIN_TIME_THRESHOLD and event.screen_offset == where


class SingleAnswerScreen(StableScreen):
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
                if isinstance(below, StableScreen):
                    below.closed_above = Message().time, self.app.mouse_position
                    below.restart_question()
                return gone
        return AwaitComplete()


LOGO = r"""
╭─────╮      ┏━━━━━━━━━━━━━━━━━┓
│1000 │      ┃   MILLE BORNES  ┃
│     │      ┗━━━━━━━━┳━━━━━━━━┛
└──┬──┘               ┃
━━━┷━━━━━━━━━━━━━━━━━━┻━━━━━━━━━
"""


class LoadingScreen(StableScreen, Screen[None]):
    """Shows the name of the game and what the program is doing."""

    def __init__(self, _: Translator) -> None:
        super().__init__(id="loading")
        self._ = _

    def compose(self) -> ComposeResult:
        """Lay out a picture and a line of text."""
        yield Static(LOGO.strip("\n"), id="logo", markup=False)
        yield Static(self._("Shuffling…"), id="loading-text", markup=False)

    def tell(self, text: str) -> None:
        """Say what the program is doing."""
        self.query_one("#loading-text", Static).update(text)
