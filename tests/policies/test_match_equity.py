"""Match equity: tables that agree with slow and plain arithmetic, and stored ones that agree with hands played now."""

import dataclasses
import functools
import itertools
from collections.abc import Mapping
from importlib.resources import files

import numpy as np
import pytest

from millebornes.editions import EDITIONS, Rules, edition, make_rules
from millebornes.errors import PlayerError
from millebornes.policies.array_files import read_arrays
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.dispatch import workspace_for
from millebornes.policies.equity_changes import Changes, depends_on_totals, play_twice
from millebornes.policies.games import MANY_HANDS, Games, play_games
from millebornes.policies.match_equity import (
    Equity,
    HandScores,
    crowd_equity,
    duel_equity,
    equity_for,
    file_name,
    is_stored,
    race_equity,
    sample_scores,
    unpack_scores,
)

pytestmark = pytest.mark.slow  # the kernels take long to compile

OWN_TABLES = [edition(name).rules(*table) for name in EDITIONS for table in edition(name).tables]
DUEL: dict[tuple[int, ...], int] = {(0, 0): 4, (25, 0): 1, (0, 50): 2, (50, 50): 1, (100, 25): 1, (25, 75): 1}
"""Scores of who begins and of the other, and how often they come; good for the second, as a test should be."""
CROWD = [(0, 0, 0), (25, 0, 0), (0, 50, 25), (75, 25, 25), (0, 0, 100), (50, 50, 0)]


def scores_of(hands: Mapping[tuple[int, ...], int]) -> HandScores:
    return HandScores(np.array(list(hands), np.int64), np.array(list(hands.values()), np.int64))


# ---------------------------------------------------------------- against plain arithmetic


def plain_duel(target: int, *, plays_on: bool) -> dict[tuple[int, int], float]:
    """The chance of who begins by totals, found by going over all of them until nothing changes."""
    marks = range(0, target, 25)
    every = sum(DUEL.values())
    chance = dict.fromkeys(itertools.product(marks, marks), 0.5)
    level = 0.5
    for _ in range(400):
        now = {}
        for mine, theirs in chance:
            total = 0.0
            for (first, other), times in DUEL.items():
                a, b = mine + first, theirs + other
                if max(a, b) < target:
                    total += times * (1 - chance[b, a])
                elif a == b:
                    total += times * ((1 - level) if plays_on else 0.5)
                else:
                    total += times * (a > b)
            now[mine, theirs] = total / every
        level = sum(t * ((a > b) + (a == b) * (1 - level)) for (a, b), t in DUEL.items()) / every
        chance = now
    return {**chance, (target, target): level if plays_on else 0.5}


@pytest.mark.parametrize("plays_on", [False, True])
def test_two_sides_are_exact(plays_on: bool) -> None:
    equity = duel_equity(scores_of(DUEL), 300, plays_on=plays_on)
    assert (equity.step, equity.hands) == (25, 10)
    for (mine, theirs), chance in plain_duel(300, plays_on=plays_on).items():
        assert equity.chance((mine, theirs), 0) == pytest.approx(chance, abs=1e-6)
        assert equity.chance((mine, theirs), 1) == pytest.approx(1 - chance, abs=1e-6)
        assert equity.chance((theirs, mine), 1, first=3) == pytest.approx(chance, abs=1e-6)


def test_hands_that_bring_nothing() -> None:
    assert duel_equity(scores_of({(0, 0): 1}), 100, plays_on=False).chance((50, 0), 0) == 0.5
    equity = duel_equity(scores_of({(0, 0): 99, (25, 0): 1}), 25, plays_on=False)
    # who begins wins a hand in a hundred, and so 1 / (1 + 0.99) of the matches
    assert equity.chance((0, 0), 0) == pytest.approx(1 / 1.99)


def test_three_sides_are_exact_where_levels_lie() -> None:
    target, every = 150, [tuple(hand[i] for i in order) for hand in CROWD for order in itertools.permutations(range(3))]
    hands = HandScores(*np.unique(np.array(every, np.int64), axis=0, return_counts=True))
    equity = crowd_equity(hands, target, 25)
    assert equity.table[0] == pytest.approx(0, abs=1e-4)

    marks = range(0, target, 25)
    chance = dict.fromkeys(itertools.product(marks, repeat=3), 1 / 3)
    for _ in range(120):
        now = {}
        for totals in chance:
            won = 0.0
            for hand in every:
                after = tuple(a + b for a, b in zip(totals, hand, strict=True))
                best = max(after)
                won += chance[after] if best < target else (after[0] == best) / after.count(best)
            now[totals] = won / len(every)
        chance = now
    for totals, won in chance.items():
        assert equity.chance(totals, 0) == pytest.approx(won, abs=1e-5)


