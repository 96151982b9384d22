"""What people read, in their language: English texts are the keys, catalogues in ``locale/`` translate them.

A screen asks for a translator once and marks its texts with it::

    _ = translator(choose_language(option))
    print(_("Hand {number}").format(number=3))

Texts that are data when the module is imported are marked with `N_` and translated when they are shown.
``scripts/messages`` collects all marked texts and keeps the catalogues.
"""

import functools
import gettext
import importlib.resources
import os
from collections.abc import Iterable, Mapping
from typing import Final

__all__ = ["LANGUAGES", "N_", "Translator", "choose_language", "translator"]

LANGUAGES: Final = ("en", "fr")
"""Languages that can be shown; the first is the one the texts are written in."""


def N_(text: str) -> str:
    """Mark a text for the catalogues and return it unchanged."""
    return text


_BETWEEN: Final = N_("{first}; {following}")


class Translator:
    """Translates texts to one language; call it with an English text. ``language`` is one of `LANGUAGES`."""

    def __init__(self, language: str, catalogue: gettext.NullTranslations) -> None:
        self.language = language
        self._catalogue = catalogue

    def __call__(self, text: str) -> str:
        """The text in this language; the text itself where no translation is known."""
        if not text:
            return ""
        said = self._catalogue.gettext(text)
        # Early releases of Python 3.11 do not find a text by itself that is in the catalogue with a plural too.
        return self._catalogue.ngettext(text, text, 1) if said == text else said

    def plural(self, one: str, many: str, n: int) -> str:
        """``one`` or ``many``, whichever fits ``n`` things in this language, translated."""
        return self._catalogue.ngettext(one, many, n)

    def join(self, texts: Iterable[str]) -> str:
        """The texts in one, with semicolons between them as this language sets them."""
        return self(_BETWEEN).format(first="", following="").join(texts)

    def __repr__(self) -> str:
        return f"translator({self.language!r})"


@functools.cache
def translator(language: str = "en") -> Translator:
    """The translator to one of `LANGUAGES`. Raises `ValueError` for another language."""
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; the languages are {', '.join(LANGUAGES)}")
    if language == LANGUAGES[0]:
        return Translator(language, gettext.NullTranslations())
    file = importlib.resources.files("millebornes").joinpath("locale", language, "LC_MESSAGES", "millebornes.mo")
    with file.open("rb") as stream:
        return Translator(language, gettext.GNUTranslations(stream))


def choose_language(asked: str | None = None, environ: Mapping[str, str] | None = None) -> str:
    """The language to show: the one asked for, else what the environment prefers, else English.

    As in other programs ``LANGUAGE`` may list several (``fr_CA:en``) and comes first, then the first of ``LC_ALL``,
    ``LC_MESSAGES`` and ``LANG`` that is set; where that one is ``C`` or ``POSIX``, ``LANGUAGE`` is not heeded.
    """
    environ = os.environ if environ is None else environ
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    wishes = [] if locale in {"C", "POSIX"} else environ.get("LANGUAGE", "").split(":")
    for wish in (asked or "", *wishes, locale):
        language = wish.replace("-", "_").partition("_")[0].partition(".")[0].partition("@")[0].lower()
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]
