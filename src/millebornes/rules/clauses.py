"""The rules R3-R6 as plain functions, each with its clause number.

They are written to be read. `millebornes.rules.tables` evaluates them for every status that a side can have; kernels
only look their answers up, and `millebornes.rules.refusal` asks the same functions why a move is not legal. A function
named ``refuse_...`` returns the `Reason` why something may not be done, or None when it may.
"""

import enum
from typing import NamedTuple

from millebornes.cards import ANSWERS, HAZARDS, MILES, REMEDIES, REMEDY_OF, SAFETIES, SAFETY_OF, Card
from millebornes.editions import Rules

__all__ = [
    "Reason",
    "SafetyEffect",
    "Status",
    "after_hit",
    "after_play",
    "after_safety",
    "is_limited",
    "is_moving",
    "refuse_discard",
    "refuse_distance",
    "refuse_end_of_limit",
    "refuse_goal",
    "refuse_hazard",
    "refuse_hit",
    "refuse_on_own_side",
    "refuse_remedy",
    "refuse_roll",
    "refuse_roll_200",
    "refuse_speed_limit",
    "refuse_target",
    "remedy_to_move",
    "roll_to_move",
    "targets_in_reach",
    "under",
]


class Reason(enum.Enum):
    """Why a move is not legal.

    The clause that forbids it and a sentence for a person (in English; screens translate it).
    """

    NOT_HELD = ("R2.5", "you do not hold that card")
    NOT_YOUR_TURN = ("R2.1", "it is another seat's turn")
    HELD_UP = ("R4.1", "a hazard holds your side up; first end it")
    NOT_MOVING = ("R4.1", "your side is not moving; first play a roll")
    TOO_FAST = ("R4.1", "under a speed limit only 25 and 50 may be played")
    TOO_FAR = ("R4.1", "that would go beyond the goal, which must be reached exactly")
    THIRD_200 = ("R4.1", "a side may play at most two 200s")
    NOT_UNDER_IT = ("R4.2", "your side is not under the hazard that this remedy ends")
    NOT_LIMITED = ("R4.2", "your side is under no speed limit")
    ROLLING = ("R4.3", "a roll already lies on top of your battle pile")
    REMEDY_FIRST = ("R4.3", "a hazard lies on your battle pile; first play its remedy")
    PROTECTED = ("R4.4", "that side owns the safety against this hazard")
    TARGET_NOT_MOVING = ("R4.4", "that side is not moving, so it cannot be stopped")
    EMPTY_PILE = ("R4.4", "that side's battle pile is still empty")
    SAME_HAZARD = ("R4.4", "the same hazard already lies on top of that side's battle pile")
    PROTECTED_FROM_LIMIT = ("R4.5", "that side owns the right of way")
    ALREADY_LIMITED = ("R4.5", "that side is already under a speed limit")
    NO_ROLL_200 = ("R4.7", "a 200 cannot be played as a roll in this edition")
    SAFETY_NOT_DISCARDED = ("R4.8", "safeties may not be discarded in this edition")
    OWN_SIDE = ("R4.4", "a hazard is played on an opposing side, not on one's own")
    NOT_LEFT = ("R4.9", "hazards may only be played on the side to your left")
    NO_SUCH_SIDE = ("R2.2", "there is no such side at this table")
    NOT_ASKED = (
        "R5.1",
        "a coup fourré can be called, or let go, only when a hazard you can answer has just been played",
    )
    COUP_FIRST = ("R5.1", "first say whether you call the coup fourré or let it go")
    OPENING_FIRST = ("R5.6", "first say whether you call the right of way or let it go")
    NOT_AT_GOAL = ("R6.2", "an extension is decided only by the seat that has just reached the goal")
    EXTENSION_FIRST = ("R6.2", "first say whether to extend or to finish")
    HAND_OVER = ("R6.1", "the hand is over")

    @property
    def clause(self) -> str:
        """The clause that forbids the move."""
        return self.value[0]

    @property
    def text(self) -> str:
        """The reason in words, without a full stop."""
        return self.value[1]