@functools.cache
def crowd(sides: int) -> Equity:
    rng = np.random.default_rng(sides)
    points = 25 * rng.integers(0, 40, (60, sides))
    scores = HandScores(points, np.ones(60, np.int64))
    return crowd_equity(scores, 4000, 500) if sides < 5 else race_equity(scores, 4000)


def without_seats(equity: Equity) -> Equity:
    """The same, but that it does not matter who begins."""
    table = equity.table.copy()
    table[0, : equity.sides] = 0
    return dataclasses.replace(equity, table=table)


@pytest.mark.parametrize("sides", [3, 6])
def test_chances_of_many_sides_fit_together(sides: int) -> None:
    """Their sum is 1, sides trade places freely, and nothing jumps between levels."""
    equity = crowd(sides)
    level = without_seats(equity)
    rng = np.random.default_rng(1)
    for _ in range(60):
        totals = [int(points) for points in rng.integers(0, 4000, sides)]
        first = int(rng.integers(sides))
        chances = [equity.chance(totals, side, first) for side in range(sides)]
        assert sum(chances) == pytest.approx(1, abs=1e-5)
        turned = totals[-1:] + totals[:-1]
        assert equity.chance(turned, 1, first + 1) == pytest.approx(chances[0], abs=1e-6)
        swapped = [totals[0], totals[2], totals[1], *totals[3:]]
        assert level.chance(swapped, 0) == pytest.approx(level.chance(totals, 0), abs=1e-6)
        assert level.chance(swapped, 1) == pytest.approx(level.chance(totals, 2), abs=1e-6)
        if totals[0] < 3999:
            more = [totals[0] + 1, *totals[1:]]
            assert abs(level.chance(more, 0) - level.chance(totals, 0)) < 0.004


def test_races_are_right_where_sides_score_for_themselves() -> None:
    """Against matches of made-up hands in which sides know nothing of each other."""
    sides, rng = 5, np.random.default_rng(5)
    scores = 25 * rng.integers(0, 40, (4000, sides)) * (rng.random((4000, sides)) < 0.5)
    equity = without_seats(race_equity(HandScores(scores, np.ones(4000, np.int64)), 3000))
    for start in ([0] * sides, [2000, *range(0, 250 * (sides - 1), 250)], [2500] * (sides - 1) + [2000]):
        totals = np.tile(start, (8000, 1))
        on = np.ones(8000, bool)
        while on.any():
            totals[on] += scores.reshape(-1)[rng.integers(0, scores.size, (on.sum(), sides))]
            on = totals.max(axis=1) < 3000
        best = totals == totals.max(axis=1, keepdims=True)
        won = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
        assert [equity.chance(start, side) for side in range(sides)] == pytest.approx(won, abs=0.02)


def test_between_levels_chances_are_interpolated() -> None:
    equity = crowd(3)
    level = without_seats(equity)
    at = [level.chance(totals, 0) for totals in ((1975, 475, 475), (2475, 475, 475))]
    assert level.chance((2100, 475, 475), 0) == pytest.approx(0.75 * at[0] + 0.25 * at[1], abs=1e-6)
    # two sides between levels: from the corner below by the greater rest first
    at = [level.chance(totals, 0) for totals in ((2475, 975, 475), (2475, 475, 475), (1975, 475, 475))]
    asked = level.chance((2475 - 100, 975 - 400, 475), 0)
    assert asked == pytest.approx(0.2 * at[0] + 0.6 * at[1] + 0.2 * at[2], abs=1e-6)


def test_who_begins_is_worth_points() -> None:
    points = np.array([[100, 40, 70]] * 2, np.int64)
    equity = crowd_equity(HandScores(points, np.array([5, 5])), 1000, 250)
    # places bring +30, -30, 0; the second begins next, and sits last thereafter
    assert equity.table[0] == pytest.approx([20, -10, -10])
    assert equity.table[0, 0] == pytest.approx(30 + equity.table[0, 2])
    assert equity.table[0, 1] == pytest.approx(-30 + equity.table[0, 0])


# ---------------------------------------------------------------- the tables in use


