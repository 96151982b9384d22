"""Bars for the points of a match."""

from typing import Final

from millebornes.tui.full.widgets.canvas import Canvas
from millebornes.tui.full.widgets.card_art import Look

__all__ = ["draw_bar"]

TARGET: Final = "┃"


def draw_bar(
    canvas: Canvas, x: int, y: int, width: int, points: tuple[int, int], scale: tuple[int, int], look: Look
) -> int:
    """Draw a bar that is ``width`` columns wide, and return the column after it.

    ``points`` contains the points that are already certain, and the total including the current hand. ``scale``
    contains the target of the match and the highest total of all sides. The full width represents the larger of the
    two. If a side has passed the target, a mark shows where the target is.
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
