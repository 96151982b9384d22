"""The strategy lab: what its experiments find, and that a run is the same however it is done."""

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from millebornes.arena.executors import open_workers
from millebornes.editions import EDITIONS, make_rules
from millebornes.errors import PlayerError, SaveError
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes.policies.maxim_weights import MATCH
from millebornes_research.lab.contrast import Contrast, MaximWorth, Objective, edges_of
from millebornes_research.lab.experiment import Experiment
from millebornes_research.lab.experiments import EXPERIMENTS
from millebornes_research.lab.lab import Lab
from millebornes_research.lab.sheets import Sheet

Row = dict[str, Any]


def found(experiment: Experiment) -> list[Sheet]:
    """The sheets of a whole run."""
    return experiment.sheets([study.count(range(study.deals)) for study in experiment.studies])


def by(rows: Sequence[Row], key: str) -> dict[str, Row]:
    return {row[key]: row for row in rows}


# ---------------------------------------------------------------- players compared


def test_a_maxim_that_never_speaks_is_worth_exactly_nothing() -> None:
    """Nobody else may call a coup in the classic game, so what a hazard of one's own would bring never counts."""
    assert any(getattr(MATCH, weight) for weight in MAXIMS["answer_yourself"].weights)
    (sheet,) = found(MaximWorth(make_rules(), "maxims", maxims=["answer_yourself"], hands=60, matches=8))
    (row,) = sheet.rows
    assert row["points"] == row["hand_share"] == {"value": 0.0, "stderr": 0.0, "ci95": [0.0, 0.0]}
    assert row["match_points"] == row["match_share"] == {"value": 0.0, "stderr": 0.0, "ci95": [0.0, 0.0]}
    assert row["verdict"] == "nothing"
    (sheet,) = found(MaximWorth(make_rules("house"), "maxims", maxims=["answer_yourself"], hands=60, matches=0))
    assert sheet.rows[0]["points"]["stderr"] > 0


def test_a_crippled_player_is_worth_less() -> None:
    rules = make_rules()
    study = Contrast(
        rules=rules, base="maxims", variants=("maxims:roll=-2000", "basic"), deals=150, match_target=None, seed=1
    )
    points, share = edges_of(study.count(range(150)), rules, 0)
    assert points.high < -100
    assert share.high < -0.05
    (sheet,) = found(MaximWorth(rules, "maxims", maxims=["large_distance_at_once"], hands=2000, matches=0))
    assert sheet.rows[0]["points"]["ci95"][0] > 0
    assert sheet.rows[0]["verdict"] == "pays"


@pytest.mark.parametrize(("seats", "sides"), [(2, 2), (3, 3), (4, 2)])
def test_comparisons_are_what_the_games_say(seats: int, sides: int) -> None:
    rules = make_rules("classic", seats, sides)
    study = Contrast(rules=rules, base="basic", variants=("maxims",), deals=12, match_target=1500, seed=5)
    counts = study.count(range(12))
    players = [KernelPlayer.named(name, rules) for name in ("basic", "maxims")]
    leads, shares = [], []
    for deal in range(12):
        lead = share = 0.0
        for turn in range(sides):
            line = [int(rules.side_of(seat) == turn) for seat in range(seats)]
            played = play_batch(rules, players, [line], 1, seed=5, begin=deal, match_target=1500)
            points = played.points[0, 0].tolist()
            lead += points[turn] - (sum(points) - points[turn]) / (sides - 1)
            best = max(points)
            share += (1 / points.count(best) if points[turn] == best else 0) - 1 / sides
        leads.append(lead / sides)
        shares.append(share / sides)
    edge, wins = edges_of(counts, rules, 0)
    assert edge.value == pytest.approx(np.mean(leads))
    assert edge.stderr == pytest.approx(np.std(leads, ddof=1) / np.sqrt(12))
    assert wins.value == pytest.approx(np.mean(shares))
    assert wins.stderr == pytest.approx(np.std(shares, ddof=1) / np.sqrt(12))


def test_every_maxim_of_every_edition_can_be_switched_off() -> None:
    for name in EDITIONS:
        experiment = MaximWorth(make_rules(name), "maxims", hands=2, matches=1, target=500)
        (sheet,) = found(experiment)
        assert [row["maxim"] for row in sheet.rows] == list(MAXIMS)


def test_objectives_differ_in_matches_alone() -> None:
    (sheet,) = found(Objective(make_rules(), "maxims", hands=30, matches=30))
    (row,) = sheet.rows
    assert row["points"]["value"] == row["points"]["stderr"] == 0
    assert row["match_points"]["stderr"] > 0


