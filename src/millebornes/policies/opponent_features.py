"""Record what the past of a seat reveals about its hand, in a few numbers that kernels can update at almost no cost.

All players at the table know this past: the cards that a seat didn't play when it could have used them, the cards that
it discarded, and its latest moves. A seat that discards while it needs a roll has no roll. A seat that is hit
and doesn't call a coup fourré doesn't have the safety.
"""

from typing import Final

import numpy as np

from millebornes.kernels.bits import lowest_bit
from millebornes.kernels.decorator import kernel
from millebornes.policies.codes import ACCIDENT, REPAIRS, RIGHT_OF_WAY, SAFETY
from millebornes.rules.masks import further_hits, own_plays
from millebornes.rules.state import KINDS, Phase, Record, Records, Side, Word

COUNTS: Final = 24
"""The number of bytes for one number per kind: three words of eight kinds, where the last has unused space."""
MAX_TURNS_AGO: Final = 15
"""The value for this number of turns, for more turns, and for never."""
ACTS: Final = 2 * KINDS + 1
"""The possible actions in a turn: discarding or playing a kind of card, counted from 1, or 0 for none."""

OPPONENT_FEATURES: Final = np.dtype(
    [
        ("passed", "u1", COUNTS),  # kind -> the seat's turns since it seemed to have no such card
        ("gave", "u1", COUNTS),  # kind -> the seat's turns since it discarded such a card
        ("acts", "u1", 8),  # its latest two actions, the last action first (below `ACTS`)
    ],
    align=True,
)
"""The record of what the past of a seat reveals about its hand."""

U = np.uint64
ZERO, ONE, THREE = U(0), U(1), U(3)
CODE_MASK: Final = U(63)
STATUS: Final = U(Side.STATUS_MASK)
PLAY: Final = np.uint8(Phase.PLAY)
ALL: Final = U(sum(1 << 3 * kind for kind in range(KINDS)))
DISTANCES: Final = U(sum(1 << 3 * kind for kind in range(ACCIDENT)))
HAZARDS: Final = U(sum(1 << 3 * kind for kind in range(ACCIDENT, REPAIRS)))
BEFORE_SAFETIES: Final = U(sum(1 << 3 * kind for kind in range(SAFETY)))
TO_SAFETY: Final = U(3 * (SAFETY - REPAIRS))
"""The number of bits between a remedy in a hand word and its safety."""
ROAD: Final = U(1 << 3 * RIGHT_OF_WAY)


@kernel
def clear_opponent_features(opponents: Records) -> None:
    """Clear the records at the start of a hand, when nothing is known about any seat."""
    for seat in range(len(opponents)):
        past = opponents[seat]
        for kind in range(COUNTS):
            past["passed"][kind] = MAX_TURNS_AGO
            past["gave"][kind] = MAX_TURNS_AGO
        past["acts"][0] = past["acts"][1] = 0


@kernel
def note_act(state: Record, tables: Record, opponents: Records, code: Word) -> None:
    """Record the next move of the seat to decide in its `OPPONENT_FEATURES`. This doesn't read any hand."""
    if state["phase"] != PLAY:
        return
    past = opponents[np.int64(state["seat"])]
    for kind in range(COUNTS):
        past["passed"][kind] += np.uint8(past["passed"][kind] < MAX_TURNS_AGO)
        past["gave"][kind] += np.uint8(past["gave"][kind] < MAX_TURNS_AGO)
    place = np.int64(code & CODE_MASK)
    card: Word = place // 3
    discards = place % 3 == 0
    passed = ZERO
    if discards or card < ACCIDENT:
        side = state["own"]
        plays = own_plays(state, tables, side, state["rival"], ALL) >> ONE
        for n in range(ONE, tables["targets"]):
            plays |= further_hits(state, tables, side, ALL, n) >> ONE
        if discards:
            status = state["side"][side] & STATUS
            passed = plays & BEFORE_SAFETIES | tables["remedy"][status] << TO_SAFETY
            if tables["slow"][status] or tables["needs_roll"][status]:
                passed |= ROAD
        else:
            passed = plays & (HAZARDS | DISTANCES & ~((ONE << THREE * U(card + 1)) - ONE))
    while passed:
        past["passed"][np.int64(lowest_bit(passed)) // 3] = 0
        passed &= passed - ONE
    if discards:
        past["gave"][card] = 0
    past["acts"][1] = past["acts"][0]
    past["acts"][0] = 1 + 2 * card + (not discards)
    if tables["effect"][code & CODE_MASK]["parry"] != ZERO:  # R5.1: a seat that has the safety calls the coup
        target = state["rival"] if code <= CODE_MASK else tables["opponent"][state["own"], (code >> U(6)) + ONE]
        safety = SAFETY + min(card - ACCIDENT, 3)
        seat = np.int64(target * tables["victims"])
        while seat < tables["seats"]:
            if seat != state["seat"]:
                opponents[seat]["passed"][safety] = 0
            seat += np.int64(tables["holder_step"])


@kernel
def write_opponent_features(seat: Word, tables: Record, opponents: Records, out: Records) -> None:
    """Write the features of the sides opposite a seat, with those of the n-th next side at ``out[n]``.

    If a side has several seats, a card counts as passed once all of them have passed it. The actions of a side are
    those of its seat that plays next.
    """
    seats = np.int64(tables["seats"])
    sides = np.int64(tables["sides"])
    for n in range(1, sides):
        other = (np.int64(seat) + n) % seats
        out[n] = opponents[other]
        for _ in range(seats // sides - 1):
            other = (other + sides) % seats
            for kind in range(KINDS):
                out[n]["passed"][kind] = max(out[n]["passed"][kind], opponents[other]["passed"][kind])
                out[n]["gave"][kind] = min(out[n]["gave"][kind], opponents[other]["gave"][kind])
