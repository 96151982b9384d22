"""The cards that were drawn, worked out from a hand, because drawing isn't a move."""

from millebornes.cards import Card
from millebornes.game import Hand

__all__ = ["drawn_now", "pile_before_draw"]


def pile_before_draw(hand: Hand) -> int:
    """Return the size of the draw pile before the seat to decide drew."""
    return hand.draw_pile + hand.drawn


def drawn_now(hand: Hand) -> tuple[Card, ...]:
    """Return the cards that the seat to decide has drawn for this decision, in order."""
    end = hand.rules.cards - hand.draw_pile
    return hand.cards_in_deck(end - hand.drawn, end) if hand.drawn else ()
