"""The cards that a player has just drawn. These cards are worked out from the hand, because drawing isn't a move."""

from millebornes.cards import Card
from millebornes.game import Hand

__all__ = ["drawn_now", "pile_before_draw"]


def pile_before_draw(hand: Hand) -> int:
    """Return the number of cards that were in the draw pile before the current player drew."""
    return hand.draw_pile + hand.drawn


def drawn_now(hand: Hand) -> tuple[Card, ...]:
    """Return the cards that the current player drew before this decision, in the order they were drawn."""
    end = hand.rules.cards - hand.draw_pile
    return hand.cards_in_deck(end - hand.drawn, end) if hand.drawn else ()