class Status(NamedTuple):
    """All of a side's tableau that clauses R3 and R4 depend on, miles apart.

    ``battle`` is the effective top of the battle pile, where a 200 in place of a roll counts as a roll (R4.7);
    ``limit_shown`` tells whether a speed limit tops the speed pile; ``safeties`` are those that the side owns.
    """

    battle: Card | None
    limit_shown: bool
    safeties: frozenset[Card]


class SafetyEffect(NamedTuple):
    """What playing a safety does to its owner's tableau: the new status, and what moves to the discards, in order."""

    status: Status
    discarded: tuple[Card, ...]
    gives_roll: bool


# R3: status of a side


def under(side: Status) -> Card | None:
    """R3.1: the hazard that holds the side up, if any."""
    if side.battle in HAZARDS and SAFETY_OF[side.battle] not in side.safeties:
        return side.battle
    return None


def is_limited(side: Status) -> bool:
    """R3.2: is the side's speed limited?"""
    return side.limit_shown and Card.RIGHT_OF_WAY not in side.safeties


def is_moving(side: Status) -> bool:
    """R3.3: is the side moving?"""
    return side.battle is Card.ROLL or (Card.RIGHT_OF_WAY in side.safeties and under(side) is None)


# R4: plays on one's own side


def refuse_distance(card: Card, side: Status) -> Reason | None:
    """R4.1, as far as the status goes: may this distance card be played?"""
    if not is_moving(side):
        return Reason.HELD_UP if under(side) else Reason.NOT_MOVING
    if MILES[card] > 50 and is_limited(side):
        return Reason.TOO_FAST
    return None


def refuse_goal(card: Card, miles: int, two_hundreds: int, goal: int) -> Reason | None:
    """R4.1, as far as miles go.

    May a side with ``miles`` and so many 200s add this card, the goal in force being ``goal``?
    """
    if card is Card.D200 and two_hundreds >= 2:
        return Reason.THIRD_200
    return Reason.TOO_FAR if miles + MILES[card] > goal else None


def refuse_remedy(card: Card, side: Status) -> Reason | None:
    """R4.2: may this remedy (repairs, gasoline, spare_tire) be played?"""
    hazard = under(side)
    return None if hazard is not None and REMEDY_OF[hazard] is card and hazard is not Card.STOP else Reason.NOT_UNDER_IT


def refuse_end_of_limit(side: Status) -> Reason | None:
    """R4.2: may an end of limit be played?"""
    return None if is_limited(side) else Reason.NOT_LIMITED


def refuse_roll(side: Status) -> Reason | None:
    """R4.3: may a roll be played? Owning the right of way makes it needless, not illegal."""
    if side.battle is Card.ROLL:
        return Reason.ROLLING
    return None if under(side) in {None, Card.STOP} else Reason.REMEDY_FIRST


def refuse_roll_200(side: Status, rules: Rules) -> Reason | None:
    """R4.7: may a 200 be played in place of a roll?"""
    return refuse_roll(side) if rules.roll_200 else Reason.NO_ROLL_200


def refuse_on_own_side(card: Card, side: Status) -> Reason | None:
    """R4.1-R4.3, R4.6: may this card be played on one's own side, as far as the status goes?"""
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
    return None  # R4.6: a safety may be played at any time


def refuse_discard(card: Card, rules: Rules) -> Reason | None:
    """R4.8: may this card be discarded?"""
    return Reason.SAFETY_NOT_DISCARDED if card in SAFETIES and not rules.discard_safeties else None


# R4: hazards on others


