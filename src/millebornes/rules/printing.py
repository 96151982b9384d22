"""Putting lines of text together from pieces, for every decision of a followed hand, inside a kernel.

What the pieces say is the business of whoever makes them; this module only knows which piece goes with which part of a
state.
"""

from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.rules.jit import inner_kernel, kernel
from millebornes.rules.state import KINDS, SEATS, Record, Side, Word

__all__ = ["MOST_LEGAL", "PIECES", "print_decisions"]

MOST_LEGAL: Final = 128
"""More move codes than a seat of any table has."""

PIECES: Final = np.dtype(
    [
        # numbers of pieces, in the order in which a line needs them
        ("phase", "u2", 5),  # before the seat's number, by phase
        ("hands", "u2"),
        ("order", "u1", KINDS),  # kinds in the order in which a hand lists them
        ("card", "u2", KINDS),
        ("next_hand", "u2"),
        ("pile", "u2"),  # before the number of cards in the draw pile
        ("sides", "u2"),
        ("battle", "u2", 32),  # by code in a side word; 16 more where the roll is a 200
        ("speed", "u2", 3),  # nothing, a speed limit, an end of limit; then the distance's number follows
        ("count", "u2", 5),  # before the number of each distance card
        ("safeties", "u2"),
        ("safety", "u2", 4),
        ("coups", "u2"),
        ("status", "u2", 512),  # by status; ends a side
        ("legal", "u2"),
        ("legal_count", "u2", SEATS),  # by side
        ("legal_code", "u2", (SEATS, MOST_LEGAL)),  # move codes by side, in the order of their texts
        ("legal_text", "u2", (SEATS, MOST_LEGAL)),
        ("move", "u2"),
        ("end", "u2"),
        ("comma", "u2"),
    ],
    align=True,
)
"""Which piece goes where."""

U = np.uint64
ZERO, ONE, THREE, SEVEN, SIX, CODE_MASK = U(0), U(1), U(3), U(7), U(6), U(63)
STATUS, MILES, MILES_MASK = U(Side.STATUS_MASK), U(Side.MILES), U(Side.MILES_MASK)
BATTLE, BATTLE_MASK, IS_200, SIXTEEN = U(Side.BATTLE), U(15), U(Side.ROLL_IS_200), U(16)
LIMIT, END_OF_LIMIT = U(Side.LIMIT), U(Side.END_OF_LIMIT)
SAFETIES, COUPS = U(Side.SAFETIES), U(Side.COUPS)
COUNT_SHIFT = np.array(Side.DISTANCES, np.uint64)
COUNT_MASK = np.array([(1 << bits) - 1 for bits in Side.DISTANCE_BITS], np.uint64)
TEN, ZERO_DIGIT = U(10), 48


@inner_kernel
def _put(out: Any, at: int, text: Any, starts: Any, piece: Any) -> int:
    """Copy a piece to a place; the place after it."""
    begin, end = starts[piece], starts[piece + 1]
    for i in range(begin, end):
        out[at + i - begin] = text[i]
    return int(at + end - begin)


@kernel
def _put_number(out: Any, at: int, number: Word) -> int:
    """Write a number in digits; the place after it."""
    digits = 1
    rest = number // TEN
    while rest:
        digits += 1
        rest //= TEN
    for i in range(digits):
        out[at + digits - 1 - i] = ZERO_DIGIT + number % TEN
        number //= TEN
    return at + digits


@kernel
def _put_cards(out: Any, at: int, hand: Word, text: Any, starts: Any, pieces: Record) -> int:
    """The cards of a hand word."""
    first = True
    for i in range(KINDS):
        kind = pieces["order"][i]
        for _ in range(hand >> (THREE * uint64(kind)) & SEVEN):
            if not first:
                at = _put(out, at, text, starts, pieces["comma"])
            first = False
            at = _put(out, at, text, starts, pieces["card"][kind])
    return at


