"""What people read, in their language: English texts are the keys, and each folder of ``locale/`` is a language.

A screen asks for a translator once and marks its texts with it::

    _ = translator(choose_language(option))
    print(_("Hand {number}").format(number=3))

Texts that are data when the module is imported are marked with `N_` and translated when they are shown.
``scripts/messages`` collects all marked texts and keeps the catalogues.

A folder needs a ``language.toml`` (see `Language`). Its card names, its rulebook and its catalogue are optional: texts
that are not translated are shown in English.
"""

import dataclasses
import functools
import gettext
import importlib.resources
import os
import tomllib
from collections.abc import Iterable, Mapping
from typing import Final

__all__ = [
    "LANGUAGES",
    "LOCALE",
    "N_",
    "Language",
    "Translator",
    "choose_language",
    "is_no",
    "is_yes",
    "language",
    "translator",
    "words",
]

LOCALE: Final = importlib.resources.files("millebornes").joinpath("locale")
"""The folder of the languages; the name of each folder in it is the code of a language."""

_SOURCE: Final = "en"
_DATA: Final = "language.toml"

LANGUAGES: Final = tuple(
    sorted(
        (folder.name for folder in LOCALE.iterdir() if folder.joinpath(_DATA).is_file()),
        key=lambda code: (code != _SOURCE, code),
    )
)
"""Languages that can be shown; the first is the one the texts are written in."""


def N_(text: str) -> str:
    """Mark a text for the catalogues and return it unchanged."""
    return text


_BETWEEN: Final = N_("{first}; {following}")


@dataclasses.dataclass(frozen=True)
class Language:
    """The traits of a language besides its texts, from its ``language.toml``.

    ``name`` is its own name, ``yes_key`` the letter that says yes (N says no in all languages), ``decimal_mark`` the
    mark in figures. Figures below ``one_below`` take the singular, and so does exactly 1. If ``is_complete``,
    ``scripts/messages --check`` fails when a text is not translated. ``words`` are the words that people may type, by
    the command, question or answer that they stand for.
    """

    name: str
    yes_key: str
    decimal_mark: str
    one_below: float = 0
    is_complete: bool = False
    words: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)


def _check(code: str) -> None:
    if code not in LANGUAGES:
        raise ValueError(f"there is no language {code!r}; the languages are {', '.join(LANGUAGES)}")


@functools.cache
def language(code: str) -> Language:
    """The traits of one of `LANGUAGES`. Raises `ValueError` for another language."""
    _check(code)
    data = tomllib.loads(LOCALE.joinpath(code, _DATA).read_text(encoding="utf-8"))
    return Language(**{**data, "words": {name: tuple(known) for name, known in data.get("words", {}).items()}})


@functools.cache
def words(name: str) -> frozenset[str]:
    """Every word that people may type for something (``"pick"``), in any language: small letters without accents."""
    return frozenset(word for code in LANGUAGES for word in language(code).words.get(name, ()))


def is_yes(answer: str) -> bool:
    """Whether an answer says yes in any language, by a word or by its letter; in small letters."""
    return answer in words("yes") or any(answer == language(code).yes_key for code in LANGUAGES)


def is_no(answer: str) -> bool:
    """Whether an answer says no in any language, by a word or by N; in small letters."""
    return answer == "n" or answer in words("no")


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

    @property
    def traits(self) -> Language:
        """The traits of this language besides its texts."""
        return language(self.language)

    def plural(self, one: str, many: str, n: int) -> str:
        """``one`` or ``many``, whichever fits ``n`` things in this language, translated."""
        return self._catalogue.ngettext(one, many, n)

    def join(self, texts: Iterable[str]) -> str:
        """The texts in one, with semicolons between them as this language sets them."""
        return self(_BETWEEN).format(first="", following="").join(texts)

    def __repr__(self) -> str:
        return f"translator({self.language!r})"


@functools.cache
def translator(language: str = _SOURCE) -> Translator:
    """The translator to one of `LANGUAGES`. Raises `ValueError` for another language."""
    _check(language)
    file = LOCALE.joinpath(language, "LC_MESSAGES", "millebornes.mo")
    if not file.is_file():
        return Translator(language, gettext.NullTranslations())
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
