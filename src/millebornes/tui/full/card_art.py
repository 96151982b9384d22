"""What a card looks like: its frame tells the group, its picture and name the kind; colour comes on top."""

import re
from typing import Final

from rich.style import Style

from millebornes.cards import Card, Group
from millebornes.themes import Theme
from millebornes.tui.full.canvas import Canvas

__all__ = ["FRAMES", "Look", "draw_back", "draw_card", "draw_place"]

Look = dict[str, Style]
"""Styles by role: the groups of cards by their names, ``dim``, ``strong``, ``mark`` and ``back``."""

FRAMES: Final = {Group.DISTANCE: "thin", Group.HAZARD: "heavy", Group.REMEDY: "round", Group.SAFETY: "double"}
"""The frame of each group, so that nobody needs the colours to tell them apart."""

_DIGITS: Final = {
    "0": ("┏━┓", "┃ ┃", "┗━┛"),
    "1": (" ╺┓", "  ┃", " ╺┻"),
    "2": ("╺━┓", "┏━┛", "┗━╸"),
    "5": ("┏━╸", "┗━┓", "╺━┛"),
    "7": ("╺━┓", "  ┃", "  ╹"),
}

_PICTURES: Final = {
    Card.ACCIDENT: ("╲ ╷ ╱", "─ ✗ ─", "╱ ╵ ╲"),
    Card.OUT_OF_GAS: ("┌──┐╷", "│  │┃", "└▁▁┘╯"),
    Card.FLAT_TIRE: ("╭───╮", "│ ◌ │", "▔▔▔▔▔"),
    Card.STOP: ("┃ ● ┃", "┃ ○ ┃", "┃ ○ ┃"),
    Card.SPEED_LIMIT: ("╭───╮", "│ 50│", "╰───╯"),
    Card.REPAIRS: ("━┳━┓ ", " ┃ ╹ ", " ┃  ✓"),
    Card.GASOLINE: ("┌──┐╷", "│▆▆│┃", "└██┘╯"),
    Card.SPARE_TIRE: ("╭───╮", "│ ◉ │", "╰───╯"),
    Card.ROLL: ("┃ ○ ┃", "┃ ○ ┃", "┃ ● ┃"),
    Card.END_OF_LIMIT: ("╭──╱╮", "│ ╱ │", "╰╱──╯"),
    Card.DRIVING_ACE: ("┌───┐", "│A★ │", "└──A┘"),
    Card.EXTRA_TANK: ("▄▄▄▄ ▄▖", "████▐█▌", " ◉   ◉ "),
    Card.PUNCTURE_PROOF: ("╭═══╮", "║ ◎ ║", "╰═══╯"),
    Card.RIGHT_OF_WAY: (" ▂▂✚▂▖ ", "▐████▙▖", " ◉   ◉ "),
}
"""Pictures for large cards, in the English and French words of the road; other themes show their symbol instead."""


def _picture(card: Card, theme: Theme) -> tuple[str, ...]:
    if card.group is Group.DISTANCE:
        return tuple("".join(_DIGITS[digit][row] for digit in card.value) for row in range(3))
    if theme.language in {"en", "fr"}:
        return _PICTURES[card]
    return ("╭─────╮", f"│  {theme.symbol_of(card)}  │", "╰─────╯")


def _name_lines(name: str, width: int, most: int) -> list[str]:
    """A name broken between words into lines of ``width``; empty if that needs more than ``most`` lines."""
    lines: list[str] = []
    for word in re.findall(r"[^\s'-]+['-]?", name):
        glue = "" if lines and lines[-1][-1] in "'-" else " "
        if lines and len(lines[-1]) + len(glue) + len(word) <= width:
            lines[-1] += glue + word
        else:
            lines.append(word)
    return lines if len(lines) <= most and all(len(line) <= width for line in lines) else []


def draw_card(
    canvas: Canvas,
    x: int,
    y: int,
    width: int,
    height: int,
    card: Card,
    theme: Theme,
    look: Look,
    *,
    dim: bool = False,
    label: str = "",
    selected: bool = False,
    marked: str = "",
    fresh: bool = False,
) -> None:
    """Draw a card into a rectangle of at least 5 columns and 3 rows.

    ``label`` stands in the upper edge (the key that names the place), ``marked`` in the lower one. ``dim``: it cannot
    be used now. ``selected``: it is the one that was typed or clicked. ``fresh``: it has just come to lie there.
    """
    style = look[card.group.value]
    edge = style + look["strong"] if selected else style
    if dim:
        style = edge = look["dim"]
    elif fresh:
        edge = look["mark"]
    if selected:
        edge = edge + Style(reverse=True)
    canvas.fill(x, y, width, height)
    canvas.box(x, y, width, height, FRAMES[card.group], edge)
    inner, rows = width - 2, height - 2
    name = theme.short_of(card)
    face = style if dim else style + look["strong"]
    if rows >= 5:
        picture = _picture(card, theme)
        lines = [] if card.group is Group.DISTANCE else _name_lines(theme.name_of(card), inner, min(2, rows - 3))
        if card.group is Group.DISTANCE:
            lines = [theme.unit_short]
        lines = lines or [name]
        used = len(picture) + len(lines)
        top = y + 1 + (rows - used) // 2
        for row, text in enumerate(picture):
            canvas.centre(x + 1, top + row, inner, text, face)
        for row, text in enumerate(lines):
            canvas.centre(x + 1, top + len(picture) + row, inner, text, style)
    elif card.group is Group.DISTANCE:
        if rows >= 3 and inner >= 9:
            for row, text in enumerate(_picture(card, theme)):
                canvas.centre(x + 1, y + 1 + (rows - 3) // 2 + row, inner, text, face)
        else:
            canvas.centre(x + 1, y + 1 + (rows - 1) // 2, inner, name, face)
    elif rows >= 2:
        top = y + 1 + (rows - 2) // 2
        canvas.centre(x + 1, top, inner, theme.symbol_of(card), face)
        lines = _name_lines(theme.name_of(card), inner, rows - 1) or [name]
        for row, text in enumerate(lines):
            canvas.centre(x + 1, top + 1 + row, inner, text, style)
    else:
        canvas.centre(x + 1, y + 1, inner, f"{theme.symbol_of(card)} {name}"[: max(1, inner)], face)
    if label:
        canvas.put(x + 1, y, f"{label}", look["key"] if not dim else look["dim"])
    if marked:
        canvas.centre(x + 1, y + height - 1, inner, marked, look["mark"])


def draw_back(canvas: Canvas, x: int, y: int, width: int, height: int, look: Look, text: str = "") -> None:
    """Draw a card that lies face down; ``text`` stands in its middle."""
    style = look["back"]
    canvas.box(x, y, width, height, "round", style)
    canvas.fill(x + 1, y + 1, width - 2, height - 2, "░", style)
    if text:
        canvas.centre(x + 1, y + (height - 1) // 2, width - 2, f" {text} ", look["strong"])


def draw_place(canvas: Canvas, x: int, y: int, width: int, height: int, look: Look, text: str = "") -> None:
    """Draw a place where no card lies; ``text`` says what goes there."""
    style = look["dim"]
    canvas.fill(x, y, width, height)
    canvas.box(x, y, width, height, "dashed", style)
    lines = _name_lines(text, width - 2, height - 2) or [text]
    top = y + (height - len(lines)) // 2
    for row, line in enumerate(lines if text else []):
        canvas.centre(x + 1, top + row, width - 2, line, style)
