"""The information set of a decision, as the search takes it: packed words and counts by kind of card."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.rules.state import Phase

__all__ = ["InformationSet", "PendingHazard"]


class PendingHazard(NamedTuple):
    """The hazard that may be answered with a coup fourré (R5.1): its kind, the side it hit, the seat that played it."""

    kind: int
    side: int
    by: int


class InformationSet(NamedTuple):
    """What the seat that decides can see, and nothing else.

    ``hand`` is its hand word, ``sizes`` cards in hand by seat, ``sides`` side words, ``drawn`` cards drawn from the
    deck so far, ``discarded`` cards discarded. Counts by kind: ``unseen`` (other hands and draw pile) and ``public``
    (what everybody has seen, `millebornes.policies.opponent_features.COUNTS` of them). ``top`` is the kind on
    top of the discards, -1 for none; ``target`` that of the match, 0 for none.
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
