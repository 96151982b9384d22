"""R2: who sits where, whose turn it is, and what is drawn for it."""

from collections.abc import Sequence
from typing import Any

from millebornes.editions import Rules

__all__ = ["cards_to_draw", "first_of_next_hand", "next_seat", "seats_between", "turn_goes_to"]


def next_seat(seat: int, rules: Rules) -> int:
    """R2.1: the seat to the left of a seat, to which play passes."""
    return (seat + 1) % rules.seats


def seats_between(seat: int, other: int, rules: Rules) -> tuple[int, ...]:
    """R2.1: the seats that play passes to after one seat and before another; all others where both are the same."""
    return tuple((seat + 1 + n) % rules.seats for n in range((other - seat - 1) % rules.seats))


def cards_to_draw(held: int, draw_pile: int, hand_size: int) -> int:
    """R2.5: how many cards a seat that holds ``held`` draws when its turn begins."""
    return min(hand_size + 1 - held, draw_pile)


def turn_goes_to(seat: int, hands: Sequence[Any], draw_pile: int, seats: int) -> int:
    """R2.6: the seat that takes the turn which has come to ``seat``: seats that hold and can draw nothing are left out.

    ``hands`` by seat are whatever is false for a hand without cards; some hand has cards.
    """
    while not draw_pile and not hands[seat]:
        seat = (seat + 1) % seats
    return seat


def first_of_next_hand(first: int, rules: Rules) -> int:
    """R2.7: the nominal first seat of the next hand."""
    return next_seat(first, rules)
