"""Recognise the words that people type for a card: names in every language, codes, everyday words and abbreviations."""

import difflib
import functools
import unicodedata
from collections.abc import Mapping
from typing import Final

from millebornes.cards import Card
from millebornes.errors import NotationError
from millebornes.i18n import LANGUAGES
from millebornes.themes import THEMES, theme

LONGEST: Final = 40
"""The maximum number of typed characters to read and to show in an error. All names are shorter."""


def parse_card(text: str, language: str = LANGUAGES[0]) -> Card:
    """Return the card that someone who uses ``language`` means by ``text``.

    Case, accents, spaces, hyphens, underscores and apostrophes don't matter. A whole word takes precedence over the
    beginning of another (``gas`` means Gasoline). The beginning of a word must be unique. It is compared with the
    canonical names, codes and names in the user's language, then with the short names and everyday words in that
    language, and then with those of other languages and of themes without a language. Distances must be typed in full
    (``25``, ``25 km``).

    Raises a `NotationError` if no card fits, or if several do, in which case the error lists them.
    """
    word = _plain(text)
    if not word:
        raise NotationError(f"{_shown(text)} isn't a card" if text.strip() else "a card is missing")
    vocabularies = _vocabularies(language)
    for vocabulary in vocabularies:
        if word in vocabulary:
            return vocabulary[word][1]
    if not word[0].isdigit():
        for vocabulary in vocabularies:
            found = {card for known, (_, card) in vocabulary.items() if known.startswith(word)}
            if len(found) == 1:
                return found.pop()
            if found:
                names = [card.value for card in Card if card in found]
                raise NotationError(f"{_shown(text)} could be {', '.join(names[:-1])} or {names[-1]}")
    known = {plain: entry for vocabulary in reversed(vocabularies) for plain, entry in vocabulary.items()}
    close = difflib.get_close_matches(word[:LONGEST], known, n=2, cutoff=0.7)
    hint = " or ".join(dict.fromkeys(repr(known[plain][0]) for plain in close))
    raise NotationError(f"{_shown(text)} isn't a card" + (f"; did you mean {hint}?" if hint else ""))


def _shown(text: str) -> str:
    return repr(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def _plain(text: str) -> str:
    """Return only the letters and digits of a text, in lower case and without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text[: 4 * LONGEST]).casefold() if c.isalnum())


@functools.cache
def _vocabularies(language: str) -> tuple[Mapping[str, tuple[str, Card]], ...]:
    """Return the dictionaries to search in order (see `parse_card`): plain words with the word as written and its card.

    Each group of themes has two dictionaries: proper names, then short names and everyday words.
    """
    themes = [theme(name) for name in THEMES]
    canonical: dict[str, tuple[str, Card]] = {}
    for card in Card:
        for shown in (card.value, card.code, *((f"{card.miles} km", f"{card.miles} mi") if card.miles else ())):
            canonical.setdefault(_plain(shown), (shown, card))
    tables: list[Mapping[str, tuple[str, Card]]] = []
    for group in (
        [found for found in themes if found.language == language],
        [found for found in themes if found.language not in {language, ""}],
        [found for found in themes if not found.language],
    ):
        names: dict[str, tuple[str, Card]] = {} if tables else canonical
        words: dict[str, tuple[str, Card]] = {}
        for found in group:
            for card in Card:
                names.setdefault(_plain(found.name_of(card)), (found.name_of(card), card))
                for shown in (*found.forms_of(card)[1:], *found.aliases[card]):
                    words.setdefault(_plain(shown), (shown, card))
        tables += [names, words]
    return tuple(tables)
