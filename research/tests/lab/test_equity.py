"""Equity tables made and held against matches: the same however it is done, and right about what it counts."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from millebornes.arena.executors import open_workers
from millebornes.cli import cli
from millebornes.editions import make_rules
from millebornes.errors import PlayerError
from millebornes.policies.array_files import Arrays, read_arrays
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes.policies.equity_changes import Changes
from millebornes.policies.match_equity import (
    HandScores,
    crowd_equity,
    equity_for,
    sample_scores,
    unpack_changes,
    unpack_equity,
    unpack_scores,
)
from millebornes_research.lab.counts import mean
from millebornes_research.lab.equity import EquityRun
from millebornes_research.lab.equity_checks import Reached, Started, starts_for
from millebornes_research.lab.equity_data import pack_equity, pack_scores
from millebornes_research.lab.equity_matches import play_course

pytestmark = pytest.mark.slow  # the kernels take long to compile


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["lab", "equity", *words])


@pytest.mark.parametrize(("name", "seats", "sides"), [("classic", 2, 2), ("mille2", 2, 2), ("classic", 6, 3)])
def test_matches_are_those_of_batches(name: str, seats: int, sides: int) -> None:
    rules = make_rules(name, seats, sides)
    course = play_course(rules, range(5, 25), 1500, seed=3)
    maxims, line = [KernelPlayer.named("maxims", rules)], [[0] * seats]
    played = play_batch(rules, maxims, line, 20, seed=3, begin=5, match_target=1500, streams=False)
    assert np.array_equal(course.totals[np.arange(20), course.hands], played.points[:, 0])
    assert course.hands.sum() == played.hands
    assert course.first.tolist() == [(5 + match) % seats for match in range(20)]
    assert not course.totals[:, 0].any()


def test_matches_from_given_totals() -> None:
    course = play_course(make_rules(), range(30), 5000, seed=3, start=(4000, 4900), first=1)
    assert course.totals[:, 0].tolist() == [[4000, 4900]] * 30
    assert set(course.first) == {1}
    assert course.hands.max() < 4
    with pytest.raises(PlayerError, match="not the totals of 2 sides"):
        play_course(make_rules(), range(1), 5000, seed=3, start=(1, 2, 3))


def opened(data: bytes) -> Arrays:
    return read_arrays(data, "a file", "a table")


def test_files_forth_and_back() -> None:
    scores = HandScores(np.array([[25, 0], [400, 1200], [1000, 700]]), np.array([3, 1, 2]))
    changes = Changes((25, 100), np.array([[0.1, 0.2], [0.0, -0.5]]))
    rules = make_rules()
    data = opened(pack_scores(rules, scores, changes))
    again, found = unpack_scores(data), unpack_changes(data)
    assert np.array_equal(again.points, scores.points)
    assert np.array_equal(again.counts, scores.counts)
    assert found is not None
    assert found.knots == changes.knots
    assert found.change == pytest.approx(changes.change, abs=1e-5)
    assert unpack_changes(opened(pack_scores(rules, scores))) is None
    equity = crowd_equity(HandScores(np.array([[25, 0, 500], [400, 1200, 0]]), np.array([30, 30])), 4000, 500)
    other = unpack_equity(opened(pack_equity(rules, equity)))
    assert (other.step, other.target, other.sides, other.hands) == (500, 4000, 3, 60)
    assert other.table == pytest.approx(equity.table, abs=1e-4)
    assert pack_equity(rules, equity) == pack_equity(rules, equity)


def test_chances_of_many_totals() -> None:
    equity = equity_for(make_rules("classic", 3))
    totals = np.array([[0, 1000, 2000], [4000, 3000, 5100]], np.int64)
    found = equity.chances(totals, np.array([2, 1]))
    for n, first in enumerate((2, 1)):
        assert found[n] == pytest.approx([equity.chance(totals[n].tolist(), side, first) for side in range(3)])


def test_what_is_counted_of_matches() -> None:
    """The counts, once more without arrays."""
    rules = make_rules()
    equity = equity_for(rules, 3000)
    means = tuple(sample_scores(rules, 1000, 1).means.tolist())
    counts = Reached(rules=rules, player="maxims", deals=40, seed=8, equity=equity, means=means).count(range(40))
    course = play_course(rules, range(40), 3000, seed=8)
    times, told, off, clusters, points = [0] * 10, [0.0] * 10, [0.0] * 10, [0] * 10, 0
    for match in range(40):
        end = course.totals[match, course.hands[match]]
        met = set()
        for hand in range(course.hands[match]):
            side = (match + hand) % 2
            chance = equity.chance(course.totals[match, hand].tolist(), side, side)
            place = min(9, int(10 * chance))
            times[place] += 1
            told[place] += chance
            off[place] += (end[side] > end[1 - side]) + 0.5 * (end[0] == end[1]) - chance
            met.add(place)
            points += round(course.totals[match, hand + 1, side] - course.totals[match, hand, side] - means[0])
        for place in met:
            clusters[place] += 1
    assert counts["times"].tolist() == times
    assert counts["told"] / 10_000 == pytest.approx(np.array(told), abs=0.01)
    assert counts["off"][1] / 10_000 == pytest.approx(np.array(off), abs=0.01)
    assert counts["off"][0].tolist() == clusters
    assert counts["hands"][1, 0] == points
    assert counts["hands"][2, 0] == sum(times)


def test_tables_are_right_about_matches() -> None:
    """Between players that mind no totals the arithmetic is exact, so only chance may tell them apart."""
    rules = make_rules()
    run_ = EquityRun(rules, "maxims:points", hands=20_000, matches=0, target=5000, seed="3")
    with open_workers() as workers:
        run_.run(workers)
    assert run_.equity is not None
    for totals in ((0, 0), (4500, 4000), (2000, 3500)):
        study = Started(rules=rules, player="maxims:points", deals=1500, seed=11, target=5000, start=totals)
        won = mean(study.count(range(1500))["won"], 1 / 840)
        assert abs(won.value - run_.equity.chance(totals, 0)) < 4 * won.stderr + 0.01


@pytest.mark.once
def test_a_run_is_the_same_in_any_batches(tmp_path: Path) -> None:
    runs = []
    for jobs in (1, 2):
        runs.append(EquityRun(make_rules("classic", 3), "maxims", hands=600, matches=20, target=2000, seed="5"))
        with open_workers(jobs) as workers:
            runs[-1].run(workers)
    one, two = runs
    assert one.progress == one.total
    assert one.data == two.data
    assert one.report() == two.report()
    assert unpack_equity(opened(one.data)).target == 5000
    assert one.equity is not None
    assert (one.equity.target, one.equity.step) == (2000, 250)


def test_starts() -> None:
    assert starts_for(2, 5000)[:3] == [(0, 0), (1000, 0), (0, 1000)]
    assert (4000, 4500, 4500) in starts_for(3, 5000)
    assert all(points < 210 for totals in starts_for(2, 210) for points in totals)


# ---------------------------------------------------------------- the command


@pytest.mark.once
def test_the_command_stores_tables(tmp_path: Path) -> None:
    words = ("--edition", "bsd", "--hands", "3000", "--matches", "20", "--seed", "2", "--out", str(tmp_path))
    result = run(*words, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    (entry,) = found["experiments"]
    assert (entry["experiment"], entry["edition"], entry["match_target"]) == ("equity", "bsd", 5000)
    assert (entry["hands"], entry["matches"], found["seed"], found["complete"]) == (3000, 20, 2, True)
    assert list(entry["tables"]) == ["chances", "worth", "reached", "started", "hands"]
    data = (tmp_path / "bsd-2x2.npz").read_bytes()
    assert len(data) == entry["bytes"]
    assert unpack_scores(opened(data)).hands == 3000
    assert entry["means"] == pytest.approx(unpack_scores(opened(data)).means, abs=0.001)
    assert 0.4 < entry["tables"]["chances"][0]["0"] < 0.6


@pytest.mark.once
def test_the_command_tells(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot = tmp_path / "equity.svg"
    words = "--seats 3 --sides 3 --hands 300 --matches 30 --seed 2 --match-target 900".split()
    result = run(*words, "--plot", str(plot))
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "classic 3x3: chance to win the match to 900, beginning the hand"
    assert lines[1].startswith("own total \\ all others'")
    assert "classic 3x3: 30 matches to 900 from given totals, beginning" in lines
    assert plot.read_text().startswith("<?xml")
    again = run(*words, "--markdown")
    assert again.stdout.startswith("*classic 3x3: chance to win")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["maxims"], "equity runs alone"),
        (["--weight", "mile"], "--weight is not for equity"),
        (["--output", "x"], "--output is not for equity; use --out"),
        (["--resume", "x"], "--resume is not for equity"),
        (["--maxim", "safe_trip"], "--maxim is not for equity"),
        (["--match-target", "none"], "must end"),
        (["--player", "nobody"], "cannot play inside kernels"),
        (["--seats", "9"], "seats"),
    ],
)
def test_wrong_commands(words: list[str], told: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert told in result.stderr
    other = CliRunner().invoke(cli, ["lab", "maxims", "--out", "."])
    assert "--out is for equity" in other.stderr
