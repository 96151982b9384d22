"""The order of the cards in a person's hand: numbered places that stay the same, and P for the card just drawn."""

from collections.abc import Iterable, Sequence
from typing import Final

from millebornes.cards import Card

_ORDER: Final = {card: index for index, card in enumerate(Card)}


class Slots:
    """The places for the cards in one hand: 1 to ``size``, and P, which also has the number ``size`` + 1.

    As in the classic game, a drawn card goes to P. Later it moves to the place of the card that is played or discarded.
    """

    def __init__(self, size: int, cards: Sequence[Card | None] = ()) -> None:
        self.size = size
        self.cards: list[Card | None] = [*cards, *[None] * (size + 1)][: size + 1]

    @property
    def held(self) -> tuple[Card, ...]:
        """The cards in the hand, sorted as in `Hand.cards`."""
        return tuple(sorted(card for card in self.cards if card is not None))

    def place_of(self, card: Card) -> int | None:
        """Return the place (from 1, P first) of the card to use when a player names it, or None."""
        if self.cards[self.size] is card:
            return self.size + 1
        return self.cards.index(card) + 1 if card in self.cards else None

    def card_at(self, place: int) -> Card | None:
        """Return the card at a place (from 1), or None if the place is empty."""
        return self.cards[place - 1] if 1 <= place <= self.size + 1 else None

    def take(self, place: int, *, sort: bool = False) -> None:
        """Remove the card at a place, and move the card from P to that place."""
        self.cards[place - 1] = None
        self.settle(sort=sort)

    def settle(self, *, sort: bool = False) -> None:
        """Move the card from P to a free place if there is one. With ``sort``, also sort the hand."""
        last = self.cards[self.size]
        if last is not None and None in self.cards[: self.size]:
            self.cards[self.cards.index(None)] = last
            self.cards[self.size] = None
        if sort:
            self.sort()

    def sort(self) -> None:
        """Sort places 1 to ``size`` into distances, hazards, remedies and safeties. The card at P stays there."""
        cards = sorted((card for card in self.cards[: self.size] if card is not None), key=_ORDER.__getitem__)
        self.cards[: self.size] = [*cards, *[None] * (self.size - len(cards))]

    def draw(self, cards: Iterable[Card]) -> None:
        """Put drawn cards into the free places. If all places are full, the last card goes to P."""
        for card in cards:
            self.cards[self.cards.index(None)] = card

    def deal(self, cards: Iterable[Card], *, sort: bool = False) -> None:
        """Start a new hand with its cards in the order they were dealt."""
        self.cards = [None] * (self.size + 1)
        self.draw(cards)
        if sort:
            self.sort()

    def texts(self) -> tuple[str | None, ...]:
        """Return the card at each place, as saves store them."""
        return tuple(None if card is None else card.value for card in self.cards)

    def match(self, cards: Sequence[Card]) -> bool:
        """Return whether the hand contains exactly these cards, in any order."""
        return self.held == tuple(sorted(cards))

    def rebuild(self, cards: Sequence[Card], *, sort: bool = False) -> None:
        """Replace the hand with cards whose order is unknown. Cards that were already in the hand keep their places."""
        left = list(cards)
        for place, card in enumerate(self.cards):
            if card is not None and card in left:
                left.remove(card)
            else:
                self.cards[place] = None
        self.settle()
        self.draw(left)
        if sort:
            self.sort()
