"""Many games of an arena at once, in arrays: cheaper to send and to count than an `GameOutcome` each."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.arena.outcome import GameOutcome

__all__ = ["Columns", "Counts", "Floats"]

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Columns(NamedTuple):
    """Games without forfeits and without transcripts, whole rounds in their order.

    ``deal``, ``turn`` and ``hands`` are by game, ``order``, ``totals`` and ``moves`` by game and side, all as in
    `GameOutcome`; ``a_move`` is what each decision took, in seconds.
    """

    deal: Counts
    turn: Counts
    order: Counts
    totals: Counts
    hands: Counts
    moves: Counts
    a_move: float

    def shares(self) -> Floats:
        """Each side's part of the win, by game and side."""
        best = self.totals == self.totals.max(axis=1, keepdims=True)
        return np.asarray(best / best.sum(axis=1, keepdims=True))

    def outcomes(self) -> list[GameOutcome]:
        """The same games one by one."""
        columns = (self.deal, self.turn, self.order, self.totals, self.hands, self.shares(), self.moves)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [
            GameOutcome(
                deal,
                turn,
                tuple(order),
                tuple(totals),
                hands,
                tuple(shares),
                tuple(moves),
                tuple([self.a_move * count for count in moves]),
            )
            for deal, turn, order, totals, hands, shares, moves in rows
        ]
