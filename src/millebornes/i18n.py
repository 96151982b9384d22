"""Translation of all texts into the user's language.

The English texts are the keys of the catalogues, and each folder in ``locale/`` is a language. A screen creates a
translator once and passes its texts through it::

    _ = translator(choose_language(option))
    print(_("Hand {number}").format(number=3))

Texts in constants are only marked with `N_` when the module is imported. They are translated when they are shown.
``scripts/messages`` collects all marked texts and updates the catalogues.

The only file that a language folder must contain is ``language.toml`` (see `Language`). The card names, the rulebook
and the catalogue are optional. Anything that isn't translated appears in English.
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
"""The folder that contains the languages. Each folder in it is named after its language code."""

_SOURCE: Final = "en"
_DATA: Final = "language.toml"

LANGUAGES: Final = tuple(
    sorted(
        (folder.name for folder in LOCALE.iterdir() if folder.joinpath(_DATA).is_file()),
        key=lambda code: (code != _SOURCE, code),
    )
)
"""The available languages. The first is English, in which the texts are written."""


def N_(text: str) -> str:
    """Mark a text for the catalogues and return it unchanged."""
    return text


_FULL_WIDTH: Final = {ord("０") + digit: str(digit) for digit in range(10)}
"""The digits of input methods for Chinese, Japanese and Korean, with those that they stand for."""

_BETWEEN: Final = N_("{first}; {following}")
_AFTER_HEADING: Final = "{head}: {text}"


@dataclasses.dataclass(frozen=True)
class Language:
    """The properties of a language, read from its ``language.toml``.

    ``name`` is what its speakers call the language. ``yes_key`` is the letter for yes (the letter for no is N in every
    language), and ``decimal_mark`` is the decimal point or comma. Exactly 1 and all numbers below ``one_below`` take
    the singular. If ``is_complete``, ``scripts/messages --check`` fails when a text isn't translated. ``digits`` lists
    the characters that the keys of the digits 0 to 9 type without Shift, if these aren't the digits themselves.
    ``words`` maps each command, question or answer to the words that people can type for it.
    """

    name: str
    yes_key: str
    decimal_mark: str
    one_below: float = 0
    is_complete: bool = False
    digits: tuple[str, ...] = ()
    words: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)


def _check(code: str) -> None:
    if code not in LANGUAGES:
        raise ValueError(f"there is no language {code!r}; the languages are {', '.join(LANGUAGES)}")


@functools.cache
def language(code: str) -> Language:
    """Return the properties of one of `LANGUAGES`. Raises `ValueError` for any other language."""
    _check(code)
    data = tomllib.loads(LOCALE.joinpath(code, _DATA).read_text(encoding="utf-8"))
    typed = {name: tuple(known) for name, known in data.get("words", {}).items()}
    return Language(**{**data, "digits": tuple(data.get("digits", ())), "words": typed})


@functools.cache
def words(name: str) -> frozenset[str]:
    """Return every word that people can type for ``name``, in all languages, in lower case and without accents."""
    return frozenset(word for code in LANGUAGES for word in language(code).words.get(name, ()))


def is_yes(answer: str) -> bool:
    """Return whether an answer in lower case means yes in any language, either as a word or as a single letter."""
    return answer in words("yes") or any(answer == language(code).yes_key for code in LANGUAGES)


def is_no(answer: str) -> bool:
    """Return whether an answer in lower case means no in any language, either as a word or as N."""
    return answer == "n" or answer in words("no")


class Translator:
    """Translates texts into one of `LANGUAGES`: call it with an English text."""

    def __init__(self, language: str, catalogue: gettext.NullTranslations) -> None:
        self.language = language
        self._catalogue = catalogue

    def __call__(self, text: str) -> str:
        """Return the translation of a text, or the text itself if it isn't translated."""
        if not text:
            return ""
        said = self._catalogue.gettext(text)
        # Early releases of Python 3.11 can't look up the singular of a message that has a plural form.
        return self._catalogue.ngettext(text, text, 1) if said == text else said

    def command(self, word: str) -> str:
        """Return the word that people type for a command. It can differ from the usual translation of the word."""
        return self._catalogue.pgettext("command", word)

    @property
    def traits(self) -> Language:
        """The properties of the language."""
        return language(self.language)

    def plural(self, one: str, many: str, n: float) -> str:
        """Return the translation of ``one`` or ``many``, depending on which form the language uses for ``n`` things."""
        if not isinstance(n, int):
            n = 1 if abs(n) == 1 or abs(n) < self.traits.one_below else 2
        return self._catalogue.ngettext(one, many, n)

    def number(self, text: str) -> str:
        """Return a number in digits, such as 1.5, with the decimal mark of the language."""
        return text.replace(".", self.traits.decimal_mark)

    def digits(self, text: str) -> str:
        """Return a typed number in the digits 0 to 9. Any other text stays the same.

        Full-width digits count, and so do the characters that the keys of the digits type without Shift.
        """
        text = text.translate(_FULL_WIDTH)
        found = [
            next((str(digit) for digit, keys in enumerate(self.traits.digits) if character in keys), "")
            for character in text
        ]
        return "".join(found) if found and all(found) else text

    @property
    def colon(self) -> str:
        """The colon between a heading and its text, with the spaces that the language puts around it."""
        return self(_AFTER_HEADING).format(head="", text="")

    def join(self, texts: Iterable[str]) -> str:
        """Join texts with semicolons, spaced as the language requires."""
        return self(_BETWEEN).format(first="", following="").join(texts)


@functools.cache
def translator(language: str = _SOURCE) -> Translator:
    """Return a translator into one of `LANGUAGES`. Raises `ValueError` for any other language."""
    _check(language)
    file = LOCALE.joinpath(language, "LC_MESSAGES", "millebornes.mo")
    if not file.is_file():
        return Translator(language, gettext.NullTranslations())
    with file.open("rb") as stream:
        return Translator(language, gettext.GNUTranslations(stream))


def choose_language(asked: str | None = None, environ: Mapping[str, str] | None = None) -> str:
    """Return the code of the requested language, or else of the one that the environment prefers, or else English.

    As in other programs, ``LANGUAGE`` can list several languages (``fr_CA:en``) and is read first, followed by the
    first of ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` that is set. If that variable is ``C`` or ``POSIX``, ``LANGUAGE``
    is ignored.
    """
    environ = os.environ if environ is None else environ
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    wishes = [] if locale in {"C", "POSIX"} else environ.get("LANGUAGE", "").split(":")
    for wish in (asked or "", *wishes, locale):
        language = wish.replace("-", "_").partition("_")[0].partition(".")[0].partition("@")[0].lower()
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]