@kernel
def _put_safeties(out: Any, at: int, mask: Word, text: Any, starts: Any, pieces: Record) -> int:
    """The safeties in the lowest four bits of a mask."""
    first = True
    for i in range(4):
        if mask >> U(i) & ONE:
            if not first:
                at = _put(out, at, text, starts, pieces["comma"])
            first = False
            at = _put(out, at, text, starts, pieces["safety"][i])
    return at


@kernel
def _put_side(out: Any, at: int, side: Word, text: Any, starts: Any, pieces: Record) -> int:
    """All that is visible of a side."""
    battle = side >> BATTLE & BATTLE_MASK
    if battle == ONE:
        battle += SIXTEEN * (side >> IS_200 & ONE)
    at = _put(out, at, text, starts, pieces["battle"][battle])
    speed = 1 if side >> LIMIT & ONE else 2 if side >> END_OF_LIMIT & ONE else 0
    at = _put(out, at, text, starts, pieces["speed"][speed])
    at = _put_number(out, at, U(25) * (side >> MILES & MILES_MASK))
    for i in range(5):
        at = _put(out, at, text, starts, pieces["count"][i])
        at = _put_number(out, at, side >> COUNT_SHIFT[i] & COUNT_MASK[i])
    at = _put(out, at, text, starts, pieces["safeties"])
    at = _put_safeties(out, at, side >> SAFETIES, text, starts, pieces)
    at = _put(out, at, text, starts, pieces["coups"])
    at = _put_safeties(out, at, side >> COUPS, text, starts, pieces)
    return _put(out, at, text, starts, pieces["status"][side & STATUS])


@kernel
def _put_legal(out: Any, at: int, side: Any, words: Any, text: Any, starts: Any, pieces: Record) -> int:
    """The legal moves of a seat of ``side``."""
    first = True
    for i in range(pieces["legal_count"][side]):
        code = uint64(pieces["legal_code"][side, i])
        if words[code >> SIX] >> (code & CODE_MASK) & ONE:
            if not first:
                at = _put(out, at, text, starts, pieces["comma"])
            first = False
            at = _put(out, at, text, starts, pieces["legal_text"][side, i])
    return at


@kernel
def print_decisions(
    out: Any,
    head: Any,
    size: int,
    small: Any,
    hands: Any,
    sides: Any,
    words: Any,
    moves: Any,
    text: Any,
    starts: Any,
    pieces: Record,
) -> int:
    """Write a line for each decision of a followed hand; returns the bytes written.

    ``head`` begins every line and is followed by the ply; ``size`` is the number of cards in the deck; ``small``,
    ``hands``, ``sides`` and ``words`` are what `millebornes.rules.follow` filled; ``moves`` are the pieces of the moves
    made. ``text`` holds all pieces, of which the n-th goes from ``starts[n]`` to ``starts[n + 1]``.
    """
    at = 0
    for ply in range(len(moves)):
        for i in range(len(head)):
            out[at + i] = head[i]
        at = _put_number(out, at + len(head), U(ply))
        at = _put(out, at, text, starts, pieces["phase"][small[ply, 0]])
        seat = small[ply, 1]
        at = _put_number(out, at, U(seat))
        at = _put(out, at, text, starts, pieces["hands"])
        for i in range(hands.shape[1]):
            if i:
                at = _put(out, at, text, starts, pieces["next_hand"])
            at = _put_cards(out, at, hands[ply, i], text, starts, pieces)
        at = _put(out, at, text, starts, pieces["pile"])
        at = _put_number(out, at, U(size - small[ply, 2]))
        at = _put(out, at, text, starts, pieces["sides"])
        for i in range(sides.shape[1]):
            if i:
                at = _put(out, at, text, starts, pieces["comma"])
            at = _put_side(out, at, sides[ply, i], text, starts, pieces)
        at = _put(out, at, text, starts, pieces["legal"])
        at = _put_legal(out, at, seat % sides.shape[1], words[ply], text, starts, pieces)
        at = _put(out, at, text, starts, pieces["move"])
        at = _put(out, at, text, starts, moves[ply])
        at = _put(out, at, text, starts, pieces["end"])
    return at
