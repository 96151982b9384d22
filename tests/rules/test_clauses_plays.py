"""R4, what may be played and what it does, at the table."""

from typing import Any

import pytest

from millebornes.cards import HAZARDS, SAFETY_OF
from tests.rules.table import Tables

HALTING = [("accident", "repairs"), ("out_of_gas", "gasoline"), ("flat_tire", "spare_tire")]
"""The hazards that have a remedy of their own, with it."""
SAFETY = {hazard.value: SAFETY_OF[hazard].value for hazard in HAZARDS}


def test_r4_1_distance_only_while_moving(tables: Tables) -> None:
    table = tables.lay("25 50 75 100 200 roll")
    assert table.plays == ["roll"]
    table.play("0:roll 1:--")
    assert table.plays == ["100", "200", "25", "50", "75"]
    table.play("0:75")
    assert table.shown(0)["distance"] == 75
    assert table.shown(0)["cards"] == {"25": 0, "50": 0, "75": 1, "100": 0, "200": 0}


def test_r4_1_the_goal_must_be_hit_exactly(tables: Tables) -> None:
    table = tables.lay("roll 100 50 75", goal=125, extension_goal=None).play("0:roll 1:-- 0:100 1:--")
    assert "50" not in table.plays
    assert "75" not in table.plays
    assert "25" not in table.hand(0)
    table = tables.lay("roll 100 50 75 25", goal=125, extension_goal=None).play("0:roll 1:-- 0:100 1:--")
    assert table.plays == ["25"]


def test_r4_1_the_goal_in_force_counts(tables: Tables) -> None:
    table = tables.lay("roll 100 25", goal=100, extension_goal=125).play("0:roll 1:-- 0:100 0:extend 1:--")
    assert table.plays == ["25"]


def test_r4_1_two_200s_at_most(tables: Tables) -> None:
    table = tables.lay("roll 200 200 200 100", goal=1000, extension_goal=None).play("0:roll 1:-- 0:200 1:-- 0:200 1:--")
    assert table.shown(0)["cards"]["200"] == 2
    assert table.plays == ["100"]
    assert "-200" in table.legal


def test_r4_1_two_200s_for_each_side_not_each_seat(tables: Tables) -> None:
    table = tables.lay("roll 200", "", "200 200", seats=4, sides=2).play("0:roll 1:-- 2:200 3:-- 0:200 1:--")
    assert table.hand(2).count("200") == 1
    assert "200" not in table.plays


@pytest.mark.parametrize(("hazard", "remedy"), HALTING)
def test_r4_2_a_remedy_ends_exactly_its_hazard(tables: Tables, hazard: str, remedy: str) -> None:
    table = tables.lay("roll repairs gasoline spare_tire", hazard).play(f"0:roll 1:{hazard}>0")
    assert table.plays == [remedy]
    table.play(f"0:{remedy} 1:--")
    assert table.shown(0)["battle"] == remedy
    assert not table.is_moving(0)  # a roll comes next


def test_r4_2_no_remedy_without_its_hazard(tables: Tables) -> None:
    table = tables.lay("roll repairs gasoline spare_tire end_of_limit", "stop")
    assert table.plays == ["roll"]
    table.play("0:roll 1:stop>0")
    assert not {"repairs", "gasoline", "spare_tire", "end_of_limit"} & set(table.plays)


def test_r4_2_end_of_limit_only_while_limited(tables: Tables) -> None:
    table = tables.lay("roll 100 end_of_limit end_of_limit", "speed_limit").play("0:-100 1:speed_limit>0")
    assert table.plays == ["end_of_limit", "roll"]
    table.play("0:end_of_limit 1:--")
    assert table.shown(0)["speed"] == "end_of_limit"
    assert table.plays == ["roll"]


def test_r4_2_a_second_limit_needs_a_second_end_of_limit(tables: Tables) -> None:
    table = tables.lay("roll end_of_limit end_of_limit", "speed_limit speed_limit", draws="25 25 25 25 25 25")
    table.play("0:roll 1:speed_limit>0 0:end_of_limit 1:speed_limit>0")
    assert table.shown(0)["speed"] == "speed_limit"
    table.play("0:end_of_limit")
    assert (table.shown(0)["speed"], table.shown(0)["battle"]) == ("end_of_limit", "roll")


def test_r4_2_end_of_limit_is_no_use_to_an_owner_of_right_of_way(tables: Tables) -> None:
    table = tables.lay("end_of_limit right_of_way", "speed_limit", right_of_way_clears=False)
    table.play("0:-- 1:speed_limit>0 0:pass 0:right_of_way")
    assert table.shown(0)["speed"] == "speed_limit"
    assert "end_of_limit" not in table.plays


