"""What a seat sees of a table while a turn has been reached that isn't announced yet (R5.5)."""

import dataclasses
from typing import Final

from millebornes.game import Match, Phase, View

ASKED: Final = frozenset((Phase.COUP, Phase.OPENING))
"""The phases in which a seat is asked about a coup fourré. No one else may see them."""


def seat_view(match: Match, seat: int, *, is_announced: bool) -> View:
    """Return the table as a seat sees it.

    While a coup fourré can be called, the game itself has already reached the next turn. Until that turn is announced,
    the view shows no player to move, and the cards drawn for the turn still appear in the draw pile.
    """
    view, hand = match.view(seat), match.hand
    if is_announced or hand.seat is None or hand.phase in ASKED:
        return view
    cards, sizes = list(view.hand), list(view.hand_sizes)
    for card in hand.drawn_cards:
        sizes[hand.seat] -= 1
        if seat == hand.seat:
            cards.remove(card)
    pile = hand.draw_pile + hand.drawn
    return dataclasses.replace(view, mover=None, hand=tuple(cards), hand_sizes=tuple(sizes), draw_pile=pile)


def public_view(view: View) -> View:
    """Return a seat's view for everyone: without its hand, and without a question that only that seat may see."""
    view = dataclasses.replace(view, hand=())
    return dataclasses.replace(view, phase=Phase.PLAY, mover=None, pending=None) if view.phase in ASKED else view
