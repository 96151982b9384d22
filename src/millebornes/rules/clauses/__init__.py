"""The rules R2-R8 as plain functions, each with the number of its clause.

These functions are written to be easy to read. `millebornes.rules.tables` evaluates the functions about the status of a
side (R3, R4, R5.2, R6.4) for every possible status, so that kernels only have to look up the results. Functions of
numbers and booleans (R2.6, R5.2-R5.4, R6.3, R6.4, R7, R8) are compiled into kernels unchanged. The
rest of the program calls these functions directly, for example `millebornes.rules.refusal`, which explains why a move
is illegal, and the package `millebornes.game`. A function named ``refuse_...`` returns the `Reason` why something isn't
allowed, or None if it is allowed.
"""

from millebornes.rules.clauses.coup import (
    answer_to,
    is_answer_hidden,
    is_entitled,
    is_hazard_taken_back,
    may_others_answer,
    opening_answer,
    seats_to_ask,
    turn_after_answer,
)
from millebornes.rules.clauses.effects import SafetyEffect, after_hit, after_play, after_safety, gives_another_turn
from millebornes.rules.clauses.ends import (
    EndTest,
    Held,
    Needs,
    can_score,
    end_test,
    goal_in_force,
    highest_total,
    is_hand_over,
    is_match_over,
    is_trip_complete,
    is_won,
    may_be_drawn,
    may_extend,
    remedy_to_move,
    roll_to_move,
)
from millebornes.rules.clauses.plays import (
    refuse_discard,
    refuse_distance,
    refuse_end_of_limit,
    refuse_goal,
    refuse_hazard,
    refuse_hit,
    refuse_on_own_side,
    refuse_remedy,
    refuse_roll,
    refuse_roll_200,
    refuse_speed_limit,
    refuse_target,
    targets_in_reach,
)
from millebornes.rules.clauses.reasons import Reason
from millebornes.rules.clauses.scoring import count_lines, points_of
from millebornes.rules.clauses.status import Status, is_limited, is_moving, under
from millebornes.rules.clauses.turns import cards_to_draw, first_of_next_hand, next_seat, seats_between, turn_goes_to
from millebornes.score_lines import SCORE_LINES, SCORE_SHEET

__all__ = [
    "SCORE_LINES",
    "SCORE_SHEET",
    "EndTest",
    "Held",
    "Needs",
    "Reason",
    "SafetyEffect",
    "Status",
    "after_hit",
    "after_play",
    "after_safety",
    "answer_to",
    "can_score",
    "cards_to_draw",
    "count_lines",
    "end_test",
    "first_of_next_hand",
    "gives_another_turn",
    "goal_in_force",
    "highest_total",
    "is_answer_hidden",
    "is_entitled",
    "is_hand_over",
    "is_hazard_taken_back",
    "is_limited",
    "is_match_over",
    "is_moving",
    "is_trip_complete",
    "is_won",
    "may_be_drawn",
    "may_extend",
    "may_others_answer",
    "next_seat",
    "opening_answer",
    "points_of",
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
    "seats_between",
    "seats_to_ask",
    "targets_in_reach",
    "turn_after_answer",
    "turn_goes_to",
    "under",
]
