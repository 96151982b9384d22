"""The weights of the maxims, and the sets of weights that were tuned for different tables."""

import tomllib
from importlib.resources import files
from typing import Final, NamedTuple

from millebornes.editions import Rules

__all__ = ["CROWD", "MATCH", "PARTNERS", "STACK", "Advice", "tuned"]


class Advice(NamedTuple):
    """The weights of the maxims in points, tuned by matches (research/notebook/maxims.md)."""

    match: int  # 1 if only the match counts, 0 if every point counts
    # distance
    mile: int  # for each 100 miles
    shut_out: int
    shut_out_behind: int
    safe_trip: int
    safe_trip_far: int  # for each 100 miles driven so far
    finish: int
    delay: int  # wait if this many cards or fewer are left to draw
    delay_near: int  # the same, if another side is near
    exact: int
    dead_end: int
    near_end: int  # 200 miles or less are left, and not in hand
    odd_25: int
    odd_50: int
    odd_75: int
    odd_held: int
    odd_near_end: int
    slow_spent: int
    small_plenty: int  # for each card of its kind that can still come
    small_early: int  # for each ten cards left to draw
    small_offset: int
    small_limited: int
    drive_75: int
    drive_200: int
    drive_ahead: int  # for each 100 miles in the lead
    drive_behind: int
    drive_early: int  # for each ten cards left to draw
    # rolls, remedies, safeties
    roll: int
    roll_ready: int
    roll_spare: int
    roll_late: int
    idle: int
    two_hundred_roll: int
    remedy: int
    remedy_roll: int
    end_of_limit: int
    end_of_limit_large: int
    end_of_limit_slow: int
    end_of_limit_stuck: int
    safety: int
    safety_dead: int
    safety_wait: int
    safety_relief: int
    safety_remedy_held: int
    safety_limit: int
    safety_moves: int
    safety_roll_held: int
    safety_shut_out: int
    safety_danger: int
    safety_near: int
    safety_late: int
    safety_early: int  # for each ten cards left to draw
    safety_right_of_way: int
    safety_large: int  # for each large distance card, up to three
    # hazards
    major: int
    stop: int
    speed_limit: int
    hit_remedies: int
    hit_no_remedy: int
    hit_stuck_limit: int
    hit_limit_shut_out: int
    hit_waiting: int
    hit_progress: int
    hit_near: int
    hit_danger: int
    hit_shut_out: int
    hit_leader: int
    hit_large_held: int
    hit_roll_held: int
    hit_roll_held_minor: int
    hit_spare: int
    hit_late: int
    hit_more: int  # for each other hazard in hand
    hit_early: int  # for each ten cards left to draw
    limit_early: int  # the same, for a speed limit
    hit_coup: int
    hit_coup_minor: int
    hit_own_coup: int
    # keeping cards in hand
    keep_25: int
    keep_50: int
    keep_75: int
    keep_100: int
    keep_200: int
    keep_same: int
    keep_beyond: int
    keep_miles_unseen: int  # for each card of its kind that can still come
    keep_miles_held: int  # for each other large distance card
    keep_miles_waiting: int  # while stopped
    keep_miles_limited: int  # for large distance cards under a speed limit
    keep_large_safety: int  # for each safety in hand
    keep_large_extendable: int
    keep_slow: int
    keep_slow_now: int
    keep_slow_waiting: int
    keep_exact: int
    keep_last: int
    keep_odd: int
    keep_major: int
    keep_stop: int
    keep_limit: int
    keep_sure: int
    keep_own_coup: int
    keep_hit_scarce: int
    keep_second: int
    keep_hit_held: int  # for each other hazard in hand that can be played
    keep_hit_early: int  # for each ten cards left to draw
    keep_hit_unseen: int  # for each card of its kind that can still come
    keep_hit_coup: int  # its safety may be in another hand
    keep_hit_stuck: int  # all sides that may be hit are under a major hazard
    keep_minor_early: int
    keep_minor_coup: int
    keep_minor_stuck: int
    keep_minor_waiting: int  # all sides that may be hit need a roll
    keep_remedy: int
    keep_remedy_risk: int
    keep_remedy_second: int
    keep_remedy_now: int
    keep_remedy_unseen: int  # for each card of its kind that can still come
    keep_remedy_early: int  # for each ten cards left to draw
    keep_remedy_coup: int  # its safety may still come
    keep_end: int
    keep_end_now: int
    keep_end_risk: int  # for each speed limit in play and still to come, up to four
    keep_end_unseen: int
    keep_end_early: int
    keep_roll: int
    keep_roll_second: int
    keep_roll_third: int
    keep_roll_now: int
    keep_roll_unseen: int  # for each card of its kind that can still come
    keep_roll_early: int  # for each ten cards left to draw
    keep_roll_waiting: int  # while stopped
    keep_owned: int  # in hundredths
    keep_desperate: int  # for remedies when another side is about to finish, in hundredths
    keep_safety: int
    # the extension
    extend: int
    extend_miles: int
    extend_pile: int
    extend_no_pile: int
    extend_exact: int
    extend_safe_trip: int
    extend_safety: int
    extend_right_of_way: int
    extend_held: int
    extend_held_right_of_way: int
    extend_all_out: int  # all four safeties have been played
    extend_all_held: int  # the fourth safety, or several missing ones, in hand
    extend_remedy: int
    extend_hazards: int  # for each hazard still to come, of a kind without its safety
    extend_stops: int
    extend_limits: int
    extend_limited: int  # this side under a limit
    extend_roll: int
    extend_stuck: int
    extend_waiting: int
    extend_slowed: int  # another side under a limit
    extend_hit: int  # for each kind of hazard in hand that can stop them
    extend_their_safety: int
    extend_shut_out: int
    extend_their_miles: int
    stake_ahead: int  # for each 100 points
    stake_near: int  # another side within 1000 of the target
    stake_close: int  # this side within 2000 of the target


def _sets() -> dict[str, Advice]:
    text = files(__package__).joinpath("weights.toml").read_text("utf-8")
    return {name: Advice(**weights) for name, weights in tomllib.loads(text).items()}


_SETS: Final = _sets()

MATCH: Final = _SETS["match"]
"""The weights for two sides of one seat each, if hazards only stop a moving side: the classic game and most others."""

PARTNERS: Final = _SETS["partners"]
"""The weights for two sides of several seats each."""

CROWD: Final = _SETS["crowd"]
"""The weights for more than two sides."""

STACK: Final = _SETS["stack"]
"""The weights for two sides, if hazards may also be played on a side that is stopped."""


def tuned(rules: Rules) -> Advice:
    """Return the advice for playing for the match that was tuned for tables like this one."""
    if rules.sides > 2:
        return CROWD
    if rules.hazard_on != "rolling":
        return STACK
    return MATCH if rules.seats == rules.sides else PARTNERS
