"""The main reasons why a move is better than another: the few differences that explain most of its lead."""

from typing import Final, TypeGuard

from millebornes.analysis.records import Analysis, MoveDifference
from millebornes.score_lines import Topic

MIN_ERRORS_OF_A_REASON: Final = 2
"""A difference counts as a reason only if it is at least this many standard errors."""

MIN_SHARE_ALONE: Final = 0.6
"""If one reason accounts for at least this share of the lead, it is given without a second reason."""

MIN_SHARE: Final = 0.2
"""Each additional reason must have at least this share of the main reason's points."""

MAX_REASONS: Final = 3
"""The maximum number of reasons. The third is given only if there is a strong reason against the move."""

MIN_SHARE_AGAINST: Final = 0.5
"""A reason against the best move is given only if it has at least this share of the main reason's points."""

MILES_A_TURN: Final = 50.0
"""The approximate number of miles that a side drives in a turn, if it can drive."""
MILES_A_HAZARD: Final = 150.0
"""The approximate number of miles that a side loses through a hazard."""


def are_distinguishable(analysis: Analysis) -> bool:
    """Return whether the best move's lead over the other move is larger than its margin of error."""
    rival = analysis.rival
    return rival is not None and rival.loss > MIN_ERRORS_OF_A_REASON * rival.loss_stderr


def main_differences(analysis: Analysis) -> tuple[MoveDifference, ...]:
    """Return the differences worth mentioning: the few that explain most of the lead, and a strong opposite one.

    Only significant differences are returned. If the two moves are too close to call, there are none. The effect on
    later hands (`Topic.LATER`) is mentioned if the points in this hand don't favour the best move.
    """
    rival = analysis.rival
    if rival is None or not are_distinguishable(analysis):
        return ()
    certain = [found for found in analysis.why if _is_certain(found)]
    in_hand = sorted((found for found in certain if found.topic is not Topic.LATER), key=lambda found: -found.points)
    pros = [found for found in in_hand if found.points > 0]
    cons = [found for found in in_hand if found.points < 0]
    lead = analysis.moves[0].value - rival.value
    reasons = [found for found in pros[:1] if found.points >= MIN_SHARE * lead]
    against = [found for found in cons[-1:] if -found.points >= MIN_SHARE_AGAINST * (pros[0].points if pros else 0)]
    for found in (
        pros[1 : MAX_REASONS if against else MAX_REASONS - 1] if reasons else ()
    ):  # the reasons for the best move have to outweigh the reasons against it
        if (
            sum(one.points for one in reasons + against) < MIN_SHARE_ALONE * lead
            and found.points >= MIN_SHARE * pros[0].points
        ):
            reasons.append(found)
    reasons += against
    if lead <= 0 or not reasons:
        reasons = [found for found in certain if found.topic is Topic.LATER] + reasons
    return tuple(reasons)


def _is_certain(difference: MoveDifference) -> bool:
    if difference.topic is Topic.LATER:  # its points are those of the whole hand; it counts if the chances differ
        return difference.best > difference.other
    return abs(difference.points) > MIN_ERRORS_OF_A_REASON * difference.stderr and round(abs(difference.points)) >= 1


def goes_with(counts: tuple[float, float] | None, more_miles: float, each: float) -> TypeGuard[tuple[float, float]]:
    """Return whether fewer hindrances lead to more miles, and can explain at least a third of the difference.

    ``each`` is the approximate number of miles that one hindrance costs.
    """
    return counts is not None and (counts[1] - counts[0]) * each * (1 if more_miles > 0 else -1) > abs(more_miles) / 3
