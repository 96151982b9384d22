"""Maxims about the cards to keep, and so about the cards to discard (also compiled as kernels, see `values`).

Everything that the value of a card depends on is packed into a *case*, an integer of a few bits. Kernels compute the
values for all cases once and then only look them up.
"""

from typing import Final

from millebornes.policies.codes import ACCIDENT, END_OF_LIMIT, REPAIRS, ROLL, SAFETY, SPEED_LIMIT, STOP, units
from millebornes.policies.features import Features
from millebornes.policies.heuristic import CALL, keeping_any_hazard, small_before_large, sums_to
from millebornes.policies.maxim_waiting import distance_to_come, hazards_to_use, hits_to_come, remedies_to_come
from millebornes.policies.maxim_weights import Advice

DISTANCE_CASES: Final = 5 << 11
HAZARD_CASES: Final = 5 << 10
REMEDY_CASES: Final = 5 << 10


def keeping(kind: int, danger: int, f: Features, w: Advice) -> int:
    """Return the value of keeping a card in hand, which is the cost of discarding it."""
    if kind < ACCIDENT:
        return held_distance(kind, is_together(f), f, w)
    if kind <= SPEED_LIMIT:
        return held_hazard(kind, hazards_to_use(f), f, w)
    if kind < SAFETY:
        return held_remedy(kind, danger, f, w)
    return int(w.keep_safety)


def held_distance(kind: int, together: bool, f: Features, w: Advice) -> int:
    """Return the value of a distance card in hand, in points. ``together`` is the result of `is_together`."""
    case = distance_case(kind, together, f)
    return int(keeping_distance(case, w) + distance_to_come(kind, f, w) * (case >> 9 & 3 == 0))


def held_hazard(kind: int, hits: int, f: Features, w: Advice) -> int:
    """Return the value of a hazard in hand, in points. ``hits`` is the result of `hazards_to_use`."""
    case = hazard_case(kind, f)
    return int(keeping_hazard(case, w) + hits_to_come(kind, hits, f, w) * (case >> 6 & 1))


def held_remedy(kind: int, danger: int, f: Features, w: Advice) -> int:
    """Return the value of a remedy in hand, in points."""
    case = remedy_case(kind, danger, f)
    return int(keeping_remedy(case, w) + remedies_to_come(kind, f, w) * is_for_later(case))


def is_for_later(case: int) -> bool:
    """Return whether you may need a remedy later: it is a roll or the first of its kind, and no safety replaces it."""
    count = case & 7
    needed = case >> 3 & 7 >= count
    first = (count == 1) & (case >> 6 & 1 == 0)
    roll = (case >> 10 == ROLL - REPAIRS) & (count > 1)
    return bool(needed & (first | roll) & (case >> 7 & 3 == 0))


def worth_discarding(f: Features, w: Advice) -> int:
    """Return an upper bound for the value of a discard. Kernels know the values of all cases, and use a closer one."""
    return CALL


# ---------------------------------------------------------------- distance


def is_together(f: Features) -> bool:
    """Return whether the cards in hand add up exactly to the goal."""
    return sums_to(f.goal - f.sides[0].distance, f.hand, -1, f.sides[0].two_hundreds)


def distance_case(kind: int, together: bool, f: Features) -> int:
    """Return the case for a distance card in hand. `keeping_distance` describes its fields."""
    left = f.goal - f.sides[0].distance
    third = (kind == 4) & (f.sides[0].two_hundreds + f.hand[4] > 2)
    later = (units(kind) > left) & (f.extended_goal > 0)
    dead = third | ((units(kind) > left) & (not later))
    small = (kind <= 1) & (f.hand[0] + f.hand[1] == 1)
    case = kind << 11 | f.hand[kind] | small << 3 | f.sides[0].limited << 4 | f.sides[0].moving << 5
    case |= (left & 3 == kind + 1) << 6 | dead << 9 | (later & (not third)) << 10
    if together:
        case |= (left == units(kind)) << 7 | (not sums_to(left, f.hand, kind, f.sides[0].two_hundreds)) << 8
    return int(case)


def keeping_distance(case: int, w: Advice) -> int:
    """Discard distance cards first, above all 75s and small ones. Keep a small one for speed limits."""
    kind = case >> 11
    count = case & 7  # number of such cards in hand
    small = case >> 3 & 1  # whether it is the last 25 or 50
    limited = case >> 4 & 1
    moving = case >> 5 & 1
    odd = case >> 6 & 1  # whether the rest of the trip is then a multiple of 100
    last = case >> 7 & 1  # whether it ends the trip
    together = case >> 8 & 1  # whether it belongs to a set of cards in hand that ends the trip
    if case >> 9 & 1:  # whether it is no longer useful: a third 200, or beyond the goal
        return 0
    if case >> 10 & 1:  # whether it goes beyond a goal that may still be extended
        return int(w.keep_beyond)
    value = small_before_large(kind, w) + w.keep_same * (count - 1)
    if small:
        value += small_for_a_limit(limited, moving, w)
    return int(value + keep_the_finish(kind, count == 1, odd, last, together, w))


