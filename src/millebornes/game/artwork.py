"""Our drawings of the cards as pieces of SVG. The face of each card is a file in ``faces/``."""

import functools
import importlib.resources
import re
from collections.abc import Callable
from typing import Final
from xml.sax.saxutils import escape

from millebornes.cards import CODES, Card, Group

CARD_WIDTH: Final = 60
CARD_HEIGHT: Final = 84
FONT: Final = "'DejaVu Sans','Segoe UI',Helvetica,Arial,sans-serif"

FACE_WIDTH: Final = 250
FACE_HEIGHT: Final = 350
"""The size of the drawings in ``faces/``. The web game uses the same files."""
BAND_SIZE: Final = 6.5
"""The font size of a card's name, unless the name is too long for it."""

_DARK: Final = "#1e2329"
_BAND: Final = {Group.DISTANCE: "#ffffff", Group.HAZARD: "#ffffff", Group.REMEDY: _DARK, Group.SAFETY: "#f2b632"}
"""The colours of the card names in the bands."""
_LIGHT: Final = frozenset((Card.D25, Card.D100))
"""The distance cards that have a light band."""
_USED: Final = re.compile(r'href="#face-(\w+)"')


def text(x: float, y: float, words: str, size: float, colour: str, *, anchor: str = "start", bold: bool = False) -> str:
    """Return a line of text as SVG. The text is escaped."""
    weight = ' font-weight="700"' if bold else ""
    place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}"{weight}>{escape(words)}</text>'


def _placed(inside: str, x: float, y: float, scale: float, turned: bool) -> str:
    """Return SVG that shows a drawing with its top left corner at (x, y).

    If ``turned`` is true, the drawing is on its side.
    """
    place = f"translate({x:g},{y:g})"
    if scale != 1:
        place += f" scale({scale:g})"
    if turned:
        place += f" translate({CARD_HEIGHT},0) rotate(90)"
    return f'<g transform="{place}">{inside}</g>'


@functools.cache
def _drawing(name: str) -> str:
    """Return the drawing of a face, scaled to the size of a card.

    The name is added to all ids, so that the drawings don't share any.
    """
    content = importlib.resources.files("millebornes.game").joinpath("faces", f"{name}.svg").read_text("utf-8")
    inside = content[content.index(">") + 1 : content.rindex("</svg>")]
    inside = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{name}-", inside)
    return f'<svg width="{CARD_WIDTH}" height="{CARD_HEIGHT}" viewBox="0 0 {FACE_WIDTH} {FACE_HEIGHT}">{inside}</svg>'


def _band(card: Card, name: str) -> str:
    colour = _BAND[card.group] if card not in _LIGHT else _DARK
    size = BAND_SIZE if len(name) <= 9 else BAND_SIZE * 9 / len(name)
    return text(8, 78, name, round(size, 1), colour, bold=True)


def face_symbols(drawn: str, name_of: Callable[[Card], str]) -> str:
    """Return an SVG definition for each card that is used in the picture ``drawn``.

    ``name_of`` returns the short name of a card.
    """
    used = set(_USED.findall(drawn))
    parts = [
        f'<g id="face-{card.value}">{_drawing(card.value)}{_band(card, name_of(card))}</g>'
        for card in Card
        if card.value in used
    ]
    if "back" in used:
        parts.append(f'<g id="face-back">{_drawing("back")}</g>')
    return f"<defs>{''.join(parts)}</defs>"


def card_face(card: Card, name: str, x: float, y: float, *, scale: float = 1, turned: bool = False) -> str:
    """Return the SVG of a face-up card.

    The document must also contain its definition from `face_symbols`. ``name`` is the short name of the card.
    """
    title = f"<title>{escape(name)} ({CODES[card]})</title>"
    return _placed(f'{title}<use href="#face-{card.value}"/>', x, y, scale, turned)


def card_back(x: float, y: float, *, scale: float = 1, count: int | None = None) -> str:
    """Return the SVG of a face-down card, with a number on it if ``count`` is given.

    The document must also contain the definitions from `face_symbols`.
    """
    inside = '<use href="#face-back"/>'
    if count is not None:
        inside += '<circle cx="30" cy="42" r="17" fill="#fffdf6"/>'
        inside += text(30, 48, str(count), 17, "#2b2f36", anchor="middle", bold=True)
    return _placed(inside, x, y, scale, turned=False)


def empty_place(x: float, y: float, label: str = "") -> str:
    """Return the SVG of an empty place for a card."""
    inside = text(30, 46, label, 9, "#ffffffa0", anchor="middle") if label else ""
    return (
        f'<g transform="translate({x:g},{y:g})"><rect x="1" y="1" '
        f'width="{CARD_WIDTH - 2}" height="{CARD_HEIGHT - 2}" rx="6" fill="#00000022" '
        f'stroke="#ffffff44" stroke-width="1.5" stroke-dasharray="5 4"/>{inside}</g>'
    )
