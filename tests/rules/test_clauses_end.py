"""R6 to R8 at the table: the goal, the end of a hand, its score, and the match."""

from typing import Any

import pytest

from millebornes.editions import make_rules
from millebornes.game import Match, Standing
from tests.rules.table import Table, Tables

# R6 goal, extension, end of the hand


def test_r6_1_at_the_goal_the_hand_ends(tables: Tables) -> None:
    table = tables.lay("roll 100 25", goal=125, extension_goal=None).play("0:roll 1:-- 0:100 1:-- 0:25")
    assert (table.phase, table.completed_by, table.legal) == ("over", 0, [])


def test_r6_2_at_the_goal_the_seat_chooses(tables: Tables) -> None:
    table = tables.lay("roll 100", goal=100, extension_goal=200).play("0:roll 1:-- 0:100")
    assert (table.phase, table.seat, table.legal) == ("extend", 0, ["extend", "finish"])
    assert table.shown(0)["distance"] == 100
    table.play("0:finish")
    assert (table.phase, table.completed_by, table.extended) == ("over", 0, False)


def test_r6_2_extend_raises_the_goal_for_everyone(tables: Tables) -> None:
    table = tables.lay("roll 100 75", "roll 100 100", goal=100, extension_goal=200)
    table.play("0:roll 1:roll 0:100 0:extend")
    assert (table.phase, table.seat, table.extended) == ("play", 1, True)
    table.play("1:100 0:-- 1:100")  # past 100, and at 200 nobody is asked again
    assert (table.phase, table.completed_by) == ("over", 1)


def test_r6_2_asked_even_with_no_cards_left(tables: Tables) -> None:
    table = tables.small("roll 100 50", "25 25 25", goal=150, extension_goal=200, roll_200=False)
    table.play("0:roll 1:-- 0:100 1:-- 0:50")
    assert (table.phase, table.hand(0)) == ("extend", [])
    table.play("0:extend")
    assert table.seat == 1


def test_r6_3_cards(tables: Tables) -> None:
    table = tables.small("roll 25 25", "roll 25 25", draws="25").play("0:-- 1:-- 0:-- 1:-- 0:--")
    assert (table.phase, table.seat, table.hand(1)) == ("play", 1, ["roll"])
    table.play("1:-- 0:--")
    assert (table.phase, table.completed_by) == ("over", None)


@pytest.mark.parametrize("hand_end", ["plays", "points"])
def test_r6_3_not_before_the_draw_pile_is_empty(tables: Tables, hand_end: str) -> None:
    """Nobody can play anything, but there is a card to come."""
    table = tables.small("gasoline gasoline 25", "repairs repairs repairs", draws="repairs roll", hand_end=hand_end)
    table.play("0:-gasoline")
    assert (table.phase, table.seat, table.draw_pile) == ("play", 1, 0)


def test_r6_3_plays(tables: Tables) -> None:
    table = tables.small("roll gasoline 25", "25 stop gasoline", hand_end="plays").play("0:roll 1:-25")
    assert table.phase == "play"  # seat 0 can play 25, seat 1 its stop
    table.play("0:25")
    assert (table.phase, table.seat) == ("play", 1)
    table.play("1:stop>0")
    assert (table.phase, table.hand(0), table.hand(1)) == ("over", ["gasoline"], ["gasoline"])
    assert table.completed_by is None


def test_r6_3_plays_judges_each_seat_as_if_it_were_its_turn(tables: Tables) -> None:
    table = tables.small("25 25 25", "25 gasoline roll", hand_end="plays").play("0:-25")
    assert table.phase == "play"  # seat 1 can play its roll
    table.play("1:-roll")
    assert table.phase == "over"  # although seat 0 has 25s: its side is not moving


def test_r6_3_plays_judges_hazards_by_target(tables: Tables) -> None:
    hands = ("speed_limit 25 25", "25 25 roll", "25 25 25")
    settings: dict[str, Any] = {"hand_end": "plays", "targets": "left"}
    table = tables.small(*hands, **settings).play("0:-- 1:-roll")
    assert table.phase == "play"  # the speed limit can still be played
    table.play("2:-- 0:speed_limit>1")
    assert table.phase == "over"


def test_r6_3_points_before_an_extra_turn(tables: Tables) -> None:
    """Once the last safety is down nobody can score, and the hand ends although its seat would move again."""
    table = tables.small("extra_tank gasoline gasoline", "gasoline gasoline gasoline", hand_end="points")
    assert table.phase == "play"
    table.play("0:extra_tank")
    assert (table.phase, table.seat, table.completed_by) == ("over", 0, None)


