"""The maxims themselves: each a small rule that tells what it adds to the worth of a move, in points.

Everything works on whole numbers: ``f`` holds `hand`, `unseen`, `sides` and `facts` (`millebornes.players.features`),
``w`` the weights (`millebornes.players.advice`), ``kind`` a kind of card, ``n`` counts sides clockwise from one's own.
The same functions run as they are and compiled as kernels. A maxim whose weights are nought is switched off.
"""

from typing import Any

from millebornes.players.extension import extending
from millebornes.players.keeping import keeping
from millebornes.players.thumb import (
    ACCIDENT,
    ANYONE,
    CALL,
    CARDS,
    DRAW_PILE,
    END_OF_LIMIT,
    EXTEND,
    EXTENDED,
    FIELDS,
    FINISH,
    GIVES_ROLL,
    GOAL,
    LIMITED,
    MILES,
    MOVING,
    PASS,
    REPAIRS,
    RIGHT_OF_WAY,
    ROLL,
    ROLL_200,
    SAFETIES,
    SAFETY,
    SIDES,
    SPEED_LIMIT,
    STOP,
    TWO_HUNDREDS,
    UNDER,
    UNITS,
    WORST,
    dead_end,
    sums_to,
    threat,
)

__all__ = ["best_move", "move_value"]


