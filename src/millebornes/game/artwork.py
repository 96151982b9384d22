"""Our drawings of the cards, as pieces of SVG. Each picture fits in a box from -20 to 20 in both directions."""

from typing import Final
from xml.sax.saxutils import escape

from millebornes.cards import CODES, MILES, Card, Group

__all__ = ["CARD_HEIGHT", "CARD_WIDTH", "card_back", "card_face", "empty_place", "text"]

CARD_WIDTH: Final = 60
CARD_HEIGHT: Final = 84
FONT: Final = "'DejaVu Sans','Segoe UI',Helvetica,Arial,sans-serif"

_COLOURS: Final = {Group.DISTANCE: "#3d4852", Group.HAZARD: "#c0262d", Group.REMEDY: "#1b7f3b", Group.SAFETY: "#1d4f9e"}
_PAPER: Final = "#fffdf6"

_LINE: Final = 'fill="none" stroke="{c}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"'
_PUMP: Final = (
    '<rect x="-13" y="-16" width="17" height="32" rx="2.5" fill="{c}"/>'
    '<rect x="-10" y="-12" width="11" height="8" fill="#fffdf6"/>'
    f'<path d="M4,-4h4v13a3.5,3.5 0 0 0 7,0v-17l-6,-6" {_LINE}/>'
)
_LIGHTS: Final = (
    '<rect x="-9" y="-19" width="18" height="38" rx="5" fill="#2b2f36"/>'
    '<circle cy="-12" r="4.6" fill="{red}"/><circle r="4.6" fill="#5a5230"/><circle cy="12" r="4.6" fill="{green}"/>'
)
_TYRE: Final = (
    '<circle r="16" fill="#2b2f36"/><circle r="8.5" fill="#d8d8d0"/><circle r="2.5" fill="#2b2f36"/>'
    '<path d="M0,-8.5v17M-8.5,0h17" stroke="#2b2f36" stroke-width="1.6"/>'
)
_STAR: Final = "M0,-19 5,-8 16,-13 10,-2 20,3 8,6 11,18 0,10 -11,18 -8,6 -20,3 -10,-2 -16,-13 -5,-8Z"

_PLAIN: Final = f'<circle r="14" {_LINE}/>'
"""The picture for a card that has none."""
_PICTURES: Final = {
    Card.ACCIDENT: f'<path d="{_STAR}" fill="#f5a623" stroke="{{c}}" stroke-width="2.5"/><path d="M0,-7v7" {_LINE}/>'
    '<circle cy="6" r="2" fill="{c}"/>',
    Card.OUT_OF_GAS: f'{_PUMP}<path d="M-18,18 18,-18" stroke="#fffdf6" stroke-width="7"/>'
    f'<path d="M-18,18 18,-18" {_LINE}/>',
    Card.FLAT_TIRE: '<path d="M-16,4a16,16 0 1 1 32,0q4,8 2,12h-36q-2,-4 2,-12" fill="#2b2f36"/>'
    '<circle cy="2" r="8.5" fill="#d8d8d0"/>'
    '<circle cy="2" r="2.5" fill="#2b2f36"/><path d="M9,-18l9,-2M12,-13l8,1" stroke="{c}" stroke-width="2.5"/>',
    Card.STOP: _LIGHTS.replace("{red}", "#ff3b30").replace("{green}", "#24402c"),
    Card.SPEED_LIMIT: '<circle r="17" fill="#fff" stroke="{c}" stroke-width="5"/>'
    '<text y="5.5" font-size="15" font-weight="700" text-anchor="middle" fill="#2b2f36">50</text>',
    Card.REPAIRS: '<path d="M-15,11 3,-7a9.5,9.5 0 0 1 11.5,-11.5l-6,6 1.5,5 5,1.5 6,-6a9.5,9.5 0 0 1 -11.5,11.5l-18,18'
    'a5,5 0 0 1 -7,-7z" transform="translate(-2.5,1)" fill="{c}"/>',
    Card.GASOLINE: _PUMP,
    Card.SPARE_TIRE: _TYRE + '<circle r="16" fill="none" stroke="{c}" stroke-width="3"/>',
    Card.ROLL: _LIGHTS.replace("{red}", "#47201f").replace("{green}", "#34d058"),
    Card.END_OF_LIMIT: '<circle r="17" fill="#fff" stroke="{c}" stroke-width="3"/>'
    '<text y="5.5" font-size="15" font-weight="700" text-anchor="middle" fill="#a8a89c">50</text>'
    '<path d="M-12,8 8,-12M-8,12 12,-8" stroke="{c}" stroke-width="2.4"/>',
    Card.DRIVING_ACE: f'<circle r="16" {_LINE.replace("3", "5", 1)}/><circle r="5" fill="{{c}}"/>'
    f'<path d="M-15,-2h30M0,4v12" {_LINE.replace("3", "5", 1)}/>',
    Card.EXTRA_TANK: '<path d="M-13,-9h5l3,-7h13l5,7v25h-26z" fill="{c}"/>'
    '<path d="M-3,-10 1,-13h6l2.5,3z" fill="#fffdf6"/>'
    '<path d="M0,-3v14M-7,4h14" stroke="#fffdf6" stroke-width="4"/>',
    Card.PUNCTURE_PROOF: _TYRE
    + '<path d="M0,-13 11,-9v8q0,9 -11,14q-11,-5 -11,-14v-8z" fill="{c}" stroke="#fffdf6" stroke-width="2"/>'
    '<path d="M-5,0 -1,4 6,-5" fill="none" stroke="#fffdf6" stroke-width="3"/>',
    Card.RIGHT_OF_WAY: '<path d="M-11,12v-11a11,11 0 0 1 22,0v11z" fill="{c}"/>'
    '<rect x="-15" y="12" width="30" height="6" rx="2" fill="#2b2f36"/>'
    '<path d="M0,-18v4M-16,-11l3,3M16,-11l-3,3M-20,2h4M20,2h-4" '
    'stroke="#f5a623" stroke-width="3" stroke-linecap="round"/>'
    '<path d="M-5,6v-5a5,5 0 0 1 4,-5" fill="none" stroke="#fffdf6" stroke-width="2.5" stroke-linecap="round"/>',
}  # fmt: skip