def test_the_classic_duel() -> None:
    equity = equity_for(make_rules(), 5000)
    assert equity.chance((3500, 2500), 0) == pytest.approx(0.672, abs=0.01)
    assert equity.chance((0, 0), 0) > 0.5 > equity.chance((0, 0), 1)
    assert equity.chance((5000, 5000), 1) == 0.5
    assert equity.chance((5025, 5000), 0) == 1
    assert equity.chance((5025, 5100), 0) == 0
    assert np.all(np.diff(equity.table[1:], axis=0) < 1e-6)  # who needs more has less
    assert equity_for(make_rules(), 5000) is equity


@pytest.mark.parametrize(("own", "other"), [(4900, 4000), (4000, 4900)])
def test_a_leader_near_the_target_is_not_overrated(own: int, other: int) -> None:
    """Players who know the totals finish rather than extend; without that 4900 to 4000 was told 2.6 % too high."""
    matches = 10_000
    workspace, lines = workspace_for(make_rules()), np.zeros((1, 2), np.int64)
    workspace.deals["target"] = 5000
    totals, games = np.zeros((matches, 1, 2), np.int64), Games(np.uint64(99), 0, 0, np.array([own, other]), MANY_HANDS)
    players = seats_of([KernelPlayer.named("maxims", make_rules())])
    play_games(workspace, players, lines, games, totals, np.zeros(2, np.int64))
    end = totals[:, 0]
    won = ((end[:, 0] > end[:, 1]) + 0.5 * (end[:, 0] == end[:, 1])).mean()
    assert equity_for(make_rules()).chance((own, other), 0) == pytest.approx(won, abs=0.016)


def test_changes_at_the_knots_are_in_the_table() -> None:
    """Hands that bring nobody more than 25 points, so each state is that of its last hand and what is changed."""
    scores = scores_of({(25, 0): 1, (0, 25): 1})
    knots = (25, 100)
    plain = duel_equity(scores, 100, plays_on=False)
    changed = duel_equity(scores, 100, plays_on=False, changes=Changes(knots, np.array([[0.1, 0.2], [0.0, 0.0]])))
    assert changed.chance((75, 75), 0) == pytest.approx(plain.chance((75, 75), 0) + 0.1)
    # 75 to 50 points: the other side needs 50, a third of the way from 25 to 100
    after = plain.chance((75, 75), 0) + 0.1  # the second side draws level in half the hands, and begins
    assert changed.chance((75, 50), 0) == pytest.approx(0.5 + 0.5 * (1 - after) + 0.1 + 0.1 / 3)


def test_who_minds_the_totals() -> None:
    classic, house = make_rules(), make_rules("house")
    assert depends_on_totals(classic, "maxims")
    assert not depends_on_totals(classic, "maxims:points")
    assert not depends_on_totals(house, "maxims")  # no extension
    assert not depends_on_totals(classic, "random")
    played = play_twice(classic, "maxims", 5, range(400), (100, 1000))
    assert played.hands == 400
    assert 0 < len(played.points) < 300
    assert not len(play_twice(classic, "maxims:points", 5, range(50), (100, 1000)).points)


def test_targets() -> None:
    rules = make_rules()
    assert equity_for(rules, 4990).chance((2000, 1000), 0) == equity_for(rules, 5000).chance((2000, 1000), 0)
    # what is needed counts
    assert equity_for(rules, 3000).chance((2000, 1000), 0) == equity_for(rules, 5000).chance((4000, 3000), 0)
    far = equity_for(rules, 20_000)
    assert far.step == 50
    near = equity_for(rules, 5000)
    assert far.chance((18_500, 17_500), 0) == pytest.approx(near.chance((3500, 2500), 0), abs=0.003)
    assert equity_for(rules, 1).chance((0, 0), 0) == pytest.approx(near.chance((4975, 4975), 0), abs=0.02)
    crowds = make_rules("classic", 3)
    assert equity_for(crowds, 2000).chance((1000, 0, 500), 0) == equity_for(crowds).chance((4000, 3000, 3500), 0)
    further = equity_for(crowds, 8000)
    assert further.target == 8000
    assert further.chance((6500, 5500, 5500), 0) == pytest.approx(
        equity_for(crowds).chance((3500, 2500, 2500), 0), abs=0.02
    )


def test_ties() -> None:
    rules = make_rules("mille2")
    assert (rules.tie, is_stored(rules), is_stored(rules.replace({"tie": "draw"}))) == ("play_on", True, True)
    playing = equity_for(rules)
    assert 0.5 < playing.chance((5100, 5100), 0) < 0.6
    assert playing.chance((5100, 5100), 0) + playing.chance((5100, 5100), 1) == pytest.approx(1)
    assert equity_for(rules.replace({"tie": "draw"})).chance((5100, 5100), 0) == 0.5
    three = equity_for(make_rules("classic", 3))
    assert three.chance((5100, 4000, 5100), 0) == 0.5
    assert three.chance((5100, 4000, 5100), 1) == 0
    assert three.chance((5100, 5100, 5100), 1) == pytest.approx(1 / 3)


