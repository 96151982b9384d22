"""The templates of the pages. All text that people have typed is escaped."""

import functools
import importlib.resources
from typing import Any, Final

import jinja2
from markupsafe import Markup

from millebornes._version import __version__
from millebornes.cards import Card
from millebornes.roster import level_word
from millebornes.themes import Theme
from millebornes.web.pages.assets import Assets
from millebornes.web.pages.locale_text import LANGUAGE_NAMES, Words

__all__ = ["Templates", "car_symbols"]

CARS: Final = ("saloon", "racer", "van", "convertible", "bus", "camper", "lorry", "sidecar")
"""The names of the drawings of the cars, in the order of the sides."""


@functools.cache
def car_symbols(number: int) -> Markup:
    """Return the cars for this many sides as SVG symbols. The symbols have the ids ``car-1`` to ``car-8``."""
    folder = importlib.resources.files("millebornes.web").joinpath("static", "cars")
    parts = []
    for side, name in enumerate(CARS[:number], 1):
        drawing = folder.joinpath(f"{name}.svg").read_text(encoding="utf-8")
        inside = drawing[drawing.index(">") + 1 : drawing.rindex("</svg>")]
        parts.append(f'<symbol id="car-{side}" viewBox="0 0 120 60">{inside}</symbol>')
    return Markup("".join(parts))


def group_of(name: str) -> str:
    """Return the group of a card, which is used as a CSS class."""
    return "back" if name == "back" else Card(name).group.value


MAX_CODES: Final = 256
"""The maximum number of QR codes in the cache."""
MAX_NAME: Final = 18
"""At most this many characters of a name fit on a card."""


def card_word(theme: Theme, name: str) -> str:
    """Return the name of a card as it is written on the card. This is the longest form that fits."""
    forms = theme.forms_of(Card(name))
    return next((form for form in forms if len(form) <= MAX_NAME), forms[-1])


@functools.lru_cache(maxsize=MAX_CODES)
def qr_code(link: str) -> str:
    """Return a QR code for a link, as a data URL for a picture."""
    import segno  # needed only if people invite others

    return str(segno.make(link, micro=False).svg_data_uri(scale=4, border=2, dark="#14324a", light="#fff"))


def clock_text(milliseconds: int) -> str:
    """Return the time left, in minutes and seconds."""
    seconds = -(-milliseconds // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"


class Templates:
    """The templates in ``templates/``, together with those for reviews."""

    def __init__(self, assets: Assets) -> None:
        self._environment: Final = jinja2.Environment(
            loader=jinja2.ChoiceLoader(
                [jinja2.PackageLoader("millebornes.web"), jinja2.PackageLoader("millebornes.analysis.reports.page")]
            ),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals |= {
            "asset": assets.url,
            "car_symbols": car_symbols,
            "card_word": card_word,
            "group_of": group_of,
            "qr_code": qr_code,
            "languages": LANGUAGE_NAMES,
            "program_version": __version__,
            "clock_text": clock_text,
            "level_word": level_word,
        }

    def text(self, name: str, words: Words, /, **context: Any) -> str:
        """Return a template filled in with values."""
        return self._environment.get_template(name).render(
            _=words.translate, plural=words.translate.plural, words=words, theme=words.theme, **context
        )
