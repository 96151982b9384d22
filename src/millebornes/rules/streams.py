"""Streams: which part of a shuffled deck is a seat's own, and whose it draws from when that is used up.

When a deck is played twice with the players changed round, one extra turn would shift every later card to another
seat, and the two hands would soon have nothing in common. So each seat draws from its own end of the deck (two seats)
or its own slice (more seats); what one seat draws then does not depend on how often the others drew. A card is chosen
by where it lies and by who draws, never by what it is, so that a hand by itself is as random as any other.

`millebornes.game.streams` runs these functions as they are, `millebornes.policies.streams` compiles them.
"""

from typing import Any

from millebornes.rules.state import Word

__all__ = ["lender", "part_of"]


def part_of(size: Word, seats: Word, seat: Word) -> range:
    """The places in a deck of ``size`` cards that are a seat's own, in the order in which it draws them."""
    if seats > 2:
        return range(seat, size, seats)
    if seat == 0:
        return range(0, size // 2, 1)
    return range(size - 1, size // 2 - 1, -1)


def lender(seats: Word, lengths: Any, fronts: Any, backs: Any) -> int:
    """The seat from whose stream, from its far end, another goes on once its own is used up.

    It is the one that was longest when the draw began (``lengths``), of those with cards left, and the first of equal
    ones. ``fronts[seat]`` is the place of a stream's next card, ``backs[seat]`` the place after its last one.
    """
    found = -1
    longest = 0
    for other in range(seats):
        if fronts[other] < backs[other] and lengths[other] > longest:
            longest = lengths[other]
            found = other
    return found
