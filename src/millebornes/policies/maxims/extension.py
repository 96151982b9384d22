"""Maxims on calling the extension (also kernels, see `millebornes.policies.maxims.values`)."""

from typing import Any, Final

from millebornes.policies.heuristic import (
    ACCIDENT,
    DRAW_PILE,
    EXTENDED,
    FIELDS,
    GOAL,
    LIMITED,
    MILES,
    MOVING,
    REPAIRS,
    ROLL,
    SAFETIES,
    SAFETY,
    SIDES,
    SPEED_LIMIT,
    STOP,
    TWO_HUNDREDS,
    UNDER,
    WINS,
    WORST,
    sums_to,
    units,
)

__all__ = ["extending"]

OWN_TOTAL: Final = 9  # facts beyond those of `heuristic`: points before this hand,
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
    if f.facts[DRAW_PILE] == 0:
        value += w.extend_no_pile
    return int(value)


def extend_when_protected(f: Any, w: Any) -> int:
    """Extend when protected against what may come; a safety in hand raises the stakes, the fourth most of all."""
    value = 0
    owned = 0
    held = 0
    for i in range(4):
        if f.sides[SAFETIES] >> i & 1:
            owned += 1
            value += w.extend_right_of_way if i == 3 else w.extend_safety
        elif f.hand[SAFETY + i] > 0:
            held += 1
            value += w.extend_held_right_of_way if i == 3 else w.extend_held
        elif i == 3:
            value += w.extend_stops * min(5, f.unseen[STOP]) + w.extend_limits * min(4, f.unseen[SPEED_LIMIT])
            value += w.extend_roll * min(2, f.hand[ROLL])
        else:
            value += w.extend_hazards * min(3, f.unseen[ACCIDENT + i])
            if f.hand[REPAIRS + i] > 0:
                value += w.extend_remedy
    if owned == 4:
        value += w.extend_all_out
    elif owned + held == 4:
        value += w.extend_all_held
    if f.sides[LIMITED]:
        value += w.extend_limited
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
        if f.sides[at + LIMITED]:
            value += w.extend_slowed
        if f.sides[at + MILES] == 0:
            value += w.extend_shut_out
        value += w.extend_their_miles * f.sides[at + MILES]
        for i in range(4):
            if f.sides[at + SAFETIES] >> i & 1:
                value += w.extend_their_safety
            elif i < 3:
                if f.hand[ACCIDENT + i] > 0:
                    value += w.extend_hit
            elif f.hand[STOP] > 0:
                value += w.extend_hit
    return int(value)


def stake(f: Any, w: Any) -> int:
    """Playing for the match: more risk where it may end the match, or where another side may soon end it."""
    target = f.facts[MATCH_TARGET]
    if not w.match or target == 0:
        return 0
    ahead = f.facts[OWN_TOTAL] - f.facts[OTHER_TOTAL]
    value = w.stake_ahead * max(-20, min(20, ahead // 100))
    value += w.stake_near * (target - f.facts[OTHER_TOTAL] <= 1000)
    return int(value + w.stake_close * (target - f.facts[OWN_TOTAL] <= 2000))
