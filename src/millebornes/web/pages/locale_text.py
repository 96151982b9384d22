"""The preferences of a browser: its language, the names of the cards, and light or dark colours."""

import dataclasses
from typing import Final

from starlette.requests import HTTPConnection

from millebornes.i18n import LANGUAGES, N_, language, translator
from millebornes.themes import THEMES, theme, theme_for
from millebornes.words.words import Words

APPEARANCES: Final = {"auto": N_("Same as my device"), "light": N_("Light"), "dark": N_("Dark")}
LANGUAGE_NAMES: Final = {code: language(code).name for code in LANGUAGES}


@dataclasses.dataclass(frozen=True)
class PageWords(Words):
    """The words and the style of the pages in one browser. ``appearance`` is one of `APPEARANCES`."""

    appearance: str = "auto"


def words_of(request: HTTPConnection) -> PageWords:
    """Return a browser's preferences from its cookies. Without one, ``Accept-Language`` sets the language."""
    code = request.cookies.get("language", "")
    if code not in LANGUAGES:
        code = _preferred(request.headers.get("accept-language", ""))
    cards = request.cookies.get("cards", "")
    appearance = request.cookies.get("appearance", "")
    return PageWords(
        translator(code),
        theme(cards) if cards in THEMES else theme_for(code),
        appearance if appearance in APPEARANCES else "auto",
    )


def _preferred(header: str) -> str:
    liked: list[tuple[float, str]] = []
    for part in header[:500].split(","):
        name, _, quality = part.strip().partition(";q=")
        code = name.partition("-")[0].strip().lower()
        try:
            liked.append((float(quality) if quality else 1.0, code))
        except ValueError:
            continue
    found = [(quality, code) for quality, code in liked if code in LANGUAGES and quality > 0]
    return max(found, key=lambda entry: entry[0])[1] if found else LANGUAGES[0]
