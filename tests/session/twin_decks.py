"""Two decks that deal the same to everyone but one seat: it gets a safety from one, and another card from the other."""

import dataclasses
import random
from typing import Final

from millebornes.cards import SAFETIES, Card
from millebornes.editions import Rules

PLAIN: Final = (Card("25"), Card("50"), Card("75"), Card("100"), Card("end_of_limit"), Card("repairs"))
"""The cards of which one takes the safety's place."""
BOTTOM: Final = 3
"""A hand is compared while at least this many cards are left to draw, so that no one draws the safety."""


@dataclasses.dataclass
class Secret:
    """The card in which the twins differ: the safety, and the card in its place."""

    safety: Card
    other: Card


def twin_decks(rules: Rules, first: int, holder: int, rng: random.Random) -> tuple[list[Card], list[Card], Secret]:
    """Two decks for a hand. The holder is dealt the card in which they differ; its counterpart lies at the bottom."""
    deck = [card for card, count in zip(Card, rules.deck, strict=True) for _ in range(count)]
    rng.shuffle(deck)
    safety = rng.choice([card for card in SAFETIES if card in deck])
    other = rng.choice([card for card in PLAIN if card in deck])
    places = range((holder - first) % rules.seats, rules.seats * rules.hand_size, rules.seats)
    here, bottom = rng.choice(places), len(deck) - 1
    _exchange(deck, here, deck.index(safety))
    there = next(n for n in range(len(deck) - 1, -1, -1) if deck[n] is other)
    _exchange(deck, bottom, there)
    twin = list(deck)
    _exchange(twin, here, bottom)
    # What the holder keeps must be the only card of its kind in the hand, or the twins could part by playing another.
    for n in places:
        if n != here and deck[n] is other:
            swap = next(m for m in range(rules.seats * rules.hand_size, bottom) if deck[m] is not other)
            _exchange(deck, n, swap)
            _exchange(twin, n, swap)
    return deck, twin, Secret(safety, other)


def _exchange(deck: list[Card], one: int, other: int) -> None:
    deck[one], deck[other] = deck[other], deck[one]
