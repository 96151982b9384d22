"""Bars for the points of a match."""

from typing import Final

from millebornes.tui.full.widgets.canvas import Canvas
from millebornes.tui.full.widgets.card_art import Look

__all__ = ["draw_bar"]

TARGET: Final = "┃"


def draw_bar(
    canvas: Canvas, x: int, y: int, width: int, points: tuple[int, int], scale: tuple[int, int], look: Look
) -> int:
    """Draw a bar in ``width`` columns, and return the column after it.

    ``points`` are the points already certain, and the total with the current hand. ``scale`` is the target of the match
    and the highest total of all sides. The full width stands for the greater of the two, and a mark shows the target if
    a side is past it.
    """
    target, highest = scale
    whole = max(target, highest, 1)
    sure, maybe = (max(0, min(width, width * value // whole)) for value in points)
    canvas.put(x, y, "█" * sure, look["accent"])
    canvas.put(x + sure, y, "▒" * (maybe - sure), look["accent"])
    canvas.put(x + max(sure, maybe), y, "·" * (width - max(sure, maybe)), look["dim"])
    if highest > target:
        canvas.put(x + min(width - 1, width * target // whole), y, TARGET, look["mark"])
    return x + width
