"""A heuristic in whole numbers: what each move seems worth, in points of the hand's score difference.

Everything here works on plain whole numbers and sequences of them, without objects, so that the same functions can be
compiled as kernels too. Cards are counted by kind (the order of `millebornes.cards.Card`), distances are in units
of 25, moves are the codes of `millebornes.rules.state`, and sides follow each other clockwise from one's own.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from millebornes.cards import DISTANCES, Card
from millebornes.policies.heuristic_weights import Weights
from millebornes.rules import state, tables

__all__ = ["FACTS", "FIELDS", "best_code"]

# Fields of each side in `sides`.
MILES: Final = 0  # distance
TWO_HUNDREDS: Final = 1  # 200s among it
MOVING: Final = 2  # 0 or 1 (R3.3)
UNDER: Final = 3  # kind of the hazard that it is under (R3.1), -1 for none
LIMITED: Final = 4  # 0 or 1 (R3.2)
SAFETIES: Final = 5  # 4 bits
CARDS: Final = 6  # cards in the hands of its seats, one's own left out
FIELDS: Final = 7

# What else there is to know, in `facts`.
GOAL: Final = 0  # the goal in force
EXTENDED: Final = 1  # the goal after an extension, 0 where none can be called any more
DRAW_PILE: Final = 2  # cards left to draw
TURNS: Final = 3  # seats a side
SIDES: Final = 4
TARGETS: Final = 5  # opposing sides that may be hit (R4.9)
ANYONE: Final = 6  # 1 where any seat may call a coup (R5.1)
GIVES_ROLL: Final = 7  # 1 where a safety that ends a hazard counts as a roll (R4.6)
WINS: Final = 8  # 1 where finishing now wins the match
FACTS: Final = 9

UNITS: Final = tuple(card.miles // 25 for card in DISTANCES)
ACCIDENT: Final = Card.ACCIDENT.index
STOP: Final = Card.STOP.index
SPEED_LIMIT: Final = Card.SPEED_LIMIT.index
REPAIRS: Final = Card.REPAIRS.index
ROLL: Final = Card.ROLL.index
END_OF_LIMIT: Final = Card.END_OF_LIMIT.index
SAFETY: Final = Card.DRIVING_ACE.index
RIGHT_OF_WAY: Final = Card.RIGHT_OF_WAY.index
KINDS: Final = state.KINDS
ROLL_200: Final = tables.roll_200_code()
DISTANCE_PLAYS: Final = sum(1 << 3 * kind + 1 for kind in range(ACCIDENT))
HAZARD_PLAYS: Final = sum(1 << 3 * kind + 1 for kind in range(ACCIDENT, REPAIRS))
REMEDY_PLAYS: Final = sum(1 << 3 * kind + 1 for kind in range(REPAIRS, SAFETY))
SAFETY_PLAYS: Final = sum(1 << 3 * kind + 1 for kind in range(SAFETY, KINDS))
"""Legal moves as bits: the plays of a class of cards; the discards lie one place lower."""
PASS: Final = tables.PASS
EXTEND: Final = tables.EXTEND
FINISH: Final = tables.FINISH
WORST: Final = -1_000_000
CALL: Final = 1_000_000

Numbers = Sequence[int]


def best_code(codes: Numbers, hand: Numbers, unseen: Numbers, sides: Numbers, facts: Numbers, w: Weights) -> int:
    """The legal move (of ``codes``, ascending) that seems worth most; of equals the one with the lowest code.

    ``hand`` and ``unseen`` count cards by kind, ``sides`` holds `FIELDS` numbers a side, ``facts`` are `FACTS` numbers.
    """
    danger = 0
    for n in range(1, facts[SIDES]):
        danger = max(danger, threat(n, unseen, sides, facts))
    finishing = False
    for code in codes:
        if code % 3 == 1 and code < 3 * len(UNITS) and sides[MILES] + UNITS[code // 3] == facts[GOAL]:
            finishing = True
    # Safeties in hand are lost when the hand ends (R7): play them before, unless an extension keeps their chances.
    cash_in = finishing and (facts[EXTENDED] == 0 or extension(hand, sides, facts, w) <= 0)
    best = -1
    highest = WORST - 1
    for code in codes:
        place = code % 64
        kind = place // 3
        way = place % 3
        if code in (PASS, FINISH):
            value = 0
        elif code == EXTEND:
            value = extension(hand, sides, facts, w)
        elif place == ROLL_200:
            value = rolling(hand, sides, w) - w.two_hundred_roll - keeping(4, hand, unseen, sides, facts, w)
        elif way == 2:
            value = CALL
        elif way == 0:
            value = -keeping(kind, hand, unseen, sides, facts, w)
        elif kind < ACCIDENT:
            value = driving(kind, hand, unseen, sides, facts, w)
            if finishing and 0 < facts[DRAW_PILE] <= w.delay and danger < 2:
                value -= w.finish
        elif kind <= SPEED_LIMIT:
            value = hitting(kind, code // 64 + 1, hand, unseen, sides, facts, w)
        elif kind < SAFETY:
            value = ending(kind, hand, sides, w)
        elif cash_in:
            value = CALL
        else:
            value = protecting(kind, danger, hand, unseen, sides, facts, w)
        if value > highest:
            best = code
            highest = value
    return best


def units(kind: int) -> int:
    """The length of a distance card in units of 25."""
    return kind + 1 + 3 * (kind >> 2)


def lowest(word: int) -> int:
    """The place of the lowest set bit."""
    return (word & -word).bit_length() - 1


def threat(n: int, unseen: Numbers, sides: Numbers, facts: Numbers) -> int:
    """How soon the n-th next side may complete the trip: 2 before one's next turn, 1 soon after, 0 later."""
    at = FIELDS * n
    left = facts[GOAL] - sides[at + MILES]
    turns = facts[TURNS]
    if left > 8 * (turns + 1):
        return 0
    large = (sides[at + TWO_HUNDREDS] < 2) & (unseen[4] > 0)
    limited = sides[at + LIMITED]
    step = 2 * limited + (4 + 4 * large) * (1 - limited)
    under = sides[at + UNDER]
    turns -= (sides[at + MOVING] == 0) * (1 + ((under != -1) & (under != STOP)))
    only = SINGLES[min(left, 9)]
    soon = left <= step * turns
    if turns == 1:  # one card must do it
        soon = soon and only >= 0 and unseen[only] > 0
    return 2 if soon else int(left <= step * (turns + 1))


