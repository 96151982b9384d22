"""Draw plain characters instead of symbols, even in the parts that Textual itself draws."""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from millebornes.tui.common.glyphs import PLAIN, fold_cells

__all__ = ["Folding"]


class Folding(LineFilter):
    """A filter that replaces symbols by plain characters and by letters of ``encoding``. Texts keep their width."""

    def __init__(self) -> None:
        super().__init__(enabled=False)
        self.encoding = PLAIN

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with only those characters that the terminal can show."""
        return [
            segment if segment.text.isascii() else Segment(fold_cells(segment.text, self.encoding), *segment[1:])
            for segment in segments
        ]
