"""R6: when a hand ends, and what a side can still score. R8: when the match ends."""

import enum
from collections.abc import Sequence
from typing import Any, NamedTuple

from millebornes.cards import REMEDY_OF, Card
from millebornes.editions import Rules
from millebornes.rules.clauses.status import Status, is_moving, under

__all__ = [
    "EndTest",
    "Held",
    "Needs",
    "can_score",
    "end_test",
    "goal_in_force",
    "highest_total",
    "is_hand_over",
    "is_match_over",
    "is_trip_complete",
    "is_won",
    "may_be_drawn",
    "may_extend",
    "remedy_to_move",
    "roll_to_move",
]


class EndTest(enum.IntEnum):
    """R6.3: what must still be possible for a hand to continue once the draw pile is empty (`hand_end` as a number)."""

    CARDS = 0
    PLAYS = 1
    POINTS = 2


class Held(NamedTuple):
    """R6.4: the cards in all the hands of a side.

    The fields say whether it holds these cards. ``remedy`` is the remedy that it needs. ``slow``, ``fast`` and
    ``two_hundred`` are a distance card of at most 50, one of 75 or 100, and a 200, each only if the goal and the limit
    of two 200s in R4.1 allow it. ``two_hundreds`` is the number of all 200s.
    """

    safety: bool
    remedy: bool
    roll: bool
    end_of_limit: bool
    slow: bool
    fast: bool
    two_hundred: bool
    two_hundreds: int


class Needs(NamedTuple):
    """R6.4: the cards that a side needs to move, and to move fast."""

    remedy: bool
    roll: bool
    end_of_limit: bool


# R6: the hand


def goal_in_force(rules: Rules, extended: bool) -> int:
    """R6.1, R6.2: return the goal in miles, which is higher once the extension has been called."""
    return rules.extension_goal if extended and rules.extension_goal else rules.goal


def is_trip_complete(distance: int, goal: int) -> bool:
    """R6.1: has a side at this distance reached the goal in force?"""
    return distance == goal


def may_extend(rules: Rules, extended: bool) -> bool:
    """R6.2: may the seat that reaches the goal choose whether to extend?"""
    return rules.extension_goal is not None and not extended


def end_test(rules: Rules) -> EndTest:
    """R6.3: return the test of these rules."""
    return EndTest[rules.hand_end.upper()]


def is_hand_over(test: int, draw_pile: int, cards: bool, plays: bool, scores: bool) -> bool:
    """R6.3: before a turn, is the hand over even though no side has completed the trip?

    ``cards`` is true if any seat holds a card, ``plays`` if any seat could play (not just discard) a card on its turn,
    and ``scores`` if any side `can_score`. ``plays`` and ``scores`` are ignored unless ``test`` asks for them.
    """
    possible = plays if test == EndTest.PLAYS else scores if test == EndTest.POINTS else cards
    return not draw_pile and not (cards and possible)


def can_score(held: Held, needs: Needs, roll_200: bool) -> bool:
    """R6.4: could a side still score with its cards, ignoring the opponents?

    ``roll_200`` is the setting (R4.7).
    """
    if held.safety:
        return True
    if needs.remedy and not held.remedy:
        return False
    may_be_fast = held.end_of_limit or not needs.end_of_limit
    other = held.slow or (held.fast and may_be_fast)
    if not other and not (held.two_hundred and may_be_fast):
        return False
    if held.roll or not needs.roll:
        return True
    return roll_200 and held.two_hundreds > (0 if other else 1)  # another 200 besides the one to drive


def remedy_to_move(side: Status) -> Card | None:
    """R6.4: return the remedy a side needs before it can move again, if it is under a hazard other than a stop."""
    hazard = under(side)
    return REMEDY_OF[hazard] if hazard not in {None, Card.STOP} else None


def roll_to_move(side: Status) -> bool:
    """R6.4: does a side need a roll to move, after any remedy? It doesn't if it owns the right of way."""
    return not is_moving(side) and Card.RIGHT_OF_WAY not in side.safeties


# R8: the match


def highest_total(totals: Sequence[Any]) -> tuple[Any, int]:
    """R8.1: return the highest total, and the number of sides that have it."""
    best, sides = totals[0], 0
    for total in totals:
        if total > best:
            best, sides = total, 1
        elif total == best:
            sides += 1
    return best, sides


def may_be_drawn(tie: str) -> bool:
    """R8.2: by this setting, is a match drawn if several sides share the highest total?"""
    return tie == "draw"


def is_match_over(best: int, sides: int, target: int, draws: bool) -> bool:
    """R8.1, R8.2: is a match to ``target`` points decided at the end of a hand?

    ``sides`` is the number of sides with the highest total ``best`` (`highest_total`). ``draws`` is the result of
    `may_be_drawn`.
    """
    return best >= target and (sides == 1 or draws)


def is_won(points: int, best_other: int, target: int) -> bool:
    """R8.1: has a side with ``points`` won, at the end of a hand?

    ``best_other`` is the highest total of the other sides.
    """
    return points >= target and points > best_other
