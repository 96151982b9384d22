"""The information set of a decision in the form that searches use: packed words, and numbers of cards by kind."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.rules.state import Phase


class PendingHazard(NamedTuple):
    """A hazard that can be answered with a coup fourré (R5.1): its kind, the side it hit, and the seat that did so."""

    kind: int
    side: int
    by: int


class InformationSet(NamedTuple):
    """Everything that the seat to decide can see."""

    seat: int
    phase: Phase
    hand: int  # a hand word
    sizes: tuple[int, ...]  # the number of cards in each hand
    sides: tuple[int, ...]  # side words
    drawn: int  # the number of cards drawn from the deck so far
    discarded: int
    unseen: npt.NDArray[np.int64]  # cards in other hands and the draw pile, by kind
    public: npt.NDArray[np.int8]  # cards seen by all players, by kind (`millebornes.policies.opponent_features.COUNTS`)
    top: int  # the kind of the latest discard, or -1
    first: int
    extended: bool
    pending: PendingHazard | None
    totals: tuple[int, ...]
    target: int  # the target of the match, or 0

    @property
    def cards_of_others(self) -> int:
        """The number of cards in all other hands."""
        return sum(self.sizes) - self.sizes[self.seat]
