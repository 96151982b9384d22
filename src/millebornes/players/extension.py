"""Maxims on calling the extension (also kernels, see `millebornes.players.counsel`)."""

from typing import Any, Final

from millebornes.players.thumb import (
    ACCIDENT,
    DRAW_PILE,
    EXTENDED,
    FIELDS,
    GOAL,
    MILES,
    MOVING,
    REPAIRS,
    ROLL,
    SAFETIES,
    SAFETY,
    SIDES,
    TWO_HUNDREDS,
    UNDER,
    WINS,
    WORST,
    sums_to,
    units,
)

__all__ = ["extending"]

OWN_TOTAL: Final = 9  # facts beyond those of `thumb`: points before this hand,
OTHER_TOTAL: Final = 10  # the most of any other side,
MATCH_TARGET: Final = 11  # and where the match ends, 0 for single hands


def extending(f: Any, w: Any) -> int:
    """Calling the extension: the sum of its maxims."""
    if f.facts[WINS] and w.match:
        return WORST  # no risk where the match is won without it
    return int(extend_with_distance(f, w) + extend_when_protected(f, w) + extend_against_the_stuck(f, w) + stake(f, w))


def extend_with_distance(f: Any, w: Any) -> int:
    """Extend with the distance in hand, or with cards enough to draw."""
    more = f.facts[EXTENDED] - f.facts[GOAL]
    held = 0
    for kind in range(4):
        held += units(kind) * f.hand[kind]
    held += units(4) * min(f.hand[4], 2 - f.sides[TWO_HUNDREDS])
    value = w.extend + w.extend_miles * min(held, more) + w.extend_pile * min(40, f.facts[DRAW_PILE])
    if sums_to(more, f.hand, -1, f.sides[TWO_HUNDREDS]):
        value += w.extend_exact
    if f.sides[TWO_HUNDREDS] == 0:
        value += w.extend_safe_trip
    return int(value)


def extend_when_protected(f: Any, w: Any) -> int:
    """Extend when protected against every hazard; a safety in hand raises the stakes; rolls are needed too."""
    value = 0
    for i in range(4):
        if f.sides[SAFETIES] >> i & 1:
            value += w.extend_right_of_way if i == 3 else w.extend_safety
        elif f.hand[SAFETY + i] > 0:
            value += w.extend_held_right_of_way if i == 3 else w.extend_held
        elif i < 3 and f.hand[REPAIRS + i] > 0:
            value += w.extend_remedy
        elif i < 3 and f.unseen[ACCIDENT + i] == 0:
            value += w.extend_gone
    if not f.sides[SAFETIES] & 8:
        value += w.extend_roll * min(2, f.hand[ROLL])
    return int(value)


def extend_against_the_stuck(f: Any, w: Any) -> int:
    """Extend while others are held up; be slow to risk a shut-out, or miles that they may still drive."""
    value = 0
    for n in range(1, f.facts[SIDES]):
        at = FIELDS * n
        if f.sides[at + UNDER] >= 0:
            value += w.extend_stuck
        elif not f.sides[at + MOVING]:
            value += w.extend_waiting
        if f.sides[at + MILES] == 0:
            value += w.extend_shut_out
        value += w.extend_their_miles * f.sides[at + MILES]
    return int(value)


def stake(f: Any, w: Any) -> int:
    """Playing for the match: less risk in front, more behind, and none that lets another side arrive at the target."""
    if not w.match or f.facts[MATCH_TARGET] == 0:
        return 0
    ahead = f.facts[OWN_TOTAL] - f.facts[OTHER_TOTAL]
    value = w.stake_ahead * max(-20, min(20, ahead // 100))
    if f.facts[MATCH_TARGET] - f.facts[OTHER_TOTAL] <= 1000:
        value += w.stake_near
    return int(value)
