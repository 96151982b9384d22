"""The highest score that one side can make in a hand, shown with hands laid down in tests/data/highest.

The Wikibooks text says 5,000 for two players, 4,800 for four and 5,500 for three. By its own table of scores, in which
all four safeties are worth 300 besides the 100 for each, it is 400 less every time: its figures need a bonus of 700.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from millebornes.editions import make_rules
from tests.rules.table import Table, Tables

FOLDER = Path(__file__).parent.parent / "data" / "highest"
HIGHEST = {
    ("2x2", 300): 4600,
    ("4x2", 300): 4400,
    ("3x3", 300): 5100,
    ("6x3", 300): 5100,
    ("2x2", 700): 5000,
    ("4x2", 700): 4800,
    ("3x3", 700): 5500,
    ("6x3", 700): 5500,
}
CASES = pytest.mark.parametrize(("table", "bonus"), HIGHEST)


def recorded(table: str, bonus: int) -> list[dict[str, Any]]:
    text = (FOLDER / f"{table}-bonus-{bonus}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def replayed(tables: Tables, table: str, bonus: int) -> Table:
    head, hand = recorded(table, bonus)
    assert head["set"].get("all_safeties_bonus", 300) == bonus
    assert f"{head['seats']}x{head['sides']}" == table
    rules = make_rules(head["edition"], head["seats"], head["sides"], head["set"])
    game = tables.of(rules, hand["deck"], hand["first"])
    for move in hand["moves"]:
        assert game.phase != "over"
        game.play(move)
    assert game.phase == "over"
    return game


@CASES
def test_a_hand_with_the_highest_score(tables: Tables, table: str, bonus: int) -> None:
    game = replayed(tables, table, bonus)
    lines = game.points(0)
    assert game.scores(0)["total"] == HIGHEST[table, bonus]
    assert lines["distance"] == 1000
    assert lines["safeties"] == 400
    assert lines["all_safeties"] == bonus
    assert lines["coups_fourres"] == 1200
    assert (lines["trip_completed"], lines["delayed_action"], lines["safe_trip"]) == (400, 300, 300)
    assert lines.get("extension", 0) == (0 if table == "4x2" else 200)
    assert lines["shut_out"] == 500 * (game.rules.sides - 1)
    assert all(game.scores(side)["total"] == 0 for side in range(1, game.rules.sides))


@CASES
def test_no_side_can_make_more(table: str, bonus: int) -> None:
    """Every line of that hand is as high as its line can be."""
    head, _ = recorded(table, bonus)
    rules = make_rules(head["edition"], head["seats"], head["sides"], head["set"])
    most = rules.extension_goal or rules.goal  # R6.1: nobody drives beyond the goal
    most += 4 * 100 + rules.all_safeties_bonus + 4 * 300
    most += 400 + 300 + 300 + (200 if rules.extension_goal else 0) + 500 * (rules.sides - 1)
    assert most == HIGHEST[table, bonus]