def small_for_a_limit(limited: int, moving: int, w: Advice) -> int:
    """Value the last 25 or 50 more highly, because you can play it under a speed limit."""
    if limited:
        return int(w.keep_slow_now)
    return int(w.keep_slow if moving else w.keep_slow_waiting)


def keep_the_finish(kind: int, alone: bool, odd: int, last: int, together: int, w: Advice) -> int:
    """Keep the cards that add up to the goal together, and keep a card that ends the trip."""
    value = 0
    if together:
        value += w.keep_exact
    if last and alone:
        value += w.keep_last
    if odd and alone and kind <= 2:
        value += w.keep_odd
    return int(value)


# ---------------------------------------------------------------- hazards


def hazard_case(kind: int, f: Features) -> int:
    """Return the case for a hazard in hand. `keeping_hazard` describes its fields."""
    place = min(kind - ACCIDENT, 3)
    usable = 0
    for n in range(1, f.targets + 1):
        usable |= 1 - (f.sides[n].safeties >> place & 1)
    case = kind - ACCIDENT << 10 | f.hand[kind] | max(0, 4 - f.unseen[kind + REPAIRS - ACCIDENT]) << 3 | usable << 6
    case |= (f.hand[SAFETY + place] > 0) << 7 | (f.sides[0].safeties >> place & 1) << 8 | f.anyone << 9
    return int(case)


def keeping_hazard(case: int, w: Advice) -> int:
    """Hazards are useless once their safety has been played, which makes several hazards of a kind risky."""
    kind = (case >> 10) + ACCIDENT
    count = case & 7  # number of such cards in hand
    scarce = case >> 3 & 7  # number by which the remedies that may still come are fewer than four
    usable = case >> 6 & 1  # whether it can be played on some side that may be hit
    own = case >> 7 & 1  # whether its safety is in the player's hand
    safe = case >> 8 & 1  # whether the player's side has played its safety
    anyone = case >> 9 & 1  # whether any seat may call a coup
    if not usable:
        return 0
    value = keeping_any_hazard(kind, w)
    if own:
        value += w.keep_own_coup if anyone else w.keep_sure
    elif safe:
        value += w.keep_sure
    return int(value + w.keep_hit_scarce * scarce + w.keep_second * (count - 1))


# ---------------------------------------------------------------- remedies


def hazards_to_come(kind: int, f: Features) -> int:
    """Return the number of hazards that may still need this remedy: for a roll, all that stop a side."""
    majors = 0
    for i in range(STOP - ACCIDENT):
        majors += f.unseen[ACCIDENT + i] * (1 - (f.sides[0].safeties >> i & 1))
    return int(f.unseen[kind - REPAIRS + ACCIDENT] + majors * (kind == ROLL))


def remedy_case(kind: int, danger: int, f: Features) -> int:
    """Return the case for a remedy in hand. `keeping_remedy` describes its fields."""
    place = min(kind - REPAIRS, 3)
    now = (kind == ROLL) & (f.sides[0].moving == 0) | (kind == END_OF_LIMIT) & (f.sides[0].limited > 0)
    now |= (kind < ROLL) & (f.sides[0].under == kind - REPAIRS + ACCIDENT)
    case = kind - REPAIRS << 10 | f.hand[kind] | min(7, hazards_to_come(kind, f) + now) << 3 | now << 6
    case |= (f.hand[SAFETY + place] > 0) << 7 | (f.sides[0].safeties >> place & 1) << 8
    return int(case | ((danger == 2) & (f.goal - f.sides[0].distance > 16)) << 9)


def keeping_remedy(case: int, w: Advice) -> int:
    """Keep one of each remedy while its hazards can still come, rarely a second, and none that you no longer need."""
    kind = (case >> 10) + REPAIRS
    count = case & 7  # number of such cards in hand
    coming = case >> 3 & 7  # number of its hazards in play and still to come, at most seven
    now = case >> 6 & 1  # whether it is needed immediately
    owned = case >> 7 & 1  # whether its safety is in the player's hand
    safe = case >> 8 & 1  # whether the player's side has played its safety
    desperate = case >> 9 & 1  # whether another side is about to finish while the player's side is far away
    if safe:
        return 0
    if now and count == 1:
        value = w.keep_roll_now if kind == ROLL else w.keep_end_now if kind == END_OF_LIMIT else w.keep_remedy_now
    elif count > coming:
        return 0
    else:
        value = one_of_each(kind, count, coming, w)
        if owned:
            value = value * w.keep_owned // 100
    return int(value * w.keep_desperate // 100 if desperate else value)


def one_of_each(kind: int, count: int, coming: int, w: Advice) -> int:
    if kind == ROLL:
        return int(w.keep_roll if count == 1 else w.keep_roll_second if count == 2 else w.keep_roll_third)
    if count > 1:
        return int(w.keep_remedy_second)
    if kind == END_OF_LIMIT:
        return int(w.keep_end + w.keep_end_risk * min(coming, 4))
    return int(w.keep_remedy + w.keep_remedy_risk * min(coming, 3))
