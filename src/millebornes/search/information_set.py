"""The information set of a decision in the form that the search uses: packed words, and counts by kind of card."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.rules.state import Phase

__all__ = ["InformationSet", "PendingHazard"]


class PendingHazard(NamedTuple):
    """The hazard that can be answered with a coup fourré (R5.1): its kind, the side it hit, the seat that played it."""

    kind: int
    side: int
    by: int


class InformationSet(NamedTuple):
    """Everything that the seat to decide can see.

    ``hand`` is its hand word, ``sizes`` the number of cards in each hand, ``sides`` the side words, ``drawn`` the
    number of cards drawn from the deck so far, and ``discarded`` the number of cards discarded. ``unseen`` (other hands
    and draw pile) and ``public`` (seen by all, `millebornes.policies.opponent_features.COUNTS` of them) are counts by
    kind. ``top`` is the kind of the latest discard, or -1. ``target`` is the target of the match, or 0.
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
        """The number of cards in the other hands."""
        return sum(self.sizes) - self.sizes[self.seat]
