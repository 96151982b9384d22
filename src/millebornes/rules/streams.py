"""Divide a shuffled deck into streams: one part for each seat, and a rule for seats that have used up their part.

Suppose that you play a deck twice, with the players swapped. A single extra turn would give every later card to another
seat, so the two hands would soon have nothing in common. Each seat therefore draws from its end of the deck (two seats)
or from its slice of the deck (more seats). A seat's draws then don't depend on how often the others have drawn. The
cards are chosen by position and by the seat that draws, never by what they are, so each hand by itself is as random as
any other.

`millebornes.game.streams` runs these functions directly, and `millebornes.policies.streams` compiles them.
"""

from typing import Any

from millebornes.rules.state import Word


def part_of(size: Word, seats: Word, seat: Word) -> range:
    """Return the positions of a seat's part in a deck of ``size`` cards, in the order in which the seat draws them."""
    if seats > 2:
        return range(seat, size, seats)
    if seat == 0:
        return range(0, size // 2, 1)
    return range(size - 1, size // 2 - 1, -1)


def lending_seat(seats: Word, lengths: Any, fronts: Any, backs: Any) -> int:
    """Return the seat from whose stream a card is taken if a seat has used up its own stream.

    It is the stream that was the longest when the draw began (``lengths``), among those that still have cards. If
    several are equally long, it is the first of them. ``fronts[seat]`` is the position of the next card of a stream,
    and ``backs[seat]`` is the position after its last card.
    """
    chosen = -1
    longest = 0
    for other in range(seats):
        if fronts[other] < backs[other] and lengths[other] > longest:
            longest = lengths[other]
            chosen = other
    return chosen
