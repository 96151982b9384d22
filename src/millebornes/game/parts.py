"""Parts of positions that records, views and texts share: hand words, and the hazard that is being answered."""

from typing import Final, NamedTuple

from millebornes.cards import Card

__all__ = ["Pending", "cards_of_word", "word_of_cards"]

_BY_TEXT: Final = tuple(sorted(Card))


def cards_of_word(word: int) -> tuple[Card, ...]:
    """The cards of a hand word, sorted as texts."""
    return tuple(card for card in _BY_TEXT for _ in range(word >> 3 * card.index & 7))


def word_of_cards(cards: tuple[Card, ...]) -> int:
    """The hand word of some cards (at most seven)."""
    return sum(1 << 3 * card.index for card in cards)


class Pending(NamedTuple):
    """The hazard that may be answered with a coup fourré.

    Its card, the side that was hit, and the seat that played it.
    """

    hazard: Card
    """Its card."""
    side: int
    """The side that was hit."""
    by: int
    """The seat that played it."""