@pytest.mark.parametrize("kind", [MaximWorth, Objective])
def test_only_maxims_has_maxims(kind: Callable[..., Experiment]) -> None:
    with pytest.raises(PlayerError, match="has no maxims"):
        kind(make_rules(), "basic")
    if kind is not Objective:
        with pytest.raises(PlayerError, match="there is no maxim 'no_such'"):
            kind(make_rules(), "maxims", maxims=["no_such"])


# ---------------------------------------------------------------- runs


def some(**changes: int) -> list[Experiment]:
    rules = make_rules()
    deals: dict[str, Any] = {"hands": 60, "matches": 6} | changes
    return [
        MaximWorth(rules, "maxims", maxims=["safe_trip", "roll_first"], **deals),
        MaximWorth(make_rules("classic", 3), "maxims", maxims=["keep_rolls"], **deals),
        Objective(rules, "maxims", **deals),
    ]


def report(run: Lab, jobs: int = 1) -> dict[str, Any]:
    with open_workers(jobs) as workers:
        run.run(workers)
    return {name: value for name, value in run.report().items() if name != "wall_s"}


def test_the_same_result_with_any_number_of_processes() -> None:
    one, two = report(Lab(some(), "1")), report(Lab(some(), "1"), 2)
    assert one["complete"]
    assert one == two
    assert json.loads(json.dumps(one)) == one
    assert one["seed"] == 1
    assert one["experiments"][0]["tables"]["worth"][0]["points"]["ci95"][0] is not None


def test_a_finished_run_can_ask_for_more(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    report(Lab(some(), "a", resume=file))
    more = report(Lab(some(hands=90), "a", resume=file))
    assert more == report(Lab(some(hands=90), "a"))
    with pytest.raises(SaveError, match="already contains 90 deals"):
        Lab(some(), "a", resume=file)


def test_files_of_other_runs_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    report(Lab(some()[:1], "a", resume=file))
    others: list[tuple[Callable[[], Lab], str]] = [
        (lambda: Lab(some()[:1], "b", resume=file), "its seed differs"),
        (lambda: Lab(some()[2:3], "a", resume=file), "its experiment differs"),
        (
            lambda: Lab([MaximWorth(make_rules(), "maxims:points", maxims=["safe_trip"])], "a", resume=file),
            "its player differs",
        ),
        (
            lambda: Lab([MaximWorth(make_rules(), "maxims", maxims=["safe_trip"])], "a", resume=file),
            "its table, or what is compared, differs",
        ),
    ]
    for make, said in others:
        with pytest.raises(SaveError, match=said):
            make()


def test_advice_tuned_since_is_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept"
    report(Lab(some()[:1], "a", resume=file))
    changed = KernelPlayer.named("maxims", make_rules()).advice._replace(mile=1)
    monkeypatch.setattr("millebornes.policies.batch.tuned", lambda rules: changed)
    with pytest.raises(SaveError, match="its advice, the weights of maxims, differs"):
        Lab(some()[:1], "a", resume=file)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: "[]", "a file of the strategy lab"),
        (lambda data: data[:-40], "a file of the strategy lab"),
        (lambda data: data.replace("millebornes-lab/1", "millebornes-lab/9"), "the format of this file"),
        (lambda data: data.replace('"lead"', '"other"'), "damaged"),
        (lambda data: data.replace('"done":[[60,6]]', '"done":[["x",6]]'), "damaged"),
        (lambda data: data.replace('"done":[[60,6]]', '"done":[[1e999,6]]'), "damaged"),
        (lambda data: data.replace('"counts":[[{', '"counts":[[{"more":[1],'), "damaged"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, change: Callable[[str], str], said: str) -> None:
    file = tmp_path / "kept"
    report(Lab(some()[:1], "a", resume=file))
    text = file.read_text()
    changed = change(text)
    assert changed != text
    file.write_text(changed)
    with pytest.raises(SaveError, match=said):
        Lab(some()[:1], "a", resume=file)


def test_what_is_known_at_the_start_is_nothing() -> None:
    run = Lab([kind(make_rules(), "maxims") for kind in EXPERIMENTS.values()], "a")  # type: ignore[call-arg]
    assert run.progress == 0 < run.total
    for entry in run.report()["experiments"]:
        assert entry["tables"]
    for experiment in run.experiments:
        assert experiment.line([{} for _ in experiment.studies]) == "getting ready …"


def test_a_line_for_the_progress_bar() -> None:
    for kind in EXPERIMENTS.values():
        experiment = kind(make_rules(), "maxims", hands=4)  # type: ignore[call-arg]
        experiment.studies = tuple(dataclasses.replace(s, deals=4) for s in experiment.studies)  # type: ignore[type-var]
        line = experiment.line([study.count(range(4)) for study in experiment.studies])
        assert any(letter.isdigit() for letter in line), line
