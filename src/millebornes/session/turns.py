"""Whose turn it is, as far as everybody may know."""

from millebornes.game import Hand, Phase

__all__ = ["next_turn"]


def next_turn(hand: Hand) -> int | None:
    """Whose turn everybody would say it is; nobody may learn that somebody is asked for a coup fourré (R5.5)."""
    if hand.phase is Phase.COUP and hand.pending is not None:
        rules, seat = hand.rules, hand.pending.by
        for n in range(1, rules.seats + 1):
            other = (seat + n) % rules.seats
            if hand.draw_pile or hand.cards(other):  # R2.6
                return other
    return hand.first if hand.phase is Phase.OPENING else hand.seat
