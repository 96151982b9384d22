"""Hands as they are noted while kernels play them: cards and moves, in arrays."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["RecordedHands"]


class RecordedHands(NamedTuple):
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

    @property
    def size(self) -> int:
        """How many hands there are."""
        return len(self.plies)

    @classmethod
    def none(cls, cards: int, moves: int) -> "RecordedHands":
        """No hands, of a deck of so many ``cards`` and with room for so many ``moves``."""
        nothing = np.zeros(0, np.int64)
        return cls(nothing, nothing, np.zeros((0, cards), np.uint8), np.zeros((0, moves), np.int16), nothing)

    @classmethod
    def joined(cls, parts: "list[RecordedHands]") -> "RecordedHands":
        """All hands of several parts of one table, sorted by game and number. There must be one part at least."""
        columns = [np.concatenate([getattr(part, name) for part in parts]) for name in cls._fields]
        order = np.lexsort((columns[1], columns[0]))
        return cls(*(column[order] for column in columns))
