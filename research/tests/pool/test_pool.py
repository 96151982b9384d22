"""The pool: its members, and what is told of a player that meets them."""

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import pytest

from millebornes.arena.executors import open_workers
from millebornes.arena.statistics import share_estimate, t_quantile
from millebornes.editions import Rules, make_rules
from millebornes.errors import MilleBornesError, SaveError
from millebornes.policies.batch import KernelPlayer
from millebornes_research.pool import members
from millebornes_research.pool.members import HALVES, Member, members_at
from millebornes_research.pool.pool import Pool, PoolPlan
from tests.arena.reporting import run_arena

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

BASIC = Member("plain", "tune", "basic", "")
RANDOM = Member("dice", "test", "random", "")


def plan_for(rules: Rules | None = None, **changes: Any) -> PoolPlan:
    plan = PoolPlan(rules=rules or make_rules(), player="maxims", members=(BASIC, RANDOM), matches=4, seed="3")
    return dataclasses.replace(plan, **changes)


def played(plan: PoolPlan, *, jobs: int = 1, resume: Path | None = None) -> dict[str, Any]:
    run = Pool(plan, resume=resume)
    with open_workers(jobs) as workers:
        run.run(workers)
    report = run.report()
    del report["wall_s"]
    return report


# ---------------------------------------------------------------- the members


def test_the_pool_has_two_halves_of_players_that_can_be_had() -> None:
    pool = members.pool_members()
    assert len({member.name for member in pool}) == len(pool)
    for half in HALVES:
        assert sum(member.half == half for member in pool) >= 0.4 * len(pool)
    for rules in (make_rules(), make_rules("classic", 3), make_rules("classic", 4, 2), make_rules("bsd")):
        found, left_out = members_at(rules)
        assert {member.name for member in found} | {each.name for each in left_out} == {m.name for m in pool}
        assert {"instant", "attacker"} <= {member.name for member in found}
    kernels = [member for member in pool if not member.player.startswith("cmd:")]
    for member in kernels:
        KernelPlayer.named(member.player, make_rules())
    assert {member.half for member in kernels} == set(HALVES)


def test_a_member_that_cannot_play_is_left_out_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    _, left_out = members_at(make_rules("classic", 3))
    assert ("net-2026-11", "it plays at tables of 2 seats only") in left_out
    gone = Path(__file__).parent / "nowhere"
    monkeypatch.setattr(members, "EXAMPLES", gone)
    found, left_out = members_at(make_rules(), "test")
    assert "driver.py" not in {member.name for member in found}
    assert ("driver.py", "it is one of the examples, which come only with a checkout of the source") in left_out
    with pytest.raises(
        MilleBornesError, match=r"no member of the pool can play: driver\.py: it is one of the examples"
    ):
        members_at(make_rules(), None, ("driver.py",))
    with pytest.raises(MilleBornesError, match="the pool has no member 'champion'; its members are instant, "):
        members_at(make_rules(), None, ("champion",))
    with pytest.raises(MilleBornesError, match="none of these is in the test half"):
        members_at(make_rules(), "test", ("basic",))


# ---------------------------------------------------------------- what is told


@pytest.mark.parametrize(
    ("edition", "seats", "sides"), [("classic", 2, 2), ("classic", 3, 3), ("classic", 4, 2), ("bsd", 2, 2)]
)
def test_a_member_is_met_as_in_the_arena(edition: str, seats: int, sides: int) -> None:
    plan = plan_for(make_rules(edition, seats, sides), match_target=1500)
    report = played(plan)
    for row, member in zip(report["members"], plan.members, strict=True):
        arena = run_arena(plan.games(member))
        own = arena["results"][0]
        assert (row["member"], row["half"], row["matches"]) == (member.name, member.half, arena["matches"])
        assert row["share"]["value"] == pytest.approx(own["match_share"], abs=1e-6)
        ahead = [pair["mean_difference"] for pair in arena["pairs"] if pair["a"] == "maxims"]
        assert row["points"]["value"] == pytest.approx(sum(ahead) / len(ahead), abs=1e-3)
        if sides == 2:
            assert row["points"]["ci95"] == pytest.approx(arena["pairs"][0]["ci95"], abs=1e-3)
            assert row["share"]["ci95"] == pytest.approx(own["match_share_ci95"], abs=1e-6)
    tune, test, both = report["means"]
    assert [mean["half"] for mean in report["means"]] == ["tune", "test", None]
    assert both["share"]["value"] == pytest.approx((tune["share"]["value"] + test["share"]["value"]) / 2, abs=1e-5)
    assert tune["share"]["ci95"][0] <= tune["share"]["value"] <= tune["share"]["ci95"][1]