def can_score(tables: Tables, hand: str, played: str, partner: str = "", **settings: Any) -> bool:
    """R6.4 for side 0: does a hand without a draw pile go on when its seats hold these cards and useless ones?

    ``played`` are moves that seat 0 makes first, with what seat 1 answers after a slash. Seat 1 could score too
    until it discards its roll, after which the hand is over or not.
    """
    turns = [move.partition("/") for move in played.split()]
    own = [move for move, _, _ in turns]
    hits = [hit.partition(">")[0] for _, _, hit in turns if hit]
    hands = [" ".join([*own, hand]), " ".join(["25", "roll", *hits]), partner, ""][: 4 if partner else 2]
    hands = [" ".join([*cards.split(), *["gasoline"] * (6 - len(cards.split()))]) for cards in hands]
    table = tables.small(*hands, hand_size=6, hand_end="points", sides=2, **settings)
    for move, _, hit in turns:
        table.play(f"0:{move} 1:{hit or '-gasoline'}")
        if partner:
            table.play("2:-gasoline 3:-gasoline")
    table.play("0:-gasoline 1:-roll")
    return table.phase == "play"


@pytest.mark.parametrize(
    ("hand", "played", "expected"),
    [
        ("driving_ace", "", True),  # a safety always scores
        ("", "roll", False),
        ("25", "roll", True),  # a distance card, moving
        ("100", "roll", True),
        ("25", "roll/stop>0", False),  # stopped, without a roll
        ("25 roll", "roll/stop>0", True),
        ("25 roll", "roll/accident>0", False),  # no repairs
        ("25 repairs", "roll/accident>0", False),  # no roll after them
        ("25 repairs roll", "roll/accident>0", True),
        ("repairs roll", "roll/accident>0", False),  # nothing to drive with
        ("100", "roll/speed_limit>0", False),  # too fast
        ("50", "roll/speed_limit>0", True),
        ("100 end_of_limit", "roll/speed_limit>0", True),
        ("200", "roll", False),  # too far, with the goal at 150
        ("100", "roll 100", False),
        ("50", "roll 100", True),
    ],
)
def test_r6_4_can_a_side_still_score(tables: Tables, hand: str, played: str, expected: bool) -> None:
    assert can_score(tables, hand, played, goal=150, extension_goal=None) is expected


def test_r6_4_a_third_200_scores_no_more(tables: Tables) -> None:
    settings: dict[str, Any] = {"goal": 1000, "extension_goal": None}
    assert can_score(tables, "200", "roll 200", **settings)
    assert not can_score(tables, "200", "roll 200 200", **settings)


def test_r6_4_the_goal_in_force(tables: Tables) -> None:
    table = tables.small("roll 100 50", "25 gasoline gasoline", goal=100, extension_goal=150, hand_end="points")
    table.play("0:roll 1:-25 0:100 0:extend")
    assert table.phase == "play"


def test_r6_4_the_hands_of_partners_count_together(tables: Tables) -> None:
    settings: dict[str, Any] = {"goal": 200, "extension_goal": None}
    assert not can_score(tables, "25", "roll/stop>0", "repairs", **settings)
    assert can_score(tables, "25", "roll/stop>0", "roll", **settings)


def test_r6_4_a_200_may_serve_as_the_roll(tables: Tables) -> None:
    settings: dict[str, Any] = {"goal": 1000, "extension_goal": None}
    assert can_score(tables, "25 200", "roll/stop>0", roll_200=True, **settings)
    assert not can_score(tables, "25 200", "roll/stop>0", roll_200=False, **settings)
    assert can_score(tables, "200 200", "roll/stop>0", roll_200=True, **settings)
    assert not can_score(tables, "200", "roll/stop>0", roll_200=True, **settings)  # it cannot be both


def test_r6_4_no_roll_is_needed_by_an_owner_of_right_of_way(tables: Tables) -> None:
    table = tables.small("right_of_way 25 repairs", "gasoline gasoline gasoline", hand_end="points")
    table.play("0:right_of_way")
    assert table.phase == "play"
    # under an accident the repairs alone are enough
    table = tables.small(
        "right_of_way 25 100 repairs", "accident gasoline gasoline gasoline", hand_size=4, hand_end="points"
    )
    table.play("0:right_of_way 0:25 1:accident>0")
    assert table.phase == "play"
    table.play("0:-repairs")
    assert table.phase == "over"


def test_r6_4_opponents_do_not_matter(tables: Tables) -> None:
    """Side 1 could still play a speed limit, but nobody can score: the hand is over before it begins."""
    table = tables.small("25 gasoline gasoline", "speed_limit roll gasoline", hand_end="points")
    assert (table.phase, table.completed_by, table.seat) == ("over", None, 0)


# R7 score of a hand


def test_r7_distance_and_safeties(tables: Tables) -> None:
    table = tables.lay("roll 100 75 extra_tank", "roll 25 driving_ace puncture_proof")
    table.play("0:extra_tank 0:roll 1:driving_ace 1:puncture_proof 1:roll 0:100 1:25 0:75")
    assert table.points(0) == {"distance": 175, "safeties": 100}
    assert table.points(1) == {"distance": 25, "safeties": 200}
    assert table.scores(0)["total"] == 275
    assert list(table.scores(0)) == [
        "distance", "safeties", "all_safeties", "coups_fourres", "trip_completed", "delayed_action", "safe_trip",
        "extension", "shut_out", "total",
    ]  # fmt: skip


