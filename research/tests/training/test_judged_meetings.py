"""Judged meetings: the worst quarter is not chosen by luck, decks differ, and a file is gone on from."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from millebornes.arena.executors import open_workers
from millebornes.editions import make_rules
from millebornes.errors import MilleBornesError, SaveError
from millebornes_research.lab.changes import random_tables
from millebornes_research.pool.gains import GainPlan, gains
from millebornes_research.pool.strangers import Stranger
from millebornes_research.training.judged_meetings import JudgedMeetings, gain_at_worst, judged_strangers, judged_tables

STRANGERS = [Stranger("report", number) for number in range(3)]


def test_worst_quarter_is_where_the_baseline_wins_least() -> None:
    found = gain_at_worst([[1, 3], [5], [7], [8], [0]], [0.1, 0.3, -0.2, 0.2, 0.4])
    assert found.value == 4.5, "of five, the two with the lowest edges: 7, and 2 in the mean"


def test_luck_does_not_choose_the_worst_quarter() -> None:
    luck = np.random.default_rng(1).normal(10, 100, (400, 2)).tolist()
    found = gain_at_worst(luck)
    assert found.low < 10 < found.high
    apart = gain_at_worst([[place + gain for gain in row] for place, row in enumerate(luck)])
    assert apart.value < 150, "the worst 100 of 400 that differ are mostly the first ones"


def test_worst_quarter_needs_two_games_in_each_meeting() -> None:
    assert np.isnan(gain_at_worst([[1, 2], [3]]).value)
    assert np.isnan(gain_at_worst([]).value)


def test_sides_take_turns_and_decks_differ() -> None:
    plan = GainPlan(rules=make_rules("classic", 3, 3), player="basic", rivals=("maxims",))
    meetings = judged_strangers(plan, STRANGERS)
    numbers = [[meeting.number(place, game) for game in range(4)] for place, meeting in enumerate(meetings)]
    assert numbers == [[0, 4, 8, 9], [1, 5, 6, 10], [2, 3, 7, 11]]
    assert len({meeting.plan.seed for meeting in meetings}) == 3


@pytest.mark.slow
def test_games_are_those_of_the_plans_and_a_file_is_gone_on_from(tmp_path: Path) -> None:
    plan = GainPlan(rules=make_rules(), player="basic", worlds=20, seed="5")
    meetings, file = judged_strangers(plan, STRANGERS), tmp_path / "gains.json"
    with open_workers() as workers:
        JudgedMeetings(meetings, 1, 10, seed=1, resume=file).run(workers)
        resumed = JudgedMeetings(meetings, 2, 10, seed=1, resume=file)
        assert len(resumed.gains) == 3
        resumed.run(workers)
    assert len(resumed.gains) == 6
    for place, (meeting, found) in enumerate(zip(meetings, resumed.found(), strict=True)):
        numbers = [meeting.number(place, game) for game in range(2)]
        assert found == [next(itertools.islice(gains(meeting.plan, number), 1)) for number in numbers]
    told = resumed.report()
    assert (told["games"], len(told["meetings"]), told["player"]) == (6, 3, "basic")
    assert [each["baseline_edge"] for each in told["meetings"]] == resumed.edges
    with pytest.raises(SaveError, match="its decks differs"):
        JudgedMeetings(meetings, 2, 11, seed=1, resume=file)
    file.write_text(file.read_text().replace('"edges":[', '"edges":[0.5,'))
    with pytest.raises(SaveError, match="damaged"):
        JudgedMeetings(meetings, 2, 10, seed=1, resume=file)


@pytest.mark.slow
def test_at_random_tables_there_is_no_edge() -> None:
    tables = random_tables(2, "7")
    plan = GainPlan(rules=make_rules(), player="basic", worlds=20)
    run = JudgedMeetings(judged_tables(plan, tables), 2, 10, seed=1)
    with open_workers() as workers:
        run.run(workers)
    assert [meeting.plan.rules for meeting in run.meetings] == list(tables)
    assert run.edges == [None, None]
    assert run.report()["worst"]["value"] is not None


def test_no_games_are_refused() -> None:
    with pytest.raises(MilleBornesError, match="0 games in 0 meetings"):
        JudgedMeetings((), 0, 10, seed=1)
