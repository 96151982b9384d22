"""The kernel that writes what players see as columns of bytes."""

from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.data.columns import BATTLE
from millebornes.kernels.decorator import kernel
from millebornes.rules.state import BATTLE_TOPS, KINDS, NOBODY, Side

__all__ = ["FIELDS", "NONE", "SIDE_FIELDS", "battle_places", "write_bytes"]

NONE: Final = NOBODY
"""The byte that represents null."""
FIELDS: Final = ("seat", "phase", "hazard", "on", "by", "extended", "top", "draw_pile")
"""The columns that follow the cards in hand, the cards seen, the sides, and the other seats' hands."""
SIDE_FIELDS: Final = ("miles", "25", "50", "75", "100", "200", "safeties", "coups", "battle", "speed", "200_as_roll")
"""The columns for each side. Miles are counted in units of 25."""

U = np.uint64
THREE, SEVEN, ONE, FOUR_BITS = U(3), U(7), U(1), U(15)
BATTLE_SHIFT, MILES, MILES_MASK = U(Side.BATTLE), U(Side.MILES), U(Side.MILES_MASK)
LIMIT, END_OF_LIMIT, COUPS, ROLL_IS_200 = U(Side.LIMIT), U(Side.END_OF_LIMIT), U(Side.COUPS), U(Side.ROLL_IS_200)
SHIFTS = tuple(map(U, Side.DISTANCES))
MASKS = tuple(U((1 << bits) - 1) for bits in Side.DISTANCE_BITS)
NO, ROLL, ROLL_200 = np.uint8(NONE), np.uint8(BATTLE.index("roll")), np.uint8(BATTLE.index("200"))


def battle_places() -> Any:
    """Return the index in `BATTLE` for each code of a battle pile's top card in a side word. No card is `NONE`."""
    return np.array([NONE if top is None else BATTLE.index(top.value) for top in BATTLE_TOPS], np.uint8)


@kernel
def write_bytes(seen: Any, seats: Any, sides: Any, tops: Any, out: Any) -> None:
    """Write columns of bytes (column, row) from `SEEN` records. ``tops`` is the result of `battle_places`."""
    for row in range(len(seen)):
        record = seen[row]
        hand = record["hand"]
        for kind in range(KINDS):
            out[kind, row] = np.uint8(hand >> THREE * uint64(kind) & SEVEN)
            out[KINDS + kind, row] = np.uint8(record["public"][kind])
        at = 2 * KINDS
        for n in range(sides):
            word = record["side"][n]
            out[at, row] = np.uint8(word >> MILES & MILES_MASK)
            for i in range(5):
                out[at + 1 + i, row] = np.uint8(word >> SHIFTS[i] & MASKS[i])
            out[at + 6, row] = np.uint8(word & FOUR_BITS)
            out[at + 7, row] = np.uint8(word >> COUPS & FOUR_BITS)
            is_200 = np.uint8(word >> ROLL_IS_200 & ONE)
            top = tops[np.int64(word >> BATTLE_SHIFT & FOUR_BITS)]
            out[at + 8, row] = ROLL_200 if top == ROLL and is_200 else top
            if word >> LIMIT & ONE:
                out[at + 9, row] = 0
            else:
                out[at + 9, row] = 1 if word >> END_OF_LIMIT & ONE else NO
            out[at + 10, row] = is_200
            at += 11
        for n in range(1, seats):
            out[at, row] = record["sizes"][n]
            at += 1
        out[at, row] = record["seat"]
        out[at + 1, row] = record["phase"]
        hazard = record["hazard"]
        out[at + 2, row] = hazard
        out[at + 3, row] = NO if hazard == NO else record["on"]
        out[at + 4, row] = NO if hazard == NO else record["by"]
        out[at + 5, row] = record["extended"]
        out[at + 6, row] = record["top"]
        out[at + 7, row] = record["draw_pile"]
