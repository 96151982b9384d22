"""The look of a card: its frame shows the group, and its picture and name show the kind. Colour only helps."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.style import Style

from millebornes.cards import Card, Group
from millebornes.themes import Theme
from millebornes.tui.full.widgets.canvas import Area, Canvas
from millebornes.tui.full.widgets.names import broken, fitting, fitting_line

Look = dict[str, Style]  # the styles by name: the groups of cards, ``dim``, ``strong``, ``mark`` and ``back``
FRAMES: Final = {Group.DISTANCE: "thin", Group.HAZARD: "heavy", Group.REMEDY: "round", Group.SAFETY: "double"}
"""The frame of the cards in each group, which shows the group even without colours."""

FRAMED: Final = 5  # a card has a frame if it is at least this many columns wide
_DIGITS: Final = {
    "0": ("┏━┓", "┃ ┃", "┗━┛"),
    "1": (" ╺┓", "  ┃", " ╺┻"),
    "2": ("╺━┓", "┏━┛", "┗━╸"),
    "5": ("┏━╸", "┗━┓", "╺━┛"),
    "7": ("╺━┓", "  ┃", "  ╹"),
}

_LARGE_DIGITS: Final = {
    "0": ("┏━━━┓", "┃   ┃", "┃   ┃", "┃   ┃", "┗━━━┛"),
    "1": (" ╺┓ ", "  ┃ ", "  ┃ ", "  ┃ ", " ╺┻╸"),
    "2": ("╺━━━┓", "    ┃", "┏━━━┛", "┃    ", "┗━━━╸"),
    "5": ("┏━━━╸", "┃    ", "┗━━━┓", "    ┃", "╺━━━┛"),
    "7": ("╺━━━┓", "    ┃", "    ┃", "    ┃", "    ╹"),
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
"""The pictures for large cards in themes that use the words of the road. Cards in other themes show their symbol."""


def symbol(canvas: Canvas, card: Card, theme: Theme) -> str:
    """Return the symbol of a card, which precedes its name. Without symbols, return ""."""
    return theme.symbol_of(card) if canvas.symbols else ""


def _pictures(canvas: Canvas, card: Card, theme: Theme, inner: int, rows: int) -> list[tuple[str, ...]]:
    """Return the pictures that fit beside a name, the largest first. The last entry has no picture."""
    found: list[tuple[str, ...]] = [()]
    if not canvas.symbols:
        return found
    if card.group is Group.DISTANCE:
        for digits, most in ((_DIGITS, 3), (_LARGE_DIGITS, 5)):
            gap = " " * (most > 3)
            picture = tuple(gap.join(digits[digit][row] for digit in card.value) for row in range(most))
            if len(picture[0]) <= inner and rows >= most + 2 * (most == 5):
                found.insert(0, picture)
        return found
    if rows >= 2:
        found.insert(0, (theme.symbol_of(card),))
    if rows >= 5:
        plain = ("╭─────╮", f"│  {theme.symbol_of(card)}  │", "╰─────╯")
        found.insert(0, _PICTURES.get(card, plain) if theme.cars else plain)
    return [picture for picture in found if all(len(line) <= inner for line in picture)]


def _face(canvas: Canvas, card: Card, theme: Theme, inner: int, rows: int) -> tuple[tuple[str, ...], list[str]]:
    """Return a card's picture and the lines of its name for an area with this many columns and rows."""
    pictures = _pictures(canvas, card, theme, inner, rows)
    if card.group is Group.DISTANCE:
        units = [f"{card.value} {theme.unit_short}", card.value] if not pictures[0] else [theme.unit_short]
        if pictures[0]:
            return pictures[0], units if rows > len(pictures[0]) + 1 else []
        return (), fitting(units if rows > 1 or not canvas.symbols else units[-1:], inner, 1)
    *names, code = theme.forms_of(card)
    if rows == 1:
        before = f"{theme.symbol_of(card)} " if canvas.symbols else ""
        return (), [fitting_line(theme, card, inner, before)]
    for forms in (names, [code]):
        for picture in pictures:
            lines = fitting(forms, inner, min(2, rows - len(picture)))
            if lines:
                return picture, lines
    return (), []


