"""R2: which seats form a side, whose turn it is, and how many cards a seat draws."""

from collections.abc import Sequence
from typing import Any

from millebornes.editions import Rules


def next_seat(seat: int, rules: Rules) -> int:
    """R2.1: return the seat to the left of ``seat``, which plays next."""
    return (seat + 1) % rules.seats


def seats_between(seat: int, other: int, rules: Rules) -> tuple[int, ...]:
    """R2.1: return the seats that play after one seat and before another, or all other seats if both are the same."""
    return tuple((seat + 1 + n) % rules.seats for n in range((other - seat - 1) % rules.seats))


def cards_to_draw(held: int, draw_pile: int, hand_size: int) -> int:
    """R2.5: return the number of cards that a seat with ``held`` cards draws at the start of its turn."""
    return min(hand_size + 1 - held, draw_pile)


def turn_goes_to(seat: int, hands: Sequence[Any], draw_pile: int, seats: int) -> int:
    """R2.6: return the seat with the next turn: ``seat``, or the first one after it that has or can draw a card.

    ``hands`` contains a value for each seat, which is false if the seat holds no cards. At least one seat must hold a
    card.
    """
    while not draw_pile and not hands[seat]:
        seat = (seat + 1) % seats
    return seat


def first_of_next_hand(first: int, rules: Rules) -> int:
    """R2.7: return the nominal first seat of the next hand."""
    return next_seat(first, rules)
