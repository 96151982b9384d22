"""The score of a hand (R7)."""

from typing import Any

import numpy as np
from numpy import uint64

from millebornes.kernels.bits import count_bits
from millebornes.kernels.decorator import kernel
from millebornes.rules.state import NOBODY, Record, Side, Word

__all__ = ["side_lines", "side_score"]

U = np.uint64
SAFETIES_MASK, MILES_MASK, COUPS_MASK, TWO_HUNDREDS_MASK = U(15), U(Side.MILES_MASK), U(15), U(3)
MILES, COUPS, TWO_HUNDREDS = U(Side.MILES), U(Side.COUPS), U(Side.TWO_HUNDREDS)


@kernel
def side_lines(state: Record, tables: Record, side: Word) -> tuple[Any, ...]:
    """R7: the nine lines of a side in points, in the order of `SCORE_LINES` (final once the phase is OVER)."""
    own = state["side"][side]
    safeties = np.int64(count_bits(own & SAFETIES_MASK))
    miles = 25 * np.int64(own >> MILES & MILES_MASK)
    coups = np.int64(count_bits(own >> COUPS & COUPS_MASK))
    bonus = np.int64(tables["bonus"]) if safeties == 4 else 0
    if state["completed"] == NOBODY or uint64(state["completed"]) != side:
        return miles, 100 * safeties, bonus, 300 * coups, 0, 0, 0, 0, 0
    shut_outs = 0
    for n in range(1, tables["sides"]):
        if not state["side"][tables["opponent"][side, n]] >> MILES & MILES_MASK:
            shut_outs += 1
    return (
        miles,
        100 * safeties,
        bonus,
        300 * coups,
        400,
        300 if state["drawn"] >= tables["size"] else 0,
        0 if own >> TWO_HUNDREDS & TWO_HUNDREDS_MASK else 300,
        200 if state["extended"] else 0,
        500 * shut_outs,
    )


@kernel
def side_score(state: Record, tables: Record, side: Word) -> Word:
    """The total of a side in points."""
    lines = side_lines(state, tables, side)
    total = np.int64(0)
    for i in range(9):
        total += lines[i]
    return total
