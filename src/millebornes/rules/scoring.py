"""The score of a hand (R7)."""

from typing import Any

import numpy as np
from numpy import uint64

from millebornes.rules.bits import count_bits
from millebornes.rules.jit import kernel
from millebornes.rules.state import NOBODY, Record, Side, Word

__all__ = ["score_lines", "side_lines", "side_score"]

U = np.uint64
SAFETIES_MASK, MILES_MASK, COUPS_MASK, TWO_HUNDREDS_MASK = U(15), U(Side.MILES_MASK), U(15), U(3)
MILES, COUPS, TWO_HUNDREDS = U(Side.MILES), U(Side.COUPS), U(Side.TWO_HUNDREDS)


@kernel
def score_lines(
    distance: Word,
    safeties: Word,
    coups: Word,
    bonus: Word,
    completed: Word,
    delayed: Word,
    two_hundreds: Word,
    extended: Word,
    shut_outs: Word,
) -> tuple[Any, ...]:
    """R7: the nine lines of one side in points, in the order of `SCORE_LINES`.

    ``distance`` is in miles; ``safeties``, ``coups``, ``two_hundreds`` and ``shut_outs`` (opposing sides with no
    distance) are counts; ``bonus`` is all_safeties_bonus; ``completed`` tells whether this side completed the trip,
    ``delayed`` whether the draw pile was empty then, ``extended`` whether the hand was extended.
    """
    if not completed:
        return distance, 100 * safeties, bonus if safeties == 4 else 0, 300 * coups, 0, 0, 0, 0, 0
    return (
        distance,
        100 * safeties,
        bonus if safeties == 4 else 0,
        300 * coups,
        400,
        300 if delayed else 0,
        300 if two_hundreds == 0 else 0,
        200 if extended else 0,
        500 * shut_outs,
    )


@kernel
def side_lines(state: Record, tables: Record, side: Word) -> tuple[Any, ...]:
    """R7: the nine lines of a side for the hand as it stands (final once the phase is OVER)."""
    own = state["side"][side]
    shut_outs = 0
    completed = state["completed"] != NOBODY and uint64(state["completed"]) == side
    if completed:
        for n in range(1, tables["sides"]):
            if not state["side"][tables["opponent"][side, n]] >> MILES & MILES_MASK:
                shut_outs += 1
    return score_lines(
        25 * np.int64(own >> MILES & MILES_MASK),
        np.int64(count_bits(own & SAFETIES_MASK)),
        np.int64(count_bits(own >> COUPS & COUPS_MASK)),
        np.int64(tables["bonus"]),
        completed,
        state["drawn"] >= tables["size"],
        np.int64(own >> TWO_HUNDREDS & TWO_HUNDREDS_MASK),
        bool(state["extended"]),
        shut_outs,
    )


@kernel
def side_score(state: Record, tables: Record, side: Word) -> Word:
    """The total of a side in points."""
    lines = side_lines(state, tables, side)
    total = np.int64(0)
    for i in range(9):
        total += lines[i]
    return total
