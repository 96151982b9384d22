"""The information set of a decision in the form that searches use: packed words, and numbers of cards by kind."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.rules.state import Phase

__all__ = ["InformationSet", "PendingHazard"]


class PendingHazard(NamedTuple):
    """A hazard that can be answered with a coup fourré (R5.1): its kind, the side it hit, and the seat that did so."""

    kind: int
    side: int
    by: int


class InformationSet(NamedTuple):
    """Everything that the seat to decide can see.

    ``hand`` is the seat's hand word, ``sizes`` the number of cards in each hand, ``sides`` the side words, ``drawn``
    the number of cards drawn from the deck so far, and ``discarded`` the number of discards. ``unseen`` (cards in other
    hands and the draw pile) and ``public`` (cards seen by all players, with
    `millebornes.policies.opponent_features.COUNTS` elements) are numbers of cards by kind. ``top`` is the kind of the
    latest discard, or -1. ``target`` is the target of the match, or 0.
    """

    seat: int
    phase: Phase
    hand: int
    sizes: tuple[int, ...]
    sides: tuple[int, ...]
    drawn: int
    discarded: int
    unseen: npt.NDArray[np.int64]
    public: npt.NDArray[np.int8]
    top: int
    first: int
    extended: bool
    pending: PendingHazard | None
    totals: tuple[int, ...]
    target: int

    @property
    def others(self) -> int:
        """The number of cards in all other hands."""
        return sum(self.sizes) - self.sizes[self.seat]
