"""Draw cards from streams in kernels, using the compiled functions of `millebornes.rules.streams`.

The arena and the player `oracle` use these streams. Batches and rollouts use simpler streams
(`millebornes.policies.deal`).
"""

from typing import Final

import numpy as np
from numpy import uint64

from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.policies.deal import make_seen, replace_drawn
from millebornes.rules import streams as plain
from millebornes.rules.state import LARGE_DECK, SEATS, Record, Word

STREAMS: Final = np.dtype(
    [
        ("front", "i8", SEATS),  # seat -> position of its next card in `card`
        ("back", "i8", SEATS),  # seat -> position after its last card
        ("length", "i8", SEATS),  # seat -> number of cards left when the current draw began
        ("card", "u1", (SEATS, LARGE_DECK)),  # the part of the deck for each seat, as kinds of cards
        ("shuffled", "u1", LARGE_DECK),  # the deck as it was shuffled
    ],
    align=True,
)
"""A shuffled deck, divided into a stream for each seat."""

part_of: Final = inner_kernel(plain.part_of)
lending_seat: Final = inner_kernel(plain.lending_seat)


@kernel
def lay_streams(state: Record, tables: Record, streams: Record) -> None:
    """Divide the deck in the state into streams for the seats."""
    size = np.int64(tables["size"])
    seats = np.int64(tables["seats"])
    for i in range(size):
        streams["shuffled"][i] = state["deck"][i]
    for seat in range(seats):
        count = np.int64(0)
        for place in part_of(size, seats, seat):
            streams["card"][seat, count] = state["deck"][place]
            count += 1
        streams["front"][seat] = 0
        streams["back"][seat] = count


@inner_kernel
def begin_draw(streams: Record, seats: Word) -> None:
    """Record the lengths of all streams, because a seat that has used up its stream continues with the longest one."""
    for seat in range(seats):
        streams["length"][seat] = streams["back"][seat] - streams["front"][seat]


@inner_kernel
def take(streams: Record, seat: Word, seats: Word) -> Word:
    """Return a seat's next card: from its own stream or, if that is used up, from the end of the longest other one."""
    place = streams["front"][seat]
    if place < streams["back"][seat]:
        streams["front"][seat] = place + 1
        return uint64(streams["card"][seat, place])
    other = lending_seat(seats, streams["length"], streams["front"], streams["back"])
    streams["back"][other] -= 1
    return uint64(streams["card"][other, streams["back"][other]])


@inner_kernel
def redraw(state: Record, seats: Word, before: Word, deal: Record, streams: Record) -> None:
    """Replace all cards that the deciding seat has drawn since ``before`` with cards from its own stream."""
    drawn = np.int64(state["drawn"])
    if before == drawn:
        return
    seat = np.int64(state["seat"])
    begin_draw(streams, seats)
    for i in range(before, drawn):
        replace_drawn(state, deal, i, take(streams, seat, seats))


@inner_kernel
def make_streamed(state: Record, tables: Record, code: Word, deal: Record, streams: Record, is_used: Word) -> None:
    """Make a move, and update the seen cards. If ``is_used`` is true, cards are drawn from the streams."""
    before = np.int64(state["drawn"])
    make_seen(state, tables, deal, code)
    if is_used:
        redraw(state, np.int64(tables["seats"]), before, deal, streams)