def best_move(codes: Any, f: Any, w: Any) -> int:
    """The legal move (of ``codes``, ascending) that seems worth most; of equals the one with the lowest code."""
    danger = 0
    for n in range(1, f.facts[SIDES]):
        danger = max(danger, threat(n, f.unseen, f.sides, f.facts))
    finishing = False
    for code in codes:
        if code % 3 == 1 and code < 15 and f.sides[MILES] + UNITS[code // 3] == f.facts[GOAL]:
            finishing = True
    best = -1
    highest = WORST - 1
    for code in codes:
        value = move_value(code, danger, finishing, f, w)
        if value > highest:
            best = code
            highest = value
    return best


def move_value(code: int, danger: int, finishing: bool, f: Any, w: Any) -> int:
    """What a move is worth in points.

    ``danger`` tells how soon another side may arrive (`thumb.threat`), ``finishing`` whether one's own side may now.
    """
    place = code % 64
    kind = place // 3
    way = place % 3
    if code in (PASS, FINISH):
        return 0
    if code == EXTEND:
        return extending(f, w)
    if place == ROLL_200:
        return int(rolling(f, w) - w.two_hundred_roll - keeping(4, danger, f, w))
    if way == 2:
        return CALL  # a coup fourré is always called
    if way == 0:
        return -keeping(kind, danger, f, w)
    if kind < ACCIDENT:
        return driving(kind, danger, f, w)
    if kind <= SPEED_LIMIT:
        return hitting(kind, code // 64 + 1, f, w)
    if kind < SAFETY:
        return remedying(kind, f, w)
    if finishing and cashes_in(f, w):
        return CALL
    return protecting(kind, danger, f, w)


# ---------------------------------------------------------------- distance


def driving(kind: int, danger: int, f: Any, w: Any) -> int:
    """A distance card: the sum of its maxims."""
    rest = f.facts[GOAL] - f.sides[MILES] - UNITS[kind]
    value = large_distance_at_once(kind, w) + break_the_shut_out(f, w) + safe_trip(kind, f, w)
    if rest == 0:
        return int(value + w.finish - delayed_action(danger, f, w))
    return value + even_finish(kind, rest, f, w) + no_lone_odd_card(kind, rest, f, w) + keep_up_speed(kind, f, w)


def large_distance_at_once(kind: int, w: Any) -> int:
    """Large distance is played at once."""
    return int(w.mile * UNITS[kind] // 4)


def break_the_shut_out(f: Any, w: Any) -> int:
    """One's first distance comes before all else, the more so once others have some."""
    if f.sides[MILES] > 0:
        return 0
    value = w.shut_out
    for n in range(1, f.facts[SIDES]):
        if f.sides[FIELDS * n + MILES] > 0:
            return int(value + w.shut_out_behind)
    return int(value)


def safe_trip(kind: int, f: Any, w: Any) -> int:
    """A first 200 gives the safe trip away, which is nearer the further one has come."""
    if kind != 4 or f.sides[TWO_HUNDREDS] > 0:
        return 0
    return int(-w.safe_trip - w.safe_trip_far * f.sides[MILES] // 4)


def delayed_action(danger: int, f: Any, w: Any) -> int:
    """With few cards to draw and nobody near, waiting gains the delayed action."""
    pile = f.facts[DRAW_PILE]
    if pile == 0 or danger == 2:
        return 0
    return int(w.finish) if pile <= (w.delay_near if danger == 1 else w.delay) else 0


def even_finish(kind: int, rest: int, f: Any, w: Any) -> int:
    """The goal must be reached exactly: put the last cards together in hand, and leave no dead end."""
    two_hundreds = f.sides[TWO_HUNDREDS] + (kind == 4)
    if sums_to(rest, f.hand, kind, two_hundreds):
        return int(w.exact)
    value = 0
    if dead_end(rest, f.hand, f.unseen):
        value += w.dead_end
    if rest <= 8:
        value += w.near_end
    return int(value)


def no_lone_odd_card(kind: int, rest: int, f: Any, w: Any) -> int:
    """A lone 75 is the riskiest distance, a lone 25 risky, a lone 50 fairly safe; less so with a partner in hand."""
    odd = rest % 4
    if odd == 0:
        return 0
    if odd == 1:
        held = f.hand[0] - (kind == 0)
        value = w.odd_25
    elif odd == 2:
        held = f.hand[1] - (kind == 1)
        value = w.odd_50
    else:
        held = f.hand[2] - (kind == 2)
        value = w.odd_75
    if held > 0:
        value += w.odd_held
    if rest <= 8:
        value += w.odd_near_end
    return int(value)


def keep_up_speed(kind: int, f: Any, w: Any) -> int:
    """Under a limit the last small card is worth keeping for a shut-out to come; without one, play the large."""
    return int(w.slow_spent) if kind <= 1 and f.hand[0] + f.hand[1] == 1 and not f.sides[LIMITED] else 0


# ---------------------------------------------------------------- rolls, remedies, safeties


def rolling(f: Any, w: Any) -> int:
    """To roll is clearly best where one does not move, best with distance to follow."""
    if f.sides[MOVING]:
        return int(w.idle)
    value = w.roll
    if f.hand[0] + f.hand[1] > 0 or (not f.sides[LIMITED] and f.hand[2] + f.hand[3] + f.hand[4] > 0):
        value += w.roll_ready
    if f.hand[ROLL] > 1:
        value += w.roll_spare
    return int(value + w.roll_late * max(0, 20 - f.facts[DRAW_PILE]))


def remedying(kind: int, f: Any, w: Any) -> int:
    """End what holds one up; end a limit when large distance waits for it."""
    if kind == ROLL:
        return rolling(f, w)
    if kind == END_OF_LIMIT:
        value = w.end_of_limit + w.end_of_limit_large * min(2, f.hand[2] + f.hand[3] + f.hand[4])
        if f.hand[0] + f.hand[1] > 0:
            value += w.end_of_limit_slow
        return int(value if f.sides[MOVING] else value + w.end_of_limit_stuck)
    value = w.remedy
    if f.hand[ROLL] > 0 or f.sides[SAFETIES] & 8:
        value += w.remedy_roll
    return int(value)


def cashes_in(f: Any, w: Any) -> bool:
    """Never be caught with a safety at the end of the trip, unless an extension keeps its chances."""
    return bool(f.facts[EXTENDED] == 0 or extending(f, w) <= 0)


def protecting(kind: int, danger: int, f: Any, w: Any) -> int:
    """A safety in an ordinary turn: the sum of its maxims."""
    under = f.sides[UNDER]
    value = w.safety + hold_for_the_coup(kind, f, w) + safety_before_the_end(danger, f, w)
    if kind == RIGHT_OF_WAY:
        value += right_of_way_to_move(f, w)
    if under >= 0 and min(under - ACCIDENT, 3) + SAFETY == kind:
        value += w.safety_relief
        if f.hand[under + REPAIRS - ACCIDENT] > 0:
            value += w.safety_remedy_held
        if f.facts[GIVES_ROLL]:
            value += w.safety_moves
    return int(value)


def hold_for_the_coup(kind: int, f: Any, w: Any) -> int:
    """A safety waits for its hazards, the right of way for nine of them; with all of them seen it is played."""
    if kind == RIGHT_OF_WAY:
        coming = f.unseen[STOP] + f.unseen[SPEED_LIMIT]
        mine = f.hand[STOP] + f.hand[SPEED_LIMIT]
    else:
        hazard = kind - SAFETY + ACCIDENT
        coming = f.unseen[hazard]
        mine = f.hand[hazard]
    if f.facts[ANYONE]:
        coming += mine
    if coming == 0:
        return int(w.safety_dead)
    return int(w.safety_wait * min(5, coming))


def safety_before_the_end(danger: int, f: Any, w: Any) -> int:
    """When another side may arrive, or the cards run out, safeties in hand are as good as lost: play them."""
    value = 0
    if danger == 2:
        value = w.safety_danger
    elif danger == 1:
        value = w.safety_near
    return int(value + w.safety_late * max(0, 12 - f.facts[DRAW_PILE]))


def right_of_way_to_move(f: Any, w: Any) -> int:
    """Where only a roll is wanting, or a limit holds, the right of way may go for certain distance."""
    value = 0
    if f.sides[LIMITED]:
        value += w.safety_limit
    if not f.sides[MOVING] and f.sides[UNDER] == -1:
        value += w.safety_moves
        if f.hand[ROLL] > 0:
            value += w.safety_roll_held
        if f.sides[MILES] == 0:
            value += w.safety_shut_out
    return int(value)


# ---------------------------------------------------------------- hazards


def hitting(kind: int, n: int, f: Any, w: Any) -> int:
    """A hazard on the n-th next side: the sum of its maxims."""
    return int(
        strong_hazards_first(kind, w)
        + scarce_remedies(kind, f, w)
        + no_cover(kind, n, f, w)
        + hit_who_leads(n, f, w)
        + hit_before_small_distance(kind, f, w)
        - mind_their_coup(kind, n, f, w)
    )


def strong_hazards_first(kind: int, w: Any) -> int:
    """Major hazards are strong, a stop is minor, a speed limit weak."""
    if kind == STOP:
        return int(w.stop)
    return int(w.speed_limit if kind == SPEED_LIMIT else w.major)


def scarce_remedies(kind: int, f: Any, w: Any) -> int:
    """Each remedy that has gone makes its hazard worth more."""
    remedies = f.unseen[kind + REPAIRS - ACCIDENT]
    return int(w.hit_remedies * min(8, remedies) + (w.hit_no_remedy if remedies <= 1 else 0))


def no_cover(kind: int, n: int, f: Any, w: Any) -> int:
    """A limit on a side that stands is unwise, and a hazard over another one gains little."""
    at = FIELDS * n
    under = f.sides[at + UNDER]
    if kind == SPEED_LIMIT:
        value = 0 if f.sides[at + MOVING] else w.hit_stuck_limit
        return int(value + (w.hit_limit_shut_out if f.sides[at + MILES] == 0 else 0))
    if under >= 0:
        return -strong_hazards_first(under, w)
    return int(0 if f.sides[at + MOVING] else w.hit_waiting)


def hit_who_leads(n: int, f: Any, w: Any) -> int:
    """Hit who is about to arrive, who leads, and who has no distance yet."""
    at = FIELDS * n
    miles = f.sides[at + MILES]
    value = w.hit_progress * miles // 4
    left = f.facts[GOAL] - miles
    if left <= 8:
        value += w.hit_near
    if threat(n, f.unseen, f.sides, f.facts) == 2:
        value += w.hit_danger
    if miles == 0:
        value += w.hit_shut_out
    if f.facts[SIDES] > 2:
        leads = True
        for other in range(1, f.facts[SIDES]):
            if f.sides[FIELDS * other + MILES] > miles:
                leads = False
        if leads:
            value += w.hit_leader
    return int(value)


def hit_before_small_distance(kind: int, f: Any, w: Any) -> int:
    """With large distance to play hit less gladly, and play one's own roll before a minor hazard."""
    value = 0
    if f.sides[MOVING]:
        if not f.sides[LIMITED] and f.hand[3] + f.hand[4] > 0:
            value += w.hit_large_held
    elif f.hand[ROLL] > 0 and f.sides[UNDER] in (-1, STOP):
        value += w.hit_roll_held if kind < STOP else w.hit_roll_held_minor
    return int(value + (w.hit_spare if f.hand[kind] > 1 else 0) + w.hit_late * max(0, 20 - f.facts[DRAW_PILE]))


def mind_their_coup(kind: int, n: int, f: Any, w: Any) -> int:
    """The cost of a coup fourré times its chance; where anybody may call, one's own safety makes it a gain."""
    answer = min(kind - ACCIDENT, 3) + SAFETY
    if f.unseen[answer] > 0:
        hidden = f.facts[DRAW_PILE] + f.sides[CARDS]
        callers = 0
        for other in range(1, f.facts[SIDES]):
            cards = f.sides[FIELDS * other + CARDS]
            hidden += cards
            if other == n or f.facts[ANYONE]:
                callers += cards
        cost = w.hit_coup_minor if kind >= STOP else w.hit_coup
        return int(cost * callers // max(1, hidden))
    if f.hand[answer] > 0 and f.facts[ANYONE]:
        return int(-w.hit_own_coup)
    return 0
