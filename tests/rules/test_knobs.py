"""R9: each value of each setting, and the difference that it makes at the table.

Every test lays the same cards under two (or more) values and shows what differs.
"""

import pytest

from millebornes.editions import FIELDS, make_rules
from millebornes.game import Match, Standing
from tests.rules.table import Table, Tables


def test_every_setting_has_a_test() -> None:
    tested = {name.removeprefix("test_knob_") for name in globals() if name.startswith("test_knob_")}
    untested = {field for field in FIELDS if not any(name.startswith(field) for name in tested)}
    assert untested == set(), "add a test_knob_… for each of these, which shows what its values change at the table"


@pytest.mark.parametrize(("deck", "cards", "stops"), [("full", 106, 5), ("reduced", 101, 4)])
def test_knob_deck(tables: Tables, deck: str, cards: int, stops: int) -> None:
    table = tables.lay(deck=deck)
    assert table.draw_pile == cards - 13
    assert table.rules.settings(short_deck=True)["deck"] == deck
    everything = [*table.hand(0), *table.hand(1), *table.state["draw_pile"]]
    assert (len(everything), everything.count("stop")) == (cards, stops)


@pytest.mark.parametrize("size", [13, 111, 112, 192])
def test_knob_deck_of_ones_own(tables: Tables, size: int) -> None:
    table = tables.lay("roll 25", deck={"25": size - 5, "roll": 5})
    assert table.draw_pile == size - 13
    table.play("0:roll 1:-- 0:25")
    assert table.shown(0)["distance"] == 25


@pytest.mark.parametrize("hand_size", [3, 6])
def test_knob_hand_size(tables: Tables, hand_size: int) -> None:
    table = tables.lay("extra_tank", hand_size=hand_size)
    assert [len(table.hand(seat)) for seat in (0, 1)] == [hand_size + 1, hand_size]
    table.play("0:extra_tank")
    assert len(table.hand(0)) == hand_size + 1


@pytest.mark.parametrize("goal", [100, 125, 200])
def test_knob_goal(tables: Tables, goal: int) -> None:
    table = tables.lay("roll 100 25 75", goal=goal, extension_goal=None).play("0:roll 1:-- 0:100")
    if table.phase == "play":
        table.play("1:--")
    assert [move for move in table.plays if move.isdigit()] == {100: [], 125: ["25"], 200: ["25", "75"]}[goal]
    assert (table.phase == "over") == (goal == 100)


@pytest.mark.parametrize(("extension_goal", "phase"), [(None, "over"), (200, "extend")])
def test_knob_extension_goal(tables: Tables, extension_goal: int | None, phase: str) -> None:
    table = tables.lay("roll 100 100", goal=100, extension_goal=extension_goal).play("0:roll 1:-- 0:100")
    assert table.phase == phase
    if extension_goal:
        table.play("0:extend 1:-- 0:100")
        assert (table.phase, table.completed_by) == ("over", 0)


def hazards(table: Table) -> list[str]:
    return [move for move in table.plays if ">" in move]


@pytest.mark.parametrize(
    ("hazard_on", "on_empty", "on_roll", "on_accident"),
    [
        ("rolling", [], ["accident>1", "stop>1"], []),
        ("stack", [], ["accident>1", "stop>1"], ["accident>1", "stop>1"]),
        ("stack_different", [], ["accident>1", "stop>1"], ["stop>1"]),
    ],
)
def test_knob_hazard_on(
    tables: Tables, hazard_on: str, on_empty: list[str], on_roll: list[str], on_accident: list[str]
) -> None:
    table = tables.lay("accident accident stop", "roll", hazard_on=hazard_on, right_of_way_clears=False)
    assert hazards(table) == on_empty
    table.play("0:-- 1:roll")
    assert hazards(table) == on_roll
    table.play("0:accident>1 1:--")
    assert hazards(table) == on_accident


@pytest.mark.parametrize(
    ("hazard_on", "expected"), [("rolling", ["accident>1"]), ("stack", []), ("stack_different", [])]
)
def test_knob_hazard_on_an_owner_of_right_of_way_with_an_empty_pile(
    tables: Tables, hazard_on: str, expected: list[str]
) -> None:
    table = tables.lay("accident", "right_of_way 25", hazard_on=hazard_on, right_of_way_clears=False)
    table.play("0:-- 1:right_of_way 1:25")
    assert table.is_moving(1)
    assert hazards(table) == expected


@pytest.mark.parametrize(("targets", "expected"), [("all", [1, 2, 3]), ("left", [1])])
def test_knob_targets(tables: Tables, targets: str, expected: list[int]) -> None:
    table = tables.lay("stop speed_limit", *["roll"] * 3, seats=4, sides=4, targets=targets)
    table.play("0:-- 1:roll 2:roll 3:roll")
    assert hazards(table) == [f"{hazard}>{side}" for hazard in ("speed_limit", "stop") for side in expected]


