"""Maxims on what to keep in hand, and so on what to throw away (also kernels, see `millebornes.players.counsel`)."""

from typing import Any

from millebornes.players.thumb import (
    ACCIDENT,
    ANYONE,
    END_OF_LIMIT,
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
    SPEED_LIMIT,
    STOP,
    TARGETS,
    TWO_HUNDREDS,
    UNDER,
    UNITS,
    sums_to,
)

__all__ = ["keeping"]


def keeping(kind: int, danger: int, f: Any, w: Any) -> int:
    """What a card in hand is worth: the cost of its discard."""
    if kind < ACCIDENT:
        return keeping_distance(kind, f, w)
    if kind <= SPEED_LIMIT:
        return keeping_hazard(kind, f, w)
    if kind >= SAFETY:
        return int(w.keep_safety)
    value = keeping_remedy(kind, f, w)
    return int(value * w.keep_desperate // 100) if danger == 2 and f.facts[GOAL] - f.sides[MILES] > 16 else value


def distance_of_use(kind: int, f: Any) -> bool:
    """Whether a distance card can still be played: no third 200, nothing beyond the goal."""
    if kind == 4 and f.sides[TWO_HUNDREDS] + f.hand[4] > 2:
        return False
    return bool(UNITS[kind] <= f.facts[GOAL] - f.sides[MILES])


def keeping_distance(kind: int, f: Any, w: Any) -> int:
    """Distance goes before other cards, small before large, a 75 before all; a small one stays for limits."""
    if not distance_of_use(kind, f):
        beyond = kind < 4 or f.sides[TWO_HUNDREDS] + f.hand[4] <= 2
        return int(w.keep_beyond) if f.facts[EXTENDED] > 0 and beyond else 0
    left = f.facts[GOAL] - f.sides[MILES]
    if kind == 0:
        value = w.keep_25
    elif kind == 1:
        value = w.keep_50
    elif kind == 2:
        value = w.keep_75
    elif kind == 3:
        value = w.keep_100
    else:
        value = w.keep_200
    value += w.keep_same * (f.hand[kind] - 1)
    if kind <= 1 and f.hand[0] + f.hand[1] == 1:
        if f.sides[LIMITED]:
            value += w.keep_slow_now
        else:
            value += w.keep_slow if f.sides[MOVING] else w.keep_slow_waiting
    return int(value + keep_the_finish(kind, left, f, w))


def keep_the_finish(kind: int, left: int, f: Any, w: Any) -> int:
    """Cards that together reach the goal stay together; so does the one that ends the trip."""
    value = 0
    two_hundreds = f.sides[TWO_HUNDREDS]
    if sums_to(left, f.hand, -1, two_hundreds) and not sums_to(left, f.hand, kind, two_hundreds):
        value += w.keep_exact
    if UNITS[kind] == left and f.hand[kind] == 1:
        value += w.keep_last
    if kind <= 2 and left % 4 == UNITS[kind] and f.hand[kind] == 1:
        value += w.keep_odd
    return int(value)


def keeping_hazard(kind: int, f: Any, w: Any) -> int:
    """Hazards against a safety that is played are dead; several of a kind may become so at a stroke."""
    safety = 1 << min(kind - ACCIDENT, 3)
    usable = False
    for n in range(1, f.facts[TARGETS] + 1):
        if not f.sides[FIELDS * n + SAFETIES] & safety:
            usable = True
    if not usable:
        return 0
    if kind == STOP:
        value = w.keep_stop
    elif kind == SPEED_LIMIT:
        value = w.keep_limit
    else:
        value = w.keep_major
    answer = min(kind - ACCIDENT, 3) + SAFETY
    if f.hand[answer] > 0:
        value += w.keep_own_coup if f.facts[ANYONE] else w.keep_sure
    elif f.sides[SAFETIES] & safety:
        value += w.keep_sure
    value += w.keep_hit_scarce * max(0, 4 - f.unseen[kind + REPAIRS - ACCIDENT])
    return int(value + w.keep_second * (f.hand[kind] - 1))


def hazards_to_come(kind: int, f: Any) -> int:
    """Hazards for which a remedy may yet be needed: of its own kind, and for a roll of every kind that stops."""
    coming = f.unseen[kind - REPAIRS + ACCIDENT]
    if kind == ROLL:
        for major in range(ACCIDENT, STOP):
            if not f.sides[SAFETIES] >> major - ACCIDENT & 1:
                coming += f.unseen[major]
    return int(coming)


def keeping_remedy(kind: int, f: Any, w: Any) -> int:
    """One of each remedy while its hazards can come, hardly a second, none once they are gone or answered."""
    safety = min(kind - REPAIRS, 3)
    if f.sides[SAFETIES] >> safety & 1:
        return 0
    count = f.hand[kind]
    coming = hazards_to_come(kind, f)
    if kind == ROLL:
        if not f.sides[MOVING]:
            coming += 1
            if count == 1:
                return int(w.keep_roll_now)
        if count > coming:
            return 0
        value = w.keep_roll if count == 1 else w.keep_roll_second if count == 2 else w.keep_roll_third
    else:
        limit = kind == END_OF_LIMIT
        now = f.sides[LIMITED] == 1 if limit else f.sides[UNDER] == kind - REPAIRS + ACCIDENT
        if now:
            coming += 1
            if count == 1:
                return int(w.keep_end_now if limit else w.keep_remedy_now)
        if count > coming:
            return 0
        if count > 1:
            value = w.keep_remedy_second
        elif limit:
            value = w.keep_end
        else:
            value = w.keep_remedy + w.keep_remedy_risk * min(coming, 3)
    return int(value * w.keep_owned // 100 if f.hand[SAFETY + safety] > 0 else value)