def sums_to(units: int, hand: Numbers, without: int, two_hundreds: int) -> bool:
    """Whether distance cards in hand (one of kind ``without`` left out) add up to exactly so many units."""
    large = min(hand[4] - (without == 4), 2 - two_hundreds)
    reach = int(SUMS[hand[0] + 8 * hand[1] + 64 * hand[2] + 512 * hand[3] - SMALL_CARD[without]])
    reach |= (reach << 8) * (large > 0)
    reach |= (reach << 8) * (large > 1)
    return bool((units > 0) & (units < 56) & (reach >> (units & 63) & 1))


SINGLES: Final = np.array([-1, 0, 1, 2, 3, -1, -1, -1, 4, -1])
"""Distance in units of 25, nine or more as nine -> the kind of the one card that covers it, -1 where none does."""


def _sums() -> npt.NDArray[np.int64]:
    """Counts of 25, 50, 75 and 100 (three bits each) -> a bit for each sum that some of these cards have."""
    counts = np.arange(8**4)
    sums = np.ones(8**4, np.int64)
    for kind in range(4):
        for i in range(7):
            sums |= np.where(counts >> 3 * kind & 7 > i, sums << UNITS[kind], 0) & (1 << 40) - 1
    return sums


SUMS: Final = _sums()
SMALL_CARD: Final = np.array([1, 8, 64, 512, 0, 0])
"""What a card counts in the index of `SUMS`; the last place stands for no card."""


def dead_end(units: int, hand: Numbers, unseen: Numbers) -> bool:
    """Whether no cards are left that could add up to a small distance."""
    if units > 3:
        return False
    n25 = hand[0] + unseen[0]
    n50 = hand[1] + unseen[1]
    if units == 1:
        return n25 == 0
    if units == 2:
        return n50 == 0 and n25 < 2
    return hand[2] + unseen[2] == 0 and n25 < 3 and (n25 == 0 or n50 == 0)


def driving(kind: int, hand: Numbers, unseen: Numbers, sides: Numbers, facts: Numbers, w: Weights) -> int:
    """What playing a distance card is worth."""
    units = UNITS[kind]
    rest = facts[GOAL] - sides[MILES] - units
    two_hundreds = sides[TWO_HUNDREDS]
    value = w.mile * units // 4
    if sides[MILES] == 0:
        value += w.shut_out
    if kind == 4:
        if two_hundreds == 0:
            value -= w.safe_trip
        two_hundreds += 1
    if rest == 0:
        return value + w.finish
    if sums_to(rest, hand, kind, two_hundreds):
        return value + w.exact
    if rest % 4 == 1:
        value += w.odd_25
    elif rest % 4 == 2:
        value += w.odd_50
    elif rest % 4 == 3:
        value += w.odd_75
    if dead_end(rest, hand, unseen):
        value += w.dead_end
    return value


