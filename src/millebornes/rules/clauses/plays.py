"""R4: which plays and discards are legal."""

from millebornes.cards import HAZARDS, MILES, REMEDIES, REMEDY_OF, SAFETIES, SAFETY_OF, Card
from millebornes.editions import Rules
from millebornes.rules.clauses.reasons import Reason
from millebornes.rules.clauses.status import Status, is_limited, is_moving, under

# R4: plays on the seat's own side


def refuse_distance(card: Card, side: Status) -> Reason | None:
    """R4.1: return why the status doesn't allow this distance card, or None if it does."""
    if not is_moving(side):
        return Reason.HELD_UP if under(side) else Reason.NOT_MOVING
    if MILES[card] > 50 and is_limited(side):
        return Reason.TOO_FAST
    return None


def refuse_goal(card: Card, miles: int, two_hundreds: int, goal: int) -> Reason | None:
    """R4.1: return why the miles don't allow this distance card, or None if they do.

    The side has driven ``miles`` with ``two_hundreds`` 200s so far, and ``goal`` is the goal in force.
    """
    if card is Card.D200 and two_hundreds >= 2:
        return Reason.THIRD_200
    return Reason.TOO_FAR if miles + MILES[card] > goal else None


def refuse_remedy(card: Card, side: Status) -> Reason | None:
    """R4.2: return why this remedy (repairs, gasoline or spare_tire) may not be played, or None if it may."""
    hazard = under(side)
    return None if hazard is not None and REMEDY_OF[hazard] is card and hazard is not Card.STOP else Reason.NOT_UNDER_IT


def refuse_end_of_limit(side: Status) -> Reason | None:
    """R4.2: return why an end of limit may not be played, or None if it may."""
    return None if is_limited(side) else Reason.NOT_LIMITED


def refuse_roll(side: Status) -> Reason | None:
    """R4.3: return why a roll may not be played, or None if it may.

    If the side owns the right of way, a roll is unnecessary but legal.
    """
    if side.battle is Card.ROLL:
        return Reason.ROLLING
    return None if under(side) in {None, Card.STOP} else Reason.REMEDY_FIRST


def refuse_roll_200(side: Status, rules: Rules) -> Reason | None:
    """R4.7: return why a 200 may not be played as a roll, or None if it may."""
    return refuse_roll(side) if rules.roll_200 else Reason.NO_ROLL_200


def refuse_on_own_side(card: Card, side: Status, rules: Rules, *, as_roll: bool = False) -> Reason | None:
    """R4.1-R4.3, R4.6, R4.7: return why the status doesn't allow this card on the seat's own side, or None if it does.

    ``as_roll`` is true if the card is a 200 played as a roll.
    """
    if as_roll:
        return refuse_roll_200(side, rules)
    if card in MILES:
        return refuse_distance(card, side)
    if card in HAZARDS:
        return Reason.OWN_SIDE
    if card is Card.ROLL:
        return refuse_roll(side)
    if card is Card.END_OF_LIMIT:
        return refuse_end_of_limit(side)
    if card in REMEDIES:
        return refuse_remedy(card, side)
    return None  # R4.6: a safety can be played at any time


def refuse_discard(card: Card, rules: Rules) -> Reason | None:
    """R4.8: return why this card may not be discarded, or None if it may."""
    return Reason.SAFETY_NOT_DISCARDED if card in SAFETIES and not rules.discard_safeties else None


# R4: hazards on other sides


def refuse_hazard(card: Card, side: Status, rules: Rules) -> Reason | None:
    """R4.4: return why a hazard except speed_limit may not be played on an opposing side with this status, or None."""
    if SAFETY_OF[card] in side.safeties:
        return Reason.PROTECTED
    if rules.hazard_on == "rolling":
        return None if is_moving(side) else Reason.TARGET_NOT_MOVING
    if side.battle is None:
        return Reason.EMPTY_PILE
    return Reason.SAME_HAZARD if rules.hazard_on == "stack_different" and side.battle is card else None


def refuse_speed_limit(side: Status) -> Reason | None:
    """R4.5: return why a speed limit may not be played on an opposing side with this status, or None if it may."""
    if Card.RIGHT_OF_WAY in side.safeties:
        return Reason.PROTECTED_FROM_LIMIT
    return Reason.ALREADY_LIMITED if side.limit_shown else None


def refuse_hit(card: Card, side: Status, rules: Rules) -> Reason | None:
    """R4.4, R4.5: return why this hazard may not be played on an opposing side with this status, or None if it may."""
    return refuse_speed_limit(side) if card is Card.SPEED_LIMIT else refuse_hazard(card, side, rules)


def refuse_target(seat: int, side: int, rules: Rules) -> Reason | None:
    """R4.9: return why this seat may not play hazards on a side, or None if it may."""
    if not 0 <= side < rules.sides:
        return Reason.NO_SUCH_SIDE
    if side == rules.side_of(seat):
        return Reason.OWN_SIDE
    if rules.targets == "left" and side != rules.side_of((seat + 1) % rules.seats):
        return Reason.NOT_LEFT
    return None


def targets_in_reach(rules: Rules) -> int:
    """R4.9: return the number of opposing sides on which a seat may play hazards, starting with the next side."""
    return sum(refuse_target(0, side, rules) is None for side in range(rules.sides))
