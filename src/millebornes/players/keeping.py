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
    sums_to,
    units,
)

__all__ = ["keeping", "keeping_distance", "keeping_hazard", "keeping_remedy"]


def keeping(kind: int, danger: int, f: Any, w: Any) -> int:
    """What a card in hand is worth: the cost of its discard."""
    if kind < ACCIDENT:
        return keeping_distance(kind, f, w)
    if kind <= SPEED_LIMIT:
        return keeping_hazard(kind, f, w)
    if kind < SAFETY:
        return keeping_remedy(kind, danger, f, w)
    return int(w.keep_safety)


def keeping_distance(kind: int, f: Any, w: Any) -> int:
    """Distance goes before other cards, small before large, a 75 before all; a small one stays for limits."""
    left = f.facts[GOAL] - f.sides[MILES]
    third = (kind == 4) & (f.sides[TWO_HUNDREDS] + f.hand[4] > 2)
    beyond = units(kind) > left
    value = small_before_large(kind, w) + w.keep_same * (f.hand[kind] - 1)
    value += small_for_a_limit(kind, f, w) + keep_the_finish(kind, left, f, w)
    later = w.keep_beyond * ((f.facts[EXTENDED] > 0) & (not third))
    return int(later * beyond + value * ((not third) & (not beyond)))


def small_before_large(kind: int, w: Any) -> int:
    """What a distance card is worth by its kind."""
    small = w.keep_25 * (kind == 0) + w.keep_50 * (kind == 1) + w.keep_75 * (kind == 2)
    return int(small + w.keep_100 * (kind == 3) + w.keep_200 * (kind == 4))


def small_for_a_limit(kind: int, f: Any, w: Any) -> int:
    """The last 25 or 50 is what one could drive under a limit."""
    limited = f.sides[LIMITED] > 0
    moving = f.sides[MOVING] > 0
    value = w.keep_slow_now * limited + w.keep_slow * (moving & (not limited))
    value += w.keep_slow_waiting * ((not moving) & (not limited))
    return int(value * ((kind <= 1) & (f.hand[0] + f.hand[1] == 1)))


def keep_the_finish(kind: int, left: int, f: Any, w: Any) -> int:
    """Cards that together reach the goal stay together; so does the one that ends the trip."""
    alone = f.hand[kind] == 1
    value = w.keep_last * (alone & (units(kind) == left)) + w.keep_odd * (alone & (kind <= 2) & (left & 3 == kind + 1))
    two_hundreds = f.sides[TWO_HUNDREDS]
    together = sums_to(left, f.hand, -1, two_hundreds) and not sums_to(left, f.hand, kind, two_hundreds)
    return int(value + w.keep_exact * together)


def keeping_hazard(kind: int, f: Any, w: Any) -> int:
    """Hazards against a safety that is played are dead; several of a kind may become so at a stroke."""
    place = min(kind - ACCIDENT, 3)
    usable = 0
    for n in range(1, f.facts[TARGETS] + 1):
        usable |= 1 - (f.sides[FIELDS * n + SAFETIES] >> place & 1)
    value = w.keep_stop * (kind == STOP) + w.keep_limit * (kind == SPEED_LIMIT) + w.keep_major * (kind < STOP)
    own = f.hand[SAFETY + place] > 0
    sure = w.keep_own_coup if f.facts[ANYONE] else w.keep_sure
    value += sure * own + w.keep_sure * ((not own) & (f.sides[SAFETIES] >> place & 1))
    value += w.keep_hit_scarce * max(0, 4 - f.unseen[kind + REPAIRS - ACCIDENT])
    return int((value + w.keep_second * (f.hand[kind] - 1)) * usable)


def hazards_to_come(kind: int, f: Any) -> int:
    """Hazards for which a remedy may yet be needed: of its own kind, and for a roll of every kind that stops."""
    majors = 0
    for i in range(STOP - ACCIDENT):
        majors += f.unseen[ACCIDENT + i] * (1 - (f.sides[SAFETIES] >> i & 1))
    return int(f.unseen[kind - REPAIRS + ACCIDENT] + majors * (kind == ROLL))


def keeping_remedy(kind: int, danger: int, f: Any, w: Any) -> int:
    """One of each remedy while its hazards can come, hardly a second, none once they are gone or answered."""
    safety = min(kind - REPAIRS, 3)
    count = f.hand[kind]
    roll = kind == ROLL
    limit = kind == END_OF_LIMIT
    major = kind < ROLL
    now = (roll & (f.sides[MOVING] == 0)) | (limit & (f.sides[LIMITED] > 0))
    now |= major & (f.sides[UNDER] == kind - REPAIRS + ACCIDENT)
    coming = hazards_to_come(kind, f) + now
    needed = w.keep_roll_now * roll + w.keep_end_now * limit + w.keep_remedy_now * major
    first = w.keep_roll * roll + w.keep_end * limit + (w.keep_remedy + w.keep_remedy_risk * min(coming, 3)) * major
    more = (w.keep_roll_second * (count == 2) + w.keep_roll_third * (count > 2)) * roll
    value = first if count == 1 else more + w.keep_remedy_second * (not roll)
    value *= count <= coming
    if f.hand[SAFETY + safety] > 0:
        value = value * w.keep_owned // 100
    value = needed if now & (count == 1) else value
    value *= 1 - (f.sides[SAFETIES] >> safety & 1)
    if danger == 2 and f.facts[GOAL] - f.sides[MILES] > 16:
        value = value * w.keep_desperate // 100
    return int(value)
