"""Where each seat's next card lies when all draw from parts of the deck of their own, for kernels.

The same as `millebornes.game.streams`: a seat draws its own part from the front, and then from the far end of the
longest other one.
"""

from typing import Final

import numpy as np
from numpy import uint64

from millebornes.rules.jit import inner_kernel
from millebornes.rules.state import LARGE_DECK, SEATS, Record, Word

__all__ = ["STREAMS", "begin_draw", "redraw", "take"]

STREAMS: Final = np.dtype(
    [
        ("front", "i8", SEATS),  # seat -> place of its next card in `card`
        ("back", "i8", SEATS),  # seat -> place after its last card
        ("length", "i8", SEATS),  # seat -> cards left when the present draw began
        ("card", "u1", (SEATS, LARGE_DECK)),  # each seat's part of the deck, by kind
        ("shuffled", "u1", LARGE_DECK),  # the deck as it was shuffled
    ],
    align=True,
)
"""The shuffled deck, laid out for each seat (`millebornes.game.streams`)."""

ONE, THREE = np.uint64(1), np.uint64(3)


@inner_kernel
def begin_draw(streams: Record, seats: Word) -> None:
    """Note how long all streams are: a seat whose own is used up goes on from the longest."""
    for seat in range(seats):
        streams["length"][seat] = streams["back"][seat] - streams["front"][seat]


@inner_kernel
def take(streams: Record, seat: Word, seats: Word) -> Word:
    """The seat's next card: from its own stream, or else from the far end of the longest other one."""
    place = streams["front"][seat]
    if place < streams["back"][seat]:
        streams["front"][seat] = place + 1
        return uint64(streams["card"][seat, place])
    found = seat
    longest = 0
    for other in range(seats):
        if streams["front"][other] < streams["back"][other] and streams["length"][other] > longest:
            longest = streams["length"][other]
            found = other
    streams["back"][found] -= 1
    return uint64(streams["card"][found, streams["back"][found]])


@inner_kernel
def redraw(state: Record, seats: Word, before: Word, deal: Record, streams: Record) -> None:
    """Replace what the deciding seat has drawn since ``before`` by cards of its own stream."""
    drawn = np.int64(state["drawn"])
    if before == drawn:
        return
    seat = np.int64(state["seat"])
    begin_draw(streams, seats)
    for i in range(before, drawn):
        card = take(streams, seat, seats)
        state["hand"][seat] += (ONE << (THREE * card)) - (ONE << (THREE * uint64(deal["pile"][i])))
        deal["pile"][i] = np.uint8(card)
