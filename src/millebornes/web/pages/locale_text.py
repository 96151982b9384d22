"""How one browser wants its pages: the language, what the cards are called, light or dark."""

import dataclasses
from typing import Final

from starlette.requests import HTTPConnection

from millebornes.i18n import LANGUAGES, N_, Translator, language, translator
from millebornes.themes import THEMES, Theme, theme, theme_for

__all__ = ["APPEARANCES", "LANGUAGE_NAMES", "Words", "words_of"]

APPEARANCES: Final = {"auto": N_("Same as my device"), "light": N_("Light"), "dark": N_("Dark")}
LANGUAGE_NAMES: Final = {code: language(code).name for code in LANGUAGES}


@dataclasses.dataclass(frozen=True)
class Words:
    """What the pages for one browser are made with. ``appearance`` is one of `APPEARANCES`."""

    translate: Translator
    theme: Theme
    appearance: str = "auto"

    @property
    def language(self) -> str:
        """The code of the language."""
        return self.translate.language


def words_of(request: HTTPConnection) -> Words:
    """What a browser has chosen, else what it prefers: by its cookies, then by ``Accept-Language``."""
    code = request.cookies.get("language", "")
    if code not in LANGUAGES:
        code = _preferred(request.headers.get("accept-language", ""))
    cards = request.cookies.get("cards", "")
    appearance = request.cookies.get("appearance", "")
    return Words(
        translator(code),
        theme(cards) if cards in THEMES else theme_for(code),
        appearance if appearance in APPEARANCES else "auto",
    )


def _preferred(header: str) -> str:
    """The language of ours that a browser likes best."""
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
