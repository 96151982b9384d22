"""Draws plain characters instead of symbols, including in what Textual itself draws."""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from millebornes.tui.common.glyphs import PLAIN, fold_cells

__all__ = ["Folding"]


class Folding(LineFilter):
    """Draws with plain characters and the letters of ``encoding``. The width of every text stays the same."""

    def __init__(self) -> None:
        super().__init__(enabled=False)
        self.encoding = PLAIN

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments in characters that can be shown."""
        return [
            segment if segment.text.isascii() else Segment(fold_cells(segment.text, self.encoding), *segment[1:])
            for segment in segments
        ]