class Marks(NamedTuple):
    """The marks on a card.

    ``label`` is on the upper edge (the key for the place), and ``marked`` is on the lower edge. ``dim`` means that the
    card can't be used now, ``selected`` that the player has typed or clicked it, and ``fresh`` that it has just
    arrived. If there is enough room, ``note`` says what the card is for.
    """

    label: str = ""
    marked: str = ""
    dim: bool = False
    selected: bool = False
    fresh: bool = False
    note: str = ""


UNMARKED: Final = Marks()


def draw_card(canvas: Canvas, area: Area, card: Card, theme: Theme, look: Look, marks: Marks = UNMARKED) -> None:
    """Draw a card in an area with at least 3 rows. If there are fewer than 5 columns, the card has no frame."""
    x, y, width, height = area
    label, marked, dim, selected, fresh, note = marks
    style = look[card.group.value]
    edge = style + look["strong"] if selected else style
    if dim:
        style = edge = look["dim"]
    elif fresh:
        edge = look["mark"]
    if selected:
        edge = edge + Style(reverse=True)
    canvas.fill(x, y, width, height)
    frame = int(width >= FRAMED)
    if frame:
        canvas.box(x, y, width, height, FRAMES[card.group], edge)
    left, inner, rows = x + frame, width - (2 if frame else 1), height - 2
    face = style if dim else style + look["strong"]
    if selected and not frame:
        face = face + Style(reverse=True)
    picture, lines = _face(canvas, card, theme, inner, rows)
    notes = broken(note, inner, 2) if rows - len(picture) - len(lines) > 2 else []
    top = y + 1 + (rows - len(picture) - len(lines)) // 2
    for row, text in enumerate(picture, top):
        canvas.centre(left, row, inner, text, face)
    for row, text in enumerate(lines, top + len(picture)):
        canvas.centre(left, row, inner, text, style if picture else face)
    for row, text in enumerate(reversed(notes), 2):
        canvas.centre(left, y + height - row, inner, text, look["dim"])
    if label:
        canvas.put(left, y, label, look["key"] if not dim else look["dim"], width - frame)
    if marked:
        canvas.centre(left, y + height - 1, inner, marked, look["mark"])


def draw_back(canvas: Canvas, look: Look, text: str = "") -> None:
    """Draw a card that is face down and fills the canvas, with ``text`` in the middle."""
    style, width, height = look["back"], canvas.width, canvas.height
    canvas.box(0, 0, width, height, "round", style)
    canvas.fill(1, 1, width - 2, height - 2, "░", style)
    if text:
        canvas.centre(1, (height - 1) // 2, width - 2, f" {text} ", look["strong"])


def draw_place(canvas: Canvas, area: Area, look: Look, texts: Sequence[str] = ()) -> None:
    """Draw an empty place. ``texts`` are names for it, the longest first, of which the first that fits is shown."""
    x, y, width, height = area
    style = look["dim"]
    canvas.fill(x, y, width, height)
    canvas.box(x, y, width, height, "dashed", style)
    lines = fitting(texts, width - 2, height - 2)
    top = y + (height - len(lines)) // 2
    for row, line in enumerate(lines):
        canvas.centre(x + 1, top + row, width - 2, line, style)


def draw_bar(
    canvas: Canvas, x: int, y: int, width: int, points: tuple[int, int], scale: tuple[int, int], look: Look
) -> int:
    """Draw a bar for ``points``, the certain ones and the total, and return the column after it.

    ``scale`` contains the target of the match and the highest total of all sides. The full width represents the larger
    one. If a side has passed the target, a mark shows where it is.
    """
    target, highest = scale
    whole = max(target, highest, 1)
    sure, maybe = (max(0, min(width, width * value // whole)) for value in points)
    canvas.put(x, y, "█" * sure, look["accent"])
    canvas.put(x + sure, y, "▒" * (maybe - sure), look["accent"])
    canvas.put(x + max(sure, maybe), y, "·" * (width - max(sure, maybe)), look["dim"])
    if highest > target:
        canvas.put(x + min(width - 1, width * target // whole), y, "┃", look["mark"])
    return x + width