def refuse_hazard(card: Card, side: Status, rules: Rules) -> Reason | None:
    """R4.4: may accident, out_of_gas, flat_tire or stop be played on an opposing side with this status?"""
    if SAFETY_OF[card] in side.safeties:
        return Reason.PROTECTED
    if rules.hazard_on == "rolling":
        return None if is_moving(side) else Reason.TARGET_NOT_MOVING
    if side.battle is None:
        return Reason.EMPTY_PILE
    return Reason.SAME_HAZARD if rules.hazard_on == "stack_different" and side.battle is card else None


def refuse_speed_limit(side: Status) -> Reason | None:
    """R4.5: may a speed limit be played on an opposing side with this status?"""
    if Card.RIGHT_OF_WAY in side.safeties:
        return Reason.PROTECTED_FROM_LIMIT
    return Reason.ALREADY_LIMITED if side.limit_shown else None


def refuse_hit(card: Card, side: Status, rules: Rules) -> Reason | None:
    """R4.4, R4.5: may this hazard be played on an opposing side with this status?"""
    return refuse_speed_limit(side) if card is Card.SPEED_LIMIT else refuse_hazard(card, side, rules)


def refuse_target(seat: int, side: int, rules: Rules) -> Reason | None:
    """R4.9: may this seat play hazards on that side at all?"""
    if not 0 <= side < rules.sides:
        return Reason.NO_SUCH_SIDE
    if side == rules.side_of(seat):
        return Reason.OWN_SIDE
    if rules.targets == "left" and side != rules.side_of((seat + 1) % rules.seats):
        return Reason.NOT_LEFT
    return None


def targets_in_reach(rules: Rules) -> int:
    """R4.9: how many opposing sides, counted from the next one on, a seat may play hazards on at all."""
    return sum(refuse_target(0, side, rules) is None for side in range(rules.sides))


# R4, R5: what a card does to a status


def after_play(card: Card, side: Status, *, as_roll: bool = False) -> Status:
    """R4.1-R4.3, R4.7.

    The status after a distance card or a remedy of one's own (``as_roll``: a 200 in place of a roll).
    """
    if as_roll:
        return side._replace(battle=Card.ROLL)
    if card is Card.END_OF_LIMIT:
        return side._replace(limit_shown=False)
    return side._replace(battle=card) if card in REMEDIES else side


def after_hit(hazard: Card, side: Status) -> Status:
    """R4.4, R4.5: the status after a hazard was played on the side."""
    return side._replace(limit_shown=True) if hazard is Card.SPEED_LIMIT else side._replace(battle=hazard)


def after_safety(safety: Card, side: Status, rules: Rules, *, coup: bool) -> SafetyEffect:
    """R4.6, R4.10, R5.2: what a safety does to its owner's tableau, in an ordinary turn or called as a coup fourré.

    For a coup of the side that was hit, ``side`` is its status without the hazard, which R5.2 has already sent to the
    discards.
    """
    discarded: list[Card] = []
    gives_roll = False
    battle, limit = side.battle, side.limit_shown
    if rules.safety_gives_roll and not coup and battle in ANSWERS[safety]:  # R4.6
        discarded.append(battle)
        battle, gives_roll = Card.ROLL, True
    if safety is Card.RIGHT_OF_WAY and rules.right_of_way_clears:  # R4.10
        if battle is Card.STOP:
            discarded.append(battle)
            battle = Card.ROLL  # under `hazard_on = rolling` a stop always lies on a roll
        if limit:
            discarded.append(Card.SPEED_LIMIT)
            limit = False
    return SafetyEffect(Status(battle, limit, side.safeties | {safety}), tuple(discarded), gives_roll)


# R6.4: what a side still needs


def remedy_to_move(side: Status) -> Card | None:
    """R6.4: the remedy a side needs before it can move again, if it is under a hazard other than a stop."""
    hazard = under(side)
    return REMEDY_OF[hazard] if hazard not in {None, Card.STOP} else None


def roll_to_move(side: Status) -> bool:
    """R6.4: does a side need a roll to move, after the remedy if any? An owner of the right of way does not."""
    return not is_moving(side) and Card.RIGHT_OF_WAY not in side.safeties