def test_points_turned_into_equity() -> None:
    equity = equity_for(make_rules())
    assert equity.gain((3500, 2500), 0, 1500) == pytest.approx(1 - equity.chance((3500, 2500), 0))
    assert equity.gain((300, 0), 0, -500) == pytest.approx(equity.chance((0, 0), 0) - equity.chance((300, 0), 0))
    for totals in ((0, 0), (2500, 2500), (4900, 4900), (4975, 1000), (0, 4000)):
        assert 0 < equity.slope(totals, 0) < 0.0005
    lead = equity.chance((2600, 2500), 0) - equity.chance((2500, 2600), 0)
    assert equity.slope((2500, 2500), 0) == pytest.approx(lead / 200)
    assert equity.slope((5000, 2500), 0) == 0
    assert equity_for(make_rules("classic", 4, 4)).slope((2000, 0, 1000, 500), 3) > 0


def test_wrong_questions() -> None:
    equity = equity_for(make_rules(), 5000)
    with pytest.raises(PlayerError, match="must be 2 numbers of points, each 0 or more"):
        equity.chance((0, 0, 0), 0)
    with pytest.raises(PlayerError, match="must be 2 numbers of points, each 0 or more"):
        equity.chance((0, -25), 0)
    with pytest.raises(PlayerError, match="there is no side 2"):
        equity.chance((0, 0), 2)
    with pytest.raises(PlayerError, match="there is no seat -1"):
        equity.chance((0, 0), 1, -1)
    with pytest.raises(PlayerError, match="match_target: 0"):
        equity_for(make_rules(), 0)


# ---------------------------------------------------------------- where they come from


def test_scores_by_who_begins() -> None:
    rules = make_rules("classic", 4, 2)
    one, two = sample_scores(rules, 30, 9), sample_scores(rules, 20, 9, begin=30)
    both = sample_scores(rules, 50, 9)
    assert (one.hands, two.hands, both.hands) == (30, 20, 50)
    assert one.means * 30 + two.means * 20 == pytest.approx(both.means * 50)
    many = sample_scores(make_rules(), 40_000, 9)
    assert 20 < many.means[0] - many.means[1] < 120  # going first is worth something


@pytest.mark.parametrize("rules", OWN_TABLES, ids=str)
def test_what_is_stored_is_what_is_played(rules: Rules) -> None:
    """Hands played now tell the same as those that were stored; else: `millebornes lab equity --out`."""
    assert is_stored(rules)
    fresh = sample_scores(rules, 2000, 77)
    if rules.sides == 2:
        data = files("millebornes.policies").joinpath("equities", file_name(rules)).read_bytes()
        stored = unpack_scores(read_arrays(data, file_name(rules), "a table"))
        assert stored.hands >= 100_000
        points = np.repeat(fresh.points, fresh.counts, axis=0)
        assert abs(fresh.means - stored.means) == pytest.approx(0, abs=5 * points.std() / np.sqrt(len(points)))
        return
    equity = equity_for(rules)
    few = HandScores(fresh.points[::10], fresh.counts[::10])
    made = crowd_equity(few, 5000, 500)
    for own, other in ((0, 0), (3500, 2500), (2000, 3000), (4500, 4000)):
        totals = (own, *[other] * (rules.sides - 1))
        assert equity.chance(totals, 0) == pytest.approx(made.chance(totals, 0), abs=0.05)


def test_stored_files_are_small() -> None:
    folder = files("millebornes.policies").joinpath("equities")
    sizes = {entry.name: len(entry.read_bytes()) for entry in folder.iterdir() if entry.name.endswith(".npz")}
    assert sorted(sizes) == sorted(file_name(rules) for rules in OWN_TABLES)
    assert sum(sizes.values()) < 600_000


def test_other_rules_are_played_on_the_spot() -> None:
    rules = make_rules("classic", 2, settings={"goal": 500, "extension_goal": None})
    assert not is_stored(rules)
    equity = equity_for(rules, 2000)
    assert equity.chance((1000, 500), 0) > 0.6
    equity_for.cache_clear()
    assert np.array_equal(equity_for(rules, 2000).table, equity.table)
    eight = equity_for(make_rules("classic", 8, 8), 2000)
    assert sum(eight.chance((1000, 500, 0, 0, 250, 700, 300, 900), side) for side in range(8)) == pytest.approx(1)
