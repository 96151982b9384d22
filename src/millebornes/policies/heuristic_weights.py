"""The weights of the rules of heuristic."""

from typing import Final, NamedTuple

__all__ = ["WEIGHTS", "Weights"]


class Weights(NamedTuple):
    """The weights of the heuristic, in points. Values were tuned by play against earlier ones (research/notebook/players.md)."""

    # playing distance
    mile: int = 67  # for each 100 miles
    shut_out: int = 100  # the first distance of one's side
    safe_trip: int = 60  # against the first 200
    exact: int = 60  # the rest of the hand then reaches the goal exactly
    odd_25: int = -30  # what then is left, modulo 100
    odd_50: int = -5
    odd_75: int = -30
    dead_end: int = -300  # no cards are left that could reach the goal
    finish: int = 900  # reach the goal
    delay: int = 5  # with so few cards to draw, wait for the delayed action
    # remedies, rolls, safeties
    remedy: int = 35
    roll: int = 167
    roll_ready: int = 14  # there is distance to play then
    idle: int = -500  # a roll that changes nothing
    end_of_limit: int = 40
    end_of_limit_large: int = 40  # for each larger distance card in hand, up to two
    end_of_limit_stuck: int = -10  # while not moving
    two_hundred_roll: int = 60  # a 200 in place of a roll
    safety: int = 32  # any safety, for the turn that it gives
    safety_wait: int = -40  # for each hazard that may still come
    safety_relief: int = 174  # it ends what holds its side up
    safety_limit: int = 60  # it ends the limit
    safety_moves: int = 120  # right of way, where only a roll is wanting
    safety_danger: int = 120  # an opponent may complete the trip before one's next turn
    safety_near: int = 27  # an opponent may do so soon
    safety_late: int = 8  # for each card that the draw pile has fewer than ten
    # hazards
    major: int = 200  # accident, out of gas, flat tyre
    stop: int = 100
    speed_limit: int = 70
    hit_remedies: int = -6  # for each of their remedies that may still come
    hit_progress: int = 4  # for each 100 miles of theirs
    hit_danger: int = 27  # they may complete the trip before one's next turn
    hit_near: int = 80  # they have 200 miles or less to go
    hit_shut_out: int = 50  # they have no distance
    hit_leader: int = 40  # several opponents: the one in front
    hit_stuck_limit: int = -50  # a limit on a side that does not move
    hit_waiting: int = -188  # they wait for a roll only
    hit_own_coup: int = 350  # one may answer it oneself
    hit_coup: int = 267  # cost of a coup fourré, times the chance of it
    # keeping in hand
    keep_25: int = 8
    keep_50: int = 10
    keep_75: int = 14
    keep_100: int = 27
    keep_200: int = 50
    keep_exact: int = 27
    keep_last: int = 60  # it alone reaches the goal
    keep_beyond: int = 9  # distance that only an extension could use
    keep_slow: int = 5  # the last 25 or 50
    keep_slow_now: int = 14  # and that under a limit
    keep_same: int = -7  # for each further card of its kind
    keep_major: int = 60
    keep_stop: int = 40
    keep_limit: int = 40
    keep_sure: int = 20  # one holds the answer oneself
    keep_own_coup: int = 150  # and may use it so
    keep_second: int = -15  # for each further hazard of the same kind
    keep_remedy: int = 45  # the first of a kind
    keep_remedy_second: int = 8
    keep_remedy_now: int = 67
    keep_end: int = 20
    keep_end_now: int = 80
    keep_roll: int = 60
    keep_roll_second: int = 30
    keep_roll_third: int = 8
    keep_roll_now: int = 150
    keep_owned: int = 18  # remedies whose safety one holds: this part of it, in hundredths
    keep_safety: int = 800
    # the extension
    extend: int = -250
    extend_miles: int = 20  # for each 25 miles in hand, up to 300
    extend_exact: int = 150
    extend_safety: int = 40  # for each safety owned
    extend_held: int = 106
    extend_right_of_way: int = 67
    extend_roll: int = 20
    extend_remedy: int = 26
    extend_stuck: int = 80  # for opponents under a hazard
    extend_shut_out: int = -250
    extend_their_miles: int = -3  # for each 25 miles of the opponents' leader


WEIGHTS: Final = Weights()
