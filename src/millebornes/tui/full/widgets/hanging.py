"""Lines that wrap with a hanging indent, so that the rest of a line starts below its last column."""

import re
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

__all__ = ["HangingLines"]

_HEAD: Final = re.compile(r".*\S {2,}(?=\S)|\s+(?=\S)")
"""The columns before the last one, or the indent of a line."""


class HangingLines:
    """Lines, each perhaps of several columns separated by at least two spaces. Only the last column wraps."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = tuple(lines)

    def __str__(self) -> str:
        return "\n".join(self._lines)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Return the width of the longest line, or less if there is less room."""
        longest = max((cell_len(part) for line in self._lines for part in line.splitlines()), default=1)
        return Measurement(1, longest).with_maximum(options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Write the lines. If the first columns take up more than half of the width, the rest is indented a little."""
        width = options.max_width
        for line in "\n".join(self._lines).split("\n"):
            found = _HEAD.match(line)
            head = found[0] if found else ""
            indent = cell_len(head) if found and not head.isspace() else 2 * bool(head) + cell_len(head)
            if 2 * indent > width:
                head, indent = "", 2
            rest = Text(line[len(head) :]).wrap(console, max(1, width - indent))
            for number, part in enumerate(rest):
                part.rstrip()
                yield Text((" " * indent if number else head) + part.plain, no_wrap=True, overflow="crop")
            if not rest:
                yield Text("")
