"""The picture of a match: where each side has got to, hand by hand."""

import random

import pytest

from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.i18n import translator
from millebornes.tui.common.plot import plot_lines, running_totals

ENGLISH = translator("en")


def test_a_plot() -> None:
    assert plot_lines([(700, 300), (700, 1500), (4900, 2100), (5900, 5900)], 5000, ENGLISH) == [
        "The match so far: the points of each side after each hand.",
        "     0      1000  2000   3000  4000   5000",
        "   1 . 2  1 .     .      .     .      |        1: 700  2: 300",
        "   2 .    1 .  2  .      .     .      |        1: 700  2: 1500",
        "   3 .      .     .2     .     .     1|        1: 4900  2: 2100",
        "   4 .      .     .      .     .      |     *  1: 5900  2: 5900",
    ]


def test_six_sides_fit_without_their_points() -> None:
    lines = plot_lines([(1700, 300, 900, 0, 5000, 600)], 5000, ENGLISH)
    assert all(len(line) < 60 for line in lines)
    assert sorted(lines[-1].replace(" ", "").replace(".", "")) == sorted("1123456")


@pytest.mark.parametrize("target", [None, 1, 999, 1_000_000])
@pytest.mark.parametrize("sides", [2, 3, 6])
def test_every_mark_is_in_its_place(target: int | None, sides: int) -> None:
    rng = random.Random(sides)
    totals = [tuple(rng.randrange(0, 6000) for _ in range(sides)) for _ in range(5)]
    highest = max(target or 1, *(max(row) for row in totals))
    for row, line in zip(totals, plot_lines(totals, target, ENGLISH)[2:], strict=True):
        scale = line[5:45]
        for side, points in enumerate(row):
            assert scale[round(points * 39 / highest)] in {str(side + 1), "*"}
        assert len(line) < 80


def test_long_matches_show_their_latest_hands() -> None:
    lines = plot_lines([(n, 2 * n) for n in range(40)], None, ENGLISH)
    assert len(lines) == 2 + 15
    assert lines[-1].split()[0] == "40"


def test_nothing_played_nothing_shown() -> None:
    assert plot_lines([], 5000, ENGLISH) == []
    assert plot_lines([(0, 0)], None, ENGLISH)[-1].split()[:2] == ["1", "*"]


def test_running_totals_are_those_of_the_match() -> None:
    rng, match = random.Random(3), Match.start(make_rules("classic"), "plot", match_target=1000)
    assert running_totals(match) == ()
    seen = []
    while not match.is_over:
        if match.hand.is_over:
            match = match.next_hand()
        while not match.hand.is_over:
            match = match.play(rng.choice(list(match.hand.legal_moves)))
        seen.append(match.totals)
        assert running_totals(match) == tuple(seen)
