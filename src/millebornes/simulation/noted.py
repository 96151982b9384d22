"""Hands as they are noted while kernels play them: cards and moves, in arrays."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["NotedHands"]


class NotedHands(NamedTuple):
    """Hands of several games, those of a game one after the other, by hand.

    ``game`` counts the games from 0, ``number`` the hands of each from 1. ``piles`` (hand, place) are the kinds of the
    cards in the order really drawn, then the rest; ``codes`` (hand, ply) are the codes of the moves, which say what a
    move is for who makes it, and ``plies`` how many there are.
    """

    game: npt.NDArray[np.int64]
    number: npt.NDArray[np.int64]
    piles: npt.NDArray[np.uint8]
    codes: npt.NDArray[np.int16]
    plies: npt.NDArray[np.int64]

    def __len__(self) -> int:  # of a tuple it would be the number of fields
        return len(self.plies)

    @classmethod
    def joined(cls, parts: "list[NotedHands]") -> "NotedHands":
        """All hands of several parts of one table, sorted by game and number. There must be one part at least."""
        columns = [np.concatenate([getattr(part, name) for part in parts]) for name in cls._fields]
        order = np.lexsort((columns[1], columns[0]))
        return cls(*(column[order] for column in columns))
