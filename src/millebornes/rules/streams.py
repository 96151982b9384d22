"""Streams: each seat's part of a shuffled deck, and the seat it draws from once that part is used up.

Suppose you play a deck twice, with the players swapped. One extra turn would shift every later card to another seat,
and the two hands would soon have nothing in common. So each seat draws from a separate end of the deck (two seats) or a
separate slice (more seats). Then a seat's draws don't depend on how often the others drew. Cards are chosen
only by position and by the seat that draws, never by what they are, so a single hand is as random as any other.

`millebornes.game.streams` runs these functions directly, and `millebornes.policies.streams` compiles them.
"""

from typing import Any

from millebornes.rules.state import Word

__all__ = ["lender", "part_of"]


def part_of(size: Word, seats: Word, seat: Word) -> range:
    """Return the positions of a seat's own part in a deck of ``size`` cards, in the order the seat draws them."""
    if seats > 2:
        return range(seat, size, seats)
    if seat == 0:
        return range(0, size // 2, 1)
    return range(size - 1, size // 2 - 1, -1)


def lender(seats: Word, lengths: Any, fronts: Any, backs: Any) -> int:
    """Return the seat whose stream lends its far end to a seat that has used up its own.

    It is the stream that was longest when the draw began (``lengths``) among those with cards left, and the first one
    if several are equally long. ``fronts[seat]`` is the position of a stream's next card, ``backs[seat]`` the position
    after its last.
    """
    found = -1
    longest = 0
    for other in range(seats):
        if fronts[other] < backs[other] and lengths[other] > longest:
            longest = lengths[other]
            found = other
    return found
