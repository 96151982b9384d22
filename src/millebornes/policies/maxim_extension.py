"""Maxims about calling the extension (also compiled as kernels, see `millebornes.policies.maxim_values`)."""

from millebornes.policies.codes import ACCIDENT, REPAIRS, ROLL, SAFETY, SPEED_LIMIT, STOP, units
from millebornes.policies.features import Features
from millebornes.policies.heuristic import WORST, sums_to
from millebornes.policies.maxim_weights import Advice


def extending(f: Features, w: Advice) -> int:
    """Return the value of calling the extension in points, which is the sum of its maxims."""
    if f.wins and w.match:
        return WORST  # take no risk if you win the match without it
    return int(extend_with_distance(f, w) + extend_when_protected(f, w) + extend_against_the_stuck(f, w) + stake(f, w))


def extend_with_distance(f: Features, w: Advice) -> int:
    more = f.extended_goal - f.goal
    held = 0
    for kind in range(4):
        held += units(kind) * f.hand[kind]
    held += units(4) * min(f.hand[4], 2 - f.sides[0].two_hundreds)
    value = w.extend + w.extend_miles * min(held, more) + w.extend_pile * min(40, f.draw_pile)
    if sums_to(more, f.hand, -1, f.sides[0].two_hundreds):
        value += w.extend_exact
    if f.sides[0].two_hundreds == 0:
        value += w.extend_safe_trip
    if f.draw_pile == 0:
        value += w.extend_no_pile
    return int(value)


def extend_when_protected(f: Features, w: Advice) -> int:
    value = 0
    owned = 0
    held = 0
    for i in range(4):
        if f.sides[0].safeties >> i & 1:
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
    if f.sides[0].limited:
        value += w.extend_limited
    return int(value)


def extend_against_the_stuck(f: Features, w: Advice) -> int:
    value = 0
    for n in range(1, f.side_count):
        side = f.sides[n]
        if side.under >= 0:
            value += w.extend_stuck
        elif not side.moving:
            value += w.extend_waiting
        if side.limited:
            value += w.extend_slowed
        if side.distance == 0:
            value += w.extend_shut_out
        value += w.extend_their_miles * side.distance
        for i in range(4):
            if side.safeties >> i & 1:
                value += w.extend_their_safety
            elif i < 3:
                if f.hand[ACCIDENT + i] > 0:
                    value += w.extend_hit
            elif f.hand[STOP] > 0:
                value += w.extend_hit
    return int(value)


def stake(f: Features, w: Advice) -> int:
    """When playing for the match, take more risk if this hand may end it, or if another side may end it soon."""
    target = f.match_target
    if not w.match or target == 0:
        return 0
    ahead = f.own_total - f.other_total
    value = w.stake_ahead * max(-20, min(20, ahead // 100))
    value += w.stake_near * (target - f.other_total <= 1000)
    return int(value + w.stake_close * (target - f.own_total <= 2000))
