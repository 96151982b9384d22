"""Tuning weights by play."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from millebornes.arena.executors import open_workers
from millebornes.editions import make_rules
from millebornes.errors import MilleBornesError, PlayerError, SaveError
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.maxims.catalogue import MAXIMS
from millebornes.policies.maxims.weights import Advice
from millebornes_research.lab.search import weights_of
from millebornes_research.lab.study import summed
from millebornes_research.lab.tune import Tuner, Tuning

LAME = "maxims:roll=-200,mile=-20"


def tuner(**changes: Any) -> Tuner:
    asked: dict[str, Any] = {"rules": make_rules(), "player": LAME, "weights": ["mile", "roll"]}
    asked |= {"deals": 60, "final": 200, "rounds": 3, "seed": "1"} | changes
    files = {name: asked.pop(name, None) for name in ("output", "resume")}
    return Tuner(Tuning(**asked), **files)


def report(run: Tuner, jobs: int = 1) -> dict[str, Any]:
    with open_workers(jobs) as workers:
        run.run(workers)
    return {name: value for name, value in run.report().items() if name != "wall_s"}


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return report(tuner())


def test_a_lame_player_gets_better(whole: dict[str, Any]) -> None:
    assert whole["complete"]
    assert whole["changed"]["mile"][1] > -20
    assert whole["points"]["ci95"][0] > 0
    assert whole["deals"] == 200
    assert any(trial["kept"] for trial in whole["trials"])
    assert not all(trial["kept"] for trial in whole["trials"])
    rules = make_rules()
    start, best = (KernelPlayer.named(whole[key], rules).advice for key in ("start", "best"))
    changed = {name for name in Advice._fields if getattr(start, name) != getattr(best, name)}
    assert changed == set(whole["changed"])


def test_the_same_with_any_number_of_processes(whole: dict[str, Any]) -> None:
    assert report(tuner(), 2) == whole


class Enough(Exception):
    """What stops a run in the middle."""


def test_an_interrupted_search_goes_on_to_the_same_result(whole: dict[str, Any], tmp_path: Path) -> None:
    file, output = tmp_path / "kept", tmp_path / "best"
    for interrupted in range(1, 40):
        run = tuner(resume=file, output=output)
        calls = 0

        def stop(run: Tuner, after: int = interrupted) -> None:
            nonlocal calls
            calls += 1
            if calls == after and not run.complete:
                raise Enough

        try:
            with open_workers() as workers:
                run.run(workers, stop)
            break
        except Enough:
            assert output.read_text() == f"{run.name}\n"
            assert not run.report()["complete"]
    assert interrupted > 2
    result = {name: value for name, value in run.report().items() if name != "wall_s"}
    assert result == whole
    name = output.read_text().strip()
    assert name == whole["best"]
    KernelPlayer.named(name, make_rules())


@pytest.mark.parametrize("comparison", [2, 4])
def test_a_step_that_was_interrupted_is_done_again(
    whole: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, comparison: int
) -> None:
    """No change stands twice among the trials, whichever of its comparisons was cut off."""
    file, comparisons = tmp_path / "kept", 0

    def cut_off(*args: Any) -> Iterator[int]:
        nonlocal comparisons
        comparisons += 1
        if comparisons == comparison:
            raise Enough
        return summed(*args)

    with monkeypatch.context() as patched:
        patched.setattr("millebornes_research.lab.tune.summed", cut_off)
        with pytest.raises(Enough):
            report(tuner(resume=file))
    assert report(tuner(resume=file)) == whole


def test_more_rounds_may_be_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    report(tuner(rounds=1, resume=file))
    assert report(tuner(rounds=2, resume=file)) == report(tuner(rounds=2))
    with pytest.raises(SaveError, match="already contains more rounds"):
        tuner(rounds=1, resume=file)


def test_share_of_matches_as_the_objective() -> None:
    found = report(
        tuner(objective="match", match_target=700, weights=["mile"], player="maxims:mile=-100", deals=40, final=60)
    )
    assert found["objective"] == "match"
    assert found["share"]["value"] > 0


def test_nothing_is_measured_where_nothing_was_found() -> None:
    found = report(tuner(weights=["answer_yourself"], player="maxims", rounds=1, deals=20))
    assert found["changed"] == {}
    assert found["best"] == "maxims"
    assert found["complete"]
    assert len(found["trials"]) == 2 * len(MAXIMS["answer_yourself"].weights)


def test_names() -> None:
    assert weights_of(["safe_trip", "mile", "mile"]) == (*MAXIMS["safe_trip"].weights, "mile")
    assert set(weights_of([])) == set(Advice._fields) - {"match"}
    for names, said in ((["no_such"], "no maxim and no weight 'no_such'"), (["match"], "--objective")):
        with pytest.raises(PlayerError, match=said):
            weights_of(names)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"player": "basic"}, "has no weights to tune"),
        ({"objective": "fame"}, "the objective must be points or match"),
        ({"objective": "match"}, "needs a match target"),
    ],
)
def test_what_cannot_be_tuned(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(MilleBornesError, match=said):
        tuner(**changes)


def test_files_of_other_runs_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    report(tuner(resume=file, rounds=1, deals=10, final=10))
    for changes, said in (
        ({"seed": "2"}, "its seed differs"),
        ({"weights": ["mile"]}, "its weights differs"),
        ({"player": "maxims"}, "its player differs"),
        ({"deals": 20}, "its deals differs"),
    ):
        with pytest.raises(SaveError, match=said):
            tuner(**({"deals": 10, "final": 10, "resume": file} | changes))
    text = file.read_text()
    file.write_text(text.replace('"place":', '"place":-1e999,"other":'))
    with pytest.raises(SaveError, match="damaged"):
        tuner(resume=file, rounds=1, deals=10, final=10)
    file.write_text(text.replace('"steps"', '"stops"'))
    with pytest.raises(SaveError, match="damaged"):
        tuner(resume=file, rounds=1, deals=10, final=10)
    file.write_text("{")
    with pytest.raises(SaveError, match="a file of a tuning run"):
        tuner(resume=file)
    file.write_text('{"format": "else"}')
    with pytest.raises(SaveError, match="the format of this file"):
        tuner(resume=file)
