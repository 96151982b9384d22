"""What the match equity tables of the program are made of, besides hands: the changes for many sides, and the files."""

import io
import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.equity_changes import ChangedHands, Changes, mean_gains
from millebornes.policies.equity_tables import UNIT, Equity
from millebornes.policies.match_equity import FINE, HandScores
from millebornes.rules.version import made_for

Numbers = npt.NDArray[np.float64]

KNOTS: Final = (
    *(25, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1025),
    *(1300, 1600, 2000, 2025, 2500, 3000, 4000, 5000),
)
"""The needs for which changes are measured for stored tables.

The play of the maxims changes at needs of 1000 and 2000.
"""


def _states(sides: int, levels: int) -> list[tuple[int, ...]]:
    """Return the sorted levels for each row of a table of more than two sides, with the greatest need first."""
    return sorted(found[::-1] for found in itertools.combinations_with_replacement(range(levels), sides))


def crowd_needs(sides: int, step: int, levels: int) -> list[tuple[int, ...]]:
    """Return the needs for which `crowd_changes` expects hands: those of each row, in each order of the sides."""
    return [
        tuple(UNIT + step * level for level in order)
        for state in _states(sides, levels)
        for order in itertools.permutations(state)
    ]


def crowd_changes(played: Sequence[ChangedHands], equity: Equity, levels: int) -> Numbers:
    """Return the effect of knowing the totals on the chance of each place in each row of the table.

    ``played`` contains hands played at `crowd_needs`, and ``equity`` converts points to chances.
    """
    sides = equity.sides
    orders = list(itertools.permutations(range(sides)))
    found = np.zeros((len(_states(sides, levels)), sides))
    for n, one in enumerate(played):
        state, order = divmod(n, len(orders))
        found[state, list(orders[order])] += mean_gains(one, equity) / len(orders)
    return found


def pack_scores(rules: Rules, scores: HandScores, changes: Changes | None = None) -> bytes:
    """Return the contents of a file with any changes, and with scores that are multiples of 25 up to 6375."""
    parts = {"points": (scores.points.T // UNIT).astype(np.uint8), "counts": scores.counts.astype(np.uint32)}
    parts["made_for"] = np.array(made_for(rules), np.int64)
    if changes is not None:
        parts["knots"] = np.array(changes.knots, np.uint16)
        parts["change"] = np.rint(changes.change * FINE).astype(np.int16)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **parts)  # type: ignore[arg-type]  # a part is never its flag
    return buffer.getvalue()


def pack_equity(rules: Rules, equity: Equity) -> bytes:
    """Return the contents of a file with a table for more than two sides."""
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        chances=np.rint(equity.table[1:, :-1].T * FINE).astype(np.uint16),
        worth=equity.table[0],
        facts=np.array([equity.step, equity.target, equity.hands], np.int64),
        made_for=np.array(made_for(rules), np.int64),
    )
    return buffer.getvalue()
