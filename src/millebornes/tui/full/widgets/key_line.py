"""The last line of the screen while a dialogue is open.

The line shows the keys of the dialogue, not of the screen below.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, cast

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import Screen

__all__ = ["Behind", "KeyHelp", "keys_of"]

KeyHelp = Sequence[tuple[str, str]]
"""Keys as they are shown to players, each with its meaning in a word or two."""

GAP: Final = 3
_PARTED: Final = re.compile(r"\s*:\s+")


def keys_of(subtitle: str) -> KeyHelp:
    """Return the keys from the lower edge of a window, such as ``Enter: list · Esc: back``."""
    parts = (_PARTED.split(part, maxsplit=1) for part in subtitle.split(" · "))
    return [(part[0], part[1]) for part in parts if len(part) == 2]


class Behind(BackgroundScreen):
    """The background of a dialogue: the screen below it, but with the dialogue's keys on the last line.

    This isn't a widget, because a widget would cause another layout while the contents of the dialogue are still
    changing.
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
