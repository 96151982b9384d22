"""A message for a terminal that is too small for anything else."""

import textwrap
from collections.abc import Iterable
from typing import Final

from rich.cells import set_cell_size
from rich.console import Console, ConsoleOptions
from rich.control import Control
from rich.segment import Segment
from textual.geometry import Size

from millebornes.i18n import Translator

__all__ = ["LEAST", "TooSmall"]

LEAST: Final = Size(20, 8)
"""The smallest terminal, in columns and rows, on which you can play."""


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