def test_r4_3_roll_on_an_empty_pile_a_stop_or_a_remedy(tables: Tables) -> None:
    table = tables.lay("roll roll roll roll repairs", "stop accident")
    assert "roll" in table.plays
    table.play("0:roll 1:--")
    assert "roll" not in table.plays  # not on a roll
    table.play("0:-- 1:stop>0")
    assert "roll" in table.plays
    table.play("0:roll 1:accident>0")
    assert "roll" not in table.plays  # not on an accident
    table.play("0:repairs 1:--")
    assert "roll" in table.plays


def test_r4_3_roll_on_a_hazard_that_ones_own_safety_answers(tables: Tables) -> None:
    table = tables.lay("roll roll driving_ace", "accident").play("0:roll 1:accident>0 0:pass 0:driving_ace 0:roll")
    assert table.shown(0)["battle"] == "roll"
    assert table.is_moving(0)


def test_r4_3_an_owner_of_right_of_way_may_still_roll(tables: Tables) -> None:
    table = tables.lay("roll right_of_way").play("0:right_of_way")
    assert "roll" in table.plays


@pytest.mark.parametrize("hazard", ["accident", "out_of_gas", "flat_tire", "stop"])
def test_r4_4_a_hazard_needs_a_moving_opponent(tables: Tables, hazard: str) -> None:
    table = tables.lay(hazard, "roll roll")
    assert table.plays == []
    table.play("0:-- 1:roll")
    assert table.plays == [f"{hazard}>1"]
    table.play(f"0:{hazard}>1")
    assert table.shown(1)["battle"] == hazard


def test_r4_4_not_on_a_side_that_owns_the_safety(tables: Tables) -> None:
    table = tables.lay("accident flat_tire", "roll driving_ace").play("0:-- 1:driving_ace 1:roll")
    assert table.plays == ["flat_tire>1"]


def test_r4_4_not_on_ones_own_side(tables: Tables) -> None:
    table = tables.lay("stop roll", "roll", "stop", seats=4, sides=2).play("0:roll 1:roll")
    assert table.plays == ["stop>1"]


def test_r4_5_speed_limit_needs_no_moving_opponent(tables: Tables) -> None:
    table = tables.lay("speed_limit")
    assert table.plays == ["speed_limit>1"]
    table.play("0:speed_limit>1")
    assert table.shown(1)["speed"] == "speed_limit"
    assert table.shown(1)["battle"] is None


def test_r4_5_not_on_a_limited_side(tables: Tables) -> None:
    table = tables.lay("speed_limit speed_limit", "end_of_limit 100").play("0:speed_limit>1 1:-100")
    assert table.plays == []
    table.play("0:-- 1:end_of_limit")
    assert table.plays == ["speed_limit>1"]


def test_r4_5_not_on_an_owner_of_right_of_way(tables: Tables) -> None:
    table = tables.lay("speed_limit", "right_of_way").play("0:-- 1:right_of_way 1:--")
    assert table.plays == []


def test_r4_6_a_safety_at_any_time_and_another_turn(tables: Tables) -> None:
    table = tables.lay("extra_tank driving_ace roll")
    assert table.plays == ["driving_ace", "extra_tank", "roll"]
    table.play("0:extra_tank 0:driving_ace 0:roll")
    assert table.seat == 1
    assert table.shown(0)["safeties"] == ["driving_ace", "extra_tank"]
    assert table.shown(0)["coups_fourres"] == []


def test_r4_6_left_without_cards_the_turn_passes(tables: Tables) -> None:
    table = tables.small("25 roll extra_tank", "25 50 roll")
    table.play("0:roll 1:roll 0:25 1:25 0:extra_tank")
    assert table.hand(0) == []
    assert table.seat == 1


@pytest.mark.parametrize(("hazard", "safety"), [(hazard, SAFETY[hazard]) for hazard in ("accident", "stop")])
def test_r4_6_safety_gives_roll(tables: Tables, hazard: str, safety: str) -> None:
    table = tables.lay(f"roll 100 {safety}", hazard, safety_gives_roll=True, right_of_way_clears=False)
    table.play(f"0:roll 1:{hazard}>0 0:pass 0:{safety}")
    assert table.shown(0)["battle"] == "roll"
    assert table.is_moving(0)
    assert table.discards[hazard] == 1
    assert "100" in table.plays
    assert table.view(1)["played"] == {"roll": 1, safety: 1}  # no second roll lies there


