"""The cards that a player has just drawn. These cards are worked out from the hand, because drawing isn't a move."""

from millebornes.cards import Card
from millebornes.game import Hand

__all__ = ["drawn_now"]


def drawn_now(hand: Hand) -> tuple[Card, ...]:
    """Return the cards that the current player drew before this decision, in the order they were drawn."""
    end = hand.rules.cards - hand.draw_pile
    return hand.cards_in_deck(end - hand.drawn, end) if hand.drawn else ()
