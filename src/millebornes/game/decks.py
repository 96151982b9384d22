"""Shuffle decks from seeds, check given decks, and convert between the cards of a hand and a packed word."""

import functools
import hashlib
from collections.abc import Iterable
from typing import Final, cast

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.errors import NotationError
from millebornes.rules.engine import engine_for

_CARDS: Final = tuple(Card)
_BY_TEXT: Final = tuple((card, 3 * card.index) for card in sorted(Card))
_CARD_OF: Final[dict[object, Card]] = {card.value: card for card in _CARDS}


def shuffled_deck(rules: Rules, seed: int | str, hand: int = 1) -> tuple[Card, ...]:
    """Return the deck in drawing order for hand ``hand`` (from 1) of the match with this seed.

    The deck is the same on every machine. Any integer or string can be a seed, and ``7`` and ``"7"`` are the same seed.

    >>> shuffled_deck(make_rules("classic"), 1958)[:2]
    (Card('25'), Card('75'))
    """
    return tuple(_CARDS[kind] for kind in engine_for(rules).shuffled(deck_word(seed, hand)))


def deck_word(seed: int | str, hand: int) -> int:
    """Return the 64 bits that seed the shuffle for hand ``hand`` (from 1) of the match with this seed."""
    digest = hashlib.sha256(f"millebornes deck {hand} {seed}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "little")


def check_deck(rules: Rules, cards: Iterable[Card | str]) -> tuple[Card, ...]:
    """Return the cards of a deck in drawing order.

    Raises `NotationError` unless it contains exactly the cards of these rules.

    >>> check_deck(hand.rules, ["25", "fog"])
    Traceback (most recent call last):
    millebornes.errors.NotationError: the deck holds 'fog', which isn't a card
    """
    deck = []
    counts = dict.fromkeys(_CARDS, 0)
    for text in cast("Iterable[object]", cards):
        card = _CARD_OF.get(text) if isinstance(text, str) else None
        if card is None:
            raise NotationError(f"the deck holds {text!r}, which isn't a card")
        deck.append(card)
        counts[card] += 1
    for card, wanted in zip(_CARDS, rules.deck, strict=True):
        if counts[card] != wanted:
            raise NotationError(f"the deck holds {counts[card]} x {card}, but these rules need {wanted}")
    return tuple(deck)


@functools.lru_cache(maxsize=256)
def cards_of_word(word: int) -> tuple[Card, ...]:
    """Return the cards of a hand word, sorted by their names.

    The results are cached, because a move leaves most hands as they are.
    """
    cards: list[Card] = []
    for card, shift in _BY_TEXT:
        if count := word >> shift & 7:
            cards += [card] * count
    return tuple(cards)


def word_of_cards(cards: Iterable[Card]) -> int:
    """Return the hand word for at most seven cards."""
    return sum(1 << 3 * card.index for card in cards)
