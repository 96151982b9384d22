"""Who drew what, read from a hand: drawing is no move of its own."""

from millebornes.cards import Card
from millebornes.game import Hand

__all__ = ["drawn_now", "pile_before_draw"]


def pile_before_draw(hand: Hand) -> int:
    """Cards in the draw pile before the seat that decides drew."""
    return hand.draw_pile + hand.drawn


def drawn_now(hand: Hand) -> tuple[Card, ...]:
    """The cards that the seat that decides has drawn for this decision, in order."""
    end = hand.rules.cards - hand.draw_pile
    return hand.cards_in_deck(end - hand.drawn, end) if hand.drawn else ()
