"""Name the cards in the prose of the rulebook as in a theme."""

import re

from millebornes.cards import Card
from millebornes.themes import theme_for
from millebornes.words.words import Words

ENDINGS = "(?:e[nrs]?|[nrsx])?"
"""The endings that a name can take in the prose, in any language, such as those of ``feux verts``."""


def in_theme(text: str, words: Words) -> str:
    """Return a text of the rulebook with the theme's names in place of those of the language's default theme.

    Codes between backticks, such as ``roll_200``, are left alone.

    >>> from millebornes.i18n import translator
    >>> from millebornes.themes import theme
    >>> in_theme("un feu vert (`roll`)", Words(translator("fr"), theme("french-1960")))
    'un Roulez (`roll`)'
    """
    cards, usual = words.theme, theme_for(words.language)
    names = {
        r"\s+".join(_stem(word) + ENDINGS for word in re.split(r"\s", usual.name_of(card))): cards.name_of(card)
        for card in sorted(Card, key=lambda card: -len(usual.name_of(card)))
        if not card.miles and usual.name_of(card) != cards.name_of(card)
    }
    if not names:
        return text
    replacements = list(names.values())
    pattern = re.compile("`[^`]*`|" + "|".join(rf"\b({name})\b" for name in names), re.IGNORECASE)
    return pattern.sub(lambda found: replacements[found.lastindex - 1] if found.lastindex else found[0], text)


def _stem(word: str) -> str:
    """Return a pattern for a word without a last ``e``, which can take other endings (``grüne``, ``grünen``)."""
    return re.escape(word.removesuffix("e") if len(word) > 3 else word)
