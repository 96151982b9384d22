"""Templates. All text that people have typed is escaped, and all text that people read is translated."""

import functools
import gzip
from typing import Any, Final

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from millebornes._version import __version__
from millebornes.cards import Card
from millebornes.game.artwork import CARD_HEIGHT, CARD_WIDTH, FONT, card_back, card_face
from millebornes.themes import Theme, theme
from millebornes.web.pages.assets import Assets
from millebornes.web.pages.locale_text import LANGUAGE_NAMES, Words

__all__ = ["Templates", "symbols"]

_MIN_BYTES: Final = 800
"""The size in bytes below which a page is sent uncompressed."""


@functools.cache
def symbols(theme_name: str) -> Markup:
    """Return the cards of a theme as SVG symbols, each with its picture and its word. Pages use them by id."""
    cards: Theme = theme(theme_name)
    box = f'viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}"'
    parts = [
        f'<symbol id="card-{card.value}" {box}>{card_face(card, cards.short_of(card), 0, 0)}</symbol>' for card in Card
    ]
    parts.append(f'<symbol id="card-back" {box}>{card_back(0, 0)}</symbol>')
    inside = "".join(parts)
    return Markup(f'<svg class="symbols" aria-hidden="true" font-family="{FONT}">{inside}</svg>')


def clock_text(milliseconds: int) -> str:
    """Return the time that is left, in minutes and seconds."""
    seconds = -(-milliseconds // 1000)
    return f"{seconds // 60}:{seconds % 60:02}"


class Templates:
    """The templates in ``templates/``, and the templates for reviews."""

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
            "symbols": symbols,
            "languages": LANGUAGE_NAMES,
            "program_version": __version__,
            "clock_text": clock_text,
        }

    def text(self, name: str, words: Words, **context: Any) -> str:
        """Fill in a template."""
        return self._environment.get_template(name).render(
            _=words.translate, plural=words.translate.plural, words=words, theme=words.theme, **context
        )

    def page(self, request: Request, name: str, words: Words, status: int = 200, **context: Any) -> Response:
        """Return a filled-in template as a response, compressed if the browser accepts that."""
        address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        body = self.text(name, words, address=address, **context).encode()
        headers = {"vary": "accept-encoding, accept-language, cookie"}
        if len(body) >= _MIN_BYTES and "gzip" in request.headers.get("accept-encoding", ""):
            body = gzip.compress(body, 5, mtime=0)
            headers["content-encoding"] = "gzip"
        return Response(body, status, headers, media_type="text/html; charset=utf-8")
