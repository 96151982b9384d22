"""A heuristic that estimates the value of each move, in points of the score difference at the end of the hand.

All functions read `Features` and use only integers, so they can also be compiled as kernels. Moves and kinds of cards
are represented as in `millebornes.policies.codes`.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.policies.codes import (
    ACCIDENT,
    END_OF_LIMIT,
    EXTEND,
    FINISH,
    PASS,
    REPAIRS,
    RIGHT_OF_WAY,
    ROLL,
    ROLL_200,
    SAFETY,
    SPEED_LIMIT,
    STOP,
    UNITS,
    units,
)
from millebornes.policies.features import Features
from millebornes.policies.maxim_weights import Advice

WORST: Final = -1_000_000
CALL: Final = 1_000_000

Numbers = Sequence[int]


class Weights(NamedTuple):
    """The weights of the heuristic in points, tuned by play against earlier weights (research/notebook/players.md)."""

    # playing distance
    mile: int = 67  # for each 100 miles
    shut_out: int = 100  # the side's first distance
    safe_trip: int = 60  # against the first 200
    exact: int = 60  # the rest of the trip is then completed exactly
    odd_25: int = -30  # the remaining distance, modulo 100
    odd_50: int = -5
    odd_75: int = -30
    dead_end: int = -300  # no cards are left that could reach the goal
    finish: int = 900  # reach the goal
    delay: int = 5  # few cards left to draw: wait for the delayed action
    # remedies, rolls, safeties
    remedy: int = 35
    roll: int = 167
    roll_ready: int = 14  # you will then have a distance card to play
    idle: int = -500  # a roll that has no effect
    end_of_limit: int = 40
    end_of_limit_large: int = 40  # for each larger distance card in hand, up to two
    end_of_limit_stuck: int = -10  # while not moving
    two_hundred_roll: int = 60  # for a 200 played as a roll
    safety: int = 32  # for any safety, because of the extra turn
    safety_wait: int = -40  # for each hazard that may still come
    safety_relief: int = 174  # the safety ends a hazard on its side
    safety_limit: int = 60  # the safety ends a speed limit
    safety_moves: int = 120  # for the right of way, if only a roll is missing
    safety_danger: int = 120  # an opponent may complete the trip before your next turn
    safety_near: int = 27  # an opponent may do so soon after
    safety_late: int = 8  # for each card that the draw pile has fewer than ten
    # hazards
    major: int = 200  # accident, out of gas, flat tyre
    stop: int = 100
    speed_limit: int = 70
    hit_remedies: int = -6  # for each of its remedies that may still come
    hit_progress: int = 4  # for each 100 miles that they have driven
    hit_danger: int = 27  # they may complete the trip before your next turn
    hit_near: int = 80  # they have 200 miles or less to go
    hit_shut_out: int = 50  # they have driven no miles
    hit_leader: int = 40  # with several opponents, for the leader
    hit_stuck_limit: int = -50  # for a limit on a side that isn't moving
    hit_waiting: int = -188  # they only need a roll
    hit_own_coup: int = 350  # you may answer it with your own safety
    hit_coup: int = 267  # the cost of a coup fourré, times its probability
    # keeping a card in hand
    keep_25: int = 8
    keep_50: int = 10
    keep_75: int = 14
    keep_100: int = 27
    keep_200: int = 50
    keep_exact: int = 27
    keep_last: int = 60  # the card alone reaches the goal
    keep_beyond: int = 9  # distance that is only useful after an extension
    keep_slow: int = 5  # the last 25 or 50
    keep_slow_now: int = 14  # the same, under a speed limit
    keep_same: int = -7  # for each additional card of its kind
    keep_major: int = 60
    keep_stop: int = 40
    keep_limit: int = 40
    keep_sure: int = 20  # you hold the safety
    keep_own_coup: int = 150  # and can call a coup with it
    keep_second: int = -15  # for each additional hazard of the same kind
    keep_remedy: int = 45  # the first of a kind
    keep_remedy_second: int = 8
    keep_remedy_now: int = 67
    keep_end: int = 20
    keep_end_now: int = 80
    keep_roll: int = 60
    keep_roll_second: int = 30
    keep_roll_third: int = 8
    keep_roll_now: int = 150
    keep_owned: int = 18  # percentage of its value that a remedy keeps if you hold its safety
    keep_safety: int = 800
    # the extension
    extend: int = -250
    extend_miles: int = 20  # for each 25 miles in hand, up to 300
    extend_exact: int = 150
    extend_safety: int = 40  # for each safety owned
    extend_held: int = 106
    extend_right_of_way: int = 67
    extend_roll: int = 20
    extend_remedy: int = 26
    extend_stuck: int = 80  # for opponents under a hazard
    extend_shut_out: int = -250
    extend_their_miles: int = -3  # for each 25 miles of the leading opponent


WEIGHTS: Final = Weights()


def best_code(codes: Numbers, f: Features, w: Weights) -> int:
    """Return the move in ``codes`` (legal, ascending) with the highest value, or the first of several."""
    danger, finishing = greatest_threat(f), arrives(codes, f)
    # Safeties still in hand are lost when the hand ends (R7). Play them first, unless an extension would keep their
    # chances.
    cash_in = finishing and (f.extended_goal == 0 or extension(f, w) <= 0)
    best = -1
    highest = WORST - 1
    for code in codes:
        place = code % 64
        kind = place // 3
        way = place % 3
        if code in (PASS, FINISH):
            value = 0
        elif code == EXTEND:
            value = extension(f, w)
        elif place == ROLL_200:
            value = rolling(f, w) - w.two_hundred_roll - keeping(4, f, w)
        elif way == 2:
            value = CALL
        elif way == 0:
            value = -keeping(kind, f, w)
        elif kind < ACCIDENT:
            value = driving(kind, f, w)
            if finishing and 0 < f.draw_pile <= w.delay and danger < 2:
                value -= w.finish
        elif kind <= SPEED_LIMIT:
            value = hitting(kind, code // 64 + 1, f, w)
        elif kind < SAFETY:
            value = ending(kind, f, w)
        elif cash_in:
            value = CALL
        else:
            value = protecting(kind, danger, f, w)
        if value > highest:
            best = code
            highest = value
    return best


def greatest_threat(f: Features) -> int:
    """Return how soon any of the other sides could complete the trip (see `threat`)."""
    danger = 0
    for n in range(1, f.side_count):
        danger = max(danger, f.threats[n])
    return danger


def arrives(codes: Sequence[int], f: Features) -> bool:
    """Return whether any of these moves completes the trip, or reaches the goal that can be extended."""
    arriving = False
    for code in codes:
        if code % 3 == 1 and code < 3 * ACCIDENT:
            arriving |= f.sides[0].distance + units(code // 3) == f.goal
    return arriving


def threat(n: int, f: Features) -> int:
    """Return how soon the n-th next side may complete the trip: 2 before your next turn, 1 soon after that, 0 later."""
    side = f.sides[n]
    left = f.goal - side.distance
    turns = f.seats_a_side
    if left > 8 * (turns + 1):
        return 0
    large = (side.two_hundreds < 2) & (f.unseen[4] > 0)
    limited = side.limited
    step = 2 * limited + (4 + 4 * large) * (1 - limited)
    under = side.under
    turns -= (side.moving == 0) * (1 + ((under != -1) & (under != STOP)))
    only = SINGLES[min(left, 9)]
    soon = left <= step * turns
    if turns == 1:  # a single card must be enough
        soon = soon and only >= 0 and f.unseen[only] > 0
    return 2 if soon else int(left <= step * (turns + 1))


def sums_to(units: int, hand: Numbers, without: int, two_hundreds: int) -> bool:
    """Return whether distance cards in hand, except for one card of kind ``without``, add up to exactly ``units``."""
    large = min(hand[4] - (without == 4), 2 - two_hundreds)
    reach = int(SUMS[hand[0] + 8 * hand[1] + 64 * hand[2] + 512 * hand[3] - SMALL_CARD[without]])
    reach |= (reach << 8) * (large > 0)
    reach |= (reach << 8) * (large > 1)
    return bool((units > 0) & (units < 56) & (reach >> (units & 63) & 1))


SINGLES: Final = np.array([-1, 0, 1, 2, 3, -1, -1, -1, 4, -1])
"""Distance in units of 25 miles (nine or more as nine) -> the kind of the one card for it, or -1 if there is none."""


def _sums() -> npt.NDArray[np.int64]:
    """Return a bit for each sum that a combination of 25s, 50s, 75s and 100s (three index bits each) can make."""
    counts = np.arange(8**4)
    sums = np.ones(8**4, np.int64)
    for kind in range(4):
        for i in range(7):
            sums |= np.where(counts >> 3 * kind & 7 > i, sums << UNITS[kind], 0) & (1 << 40) - 1
    return sums


SUMS: Final = _sums()
SMALL_CARD: Final = np.array([1, 8, 64, 512, 0, 0])
"""The weight of each card in an index of `SUMS`. The last entry is for no card."""


def dead_end(units: int, hand: Numbers, unseen: Numbers) -> bool:
    """Return whether no cards are left that could add up to a small remaining distance."""
    if units > 3:
        return False
    n25 = hand[0] + unseen[0]
    n50 = hand[1] + unseen[1]
    if units == 1:
        return n25 == 0
    if units == 2:
        return n50 == 0 and n25 < 2
    return hand[2] + unseen[2] == 0 and n25 < 3 and (n25 == 0 or n50 == 0)


def driving(kind: int, f: Features, w: Weights) -> int:
    units = UNITS[kind]
    rest = f.goal - f.sides[0].distance - units
    two_hundreds = f.sides[0].two_hundreds
    value = w.mile * units // 4
    if f.sides[0].distance == 0:
        value += w.shut_out
    if kind == 4:
        if two_hundreds == 0:
            value -= w.safe_trip
        two_hundreds += 1
    if rest == 0:
        return value + w.finish
    if sums_to(rest, f.hand, kind, two_hundreds):
        return value + w.exact
    if rest % 4 == 1:
        value += w.odd_25
    elif rest % 4 == 2:
        value += w.odd_50
    elif rest % 4 == 3:
        value += w.odd_75
    if dead_end(rest, f.hand, f.unseen):
        value += w.dead_end
    return value


def rolling(f: Features, w: Weights) -> int:
    if f.sides[0].moving:
        return w.idle
    value = w.roll
    if f.hand[0] + f.hand[1] > 0 or (not f.sides[0].limited and f.hand[2] + f.hand[3] + f.hand[4] > 0):
        value += w.roll_ready
    return value


def ending(kind: int, f: Features, w: Weights) -> int:
    if kind == ROLL:
        return rolling(f, w)
    if kind == END_OF_LIMIT:
        value = w.end_of_limit + w.end_of_limit_large * min(2, f.hand[2] + f.hand[3] + f.hand[4])
        return value if f.sides[0].moving else value + w.end_of_limit_stuck
    return w.remedy


def protecting(kind: int, danger: int, f: Features, w: Weights) -> int:
    """Return the value of playing a safety in an ordinary turn: its points and the extra turn, less a possible coup."""
    under = f.sides[0].under
    if kind == RIGHT_OF_WAY:
        coming = f.unseen[STOP] + f.unseen[SPEED_LIMIT]
        answers = under == STOP
        mine = f.hand[STOP] + f.hand[SPEED_LIMIT]
    else:
        hazard = kind - SAFETY + ACCIDENT
        coming = f.unseen[hazard]
        answers = under == hazard
        mine = f.hand[hazard]
    if f.anyone:
        coming += mine
    value = w.safety + w.safety_wait * min(4, coming)
    if answers:
        value += w.safety_relief
        if f.gives_roll:
            value += w.safety_moves
    if kind == RIGHT_OF_WAY:
        if f.sides[0].limited:
            value += w.safety_limit
        if not f.sides[0].moving and under == -1:
            value += w.safety_moves
    if danger == 2:
        value += w.safety_danger
    elif danger == 1:
        value += w.safety_near
    return value + w.safety_late * max(0, 10 - f.draw_pile)


def hazard_weight(kind: int, w: Weights) -> int:
    if kind == STOP:
        return w.stop
    return w.speed_limit if kind == SPEED_LIMIT else w.major


def hitting(kind: int, n: int, f: Features, w: Weights) -> int:
    side = f.sides[n]
    value = hazard_weight(kind, w) + w.hit_remedies * min(6, f.unseen[kind + REPAIRS - ACCIDENT])
    under = side.under
    if kind == SPEED_LIMIT:
        if not side.moving:
            value += w.hit_stuck_limit
    elif under >= 0:  # the hazard only covers another hazard
        value -= hazard_weight(under, w)
    elif not side.moving:
        value += w.hit_waiting
    left = f.goal - side.distance
    value += w.hit_progress * side.distance // 4
    if left <= 8:
        value += w.hit_near
    if f.threats[n] == 2:
        value += w.hit_danger
    if side.distance == 0:
        value += w.hit_shut_out
    leads = True
    for other in range(1, f.side_count):
        if f.sides[other].distance > side.distance:
            leads = False
    if leads and f.side_count > 2:
        value += w.hit_leader
    answer = min(kind - ACCIDENT, 3) + SAFETY
    if f.unseen[answer] > 0:
        hidden = f.draw_pile + f.sides[0].cards
        callers = 0
        for other in range(1, f.side_count):
            hidden += f.sides[other].cards
            if other == n or f.anyone:
                callers += f.sides[other].cards
        value -= w.hit_coup * callers // max(1, hidden)
    elif f.hand[answer] and f.anyone:  # the player can answer its own hazard, which stays on its pile (R5.2)
        value += w.hit_own_coup
    return value


def keeping(kind: int, f: Features, w: Weights) -> int:
    """Return the value of keeping a card in hand, which is the cost of discarding it."""
    if kind < ACCIDENT:
        return keeping_distance(kind, f, w)
    if kind <= SPEED_LIMIT:
        return keeping_hazard(kind, f, w)
    if kind >= SAFETY:
        return w.keep_safety
    return keeping_remedy(kind, f, w)


def keeping_distance(kind: int, f: Features, w: Weights) -> int:
    units = UNITS[kind]
    left = f.goal - f.sides[0].distance
    two_hundreds = f.sides[0].two_hundreds
    if kind == 4 and two_hundreds + f.hand[4] > 2:
        return 0
    if units > left:
        return w.keep_beyond if f.extended_goal > 0 else 0
    value = small_before_large(kind, w) + w.keep_same * (f.hand[kind] - 1)
    if units <= 2 and f.hand[0] + f.hand[1] == 1:
        value += w.keep_slow_now if f.sides[0].limited else w.keep_slow
    if sums_to(left, f.hand, -1, two_hundreds) and not sums_to(left, f.hand, kind, two_hundreds):
        value += w.keep_exact
    if units == left and f.hand[kind] == 1:
        value += w.keep_last
    return value


def small_before_large(kind: int, w: Weights | Advice) -> int:
    """Return the value of a distance card, judged only by its kind."""
    if kind == 0:
        return int(w.keep_25)
    if kind == 1:
        return int(w.keep_50)
    if kind == 2:
        return int(w.keep_75)
    return int(w.keep_100 if kind == 3 else w.keep_200)


def keeping_hazard(kind: int, f: Features, w: Weights) -> int:
    safety = 1 << min(kind - ACCIDENT, 3)
    usable = False
    for n in range(1, f.targets + 1):
        if not f.sides[n].safeties & safety:
            usable = True
    if not usable:
        return 0
    value = keeping_any_hazard(kind, w)
    if f.hand[min(kind - ACCIDENT, 3) + SAFETY]:
        value += w.keep_own_coup if f.anyone else w.keep_sure
    return value + w.keep_second * (f.hand[kind] - 1)


def keeping_any_hazard(kind: int, w: Weights | Advice) -> int:
    """Return the value of a hazard in hand, judged only by its kind."""
    return w.keep_stop if kind == STOP else w.keep_limit if kind == SPEED_LIMIT else w.keep_major


def keeping_remedy(kind: int, f: Features, w: Weights) -> int:
    hazard = kind - REPAIRS + ACCIDENT
    safety = min(kind - REPAIRS, 3)
    if f.sides[0].safeties >> safety & 1:
        return 0
    count = f.hand[kind]
    coming = f.unseen[hazard]
    if kind == ROLL:
        for major in range(ACCIDENT, STOP):
            if not f.sides[0].safeties >> major - ACCIDENT & 1:
                coming += f.unseen[major]
        if not f.sides[0].moving:
            coming += 1
            if count == 1:
                return w.keep_roll_now
        if count > coming:
            return 0
        value = w.keep_roll_third
        if count == 1:
            value = w.keep_roll
        elif count == 2:
            value = w.keep_roll_second
        return value * w.keep_owned // 100 if f.hand[RIGHT_OF_WAY] else value
    now = f.sides[0].limited == 1 if kind == END_OF_LIMIT else f.sides[0].under == hazard
    if now:
        coming += 1
        if count == 1:
            return w.keep_end_now if kind == END_OF_LIMIT else w.keep_remedy_now
    if count > coming:
        return 0
    if count > 1:
        value = w.keep_remedy_second
    elif kind == END_OF_LIMIT:
        value = w.keep_end
    else:
        value = w.keep_remedy
    return value * w.keep_owned // 100 if f.hand[SAFETY + safety] else value


def extension(f: Features, w: Weights) -> int:
    if f.wins:
        return WORST
    more = f.extended_goal - f.goal
    held = 0
    for kind in range(4):
        held += UNITS[kind] * f.hand[kind]
    held += UNITS[4] * min(f.hand[4], 2 - f.sides[0].two_hundreds)
    value = w.extend + w.extend_miles * min(held, more)
    if sums_to(more, f.hand, -1, f.sides[0].two_hundreds):
        value += w.extend_exact
    for i in range(4):
        owned = f.sides[0].safeties >> i & 1
        if owned or f.hand[SAFETY + i]:
            value += w.extend_safety if owned else w.extend_held
        elif i < 3 and f.hand[REPAIRS + i]:
            value += w.extend_remedy
    if f.sides[0].safeties >> 3 & 1:
        value += w.extend_right_of_way
    else:
        value += w.extend_roll * min(2, f.hand[ROLL])
    for n in range(1, f.side_count):
        side = f.sides[n]
        if side.under >= 0:
            value += w.extend_stuck
        if side.distance == 0:
            value += w.extend_shut_out
        value += w.extend_their_miles * side.distance
    return value
