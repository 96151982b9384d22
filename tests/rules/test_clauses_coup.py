"""R5, the coup fourré, at the table."""

import pytest

from millebornes.cards import SAFETY_OF, Card
from tests.rules.table import Tables

HITS = [(hazard, SAFETY_OF[Card(hazard)].value) for hazard in ("accident", "out_of_gas", "flat_tire", "stop")]
ALL_HITS = [*HITS, ("speed_limit", "right_of_way")]


@pytest.mark.parametrize(("hazard", "safety"), ALL_HITS)
def test_r5_1_the_holder_is_asked_before_anyone_draws(tables: Tables, hazard: str, safety: str) -> None:
    table = tables.lay(f"roll {safety}", hazard).play("0:roll")
    pile = table.draw_pile
    table.play(f"1:{hazard}>0")
    assert (table.phase, table.seat) == ("coup", 0)
    assert table.legal == sorted(["pass", f"{safety}!"])
    assert table.draw_pile == pile
    assert hazard in table.shown(0).values()  # it already lies on the pile
    assert table.view(0)["pending"] == (hazard, 0, 1)


def test_r5_1_only_the_answering_safety_counts(tables: Tables) -> None:
    table = tables.lay("roll driving_ace extra_tank right_of_way", "flat_tire").play("0:roll 1:flat_tire>0")
    assert table.phase == "play"


def test_r5_1_victim_is_any_seat_of_the_side_that_was_hit(tables: Tables) -> None:
    table = tables.lay("roll", "stop", "right_of_way", "", seats=4, sides=2).play("0:roll 1:stop>0")
    assert (table.phase, table.seat) == ("coup", 2)


def test_r5_1_victim_is_nobody_else(tables: Tables) -> None:
    table = tables.lay("roll", "stop", "right_of_way", seats=3).play("0:roll 1:stop>0")
    assert (table.phase, table.seat) == ("play", 2)
    table = tables.lay("roll", "stop right_of_way", seats=3).play("0:roll 1:stop>0")
    assert table.phase == "play"


@pytest.mark.parametrize("holder", range(4))
def test_r5_1_anyone_is_any_seat_at_all(tables: Tables, holder: int) -> None:
    hands = ["roll", "stop", "", ""]
    hands[holder] += " right_of_way"
    table = tables.lay(*hands, seats=4, sides=2, coup_by="anyone").play("0:roll 1:stop>0")
    assert (table.phase, table.seat) == ("coup", holder)
    table.play("right_of_way!")
    assert table.seat == holder
    assert table.shown(holder % 2)["coups_fourres"] == ["right_of_way"]


@pytest.mark.parametrize(("hazard", "safety"), HITS)
def test_r5_2_the_hazard_goes_and_what_it_covered_shows_again(tables: Tables, hazard: str, safety: str) -> None:
    table = tables.lay(f"roll 100 {safety}", hazard).play(f"0:roll 1:{hazard}>0 0:{safety}!")
    assert table.shown(0)["battle"] == "roll"
    assert table.shown(0)["safeties"] == table.shown(0)["coups_fourres"] == [safety]
    assert table.discard_top == hazard
    assert table.is_moving(0)
    assert "100" in table.plays


def test_r5_2_a_speed_limit_goes_too(tables: Tables) -> None:
    table = tables.lay("end_of_limit end_of_limit right_of_way", "speed_limit speed_limit 100")
    table.play("0:-- 1:speed_limit>0 0:pass 0:end_of_limit 1:speed_limit>0 0:right_of_way!")
    assert table.shown(0)["speed"] == "end_of_limit"
    assert table.discards["speed_limit"] == 1


def test_r5_2_under_a_stack_the_hazard_below_shows_again(tables: Tables) -> None:
    table = tables.lay("roll driving_ace", "flat_tire accident", edition="mille2")
    table.play("0:roll 1:flat_tire>0 0:-- 1:accident>0 0:driving_ace!")
    assert table.shown(0)["battle"] == "flat_tire"
    assert not table.is_moving(0)


def test_r5_2_called_by_another_side_the_hazard_stays(tables: Tables) -> None:
    table = tables.lay("roll", "accident", "driving_ace", seats=3, edition="house")
    table.play("0:roll 1:accident>0 2:driving_ace!")
    assert table.shown(0)["battle"] == "accident"
    assert table.shown(0)["safeties"] == []
    assert table.shown(2)["coups_fourres"] == ["driving_ace"]
    assert table.discards == {}


