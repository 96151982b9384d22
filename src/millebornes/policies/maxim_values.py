"""The maxims: small rules, each of which adds points to the value of a move or subtracts points from it.

All values are integers. ``f`` contains what the seat knows (`millebornes.policies.features`), ``w`` contains the
weights (`millebornes.policies.maxim_weights`), ``kind`` is a kind of card, and ``n`` counts sides clockwise from the
player's side. The same functions run in plain Python and, compiled, in kernels. A function without a description is a
maxim that maxims.toml describes, or adds up several. A maxim has no effect if its weights are zero.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from millebornes.policies.codes import (
    ACCIDENT,
    DISTANCE_PLAYS,
    END_OF_LIMIT,
    EXTEND,
    FINISH,
    HAZARD_PLAYS,
    PASS,
    REMEDY_PLAYS,
    REPAIRS,
    RIGHT_OF_WAY,
    ROLL,
    ROLL_200,
    SAFETY,
    SAFETY_PLAYS,
    SPEED_LIMIT,
    STOP,
    lowest,
    units,
)
from millebornes.policies.features import Features
from millebornes.policies.heuristic import CALL, WORST, dead_end, greatest_threat, sums_to
from millebornes.policies.maxim_extension import extending
from millebornes.policies.maxim_keeping import (
    held_distance,
    held_hazard,
    held_remedy,
    is_together,
    keeping,
    worth_discarding,
)
from millebornes.policies.maxim_waiting import hazards_to_use
from millebornes.policies.maxim_weights import Advice

Held = Callable[[int, Any, Features, Advice], int]
"""A function that returns the value of a card in hand, given its kind and a number shared by all cards of its class."""

RANKS: Final = 1024
"""Moves are ranked by their value times this number minus their code, so that equal values have a fixed order."""


def best_move(words: Sequence[int], f: Features, w: Advice) -> int:
    """Return the legal move with the highest value.

    If several moves have the same value, return the one with the lowest code. ``words[n]`` contains the legal move
    codes from 64 n on, as bits (`millebornes.rules.state`). At least one bit must be set.
    """
    plays = words[0]
    if plays >> PASS:
        return answer(plays, f, w)
    danger = greatest_threat(f)
    best = WORST * RANKS
    finishing = False
    word = plays & DISTANCE_PLAYS
    while word:
        code = lowest(word)
        word &= word - 1
        finishing |= f.sides[0].distance + units(code // 3) == f.goal
        best = max(best, RANKS * driving(code // 3, danger, f, w) - code)
    for n in range(1, f.targets + 1):
        word = words[n - 1] & HAZARD_PLAYS
        while word:
            code = lowest(word)
            word &= word - 1
            best = max(best, RANKS * hitting(code // 3, n, f, w) - code - 64 * (n - 1))
    word = plays & REMEDY_PLAYS
    while word:
        code = lowest(word)
        word &= word - 1
        best = max(best, RANKS * remedying(code // 3, f, w) - code)
    if plays >> ROLL_200 & 1:
        best = max(best, RANKS * rolling_with_200(f, w) - ROLL_200)
    word = plays & SAFETY_PLAYS
    if word:
        last_chance = finishing and cashes_in(f, w)
    while word:
        code = lowest(word)
        word &= word - 1
        value = CALL if last_chance else protecting(code // 3, danger, f, w)
        best = max(best, RANKS * value - code)
    if best > RANKS * worth_discarding(f, w):
        return -best & RANKS - 1
    best = max(best, best_discard(plays & DISTANCE_PLAYS >> 1, held_distance, is_together(f), f, w))
    word = plays & HAZARD_PLAYS >> 1
    if word:
        best = max(best, best_discard(word, held_hazard, hazards_to_use(f), f, w))
    best = max(best, best_discard(plays & REMEDY_PLAYS >> 1, held_remedy, danger, f, w))
    word = plays & SAFETY_PLAYS >> 1
    if word:
        best = max(best, -RANKS * w.keep_safety - lowest(word))
    return -best & RANKS - 1


def best_discard(word: int, held: Held, about: int, f: Features, w: Advice) -> int:
    """Return the value of the best discard in ``word``. ``held(kind, about, f, w)`` returns the value of a card."""
    best = WORST * RANKS
    while word:
        code = lowest(word)
        word &= word - 1
        best = max(best, -RANKS * held(code // 3, about, f, w) - code)
    return best


def answer(word: int, f: Features, w: Advice) -> int:
    """Return the best answer to a question: always call a coup fourré, and extend the trip if the value is positive."""
    if word >> EXTEND & 1:
        return EXTEND if extending(f, w) >= 0 else FINISH
    return lowest(word)


def move_value(code: int, danger: int, finishing: bool, f: Features, w: Advice) -> int:
    """Return the value of a move, in points.

    ``danger`` says how soon another side could complete the trip (`heuristic.threat`). ``finishing`` is true if the
    player's side can complete the trip now.
    """
    place = code % 64
    kind = place // 3
    way = place % 3
    if code in (PASS, FINISH):
        return 0
    if code == EXTEND:
        return extending(f, w)
    if place == ROLL_200:
        return rolling_with_200(f, w)
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


def driving(kind: int, danger: int, f: Features, w: Advice) -> int:
    rest = f.goal - f.sides[0].distance - units(kind)
    value = large_distance_at_once(kind, w) + break_the_shut_out(f, w) + safe_trip(kind, f, w)
    if rest == 0:
        return int(value + w.finish - delayed_action(danger, f, w))
    value += even_finish(kind, rest, f, w) + no_lone_odd_card(kind, rest, f, w) + keep_up_speed(kind, f, w)
    return int(value + small_while_plenty(kind, f, w) + drive_from_behind(f, w))


def large_distance_at_once(kind: int, w: Advice) -> int:
    return int(w.mile * units(kind) // 4 + w.drive_200 * (kind == 4))


def small_while_plenty(kind: int, f: Features, w: Advice) -> int:
    value = w.small_plenty * min(6, f.unseen[kind]) + w.small_early * f.draw_pile // 10
    value += w.small_offset + w.small_limited * (f.sides[0].limited > 0)
    return int(value * (kind <= 1) + w.drive_75 * (kind == 2))


def drive_from_behind(f: Features, w: Advice) -> int:
    best = 0
    for n in range(1, f.side_count):
        best = max(best, f.sides[n].distance)
    ahead = f.sides[0].distance - best
    value = w.drive_ahead * max(0, ahead) // 4 + w.drive_behind * max(0, -ahead) // 4
    return int(value + w.drive_early * f.draw_pile // 10)


def break_the_shut_out(f: Features, w: Advice) -> int:
    if f.sides[0].distance > 0:
        return 0
    value = w.shut_out
    for n in range(1, f.side_count):
        if f.sides[n].distance > 0:
            return int(value + w.shut_out_behind)
    return int(value)


def safe_trip(kind: int, f: Features, w: Advice) -> int:
    """Avoid the first 200, which gives up the safe-trip bonus. The bonus is more likely the further you have driven."""
    first = (kind == 4) & (f.sides[0].two_hundreds == 0)
    return int((-w.safe_trip - w.safe_trip_far * f.sides[0].distance // 4) * first)


def delayed_action(danger: int, f: Features, w: Advice) -> int:
    pile = f.draw_pile
    if pile == 0 or danger == 2:
        return 0
    return int(w.finish) if pile <= (w.delay_near if danger == 1 else w.delay) else 0


def even_finish(kind: int, rest: int, f: Features, w: Advice) -> int:
    together = sums_to(rest, f.hand, kind, f.sides[0].two_hundreds + (kind == 4))
    hopes = w.dead_end * dead_end(rest, f.hand, f.unseen) + w.near_end * (rest <= 8)
    return int(w.exact * together + hopes * (not together))


def no_lone_odd_card(kind: int, rest: int, f: Features, w: Advice) -> int:
    odd = rest & 3
    partner = odd - 1 & 3
    held = f.hand[partner] > (kind == partner)
    value = w.odd_25 * (odd == 1) + w.odd_50 * (odd == 2) + w.odd_75 * (odd == 3)
    return int(value + (w.odd_held * held + w.odd_near_end * (rest <= 8)) * (odd > 0))


def keep_up_speed(kind: int, f: Features, w: Advice) -> int:
    return int(w.slow_spent * ((kind <= 1) & (f.hand[0] + f.hand[1] == 1) & (f.sides[0].limited == 0)))


# ---------------------------------------------------------------- rolls, remedies, safeties


def rolling(f: Features, w: Advice) -> int:
    """Play a roll if you are stopped, especially if you have a distance card to play next."""
    if f.sides[0].moving:
        return int(w.idle)
    small = f.hand[0] + f.hand[1] > 0
    large = (f.sides[0].limited == 0) & (f.hand[2] + f.hand[3] + f.hand[4] > 0)
    value = w.roll + w.roll_ready * (small | large) + w.roll_spare * (f.hand[ROLL] > 1)
    return int(value + w.roll_late * max(0, 20 - f.draw_pile))


def rolling_with_200(f: Features, w: Advice) -> int:
    """Avoid using a 200 as a roll, because it is expensive."""
    return int(rolling(f, w) - w.two_hundred_roll - held_distance(4, is_together(f), f, w))


def remedying(kind: int, f: Features, w: Advice) -> int:
    """Remedy the hazard that stops you, and end a speed limit when you have large distance cards to play."""
    if kind == ROLL:
        return rolling(f, w)
    if kind == END_OF_LIMIT:
        value = w.end_of_limit + w.end_of_limit_large * min(2, f.hand[2] + f.hand[3] + f.hand[4])
        value += w.end_of_limit_slow * (f.hand[0] + f.hand[1] > 0)
        return int(value + w.end_of_limit_stuck * (f.sides[0].moving == 0))
    return int(w.remedy + w.remedy_roll * ((f.hand[ROLL] > 0) | (f.sides[0].safeties >= 8)))


def cashes_in(f: Features, w: Advice) -> bool:
    """Play safeties before you complete the trip, unless an extension would keep their chances."""
    return bool(f.extended_goal == 0 or extending(f, w) <= 0)


def protecting(kind: int, danger: int, f: Features, w: Advice) -> int:
    under = f.sides[0].under
    value = w.safety + hold_for_the_coup(kind, f, w) + safety_before_the_end(danger, f, w)
    value += w.safety_large * min(3, f.hand[2] + f.hand[3] + f.hand[4])
    if kind == RIGHT_OF_WAY:
        value += right_of_way_to_move(f, w)
    if under >= 0 and min(under - ACCIDENT, 3) + SAFETY == kind:
        value += w.safety_relief
        if f.hand[under + REPAIRS - ACCIDENT] > 0:
            value += w.safety_remedy_held
        if f.gives_roll:
            value += w.safety_moves
    return int(value)


def hold_for_the_coup(kind: int, f: Features, w: Advice) -> int:
    hazard = STOP if kind == RIGHT_OF_WAY else kind - SAFETY + ACCIDENT
    limits = kind == RIGHT_OF_WAY
    coming = f.unseen[hazard] + f.unseen[SPEED_LIMIT] * limits
    coming += (f.hand[hazard] + f.hand[SPEED_LIMIT] * limits) * (f.anyone > 0)
    value = w.safety_dead * (coming == 0) + w.safety_wait * min(5, coming)
    return int(value + w.safety_early * f.draw_pile // 10 + w.safety_right_of_way * limits)


def safety_before_the_end(danger: int, f: Features, w: Advice) -> int:
    """Play safeties when another side may finish or the cards run out, because they could soon be lost."""
    value = w.safety_danger * (danger == 2) + w.safety_near * (danger == 1)
    return int(value + w.safety_late * max(0, 12 - f.draw_pile))


def right_of_way_to_move(f: Features, w: Advice) -> int:
    value = w.safety_moves + w.safety_roll_held * (f.hand[ROLL] > 0) + w.safety_shut_out * (f.sides[0].distance == 0)
    wanting = (f.sides[0].moving == 0) & (f.sides[0].under == -1)
    return int(w.safety_limit * (f.sides[0].limited > 0) + value * wanting)


# ---------------------------------------------------------------- hazards


def hitting(kind: int, n: int, f: Features, w: Advice) -> int:
    return int(
        strong_hazards_first(kind, w)
        + scarce_remedies(kind, f, w)
        + no_cover(kind, n, f, w)
        + hit_who_leads(n, f, w)
        + hit_before_small_distance(kind, f, w)
        - mind_their_coup(kind, n, f, w)
    )


def strong_hazards_first(kind: int, w: Advice) -> int:
    return int(w.stop * (kind == STOP) + w.speed_limit * (kind == SPEED_LIMIT) + w.major * (kind < STOP))


def scarce_remedies(kind: int, f: Features, w: Advice) -> int:
    remedies = f.unseen[kind + REPAIRS - ACCIDENT]
    return int(w.hit_remedies * min(8, remedies) + w.hit_no_remedy * (remedies <= 1))


def no_cover(kind: int, n: int, f: Features, w: Advice) -> int:
    """Don't limit the speed of a side that is stopped, and don't expect much from a hazard on top of another."""
    side = f.sides[n]
    under = side.under
    stands = side.moving == 0
    limit = w.hit_stuck_limit * stands + w.hit_limit_shut_out * (side.distance == 0)
    cover = w.hit_waiting * stands * (under < 0) - strong_hazards_first(under, w) * (under >= 0)
    return int(limit if kind == SPEED_LIMIT else cover)


def hit_who_leads(n: int, f: Features, w: Advice) -> int:
    side = f.sides[n]
    miles = side.distance
    value = w.hit_progress * miles // 4 + w.hit_near * (f.goal - miles <= 8)
    value += w.hit_danger * (f.threats[n] == 2) + w.hit_shut_out * (miles == 0)
    if f.side_count > 2:
        leads = True
        for other in range(1, f.side_count):
            leads &= f.sides[other].distance <= miles
        value += w.hit_leader * leads
    return int(value)


def hit_before_small_distance(kind: int, f: Features, w: Advice) -> int:
    """If you have a large distance card to play, don't hit as readily. Play a roll before a minor hazard."""
    moving = f.sides[0].moving > 0
    large = moving & (f.sides[0].limited == 0) & (f.hand[3] + f.hand[4] > 0)
    under = f.sides[0].under
    roll = (not moving) & (f.hand[ROLL] > 0) & ((under == -1) | (under == STOP))
    value = w.hit_large_held * large + w.hit_roll_held * (roll & (kind < STOP))
    value += w.hit_roll_held_minor * (roll & (kind >= STOP)) + w.hit_spare * (f.hand[kind] > 1)
    hits = 0
    for other in range(ACCIDENT, SPEED_LIMIT + 1):
        hits += f.hand[other]
    pile = f.draw_pile
    value += w.hit_more * min(4, hits - 1) + w.limit_early * pile // 10 * (kind == SPEED_LIMIT)
    return int(value + w.hit_early * pile // 10 + w.hit_late * max(0, 20 - pile))


def mind_their_coup(kind: int, n: int, f: Features, w: Advice) -> int:
    """Subtract the likely cost of a coup fourré. If any seat may call it, your own safety turns this into a gain."""
    answer = min(kind - ACCIDENT, 3) + SAFETY
    if f.unseen[answer] > 0:
        hidden = f.draw_pile + f.sides[0].cards
        callers = 0
        for other in range(1, f.side_count):
            cards = f.sides[other].cards
            hidden += cards
            if other == n or f.anyone:
                callers += cards
        cost = w.hit_coup_minor if kind >= STOP else w.hit_coup
        return int(cost * callers // max(1, hidden))
    if f.hand[answer] > 0 and f.anyone:
        return int(-w.hit_own_coup)
    return 0