def rolling(hand: Numbers, sides: Numbers, w: Weights) -> int:
    """What a roll is worth."""
    if sides[MOVING]:
        return w.idle
    value = w.roll
    if hand[0] + hand[1] > 0 or (not sides[LIMITED] and hand[2] + hand[3] + hand[4] > 0):
        value += w.roll_ready
    return value


def ending(kind: int, hand: Numbers, sides: Numbers, w: Weights) -> int:
    """What a remedy is worth where it may be played."""
    if kind == ROLL:
        return rolling(hand, sides, w)
    if kind == END_OF_LIMIT:
        value = w.end_of_limit + w.end_of_limit_large * min(2, hand[2] + hand[3] + hand[4])
        return value if sides[MOVING] else value + w.end_of_limit_stuck
    return w.remedy


def protecting(
    kind: int, danger: int, hand: Numbers, unseen: Numbers, sides: Numbers, facts: Numbers, w: Weights
) -> int:
    """What playing a safety in an ordinary turn is worth: its points and the turn it gives, against a coup later."""
    under = sides[UNDER]
    if kind == RIGHT_OF_WAY:
        coming = unseen[STOP] + unseen[SPEED_LIMIT]
        answers = under == STOP
        mine = hand[STOP] + hand[SPEED_LIMIT]
    else:
        hazard = kind - SAFETY + ACCIDENT
        coming = unseen[hazard]
        answers = under == hazard
        mine = hand[hazard]
    if facts[ANYONE]:
        coming += mine
    value = w.safety + w.safety_wait * min(4, coming)
    if answers:
        value += w.safety_relief
        if facts[GIVES_ROLL]:
            value += w.safety_moves
    if kind == RIGHT_OF_WAY:
        if sides[LIMITED]:
            value += w.safety_limit
        if not sides[MOVING] and under == -1:
            value += w.safety_moves
    if danger == 2:
        value += w.safety_danger
    elif danger == 1:
        value += w.safety_near
    return value + w.safety_late * max(0, 10 - facts[DRAW_PILE])


def hazard_weight(kind: int, w: Weights) -> int:
    """What a hazard is worth by its kind."""
    if kind == STOP:
        return w.stop
    return w.speed_limit if kind == SPEED_LIMIT else w.major


def hitting(kind: int, n: int, hand: Numbers, unseen: Numbers, sides: Numbers, facts: Numbers, w: Weights) -> int:
    """What playing a hazard on the n-th next side is worth."""
    at = FIELDS * n
    value = hazard_weight(kind, w) + w.hit_remedies * min(6, unseen[kind + REPAIRS - ACCIDENT])
    under = sides[at + UNDER]
    if kind == SPEED_LIMIT:
        if not sides[at + MOVING]:
            value += w.hit_stuck_limit
    elif under >= 0:  # it only covers another hazard
        value -= hazard_weight(under, w)
    elif not sides[at + MOVING]:
        value += w.hit_waiting
    left = facts[GOAL] - sides[at + MILES]
    value += w.hit_progress * sides[at + MILES] // 4
    if left <= 8:
        value += w.hit_near
    if threat(n, unseen, sides, facts) == 2:
        value += w.hit_danger
    if sides[at + MILES] == 0:
        value += w.hit_shut_out
    leads = True
    for other in range(1, facts[SIDES]):
        if sides[FIELDS * other + MILES] > sides[at + MILES]:
            leads = False
    if leads and facts[SIDES] > 2:
        value += w.hit_leader
    answer = min(kind - ACCIDENT, 3) + SAFETY
    if unseen[answer] > 0:
        hidden = facts[DRAW_PILE] + sides[CARDS]
        callers = 0
        for other in range(1, facts[SIDES]):
            hidden += sides[FIELDS * other + CARDS]
            if other == n or facts[ANYONE]:
                callers += sides[FIELDS * other + CARDS]
        value -= w.hit_coup * callers // max(1, hidden)
    elif hand[answer] and facts[ANYONE]:  # one may answer one's own hazard, and it stays where it is (R5.2)
        value += w.hit_own_coup
    return value


