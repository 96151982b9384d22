"""The weights of the maxims, and the sets of weights that were tuned for different tables."""

import tomllib
from importlib.resources import files
from typing import Any, Final, NamedTuple

from millebornes.editions import Rules


class Advice(NamedTuple):
    """The weights of the maxims in points. The file maxims.toml explains them.

    ``match`` is 1 if only the match counts, and 0 if every point counts.
    """

    match: int
    mile: int
    shut_out: int
    shut_out_behind: int
    safe_trip: int
    safe_trip_far: int
    finish: int
    delay: int
    delay_near: int
    exact: int
    dead_end: int
    near_end: int
    odd_25: int
    odd_50: int
    odd_75: int
    odd_held: int
    odd_near_end: int
    slow_spent: int
    small_plenty: int
    small_early: int
    small_offset: int
    small_limited: int
    drive_75: int
    drive_200: int
    drive_ahead: int
    drive_behind: int
    drive_early: int
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
    safety_early: int
    safety_right_of_way: int
    safety_large: int
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
    hit_more: int
    hit_early: int
    limit_early: int
    hit_coup: int
    hit_coup_minor: int
    hit_own_coup: int
    keep_25: int
    keep_50: int
    keep_75: int
    keep_100: int
    keep_200: int
    keep_same: int
    keep_beyond: int
    keep_miles_unseen: int
    keep_miles_held: int
    keep_miles_waiting: int
    keep_miles_limited: int
    keep_large_safety: int
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
    keep_hit_held: int
    keep_hit_early: int
    keep_hit_unseen: int
    keep_hit_coup: int
    keep_hit_stuck: int
    keep_minor_early: int
    keep_minor_coup: int
    keep_minor_stuck: int
    keep_minor_waiting: int
    keep_remedy: int
    keep_remedy_risk: int
    keep_remedy_second: int
    keep_remedy_now: int
    keep_remedy_unseen: int
    keep_remedy_early: int
    keep_remedy_coup: int
    keep_end: int
    keep_end_now: int
    keep_end_risk: int
    keep_end_unseen: int
    keep_end_early: int
    keep_roll: int
    keep_roll_second: int
    keep_roll_third: int
    keep_roll_now: int
    keep_roll_unseen: int
    keep_roll_early: int
    keep_roll_waiting: int
    keep_owned: int
    keep_desperate: int
    keep_safety: int
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
    extend_all_out: int
    extend_all_held: int
    extend_remedy: int
    extend_hazards: int
    extend_stops: int
    extend_limits: int
    extend_limited: int
    extend_roll: int
    extend_stuck: int
    extend_waiting: int
    extend_slowed: int
    extend_hit: int
    extend_their_safety: int
    extend_shut_out: int
    extend_their_miles: int
    stake_ahead: int
    stake_near: int
    stake_close: int


TABLE: Final[dict[str, dict[str, Any]]] = tomllib.loads(files(__package__).joinpath("maxims.toml").read_text("utf-8"))
"""The contents of maxims.toml: for each maxim, its sentence and its weights. ``base`` contains all other weights."""


def _set(place: int) -> Advice:
    by_name = {name: value for weights in TABLE.values() for name, value in weights.items() if name != "says"}
    return Advice(**{name: value if isinstance(value, int) else value[place] for name, value in by_name.items()})


MATCH: Final = _set(0)
"""The weights for two sides of one seat each, if hazards only stop a moving side: the classic game and most others."""

PARTNERS: Final = _set(1)
"""The weights for two sides of several seats each."""

CROWD: Final = _set(2)
"""The weights for more than two sides."""

STACK: Final = _set(3)
"""The weights for two sides, if hazards may also be played on a side that is stopped."""


def tuned(rules: Rules) -> Advice:
    """Return the advice for playing for the match that was tuned for tables like this one."""
    if rules.sides > 2:
        return CROWD
    if rules.hazard_on != "rolling":
        return STACK
    return MATCH if rules.seats == rules.sides else PARTNERS
