"""Who drew what, read from a hand: drawing is no move of its own."""

from millebornes.cards import Card
from millebornes.game import Hand

__all__ = ["drawn_now", "pile_before_draw"]


def pile_before_draw(hand: Hand) -> int:
    """Cards in the draw pile before the seat that decides drew."""
    if hand.parent is not None:
        return hand.parent.draw_pile
    return hand.rules.cards - hand.rules.seats * hand.rules.hand_size


def drawn_now(hand: Hand) -> tuple[Card, ...]:
    """The cards that the seat that decides has drawn for this decision, in order."""
    before, now = pile_before_draw(hand), hand.draw_pile
    cards = hand.rules.cards
    return hand.deck[cards - before : cards - now] if now < before else ()
