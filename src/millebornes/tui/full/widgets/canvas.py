"""A grid of styled characters, on which the widgets of the table draw."""

import functools
from typing import Final, NamedTuple

from rich.cells import get_character_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

BOXES: Final = {
    "thin": "┌─┐││└─┘",
    "round": "╭─╮││╰─╯",
    "heavy": "┏━┓┃┃┗━┛",
    "double": "╔═╗║║╚═╝",
    "dashed": "╭╌╮╎╎╰╌╯",
}
"""The characters of each kind of frame: its corners and edges, from the upper left to the lower right."""

PLAIN_BOXES: Final = {
    "thin": "+-+||+-+",
    "round": ".-.||'-'",
    "heavy": "#=####=#",
    "double": "*=*||*=*",
    "dashed": ". .::. .",
}
"""The same frames in plain characters. They look as different from each other as possible."""

NO_BREAK_SPACES: Final = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"

_NO_STYLE: Final = Style()


@functools.lru_cache(maxsize=4096)
def _is_one_column_each(text: str) -> bool:
    """Return whether all characters can be shown and are one column wide, as is usual. The results are cached."""
    return text.isprintable() and all(get_character_cell_size(char) == 1 for char in text)


class Area(NamedTuple):
    """A rectangle on a canvas, given by its upper left cell, its number of columns and its number of rows."""

    x: int
    y: int
    width: int
    height: int


class Canvas:
    """A canvas with ``width`` columns and ``height`` rows, which is blank at first. Drawing outside has no effect.

    ``symbols`` is true if symbols may be used in addition to plain characters.
    """

    def __init__(self, width: int, height: int, *, symbols: bool = True) -> None:
        self.width = width
        self.height = height
        self.symbols = symbols
        self.cells: list[list[tuple[str, Style]]] = [[(" ", _NO_STYLE)] * width for _ in range(height)]

    @property
    def area(self) -> Area:
        """The area of the whole canvas."""
        return Area(0, 0, self.width, self.height)

    def put(self, x: int, y: int, text: str, style: Style = _NO_STYLE, width: int | None = None) -> int:
        """Write text from a position, using at most ``width`` columns. Return the column after the text."""
        end = self.width if width is None else min(self.width, x + width)
        if x >= 0 and 0 <= y < self.height and _is_one_column_each(text):
            cells = [(char, style) for char in text[: max(0, end - x)]]
            self.cells[y][x : x + len(cells)] = cells
            return x + len(cells)
        for char in text:
            if char in NO_BREAK_SPACES:  # Python doesn't count them as printable
                char = " "
            size = get_character_cell_size(char)
            if size == 0 or not char.isprintable():
                continue
            if x + size > end:
                break
            if 0 <= y < self.height and x >= 0:
                self.cells[y][x] = (char, style)
                if size == 2:  # a wide character also fills the next cell
                    self.cells[y][x + 1] = ("", style)
            x += size
        return x

    def centre(self, x: int, y: int, width: int, text: str, style: Style = _NO_STYLE) -> None:
        """Write text in the middle of ``width`` columns. If it is too long, it is cut off."""
        length = sum(map(get_character_cell_size, text))
        self.put(x + max(0, width - length) // 2, y, text, style, width)

    def right(self, x: int, y: int, width: int, text: str, style: Style = _NO_STYLE) -> None:
        """Write text that is aligned to the right within ``width`` columns."""
        length = sum(map(get_character_cell_size, text))
        self.put(x + max(0, width - length), y, text, style, width)

    def fill(self, x: int, y: int, width: int, height: int, char: str = " ", style: Style = _NO_STYLE) -> None:
        """Fill a rectangle with a character."""
        for row in range(y, y + height):
            self.put(x, row, char * width, style)

    def box(self, x: int, y: int, width: int, height: int, kind: str, style: Style = _NO_STYLE) -> None:
        """Draw a frame of one of the kinds in `BOXES`. The area inside doesn't change."""
        if width < 2 or height < 2:
            return
        frame = (BOXES if self.symbols else PLAIN_BOXES)[kind]
        self.put(x, y, frame[0] + frame[1] * (width - 2) + frame[2], style)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, frame[3], style)
            self.put(x + width - 1, row, frame[4], style)
        self.put(x, y + height - 1, frame[5] + frame[6] * (width - 2) + frame[7], style)

    def strip(self, y: int, base: Style) -> Strip:
        """Return one row as segments, each with its style on top of the style ``base``."""
        segments = []
        run, style = "", _NO_STYLE
        for char, look in self.cells[y]:
            if look is not style and run:
                segments.append(Segment(run, base + style))
                run = ""
            run, style = run + char, look
        segments.append(Segment(run, base + style))
        return Strip(segments, self.width)
