"""Score a hand (R7). This module takes the arguments for the function of the clause from a state."""

from typing import Any, Final

import numpy as np
from numpy import uint64

from millebornes.kernels.bits import count_bits
from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.rules import clauses
from millebornes.rules.state import NOBODY, Record, Side, Word

U = np.uint64
SAFETIES_MASK, MILES_MASK, COUPS_MASK, TWO_HUNDREDS_MASK = U(15), U(Side.MILES_MASK), U(15), U(3)
MILES, COUPS, TWO_HUNDREDS = U(Side.MILES), U(Side.COUPS), U(Side.TWO_HUNDREDS)

count_lines: Final = inner_kernel(clauses.count_lines)


@kernel
def side_counts(state: Record, tables: Record, side: Word) -> tuple[Any, ...]:
    """R7: return the number of things that each line counts for a side. The numbers are final once the phase is OVER.

    Multiply them by ``tables["points"]`` to get the points of each line.
    """
    own = state["side"][side]
    miles: Word = 25 * np.int64(own >> MILES & MILES_MASK)
    safeties: Word = np.int64(count_bits(own & SAFETIES_MASK))
    coups: Word = np.int64(count_bits(own >> COUPS & COUPS_MASK))
    two_hundreds: Word = np.int64(own >> TWO_HUNDREDS & TWO_HUNDREDS_MASK)
    completed = state["completed"] != NOBODY and uint64(state["completed"]) == side
    others = 0
    if completed:
        for n in range(1, tables["sides"]):
            if not state["side"][tables["opponent"][side, n]] >> MILES & MILES_MASK:
                others += 1
    delayed, extended = state["drawn"] >= tables["size"], state["extended"] != 0
    counts: tuple[Any, ...] = count_lines(miles, safeties, coups, completed, delayed, two_hundreds, extended, others)
    return counts


@inner_kernel
def total_points(counts: tuple[Any, ...], tables: Record) -> Word:
    """Return the total number of points for these counts."""
    total = np.int64(0)
    for line in range(len(counts)):
        total += counts[line] * tables["points"][line]
    return total


@kernel
def side_score(state: Record, tables: Record, side: Word) -> Word:
    """Return the total number of points that a side has scored in the hand."""
    return total_points(side_counts(state, tables, side), tables)