def test_r5_2_called_by_the_attacker_the_hazard_stays(tables: Tables) -> None:
    table = tables.lay("roll", "accident driving_ace", edition="house").play("0:roll 1:accident>0 1:driving_ace!")
    assert table.shown(0)["battle"] == "accident"
    assert table.shown(1)["coups_fourres"] == ["driving_ace"]
    assert table.seat == 1
    assert len(table.hand(1)) == 7


def test_r5_3_the_caller_takes_a_turn_and_seats_between_lose_theirs(tables: Tables) -> None:
    table = tables.lay("roll", "", "", "stop", "right_of_way", "", seats=6, sides=2)
    table.play("0:roll 1:-- 2:-- 3:stop>0 4:right_of_way! 4:-- 5:-- 0:--")
    assert table.seat == 1
    table = tables.lay("roll", "stop", "", "right_of_way", seats=6, sides=3).play(
        "0:roll 1:stop>0 3:right_of_way! 3:--"
    )
    assert table.seat == 4  # seat 2 lost its turn


def test_r5_4_passed_the_chance_is_gone(tables: Tables) -> None:
    table = tables.lay("roll right_of_way", "stop", "", seats=3).play("0:roll 1:stop>0 0:pass")
    assert table.seat == 2
    assert table.shown(0)["battle"] == "stop"
    table.play("2:--")
    assert "right_of_way" in table.plays
    assert "right_of_way!" not in table.legal
    table.play("0:right_of_way")
    assert table.shown(0)["coups_fourres"] == []


def test_r5_5_nobody_but_the_holder_learns_of_the_question(tables: Tables) -> None:
    """Until the answer the others see the table right after the hazard, and nobody to move."""
    table = tables.lay("roll", "stop", "right_of_way", "", seats=4, sides=2).play("0:roll 1:stop>0")
    assert table.phase == "coup"
    for seat in (0, 1, 3):
        view = table.view(seat)
        assert (view["phase"], view["mover"], view["pending"]) == ("play", None, None)
        assert view["hand_sizes"] == [6, 6, 6, 6]
        assert "right_of_way" not in [*view["hand"], *view["played"], *view["discards"]]
    assert (table.view(2)["phase"], table.view(2)["mover"]) == ("coup", 2)
    assert table.view(2)["pending"] == ("stop", 0, 1)


def test_r5_5_a_pass_leaves_no_trace(tables: Tables) -> None:
    """After a pass the table looks to the others as if nobody had been asked."""
    passed = tables.lay("roll", "stop", "right_of_way", "25", seats=4, sides=2).play("0:roll 1:stop>0 2:pass")
    unasked = tables.lay("roll", "stop", "right_of_way", "25", seats=4, sides=4).play("0:roll 1:stop>0")
    for seat in range(4):
        ours, theirs = passed.view(seat), unasked.view(seat)
        assert {key: value for key, value in ours.items() if key != "sides"} == {
            key: value for key, value in theirs.items() if key != "sides"
        }
        assert ours["sides"][:2] == theirs["sides"][:2]


def test_r5_6_a_dealt_right_of_way_may_be_called_before_the_first_draw(tables: Tables) -> None:
    table = tables.lay("", "", "right_of_way", seats=3, edition="wikibooks", first=1)
    assert (table.phase, table.seat) == ("opening", 2)
    assert table.legal == ["pass", "right_of_way!"]
    assert table.draw_pile == 106 - 18
    table.play("2:right_of_way!")
    assert table.shown(2)["coups_fourres"] == ["right_of_way"]
    assert (table.phase, table.seat) == ("play", 2)
    assert len(table.hand(2)) == 7
    assert table.state["first"] == 1
    table.play("2:--")
    assert table.seat == 0


def test_r5_6_passed_the_hand_starts_as_usual(tables: Tables) -> None:
    table = tables.lay("", "", "right_of_way", seats=3, edition="wikibooks", first=1).play("2:pass")
    assert (table.phase, table.seat) == ("play", 1)
    assert len(table.hand(1)) == 7
    table.play("1:--")
    assert "right_of_way" in table.plays


def test_r5_6_others_do_not_see_who_is_asked(tables: Tables) -> None:
    table = tables.lay("", "", "right_of_way", seats=3, edition="wikibooks")
    for seat in (0, 1):
        assert (table.view(seat)["phase"], table.view(seat)["mover"]) == ("play", None)
    assert (table.view(2)["phase"], table.view(2)["mover"]) == ("opening", 2)
    assert table.view(2)["pending"] is None


def test_r5_6_drawn_later_it_is_no_opening_call(tables: Tables) -> None:
    table = tables.lay(draws="right_of_way", edition="wikibooks")
    assert (table.phase, table.seat) == ("play", 0)
    assert "right_of_way" in table.hand(0)