@pytest.mark.parametrize(("coup_by", "phase"), [("victim", "play"), ("anyone", "coup")])
def test_knob_coup_by(tables: Tables, coup_by: str, phase: str) -> None:
    table = tables.lay("roll", "stop", "right_of_way", seats=3, coup_by=coup_by).play("0:roll 1:stop>0")
    assert table.phase == phase
    own = tables.lay("roll right_of_way", "stop", seats=3, coup_by=coup_by).play("0:roll 1:stop>0")
    assert own.phase == "coup"  # the victim may under either


@pytest.mark.parametrize(("roll_200", "expected"), [(False, []), (True, ["200=roll"])])
def test_knob_roll_200(tables: Tables, roll_200: bool, expected: list[str]) -> None:
    assert tables.lay("200", roll_200=roll_200).plays == expected


@pytest.mark.parametrize(("opening", "phase"), [(False, "play"), (True, "opening")])
def test_knob_opening_right_of_way(tables: Tables, opening: bool, phase: str) -> None:
    assert tables.lay("", "right_of_way", opening_right_of_way=opening).phase == phase


@pytest.mark.parametrize(("clears", "battle", "speed"), [(True, "roll", None), (False, "stop", "speed_limit")])
def test_knob_right_of_way_clears(tables: Tables, clears: bool, battle: str, speed: str | None) -> None:
    table = tables.lay("roll right_of_way", "stop speed_limit", right_of_way_clears=clears)
    table.play("0:roll 1:stop>0 0:pass 0:-- 1:speed_limit>0 0:pass 0:right_of_way")
    assert (table.shown(0)["battle"], table.shown(0)["speed"]) == (battle, speed)
    assert table.is_moving(0)  # under either


@pytest.mark.parametrize(("gives_roll", "battle"), [(False, "accident"), (True, "roll")])
def test_knob_safety_gives_roll(tables: Tables, gives_roll: bool, battle: str) -> None:
    table = tables.lay("roll driving_ace 25", "accident", safety_gives_roll=gives_roll)
    table.play("0:roll 1:accident>0 0:pass 0:driving_ace")
    assert table.shown(0)["battle"] == battle
    assert ("25" in table.plays) is gives_roll
    coup = tables.lay("roll driving_ace 25", "accident", safety_gives_roll=gives_roll)
    coup.play("0:roll 1:accident>0 0:driving_ace!")
    assert coup.shown(0)["battle"] == "roll"  # the real one, under either


@pytest.mark.parametrize("allowed", [True, False])
def test_knob_discard_safeties(tables: Tables, allowed: bool) -> None:
    legal = tables.lay("extra_tank 100", discard_safeties=allowed).legal
    assert ("-extra_tank" in legal, "-100" in legal) == (allowed, True)


@pytest.mark.parametrize("bonus", [0, 300, 700, 10_000])
def test_knob_all_safeties_bonus(tables: Tables, bonus: int) -> None:
    table = tables.lay("driving_ace extra_tank puncture_proof right_of_way", all_safeties_bonus=bonus)
    table.play("0:driving_ace 0:extra_tank 0:puncture_proof")
    assert table.points(0) == {"safeties": 300}
    table.play("0:right_of_way")
    assert (table.scores(0)["safeties"], table.scores(0)["all_safeties"]) == (400, bonus)


@pytest.mark.parametrize(
    ("hand_end", "phases"),
    [("cards", ["play", "play", "play"]), ("plays", ["play", "play", "over"]), ("points", ["play", "over"])],
)
def test_knob_hand_end(tables: Tables, hand_end: str, phases: list[str]) -> None:
    """One can score, then only hit, then not even that; cards are left all the time."""
    hands = ("roll gasoline gasoline 25", "speed_limit gasoline gasoline gasoline")
    table = tables.small(*hands, hand_size=4, hand_end=hand_end)
    seen = [table.phase]
    for moves in ("0:roll 1:-gasoline 0:25", "1:speed_limit>0"):
        if table.phase == "play":
            table.play(moves)
            seen.append(table.phase)
    assert seen == phases


@pytest.mark.parametrize(("tie", "over"), [("draw", True), ("play_on", False)])
def test_knob_tie(tie: str, over: bool) -> None:
    match = Match.start(make_rules("classic", settings={"tie": tie}), seed=1)
    assert match.before.tie == tie
    assert Standing((5000, 5000), match.match_target, match.before.tie).is_over is over


@pytest.mark.parametrize(
    ("seats", "sides"), [(seats, sides) for seats in range(2, 9) for sides in range(2, seats + 1) if seats % sides == 0]
)
def test_r9_any_table_of_two_to_eight_seats(tables: Tables, seats: int, sides: int) -> None:
    table = tables.lay(*["roll 25"] * seats, seats=seats, sides=sides, edition="house")
    for seat in range(sides):
        table.play(f"{seat}:roll")
    for seat in range(sides, seats):
        table.play(f"{seat}:25")
    assert [table.shown(side)["distance"] for side in range(sides)] == [25 * (seats // sides - 1)] * sides