def test_r4_6_safety_gives_no_roll_without_its_hazard_on_top(tables: Tables) -> None:
    table = tables.lay("roll driving_ace repairs", "accident", safety_gives_roll=True)
    table.play("0:roll 1:accident>0 0:pass 0:repairs 1:-- 0:driving_ace")
    assert table.shown(0)["battle"] == "repairs"
    assert not table.is_moving(0)


@pytest.mark.parametrize(("hit", "battle"), [("speed_limit", "stop"), ("stop", "stop")])
def test_r4_6_a_coup_gives_no_roll(tables: Tables, hit: str, battle: str) -> None:
    """Only an ordinary play of a safety does; a stop that lay there before stays, without effect."""
    settings: dict[str, Any] = {"safety_gives_roll": True, "right_of_way_clears": False, "hazard_on": "stack"}
    table = tables.lay("roll right_of_way", f"stop {hit}", **settings)
    table.play(f"0:roll 1:stop>0 0:pass 0:-- 1:{hit}>0 0:right_of_way!")
    assert table.shown(0)["battle"] == battle
    assert table.discards[hit] == 1


def test_r4_7_a_200_as_a_roll(tables: Tables) -> None:
    table = tables.lay("200 200 200 roll", "stop", roll_200=True, goal=1000, extension_goal=None)
    assert table.plays == ["200=roll", "roll"]
    table.play("0:200=roll 1:--")
    assert table.shown(0)["battle"] == "200"
    assert table.shown(0)["distance"] == 0
    assert table.plays == ["200"]  # neither a roll nor another 200 on it
    table.play("0:200 1:-- 0:200")  # it is none of the two 200s
    assert table.shown(0)["cards"]["200"] == 2
    table.play("1:stop>0 0:roll")
    assert table.shown(0)["battle"] == "roll"


def test_r4_7_a_200_as_a_roll_shows_again_when_a_stop_goes(tables: Tables) -> None:
    table = tables.lay("200 right_of_way", "stop", roll_200=True).play("0:200=roll 1:stop>0 0:right_of_way!")
    assert table.shown(0)["battle"] == "200"


def test_r4_7_a_200_as_a_roll_is_no_obstacle_to_the_safe_trip(tables: Tables) -> None:
    table = tables.lay("200 100", roll_200=True, goal=100, extension_goal=None).play("0:200=roll 1:-- 0:100")
    assert table.points(0)["safe_trip"] == 300


def test_r4_8_any_card_may_be_discarded(tables: Tables) -> None:
    table = tables.lay("roll extra_tank stop 100 25 50", draws="25")
    assert [move for move in table.legal if move.startswith("-")] == [
        "-100", "-25", "-50", "-extra_tank", "-roll", "-stop"
    ]  # fmt: skip
    table.play("0:-extra_tank")
    assert table.discard_top == "extra_tank"
    assert table.view(1)["discards"] == {"extra_tank": 1}
    assert table.seat == 1


def test_r4_8_with_safeties_alone_one_has_to_be_played(tables: Tables) -> None:
    safeties = "extra_tank driving_ace puncture_proof"
    table = tables.small(safeties, "25 roll 25", discard_safeties=False)
    assert table.legal == ["driving_ace", "extra_tank", "puncture_proof"]


def test_r4_9_left_is_the_side_of_the_seat_to_the_left(tables: Tables) -> None:
    table = tables.lay("", "", "speed_limit", seats=6, sides=3, targets="left").play("0:-- 1:--")
    assert table.plays == ["speed_limit>0"]  # seat 3 sits to the left of seat 2 and plays for side 0


def test_r4_10_right_of_way_clears_stop_and_limit(tables: Tables) -> None:
    table = tables.lay("roll right_of_way 100", "speed_limit stop")
    table.play("0:roll 1:speed_limit>0 0:pass 0:-- 1:stop>0 0:pass 0:right_of_way")
    assert table.shown(0)["battle"] == "roll"
    assert table.shown(0)["speed"] is None
    assert table.discard_top == "speed_limit"  # after the stop
    assert table.discards["stop"] == 1
    assert "100" in table.plays


def test_r4_10_as_a_coup_it_clears_the_other_one_too(tables: Tables) -> None:
    table = tables.lay("roll right_of_way 100", "speed_limit stop")
    table.play("0:roll 1:speed_limit>0 0:pass 0:-- 1:stop>0 0:right_of_way!")
    assert table.shown(0)["speed"] is None
    assert table.shown(0)["battle"] == "roll"
    assert table.discard_top == "speed_limit"


def test_r4_10_other_hazards_stay(tables: Tables) -> None:
    table = tables.lay("roll right_of_way", "accident").play("0:roll 1:accident>0 0:right_of_way")
    assert table.shown(0)["battle"] == "accident"
    assert not table.is_moving(0)
