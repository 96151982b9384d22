"""Decide whether a hand is over (R6.3).

This module takes the arguments for the functions of the clauses R6.3 and R6.4 from a state.
"""

from typing import Final

import numpy as np
from numpy import uint64

from millebornes.kernels.decorator import inner_kernel, kernel
from millebornes.rules import clauses
from millebornes.rules.clauses import EndTest, Held, Needs
from millebornes.rules.masks import further_hits, held_kinds, own_plays
from millebornes.rules.state import Record, Word
from millebornes.rules.words import (
    CARD_200,
    DISTANCE_INDEX,
    END_OF_LIMIT_CARD,
    MILES,
    ONE,
    PLACE_200,
    ROLL_CARD,
    SAFETY_CARDS,
    SEVEN,
    STATUS,
    ZERO,
)

_is_over: Final = inner_kernel(clauses.is_hand_over)
_can_score: Final = inner_kernel(clauses.can_score)


@kernel
def is_hand_over(state: Record, tables: Record) -> bool:
    """R6.3: return whether the hand is over, if the draw pile is empty."""
    test = tables["hand_end"]
    cards = ZERO
    for seat in range(tables["seats"]):
        cards |= state["hand"][seat]
    plays = False
    scores = False
    if test == EndTest.PLAYS:
        for seat in range(tables["seats"]):
            plays = plays or is_any_play(state, tables, uint64(seat))
    elif test == EndTest.POINTS:
        for side in range(tables["sides"]):
            scores = scores or is_any_score_left(state, tables, uint64(side))
    return bool(_is_over(test, 0, cards != ZERO, plays, scores))


@kernel
def is_any_play(state: Record, tables: Record, seat: Word) -> bool:
    """R6.3: return whether the seat could play a card (not just discard one) if it were its turn (setting `plays`)."""
    held = held_kinds(state["hand"][seat])
    side = tables["side_of"][seat]
    if own_plays(state, tables, side, tables["rival_of"][seat], held) != ZERO:
        return True
    for n in range(ONE, tables["targets"]):
        if further_hits(state, tables, side, held, n) != ZERO:
            return True
    return False


@kernel
def is_any_score_left(state: Record, tables: Record, side: Word) -> bool:
    """R6.4: return whether the side could still score with the cards of all its seats, ignoring the opponents."""
    held = ZERO
    two_hundreds = ZERO
    seat = side
    while seat < tables["seats"]:
        hand = state["hand"][seat]
        held |= held_kinds(hand)
        two_hundreds += hand >> PLACE_200 & SEVEN
        seat += tables["sides"]
    count: Word = np.int64(two_hundreds)
    own = state["side"][side]
    status = own & STATUS
    remedy = tables["remedy"][status]
    playable = held & tables["miles"][state["extended"], own >> MILES & DISTANCE_INDEX] >> ONE
    hands = Held(
        held & SAFETY_CARDS != ZERO,
        held & remedy != ZERO,
        held & ROLL_CARD != ZERO,
        held & END_OF_LIMIT_CARD != ZERO,
        playable & tables["slow_cards"] != ZERO,
        playable & tables["fast_cards"] != ZERO,
        playable & CARD_200 != ZERO,
        count,
    )
    needs = Needs(remedy != ZERO, tables["needs_roll"][status] != 0, tables["slow"][status] != 0)
    return bool(_can_score(hands, needs, tables["two_hundred_rolls"] != 0))