def keeping(kind: int, hand: Numbers, unseen: Numbers, sides: Numbers, facts: Numbers, w: Weights) -> int:
    """What a card in hand is worth: the cost of a discard."""
    if kind < ACCIDENT:
        return keeping_distance(kind, hand, sides, facts, w)
    if kind <= SPEED_LIMIT:
        return keeping_hazard(kind, hand, sides, facts, w)
    if kind >= SAFETY:
        return w.keep_safety
    return keeping_remedy(kind, hand, unseen, sides, w)


def keeping_distance(kind: int, hand: Numbers, sides: Numbers, facts: Numbers, w: Weights) -> int:
    """What a distance card in hand is worth."""
    units = UNITS[kind]
    left = facts[GOAL] - sides[MILES]
    two_hundreds = sides[TWO_HUNDREDS]
    if kind == 4 and two_hundreds + hand[4] > 2:
        return 0
    if units > left:
        return w.keep_beyond if facts[EXTENDED] > 0 else 0
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
    value += w.keep_same * (hand[kind] - 1)
    if units <= 2 and hand[0] + hand[1] == 1:
        value += w.keep_slow_now if sides[LIMITED] else w.keep_slow
    if sums_to(left, hand, -1, two_hundreds) and not sums_to(left, hand, kind, two_hundreds):
        value += w.keep_exact
    if units == left and hand[kind] == 1:
        value += w.keep_last
    return value


def keeping_hazard(kind: int, hand: Numbers, sides: Numbers, facts: Numbers, w: Weights) -> int:
    """What a hazard in hand is worth."""
    safety = 1 << min(kind - ACCIDENT, 3)
    usable = False
    for n in range(1, facts[TARGETS] + 1):
        if not sides[FIELDS * n + SAFETIES] & safety:
            usable = True
    if not usable:
        return 0
    value = keeping_any_hazard(kind, w)
    if hand[min(kind - ACCIDENT, 3) + SAFETY]:
        value += w.keep_own_coup if facts[ANYONE] else w.keep_sure
    return value + w.keep_second * (hand[kind] - 1)


def keeping_any_hazard(kind: int, w: Weights) -> int:
    """What a hazard in hand is worth by its kind alone."""
    return w.keep_stop if kind == STOP else w.keep_limit if kind == SPEED_LIMIT else w.keep_major


def keeping_remedy(kind: int, hand: Numbers, unseen: Numbers, sides: Numbers, w: Weights) -> int:
    """What a remedy in hand is worth."""
    hazard = kind - REPAIRS + ACCIDENT
    safety = min(kind - REPAIRS, 3)
    if sides[SAFETIES] >> safety & 1:
        return 0
    count = hand[kind]
    coming = unseen[hazard]
    if kind == ROLL:
        for major in range(ACCIDENT, STOP):
            if not sides[SAFETIES] >> major - ACCIDENT & 1:
                coming += unseen[major]
        if not sides[MOVING]:
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
        return value * w.keep_owned // 100 if hand[RIGHT_OF_WAY] else value
    now = sides[LIMITED] == 1 if kind == END_OF_LIMIT else sides[UNDER] == hazard
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
    return value * w.keep_owned // 100 if hand[SAFETY + safety] else value


def extension(hand: Numbers, sides: Numbers, facts: Numbers, w: Weights) -> int:
    """What calling the extension seems worth."""
    if facts[WINS]:
        return WORST
    more = facts[EXTENDED] - facts[GOAL]
    held = 0
    for kind in range(4):
        held += UNITS[kind] * hand[kind]
    held += UNITS[4] * min(hand[4], 2 - sides[TWO_HUNDREDS])
    value = w.extend + w.extend_miles * min(held, more)
    if sums_to(more, hand, -1, sides[TWO_HUNDREDS]):
        value += w.extend_exact
    for i in range(4):
        owned = sides[SAFETIES] >> i & 1
        if owned or hand[SAFETY + i]:
            value += w.extend_safety if owned else w.extend_held
        elif i < 3 and hand[REPAIRS + i]:
            value += w.extend_remedy
    if sides[SAFETIES] >> 3 & 1:
        value += w.extend_right_of_way
    else:
        value += w.extend_roll * min(2, hand[ROLL])
    for n in range(1, facts[SIDES]):
        at = FIELDS * n
        if sides[at + UNDER] >= 0:
            value += w.extend_stuck
        if sides[at + MILES] == 0:
            value += w.extend_shut_out
        value += w.extend_their_miles * sides[at + MILES]
    return value