def test_r7_coups_fourres(tables: Tables) -> None:
    table = tables.lay("roll right_of_way", "stop").play("0:roll 1:stop>0 0:right_of_way!")
    assert table.points(0) == {"safeties": 100, "coups_fourres": 300}


def completed(tables: Tables, hand: str, moves: str, **settings: Any) -> Table:
    table = tables.lay(hand, "roll 25", **{"goal": 200, "extension_goal": None, **settings}).play(moves)
    assert table.phase == "over"
    return table


def test_r7_trip_completed_and_safe_trip(tables: Tables) -> None:
    table = completed(tables, "roll 100 100", "0:roll 1:roll 0:100 1:25 0:100")
    assert table.points(0) == {"distance": 200, "trip_completed": 400, "safe_trip": 300}
    assert table.points(1) == {"distance": 25}


def test_r7_no_safe_trip_with_a_200(tables: Tables) -> None:
    table = completed(tables, "roll 200", "0:roll 1:roll 0:-- 1:25 0:200")
    assert table.points(0) == {"distance": 200, "trip_completed": 400}


def test_r7_shut_out_for_each_opposing_side(tables: Tables) -> None:
    table = completed(tables, "roll 200", "0:roll 1:-- 0:200")
    assert table.points(0)["shut_out"] == 500
    table = tables.lay("roll 200", "roll 25", seats=4, sides=4, goal=200, extension_goal=None)
    table.play("0:roll 1:roll 2:-- 3:-- 0:-- 1:25 2:-- 3:-- 0:200")
    assert table.points(0)["shut_out"] == 1000


def test_r7_no_shut_out_without_the_trip(tables: Tables) -> None:
    table = tables.small("roll 100 25", "25 25 25").play("0:roll 1:-- 0:100 1:-- 0:25 1:--")
    assert table.phase == "over"
    assert table.points(0) == {"distance": 125}


def test_r7_delayed_action(tables: Tables) -> None:
    table = tables.small("roll 100 25", "25 25 25", draws="25", goal=100, extension_goal=None)
    assert table.draw_pile == 0
    table.play("0:roll 1:-- 0:100")
    assert table.points(0)["delayed_action"] == 300
    table = tables.small("roll 100 25", "25 25 25", draws="25 25 25 25", goal=100, extension_goal=None)
    table.play("0:roll 1:-- 0:100")
    assert "delayed_action" not in table.points(0)


def test_r7_extension_for_whoever_completes_it(tables: Tables) -> None:
    table = tables.lay("roll 100", "roll 100 50", goal=100, extension_goal=150)
    table.play("0:roll 1:roll 0:100 0:extend 1:100 0:-- 1:50")
    assert table.points(1) == {"distance": 150, "trip_completed": 400, "safe_trip": 300, "extension": 200}
    assert table.points(0) == {"distance": 100}


def test_r7_an_extension_that_nobody_completes_gives_nobody_the_lower_lines(tables: Tables) -> None:
    table = tables.small("roll 100 25", "25 25 25", goal=100, extension_goal=1000)
    table.play("0:roll 1:-- 0:100 0:extend 1:-- 0:-25 1:--")
    assert (table.phase, table.completed_by, table.extended) == ("over", None, True)
    assert table.points(0) == {"distance": 100}


# R8 match


def test_r8_1_hands_until_a_side_has_the_target() -> None:
    standing = Standing((0, 0), 5000, "draw")
    assert not standing.is_over
    assert not standing.add([4999, 4000]).is_over
    over = standing.add([5000, 4000])
    assert (over.is_over, over.winner) == (True, 0)
    both = standing.add([5100, 5600])
    assert (both.is_over, both.winner) == (True, 1)


def test_r8_1_the_target_is_asked_at_the_end_of_a_hand() -> None:
    match = Match.start(make_rules("mille2"), seed=3, match_target=1)
    while not match.hand.is_over:
        assert not match.is_over
        moves = sorted(str(move) for move in match.hand.legal_moves)
        match = match.play(next((move for move in moves if not move.startswith("-")), moves[0]))
    assert match.is_over == (max(match.totals) >= 1)


def test_r8_2_equal_highest_totals() -> None:
    drawn = Standing((5200, 5200, 100), 5000, "draw")
    assert (drawn.is_over, drawn.winner) == (True, None)
    open_still = Standing((5200, 5200, 100), 5000, "play_on")
    assert (open_still.is_over, open_still.winner) == (False, None)
    assert open_still.add([25, 0, 0]).winner == 0


def test_r8_2_other_equal_totals_do_not_matter() -> None:
    standing = Standing((5200, 100, 100), 5000, "play_on")
    assert (standing.is_over, standing.winner) == (True, 0)
