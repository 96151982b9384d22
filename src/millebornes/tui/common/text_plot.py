"""Small line plots made of characters: Braille patterns, or ASCII if the terminal can't show them."""

from collections.abc import Iterator, Sequence
from typing import Final

_BASE: Final = 0x2800
_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit for each dot in a Braille pattern, by row and column."""


def plot_rows(
    values: Sequence[float], width: int, height: int, low: float, high: float, *, ascii_only: bool = False
) -> list[str]:
    """Return a line through the values, from left to right.

    The result consists of ``height`` rows of ``width`` characters, the top row first. The values at the bottom and at
    the top are ``low`` and ``high``.

    A Braille character contains two by four dots. In ASCII, each value is a ``*``, and ``|`` connects the values.

    >>> plot_rows([0, 1, 1, 0], 4, 2, 0, 1, ascii_only=True)
    [' ** ', '*  *']
    """
    if ascii_only:
        cells = [[" "] * width for _ in range(height)]
        for column, row, is_value in _trace(values, low, high, width, height):
            cells[row][column] = "*" if is_value else "|"
        return ["".join(row) for row in cells]
    dots = [[0] * width for _ in range(height)]
    for column, row, _is_value in _trace(values, low, high, 2 * width, 4 * height):
        dots[row // 4][column // 2] |= _DOTS[row % 4][column % 2]
    return ["".join(chr(_BASE + bits) if bits else " " for bits in row) for row in dots]


def _trace(
    values: Sequence[float], low: float, high: float, columns: int, rows: int
) -> Iterator[tuple[int, int, bool]]:
    """Yield a position in each column, and those that connect it to the position in the previous column."""
    span = high - low
    before: int | None = None
    for column in range(columns if values else 0):
        at = column * (len(values) - 1) / max(columns - 1, 1)
        left = int(at)
        right = min(left + 1, len(values) - 1)
        value = values[left] + (values[right] - values[left]) * (at - left)
        share = (value - low) / span if span else 0.5
        row = round((1 - min(max(share, 0.0), 1.0)) * (rows - 1))
        if before is not None:
            step = 1 if row > before else -1
            yield from ((column, between, False) for between in range(before + step, row, step))
        yield column, row, True
        before = row
