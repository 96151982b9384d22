"""Clause functions by themselves, where a table shows too little of what they say."""

from typing import Any

import numpy as np
import pytest

from millebornes.editions import Rules, make_rules
from millebornes.kernels.decorator import kernel
from millebornes.rules import clauses
from millebornes.rules.tables import tables_for


def rules_for(seats: int, sides: int, **settings: Any) -> Rules:
    return make_rules("classic", seats, sides, {"hand_size": 3, **settings})


def test_r5_5_each_entitled_seat_is_asked_from_the_left_of_the_attacker_on() -> None:
    six = rules_for(6, 3, coup_by="victim")
    assert clauses.seats_to_ask(1, 2, six) == (4, 1)
    assert clauses.seats_to_ask(1, 5, six) == (1, 4)
    anyone = rules_for(4, 2, coup_by="anyone")
    assert clauses.seats_to_ask(1, 2, anyone) == (3, 0, 1, 2)  # the attacker last
    assert clauses.seats_to_ask(None, -1, rules_for(3, 3)) == (0, 1, 2)  # R5.6: all, from the first seat on


@pytest.mark.parametrize("bonus", [0, 300, 10_000])
def test_r7_points_are_those_of_the_table_but_where_an_edition_sets_them(bonus: int) -> None:
    rules = make_rules("classic", settings={"all_safeties_bonus": bonus})
    points = dict(zip(clauses.SCORE_LINES, clauses.points_of(rules), strict=True))
    assert points.pop("all_safeties") == bonus
    assert points == {line.name: line.points for line in clauses.SCORE_SHEET if not line.setting}
    assert tables_for(rules)["points"].tolist() == list(clauses.points_of(rules))


@pytest.mark.parametrize(
    ("side", "counts"),
    [
        ((700, 2, 1, False, True, 0, True, 1), (700, 2, 0, 1, 0, 0, 0, 0, 0)),
        ((700, 4, 0, True, False, 1, False, 0), (700, 4, 1, 0, 1, 0, 0, 0, 0)),
        ((1000, 3, 3, True, True, 0, True, 2), (1000, 3, 0, 3, 1, 1, 1, 1, 2)),
    ],
)
def test_r7_what_each_line_counts(side: tuple[Any, ...], counts: tuple[int, ...]) -> None:
    assert clauses.count_lines(*side) == counts
    compiled: Any = kernel(clauses.count_lines)
    assert compiled(*side) == counts
    assert len(counts) == len(clauses.SCORE_SHEET)


@pytest.mark.parametrize(
    ("totals", "draws", "over"),
    [
        ([4995, 0], False, False),
        ([5000, 0], False, True),
        ([5000, 5000], False, False),
        ([5000, 5000], True, True),
        ([4995, 4995], True, False),
        ([6000, 5000, 5000], False, True),  # others do not matter (R8.2)
        ([5000, 6000, 6000], False, False),
    ],
)
def test_r8_1_when_a_match_is_decided(totals: list[int], draws: bool, over: bool) -> None:
    best, sides = clauses.highest_total(totals)
    assert (best, sides) == (max(totals), totals.count(max(totals)))
    assert clauses.is_match_over(best, sides, 5000, draws) is over
    highest: Any = kernel(clauses.highest_total)
    is_over: Any = kernel(clauses.is_match_over)
    assert is_over(*highest(np.array(totals)), 5000, draws) == over
    assert clauses.may_be_drawn("draw")
    assert not clauses.may_be_drawn("play_on")
