"""Counts of move sequences by depth, from tests/data/perft.json, by the kernels and by the reference game."""

import json
from typing import Any

import pytest

from millebornes.editions import EDITIONS, edition
from tests.rules.perft import FILE, count_by_kernels, count_by_lists, laid, positions

RECORDED: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
EACH = pytest.mark.parametrize(
    "position", RECORDED, ids=[f"{line['edition']}-{line['table']}-{line['at']}" for line in RECORDED]
)
QUICK, SLOW = 500, 30
"""So many moves may be made, by kernels and by lists, on the level above the one that is counted."""


def depths(counts: list[int], moves: int) -> list[int]:
    """Depths whose count needs at most so many moves."""
    return [d for d in range(1, len(counts) + 1) if d == 1 or counts[d - 2] <= moves]


def test_every_edition_and_table_is_counted() -> None:
    counted = {(line["edition"], line["table"], line["at"]) for line in RECORDED}
    assert counted == {
        (name, f"{seats}x{sides}", at)
        for name in EDITIONS
        for seats, sides in edition(name).tables
        for at in ("start", "middle", "end")
    }
    assert all(len(line["counts"]) >= 3 for line in RECORDED)


@EACH
def test_the_kernels_count_the_same(position: dict[str, Any]) -> None:
    game = laid(position)
    for depth in depths(position["counts"], QUICK):
        assert count_by_kernels(game, depth) == position["counts"][depth - 1], f"depth {depth}"


@EACH
def test_the_reference_game_counts_the_same(position: dict[str, Any]) -> None:
    rules = laid(position).rules
    for depth in depths(position["counts"], SLOW):
        count = count_by_lists(rules, position["deck"], position["first"], position["moves"], depth)
        assert count == position["counts"][depth - 1], f"depth {depth}"


@pytest.mark.campaign
@EACH
def test_the_kernels_count_the_same_in_depth(position: dict[str, Any]) -> None:
    game = laid(position)
    assert [count_by_kernels(game, depth + 1) for depth in range(len(position["counts"]))] == position["counts"]


def test_the_positions_are_what_the_command_makes() -> None:
    made = [{key: value for key, value in line.items() if key != "counts"} for line in RECORDED]
    assert made == list(positions())
