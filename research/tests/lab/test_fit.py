"""Fitting all weights at once, and the hands played out that it learns from."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from millebornes.arena.executors import open_workers
from millebornes.editions import Rules, make_rules
from millebornes.errors import PlayerError, SaveError
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes.policies.features import NUMBERS
from millebornes.policies.maxim_weights import Advice, tuned
from millebornes_research.lab.contrast import Contrast, edges_of
from millebornes_research.lab.fit import Fitter, Fitting, fitted_weights
from millebornes_research.lab.playouts import Playouts, sample_playouts, worths

SPOILED = "maxims:mile=-60"
TABLES = [("classic", 2, 2), ("house", 3, 3), ("mille2", 4, 2)]


def fitter(**changes: Any) -> Fitter:
    asked: dict[str, Any] = {"rules": make_rules(), "player": SPOILED, "weights": ["mile", "roll"]}
    asked |= {"deals": 60, "trials": 60, "final": 200, "rounds": 1, "seed": "1"} | changes
    files = {name: asked.pop(name, None) for name in ("output", "resume")}
    return Fitter(Fitting(**asked), **files)


def report(run: Fitter, jobs: int = 1) -> dict[str, Any]:
    with open_workers(jobs) as workers:
        run.run(workers)
    return {name: value for name, value in run.report().items() if name != "wall_s"}


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return report(fitter())


# ------------------------------------------------------------------ playing moves out


def sampled(rules: Rules, games: range, every: int = 15) -> Playouts:
    return sample_playouts(rules, tuned(rules), games, seed=7, every=every)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_the_move_that_was_made_brings_what_the_hand_brought(name: str, seats: int, sides: int) -> None:
    rules = make_rules(name, seats=seats, sides=sides)
    decisions = sampled(rules, range(3, 15)).decisions
    assert len(set(decisions["game"])) > 8
    played = play_batch(rules, [KernelPlayer.named("maxims", rules)], [[0] * seats], 12, seed=7, begin=3)
    for decision in decisions:
        points = played.points[decision["game"] - 3, 0]
        lead = int(sides * points[decision["side"]] - points.sum()) // (sides - 1)
        assert decision["values"][decision["chosen"]] == lead
        assert len(set(decision["codes"][: decision["count"]])) == decision["count"] > 1
    assert any(len(set(decision["values"][: decision["count"]])) > 1 for decision in decisions)


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_the_move_that_was_made_is_worth_most(name: str, seats: int, sides: int) -> None:
    rules = make_rules(name, seats=seats, sides=sides)
    samples = sampled(rules, range(12))
    counts = samples.decisions["count"]
    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.concatenate([np.arange(count) for count in counts])
    advice = tuned(rules)
    worth, other = worths(samples, rows, places, (advice, advice._replace(mile=advice.mile + 100))).T
    for row, decision in enumerate(samples.decisions):
        assert worth[rows == row].argmax() == decision["chosen"]
    driving = (samples.decisions["codes"][rows, places] < 15) & (samples.decisions["codes"][rows, places] % 3 == 1)
    assert driving.any()
    assert ((other > worth) == driving).all()


def test_samples_do_not_depend_on_the_range_they_are_asked_for_in() -> None:
    rules = make_rules()
    together, first, second = (sampled(rules, games) for games in (range(10), range(4), range(4, 10)))
    assert np.concatenate([first.decisions, second.decisions]).tobytes() == together.decisions.tobytes()
    features = np.concatenate([first.features, second.features])
    for field in ("hand", "unseen", "sides", "threats", *NUMBERS):
        assert (features[field] == together.features[field]).all()
    assert len(sampled(rules, range(10), every=5).decisions) > 1.5 * len(together.decisions)
    assert len(sampled(rules, range(0)).decisions) == 0


# ------------------------------------------------------------------ the fit


def test_a_spoiled_weight_is_repaired(whole: dict[str, Any]) -> None:
    assert whole["complete"]
    assert whole["changed"]["mile"][1] > -60
    assert whole["points"]["ci95"][0] > 0
    rules = make_rules()
    fresh = Contrast(rules=rules, base=SPOILED, variants=(whole["best"],), deals=300, match_target=None, seed=99)
    points, _ = edges_of(fresh.count(range(300)), rules, 0)
    assert points.low > 0
    start, best = (KernelPlayer.named(whole[key], rules).advice for key in ("start", "best"))
    assert {name for name in Advice._fields if getattr(start, name) != getattr(best, name)} == set(whole["changed"])


def test_the_same_with_any_number_of_processes(whole: dict[str, Any]) -> None:
    assert report(fitter(), 2) == whole
    assert report(fitter(seed="2")) != whole


def test_a_spoiled_rule_of_the_extension_is_repaired() -> None:
    found = report(fitter(player="maxims:extend=900", weights=["extend"], deals=150, final=1000))
    assert found["changed"]["extend"][1] < 700
    assert found["points"]["ci95"][0] > 0


def test_what_does_not_gain_is_not_kept() -> None:
    found = report(fitter(player="maxims", weights=["safe_trip_far"], deals=5, trials=10))
    assert found["complete"]
    gained = [step["edge"]["value"] > 0 for step in found["steps"]]
    assert any(step["kept"] for step in found["steps"]) == any(gained)


class Enough(Exception):
    """What stops a run in the middle."""


def test_an_interrupted_fit_goes_on_to_the_same_result(tmp_path: Path) -> None:
    file, output = tmp_path / "kept", tmp_path / "best.toml"
    asked: dict[str, Any] = {"deals": 20, "trials": 20, "final": 30, "rounds": 2}
    run = fitter(resume=file, output=output, **asked)

    def stop(run: Fitter) -> None:
        if run.place == 1 and run.within > 0:
            raise Enough

    with pytest.raises(Enough), open_workers() as workers:
        run.run(workers, stop)
    assert not run.report()["complete"]
    run = fitter(resume=file, output=output, **asked)
    assert run.place == 1
    assert report(run) == report(fitter(**asked))
    (section,) = tomllib.loads(output.read_text()).items()
    assert section == ("match", KernelPlayer.named(run.name, make_rules()).advice._asdict())
    with pytest.raises(SaveError, match="already contains more rounds"):
        fitter(resume=file, **(asked | {"rounds": 1}))
    for changes, said in (({"seed": "2"}, "its seed"), ({"weights": ["mile"]}, "its weights"), ({"deals": 9}, "its d")):
        with pytest.raises(SaveError, match=said):
            fitter(resume=file, **(asked | changes))
    text = file.read_text()
    file.write_text(text.replace('"place":', '"place":-1e999,"other":'))
    with pytest.raises(SaveError, match="damaged"):
        fitter(resume=file, **asked)
    file.write_text(text.replace('"steps"', '"stops"'))
    with pytest.raises(SaveError, match="damaged"):
        fitter(resume=file, **asked)
    file.write_text("{")
    with pytest.raises(SaveError, match="a file of a fitting run"):
        fitter(resume=file, **asked)
    file.write_text('{"format": "else"}')
    with pytest.raises(SaveError, match="the format of this file"):
        fitter(resume=file, **asked)


def test_names() -> None:
    assert fitted_weights(["mile", "roll", "mile"]) == ("mile", "roll")
    assert {"mile", "extend", "keep_100"} < set(fitted_weights([]))
    assert not {"match", "delay", "delay_near", "stake_near", "finish", "keep_safety"} & set(fitted_weights([]))
    for names, said in ((["no_such"], "no maxim and no weight 'no_such'"), (["finish"], "none of finish can be")):
        with pytest.raises(PlayerError, match=said):
            fitted_weights(names)
    with pytest.raises(PlayerError, match="has no weights to fit"):
        fitter(player="basic")