def test_forfeits_are_counted_for_whom_they_befall() -> None:
    lost = Member("gone", "test", "cmd:false", "")
    plan = plan_for(members=(lost,), matches=2)
    (row,) = played(plan)["members"]
    assert (row["share"]["value"], row["forfeits"], row["forfeits_of_member"]) == (1.0, 0, 2)
    assert row["points"]["value"] is None
    (row,) = played(plan_for(player="cmd:false", members=(BASIC,), matches=2))["members"]
    assert (row["share"]["value"], row["forfeits"], row["forfeits_of_member"]) == (0.0, 2, 0)


def test_the_interval_of_the_worst_counts_how_many_there_are() -> None:
    members = tuple(Member(f"basic {n}", "tune", "basic", "") for n in range(5))
    run = Pool(plan_for(members=members, matches=8))
    with open_workers() as workers:
        run.run(workers)
    report = run.report()
    values = {row["member"]: row["share"]["value"] for row in report["members"]}
    worst = report["worst"]["share"]
    assert worst["member"] == min(values, key=lambda name: values[name])
    assert worst["members"] == 5
    low, high = worst["ci95"]
    assert low < min(row["share"]["ci95"][0] for row in report["members"])  # wider than that of any of them
    wide = [
        share_estimate([deal.won for deal in met.deals], [deal.games for deal in met.deals], 1 - 0.025 / 5)
        for met in run.met
    ]
    assert (low, high) == pytest.approx((min(each.low for each in wide), min(each.high for each in wide)), abs=1e-6)
    assert report["means"] == [report["means"][-1]]  # one half alone needs no mean of its own


def test_a_mean_has_the_error_of_independent_members() -> None:
    report = played(plan_for(matches=40))
    one, other = ([row["share"]["ci95"][end] for end in (0, 1)] for row in report["members"])
    reach = math.hypot(one[1] - one[0], other[1] - other[0]) / 4
    low, high = report["means"][-1]["share"]["ci95"]
    assert high - low == pytest.approx(2 * reach, abs=1e-5)
    assert report["means"][-1]["share"]["stderr"] == pytest.approx(reach / t_quantile(0.975, 10**6), abs=1e-5)


# ---------------------------------------------------------------- runs


def test_a_file_is_gone_on_from_and_more_can_be_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "pool.json"
    run = Pool(plan_for(), minutes=1e-9, resume=file)
    with open_workers() as workers:
        run.run(workers)
    assert not run.complete
    assert run.report()["members"][0]["matches"] == 2
    assert run.report()["members"][1]["matches"] == 0
    assert played(plan_for(), resume=file) == played(plan_for())
    assert played(plan_for(matches=8), resume=file) == played(plan_for(matches=8))
    for changes, said in (
        ({"player": "instant"}, "its player differs"),
        ({"members": (BASIC,)}, "its members differs"),
        ({"seed": "4"}, "its seed differs"),
        ({"rules": make_rules("bsd")}, "its rules differs"),
    ):
        with pytest.raises(SaveError, match=f"belongs to another run: {said}"):
            Pool(plan_for(**changes), resume=file)
    data = json.loads(file.read_text())
    for nonsense in ([1, 2, 3], [2, "x", 4, 0, 0, 0], [2, 1e999, 4, 0, 0, 0], None):
        data["met"][0]["deals"][0] = nonsense
        file.write_text(json.dumps(data))
        with pytest.raises(SaveError, match="damaged"):
            Pool(plan_for(), resume=file)


@pytest.mark.once
def test_judged_matches_tell_by_how_much_it_is_better_than_the_baseline(tmp_path: Path) -> None:
    file = tmp_path / "pool.json"
    out = Member("out", "test", "cmd:false", "")
    plan = plan_for(members=(BASIC, RANDOM, out), player="maxims", baseline="basic", judged=4, matches=2)
    report = played(plan, resume=file)
    gains = [row["gain"] for row in report["members"]]
    assert [row["judged"] for row in report["members"]] == [4, 4, 0]
    assert gains[2] is None  # nobody but kernels can play moves out
    assert gains[0]["value"] != gains[1]["value"]
    assert report["worst"]["gain"]["members"] == 2
    assert report["means"][-1]["judged_members"] == 2
    assert played(plan, resume=file) == report  # nothing is left to do
    assert played(plan, jobs=2) == report


@pytest.mark.slow
def test_a_player_that_fails_in_a_judged_match_is_not_judged_further() -> None:
    report = played(plan_for(player="cmd:false", members=(BASIC,), matches=2, baseline="basic", judged=2))
    (row,) = report["members"]
    assert (row["share"]["value"], row["judged"], row["gain"]) == (0.0, 0, None)
    assert row["problem"].startswith("cmd:false against basic failed in judged game 0: ")
    assert report["complete"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"baseline": "champion", "judged": 1}, "the baseline must be a player whose moves can be played out"),
        ({"matches": 0}, "0 games cannot be played"),
        ({"judged": -1}, "-1 judged matches are not allowed"),
    ],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(MilleBornesError, match=said):
        plan_for(**changes)
