"""R6: when a hand ends, and what a side can still score. R8: when the match ends."""

import enum
from collections.abc import Sequence
from typing import Any, NamedTuple

from millebornes.cards import REMEDY_OF, Card
from millebornes.editions import Rules
from millebornes.rules.clauses.status import Status, is_moving, under


class EndTest(enum.IntEnum):
    """R6.3: the condition under which a hand continues with an empty draw pile, as a number (setting `hand_end`)."""

    CARDS = 0
    PLAYS = 1
    POINTS = 2


class Held(NamedTuple):
    """R6.4: the cards in the hands of all players of a side.

    Each field says whether the side holds a card of some kind. ``remedy`` is the remedy that the side needs. ``slow``,
    ``fast`` and ``two_hundred`` are a distance card of at most 50, one of 75 or 100, and a 200. They only count if the
    goal and the limit of two 200s (R4.1) allow them. ``two_hundreds`` is the number of all 200s.
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
    """R6.4: the cards that a side needs before it can move, and before it can move fast."""

    remedy: bool
    roll: bool
    end_of_limit: bool


# R6: the hand


def goal_in_force(rules: Rules, extended: bool) -> int:
    """R6.1, R6.2: return the goal in miles, which is higher after the extension has been called."""
    return rules.extension_goal if extended and rules.extension_goal else rules.goal


def is_trip_complete(distance: int, goal: int) -> bool:
    """R6.1: return whether a side that has driven this distance has reached the goal in force."""
    return distance == goal


def may_extend(rules: Rules, extended: bool) -> bool:
    """R6.2: return whether the seat that reaches the goal may choose to extend the hand."""
    return rules.extension_goal is not None and not extended


def end_test(rules: Rules) -> EndTest:
    """R6.3: return the condition under which a hand continues with an empty draw pile."""
    return EndTest[rules.hand_end.upper()]


def is_hand_over(test: int, draw_pile: int, cards: bool, plays: bool, scores: bool) -> bool:
    """R6.3: return whether the hand is over before a turn, even though no side has completed the trip.

    ``cards`` is true if any seat holds a card, ``plays`` if any seat could play a card on its turn (not just discard
    one), and ``scores`` if any side `can_score`. ``plays`` and ``scores`` are ignored unless ``test`` depends on them.
    """
    possible = plays if test == EndTest.PLAYS else scores if test == EndTest.POINTS else cards
    return not draw_pile and not (cards and possible)


def can_score(held: Held, needs: Needs, roll_200: bool) -> bool:
    """R6.4: return whether a side could still score with its cards, ignoring the opponents.

    ``roll_200`` is the setting of that name (R4.7).
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
    return roll_200 and held.two_hundreds > (0 if other else 1)  # a second 200, in addition to the one to drive


def remedy_to_move(side: Status) -> Card | None:
    """R6.4: return the remedy that a side needs before it can move again, if it is under a hazard other than a stop."""
    hazard = under(side)
    return REMEDY_OF[hazard] if hazard not in {None, Card.STOP} else None


def roll_to_move(side: Status) -> bool:
    """R6.4: return whether a side needs a roll before it can move, possibly after another remedy.

    A side that owns the right of way never needs one.
    """
    return not is_moving(side) and Card.RIGHT_OF_WAY not in side.safeties


# R8: the match


def highest_total(totals: Sequence[Any]) -> tuple[Any, int]:
    """R8.1: return the highest total and the number of sides that have it."""
    best, sides = totals[0], 0
    for total in totals:
        if total > best:
            best, sides = total, 1
        elif total == best:
            sides += 1
    return best, sides


def may_be_drawn(tie: str) -> bool:
    """R8.2: return whether a match is drawn under this setting if several sides share the highest total."""
    return tie == "draw"


def is_match_over(best: int, sides: int, target: int, draws: bool) -> bool:
    """R8.1, R8.2: return whether a match to ``target`` points is decided at the end of a hand.

    ``sides`` is the number of sides that have the highest total ``best`` (see `highest_total`). ``draws`` is the result
    of `may_be_drawn`.
    """
    return best >= target and (sides == 1 or draws)


def is_won(points: int, best_other: int, target: int) -> bool:
    """R8.1: return whether a side with ``points`` has won at the end of a hand.

    ``best_other`` is the highest total among the other sides.
    """
    return points >= target and points > best_other
