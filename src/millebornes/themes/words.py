"""What people type for a card: names in every theme's language, short codes, everyday words, unique beginnings."""

import difflib
import functools
import unicodedata
from collections.abc import Mapping
from typing import Final

from millebornes.cards import Card
from millebornes.errors import NotationError
from millebornes.i18n import LANGUAGES
from millebornes.themes import THEMES, theme

__all__ = ["parse_card", "words_of"]

LONGEST: Final = 40
"""Characters of a typed text that are looked at and shown; every name is shorter."""


def parse_card(text: str) -> Card:
    """The card that a person means.

    Case, accents, spaces, hyphens, underscores and apostrophes do not matter. A whole word beats a beginning (``gas``
    is the gasoline), and a beginning has to be unique: first among canonical names, codes and the English and French
    names, then among short names and everyday words, then among the words of other themes. Distances have to be whole
    (``25``, ``25 km``).

    Raises `NotationError` that lists what could be meant.
    """
    word = _plain(text)
    if not word:
        raise NotationError(f"{_shown(text)} is no card" if text.strip() else "a card is missing")
    vocabularies = _vocabularies()
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
    raise NotationError(f"{_shown(text)} is no card" + (f"; did you mean {hint}?" if hint else ""))


def words_of(card: Card) -> tuple[str, ...]:
    """Every word that stands for a card, as people write them, canonical name first."""
    return tuple(shown for vocabulary in _vocabularies() for shown, known in vocabulary.values() if known is card)


def _shown(text: str) -> str:
    return repr(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def _plain(text: str) -> str:
    """Letters and digits only, small, without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text[: 4 * LONGEST]).casefold() if c.isalnum())


@functools.cache
def _vocabularies() -> tuple[Mapping[str, tuple[str, Card]], ...]:
    """Tables in the order in which they are asked, plain word -> (the word as written, card).

    Proper names in English and French come first, then their short names and everyday words, then all other themes.
    """
    names: dict[str, tuple[str, Card]] = {}
    words: dict[str, tuple[str, Card]] = {}
    others: dict[str, tuple[str, Card]] = {}
    for card in Card:
        for shown in (card.value, card.code, *((f"{card.miles} km", f"{card.miles} mi") if card.miles else ())):
            names.setdefault(_plain(shown), (shown, card))
    for found in map(theme, THEMES):
        spoken = found.language in LANGUAGES
        for card in Card:
            (names if spoken else others).setdefault(_plain(found.name_of(card)), (found.name_of(card), card))
            for shown in (*found.forms_of(card)[1:], *found.aliases[card]):
                (words if spoken else others).setdefault(_plain(shown), (shown, card))
    return names, words, others
