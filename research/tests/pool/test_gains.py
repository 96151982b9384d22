"""Gains without luck: zero for the baseline itself, and what whole games tell for others."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from millebornes.arena.executors import open_workers
from millebornes.arena.statistics import Estimate, mean_estimate
from millebornes.editions import Rules, make_rules
from millebornes.errors import PlayerError, SaveError
from millebornes.policies.batch import play_batch
from millebornes_research.pool.gains import GainPlan, Gains, gains
from millebornes_research.pool.strangers import Stranger, kernel_player

pytestmark = pytest.mark.slow  # the kernels take long to compile


def gained(plan: GainPlan, games: int) -> Estimate:
    run = Gains(plan, games)
    with open_workers() as workers:
        run.run(workers)
    return run.estimate


def difference(rules: Rules, name: str, baseline: str, rival: str | Stranger, decks: int) -> Estimate:
    """By how much more a side of one player leads the rivals than a side of another does, over the same decks."""
    players = [kernel_player(each, rules) for each in (name, baseline, rival)]
    lineups = [
        [who if seat % rules.sides == side else 2 for seat in range(rules.seats)]
        for who in (0, 1)
        for side in range(rules.sides)
    ]
    points = play_batch(rules, players, lineups, decks, seed=1).points
    leads = []
    for place in range(len(lineups)):
        own, all_points = points[:, place, place % rules.sides], points[:, place].sum(axis=1)
        leads.append(own - (all_points - own) / (rules.sides - 1))
    ahead = sum(leads[: rules.sides]) - sum(leads[rules.sides :])
    return mean_estimate((ahead / rules.sides).tolist())


@pytest.mark.parametrize("name", ["maxims", "instant"])
def test_a_baseline_gains_nothing(name: str) -> None:
    plan = GainPlan(rules=make_rules(), player=name, baseline=name, rivals=("casual", "instant"))
    assert list(itertools.islice(gains(plan), 4)) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "baseline", "rival", "table"),
    [
        pytest.param("basic", "maxims", "maxims", (2, 2), marks=pytest.mark.once),
        pytest.param("basic", "maxims", "maxims", (3, 3), marks=pytest.mark.once),
        pytest.param("basic", "casual", "instant", (2, 2), marks=pytest.mark.once),
        pytest.param("instant", "basic", "regular", (4, 2), marks=pytest.mark.once),
        ("basic", "maxims", Stranger("learn", 7), (2, 2)),
    ],
)
def test_gains_are_what_whole_hands_tell(
    name: str, baseline: str, rival: str | Stranger, table: tuple[int, int]
) -> None:
    rules = make_rules("classic", *table)
    known = gained(GainPlan(rules=rules, player=name, baseline=baseline, rivals=(rival,), worlds=200, seed="1"), 60)
    told = difference(rules, name, baseline, rival, 2000)
    assert abs(known.value - told.value) < 3.5 * (known.stderr**2 + told.stderr**2) ** 0.5
    assert known.stderr < 150  # of whole hands it would be some 200


def test_in_matches_it_is_chances_that_are_gained() -> None:
    plan = GainPlan(rules=make_rules(), player="basic", match_target=5000, worlds=100, seed="3")
    known = gained(plan, 20)
    assert known.low < -0.02  # it wins some 45 %
    assert known.value > -0.3


def test_rivals_take_turns_from_deal_to_deal() -> None:
    rules = make_rules()
    both = GainPlan(rules=rules, player="basic", rivals=("maxims", "random"), worlds=20)
    alone = [GainPlan(rules=rules, player="basic", rivals=(name,), worlds=20) for name in both.rivals]
    told, (first, second) = list(itertools.islice(gains(both), 4)), [list(itertools.islice(gains(p), 4)) for p in alone]
    assert told == [*first[:2], *second[2:]]


def test_the_same_seed_gives_the_same() -> None:
    plan = GainPlan(rules=make_rules("bsd"), player="basic", baseline="regular", worlds=20, seed="5")
    first, again = (list(itertools.islice(gains(plan), 2)) for _ in range(2))
    assert first == again
    assert list(itertools.islice(gains(plan, 1), 1)) == first[1:]


def test_a_file_is_gone_on_from(tmp_path: Path) -> None:
    plan = GainPlan(rules=make_rules(), player="basic", worlds=20)
    file = tmp_path / "gains.json"
    with open_workers() as workers:
        Gains(plan, 2, resume=file).run(workers)
        resumed = Gains(plan, 4, resume=file)
        assert len(resumed.gains) == 2
        resumed.run(workers)
    assert resumed.gains == list(itertools.islice(gains(plan), 4))
    other = GainPlan(rules=make_rules(), player="basic", baseline="instant", worlds=20)
    with pytest.raises(SaveError, match="its baseline differs"):
        Gains(other, 4, resume=file)
    file.write_text(file.read_text().replace('"told":[', '"told":["x",'))
    with pytest.raises(SaveError, match="damaged"):
        Gains(plan, 4, resume=file)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"rivals": ("champion",)}, "the rival must be a player whose moves can be played out: 'champion'"),
        ({"baseline": "cmd:nobody"}, "the baseline must be a player whose moves can be played out: 'cmd:nobody'"),
        ({"rivals": ("maxim",)}, "did you mean 'maxims'"),
        ({"rivals": ()}, "no rivals are named"),
        ({"player": "champoin"}, "did you mean 'champion'"),
    ],
)
def test_who_cannot_be_played_out_is_refused(wrong: dict[str, Any], said: str) -> None:
    plan: dict[str, Any] = {"rules": make_rules(), "player": "basic", **wrong}
    with pytest.raises(PlayerError, match=said):
        GainPlan(**plan)