_STONES: Final = {
    Card.D25: "#2f9e8f",
    Card.D50: "#3a7bd5",
    Card.D75: "#8e5bb5",
    Card.D100: "#d9822b",
    Card.D200: "#b3363d",
}


def text(x: float, y: float, words: str, size: float, colour: str, *, anchor: str = "start", bold: bool = False) -> str:
    """Return a line of text as SVG. The words are escaped."""
    weight = ' font-weight="700"' if bold else ""
    place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}"{weight}>{escape(words)}</text>'


def _frame(inside: str, x: float, y: float, scale: float, turned: bool, paper: str, edge: str) -> str:
    """Return a card's rectangle with its upper left corner at (x, y).

    A turned card is on its side and extends to the right.
    """
    place = f"translate({x:g},{y:g})"
    if scale != 1:
        place += f" scale({scale:g})"
    if turned:
        place += f" translate({CARD_HEIGHT},0) rotate(90)"
    return (
        f'<g transform="{place}"><rect x="0.75" y="0.75" width="{CARD_WIDTH - 1.5}" height="{CARD_HEIGHT - 1.5}" '
        f'rx="6" fill="{paper}" stroke="{edge}" stroke-width="1.5"/>{inside}</g>'
    )


def card_face(card: Card, name: str, x: float, y: float, *, scale: float = 1, turned: bool = False) -> str:
    """Return a card, face up, with a short name below its picture."""
    colour = _COLOURS[card.group]
    if card in MILES:
        stone = _STONES[card]
        size = 17 if card.miles >= 100 else 20
        inside = (
            f'<path d="M12,72v-44a18,18 0 0 1 36,0v44z" fill="#e9e6da" stroke="#8b8777" stroke-width="1.2"/>'
            f'<path d="M12,34v-6a18,18 0 0 1 36,0v6z" fill="{stone}"/>'
            '<path d="M7,72.5h46" stroke="#8b8777" stroke-width="2.5"/>'
            + text(30, 59, card.value, size, "#2b2f36", anchor="middle", bold=True)
        )
    else:
        size = 9 if len(name) <= 8 else 8
        inside = (
            f'<rect x="4" y="4" width="{CARD_WIDTH - 8}" height="{CARD_HEIGHT - 8}" rx="4" '
            f'fill="none" stroke="{colour}" stroke-width="1.6"/>'
            f'<g transform="translate(30,35)">{_PICTURES.get(card, _PLAIN).replace("{c}", colour)}</g>'
            + text(30, 72.5, name, size, colour, anchor="middle", bold=True)
        )
    title = f"<title>{escape(name)} ({CODES[card]})</title>"
    return _frame(title + inside, x, y, scale, turned, _PAPER, "#00000055")


def card_back(x: float, y: float, *, scale: float = 1, count: int | None = None) -> str:
    """Return a card, face down, with a number on it if ``count`` is given."""
    inside = (
        f'<rect x="5" y="5" width="{CARD_WIDTH - 10}" height="{CARD_HEIGHT - 10}" rx="4" '
        'fill="none" stroke="#ffffff77"/>'
        '<path d="M20,80 27,4h6L40,80z" fill="#ffffff22"/>'
        '<path d="M30,8v70" stroke="#ffffffaa" stroke-width="1.6" stroke-dasharray="7 6"/>'
    )
    if count is not None:
        inside += '<circle cx="30" cy="42" r="17" fill="#fffdf6"/>'
        inside += text(30, 48, str(count), 17, "#2b2f36", anchor="middle", bold=True)
    return _frame(inside, x, y, scale, False, "#34568b", "#00000055")


def empty_place(x: float, y: float, label: str = "") -> str:
    """Return an empty place for a card."""
    inside = text(30, 46, label, 9, "#ffffffa0", anchor="middle") if label else ""
    return (
        f'<g transform="translate({x:g},{y:g})"><rect x="1" y="1" '
        f'width="{CARD_WIDTH - 2}" height="{CARD_HEIGHT - 2}" rx="6" fill="#00000022" '
        f'stroke="#ffffff44" stroke-width="1.5" stroke-dasharray="5 4"/>{inside}</g>'
    )
