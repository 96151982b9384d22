"""The templates that pages share, and the styles and drawings that they use. All text from outside is escaped."""

import base64
import functools
import importlib.resources
import re
from typing import Any, Final

import jinja2
from markupsafe import Markup

from millebornes.cards import Card
from millebornes.game.artwork import card_back, card_face, face_symbols
from millebornes.markup.plots import bar
from millebornes.shown import visible
from millebornes.themes import Theme

STATIC: Final = importlib.resources.files("millebornes.markup").joinpath("static")
"""The folder with the styles, the script of reviews, the fonts, and the cars."""
CARS: Final = ("saloon", "racer", "van", "convertible", "bus", "camper", "lorry", "sidecar")
"""The names of the drawings of the cars, in the order of the sides."""
MAX_NAME: Final = 18
"""At most this many characters of a name fit on a card."""
_FONT: Final = re.compile(r'url\("(fonts/[^"]+)"\)')


def make_environment(*loaders: jinja2.BaseLoader) -> jinja2.Environment:
    """Return an environment with the shared templates. Templates from ``loaders`` come first."""
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader([*loaders, jinja2.PackageLoader("millebornes.markup")]),
        autoescape=True,
        finalize=_finalize,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"bar": bar, "car_symbols": car_symbols, "card_word": card_word, "group_of": group_of}
    return made


def _finalize(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@functools.cache
def car_symbols(number: int) -> Markup:
    """Return the cars for this many sides as SVG symbols. The symbols have the ids ``car-1`` to ``car-8``."""
    parts = []
    for side, name in enumerate(CARS[:number], 1):
        drawing = STATIC.joinpath("cars", f"{name}.svg").read_text(encoding="utf-8")
        inside = drawing[drawing.index(">") + 1 : drawing.rindex("</svg>")]
        parts.append(f'<symbol id="car-{side}" viewBox="0 0 120 60">{inside}</symbol>')
    return Markup("".join(parts))


def faces(theme: Theme) -> Markup:
    """Return the drawings of all cards as SVG definitions with the ids ``face-100``, ``face-roll`` and so on.

    The theme provides the names of the cards.
    """
    drawn = "".join(card_face(card, "", 0, 0) for card in Card) + card_back(0, 0)
    return Markup(face_symbols(drawn, theme.short_of))


def inline_styles(*names: str) -> str:
    """Return style sheets as one text that contains its fonts."""
    text = "\n".join(STATIC.joinpath(name).read_text(encoding="utf-8") for name in names)
    return _FONT.sub(lambda found: f'url("data:font/woff2;base64,{_base64(found[1])}")', text)


def _base64(path: str) -> str:
    return base64.b64encode(STATIC.joinpath(path).read_bytes()).decode("ascii")


def group_of(name: str) -> str:
    """Return the group of a card, which is used as a CSS class."""
    return "back" if name == "back" else Card(name).group.value


def card_word(theme: Theme, name: str) -> str:
    """Return the name of a card as it is written on the card. This is the longest form that fits."""
    forms = theme.forms_of(Card(name))
    return next((form for form in forms if len(form) <= MAX_NAME), forms[-1])
