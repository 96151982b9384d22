"""Maxims that value cards in hand by the cards that may still come. They add to the values of `keeping`."""

from millebornes.policies.codes import ACCIDENT, END_OF_LIMIT, REPAIRS, RIGHT_OF_WAY, ROLL, SAFETY, SPEED_LIMIT, STOP
from millebornes.policies.features import Features
from millebornes.policies.maxim_weights import Advice


def distance_to_come(kind: int, f: Features, w: Advice) -> int:
    """Discard a distance card more readily if you are stopped, if you hold several, or if more can still come."""
    large = kind >= 2
    others = f.hand[2] + f.hand[3] + f.hand[4] - large
    value = w.keep_miles_unseen * min(8, f.unseen[kind]) + w.keep_miles_held * min(4, others)
    value += w.keep_miles_waiting * (f.sides[0].moving == 0) + w.keep_miles_limited * (large & (f.sides[0].limited > 0))
    return int(value + large_for_the_extension(f, w) * (kind >= 3))


def least_distance_to_come(f: Features, w: Advice) -> int:
    """Return a lower bound for the value that `distance_to_come` adds."""
    held = min(4, f.hand[2] + f.hand[3] + f.hand[4])
    value = 8 * min(0, w.keep_miles_unseen) + min(0, w.keep_miles_held) * held
    value += w.keep_miles_waiting * (f.sides[0].moving == 0) + min(0, w.keep_miles_limited) * (f.sides[0].limited > 0)
    return int(value + min(0, large_for_the_extension(f, w)))


def large_for_the_extension(f: Features, w: Advice) -> int:
    """Value large distance cards for an extension, especially with safeties in hand."""
    safeties = 0
    for kind in range(SAFETY, RIGHT_OF_WAY + 1):
        safeties += f.hand[kind]
    return int(w.keep_large_safety * safeties + w.keep_large_extendable * (f.extended_goal > 0))


def hazards_to_use(f: Features) -> int:
    """Return the number of hazards in hand that can still be played on some side."""
    hits = 0
    for kind in range(ACCIDENT, SPEED_LIMIT + 1):
        usable = 0
        for n in range(1, f.targets + 1):
            usable |= 1 - (f.sides[n].safeties >> min(kind - ACCIDENT, 3) & 1)
        hits += f.hand[kind] * usable
    return int(hits)


def hits_to_come(kind: int, hits: int, f: Features, w: Advice) -> int:
    """Keep a hazard while many cards are left to draw, but less so if you hold other hazards to play (``hits``)."""
    stuck = True  # all sides that may be hit are under a major hazard …
    waiting = True  # … or need a roll
    for n in range(1, f.targets + 1):
        under = f.sides[n].under
        stuck &= (under >= ACCIDENT) & (under < STOP)
        waiting &= (under < 0) & (f.sides[n].moving == 0)
    value = w.keep_hit_held * (min(5, hits) - 1)
    safety = f.unseen[min(kind - ACCIDENT, 3) + SAFETY]
    if kind < STOP:
        value += w.keep_hit_early * f.draw_pile // 10 + w.keep_hit_unseen * f.unseen[kind]
        return int(value + w.keep_hit_coup * safety + w.keep_hit_stuck * stuck)
    value += w.keep_minor_early * f.draw_pile // 10 + w.keep_minor_coup * safety
    return int(value + w.keep_minor_stuck * stuck + w.keep_minor_waiting * waiting)


def least_hits_to_come(f: Features, w: Advice) -> int:
    """Return a lower bound for the value that `hits_to_come` adds, with at most three hazards of a kind in hand."""
    pile = f.draw_pile
    held = 4 * min(0, w.keep_hit_held)
    unseen = max(f.unseen[ACCIDENT], f.unseen[ACCIDENT + 1], f.unseen[ACCIDENT + 2])
    coup = max(f.unseen[SAFETY], f.unseen[SAFETY + 1], f.unseen[SAFETY + 2])
    major = w.keep_hit_early * pile // 10 + min(0, w.keep_hit_unseen) * unseen + min(0, w.keep_hit_coup) * coup
    minor = w.keep_minor_early * pile // 10 + min(0, w.keep_minor_coup) * f.unseen[RIGHT_OF_WAY]
    minor += min(0, w.keep_minor_stuck, w.keep_minor_waiting)
    return int(held + min(major + min(0, w.keep_hit_stuck), minor))


def least_remedies_to_come(f: Features, w: Advice) -> int:
    """Return a lower bound for the value that `remedies_to_come` adds."""
    pile = f.draw_pile
    roll = 8 * min(0, w.keep_roll_unseen) + w.keep_roll_early * pile // 10 + min(0, w.keep_roll_waiting)
    end = 6 * min(0, w.keep_end_unseen) + w.keep_end_early * pile // 10
    coup = max(f.unseen[SAFETY], f.unseen[SAFETY + 1], f.unseen[SAFETY + 2])
    remedy = 6 * min(0, w.keep_remedy_unseen) + w.keep_remedy_early * pile // 10 + min(0, w.keep_remedy_coup) * coup
    return int(min(0, roll, end, remedy))


def remedies_to_come(kind: int, f: Features, w: Advice) -> int:
    """Discard a remedy that you may need later more readily while more of its kind can still come."""
    pile = f.draw_pile
    unseen = f.unseen[kind]
    if kind == ROLL:
        value = w.keep_roll_unseen * min(8, unseen) + w.keep_roll_early * pile // 10
        return int(value + w.keep_roll_waiting * (f.sides[0].moving == 0))
    if kind == END_OF_LIMIT:
        return int(w.keep_end_unseen * min(6, unseen) + w.keep_end_early * pile // 10)
    value = w.keep_remedy_unseen * min(6, unseen) + w.keep_remedy_early * pile // 10
    return int(value + w.keep_remedy_coup * f.unseen[kind + SAFETY - REPAIRS])
