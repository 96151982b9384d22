"""The score of a hand (R7)."""

from typing import Any, NamedTuple

import numpy as np
from numpy import uint64

from millebornes.rules.bits import count_bits
from millebornes.rules.jit import kernel
from millebornes.rules.state import NOBODY, Record, Side, Word

__all__ = ["Completed", "score_lines", "side_lines", "side_score"]

U = np.uint64
SAFETIES_MASK, MILES_MASK, COUPS_MASK, TWO_HUNDREDS_MASK = U(15), U(Side.MILES_MASK), U(15), U(3)
MILES, COUPS, TWO_HUNDREDS = U(Side.MILES), U(Side.COUPS), U(Side.TWO_HUNDREDS)


class Completed(NamedTuple):
    """What counts where a side completed its trip.

    Whether the draw pile was empty then, its 200s, whether the hand was extended, and how many opposing sides have no
    distance.
    """

    delayed: bool
    two_hundreds: Word
    extended: bool
    shut_outs: int


@kernel
def score_lines(
    distance: Word, safeties: Word, coups: Word, bonus: Word, is_complete: Word, trip: Any
) -> tuple[Any, ...]:
    """R7: the nine lines of one side in points, in the order of `SCORE_LINES`.

    ``distance`` is in miles; ``safeties`` and ``coups`` are counts; ``bonus`` is all_safeties_bonus; ``is_complete``
    tells whether this side completed the trip, and ``trip``, a `Completed`, how.
    """
    all_safeties = bonus if safeties == 4 else 0
    if not is_complete:
        return distance, 100 * safeties, all_safeties, 300 * coups, 0, 0, 0, 0, 0
    return (
        distance,
        100 * safeties,
        all_safeties,
        300 * coups,
        400,
        300 if trip.delayed else 0,
        300 if trip.two_hundreds == 0 else 0,
        200 if trip.extended else 0,
        500 * trip.shut_outs,
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
        Completed(
            state["drawn"] >= tables["size"],
            np.int64(own >> TWO_HUNDREDS & TWO_HUNDREDS_MASK),
            bool(state["extended"]),
            shut_outs,
        ),
    )


@kernel
def side_score(state: Record, tables: Record, side: Word) -> Word:
    """The total of a side in points."""
    lines = side_lines(state, tables, side)
    total = np.int64(0)
    for i in range(9):
        total += lines[i]
    return total
