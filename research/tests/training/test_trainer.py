"""Training from end to end: tiny courses, going on after a stop, and files that are something else."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from millebornes.editions import make_rules
from millebornes.errors import MilleBornesError, PlayerError, SaveError
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.net import INPUTS, MAX_INPUTS
from millebornes.policies.net_files import Net, load_net
from millebornes_research.training.curves import write_curves
from millebornes_research.training.population import Population
from millebornes_research.training.sampling import ENTRY, Samples
from millebornes_research.training.strength import measure
from millebornes_research.training.trainer import Course, Trainer

pytest.importorskip("torch")

from millebornes_research.training.fitting import Fit, batches

pytestmark = pytest.mark.slow  # the kernels take long to compile


def course(**changes: Any) -> Course:
    asked: dict[str, Any] = {"rules": (make_rules(),), "seed": "1", "generations": 2, "chunks": 2} | changes
    small: dict[str, Any] = {"hands": 12, "decks": 4, "batch": 64, "base": 0.0, "playouts": "itself"}
    return Course(**(small | asked))


def known(run: Trainer) -> tuple[bytes, list[dict[str, Any]]]:
    told = [{name: value for name, value in entry.items() if name != "seconds"} for entry in run.history]
    return run.net.to_bytes(), told


def trained(made: Course, **changes: Any) -> tuple[bytes, list[dict[str, Any]]]:
    run = Trainer(made, **changes)
    run.run()
    return known(run)


@pytest.fixture(scope="module")
def whole() -> tuple[bytes, list[dict[str, Any]]]:
    return trained(course())


# ------------------------------------------------------------------ learning


def planted(seed: int) -> Samples:
    """Decisions between codes 1, 4 and 7, where 4 is 300 points better if place 10 holds a one, else 200 worse."""
    chance = np.random.default_rng(seed)
    count = 2000
    rows = np.full((count, MAX_INPUTS), INPUTS, np.uint16)
    rows[:, 0] = 10 + chance.integers(0, 2, count)
    rows[:, 1] = 100 + chance.integers(0, 50, count)
    entries = np.zeros(3 * count, ENTRY)
    entries["row"] = entries["decision"] = np.repeat(np.arange(count), 3)
    entries["code"] = np.tile([1, 4, 7], count)
    entries["best"] = np.tile([1, 0, 0], count)
    good = np.repeat(rows[:, 0] == 10, 3)
    entries["points"] = np.where(entries["code"] == 4, np.where(good, 3, -2), 0)
    entries["points"] += np.repeat(4 * chance.standard_normal(count), 3)  # the luck of the cards, the same for all
    return Samples(rows, entries, count)


def test_what_moves_bring_is_learned_and_the_luck_is_not() -> None:
    rules = make_rules()
    fit = Fit(Net.random(1), decay=0.9)
    for seed in range(12):
        fitted = fit.learn(rules, planted(seed), rate=3e-3, batch=100, seed=seed)
    assert fitted.plain == pytest.approx(120, abs=10)  # two thirds of half of 300 and 200, as roots of squares
    assert fitted.moves < 12
    assert fitted.value == pytest.approx(400, rel=0.1)  # nobody can know it


def test_batches_hold_everything_once() -> None:
    samples = planted(1)
    seen = []
    for rows, entries in batches(samples, 300, 5):
        assert set(np.bincount(entries["decision"])) == {3}
        assert entries["row"].max() == len(rows) - 1
        seen += [(*rows[entry["row"]][:2].tolist(), int(entry["code"]), float(entry["points"])) for entry in entries]
    wanted = [(*samples.rows[e["row"]][:2].tolist(), int(e["code"]), float(e["points"])) for e in samples.entries]
    assert sorted(seen) == sorted(wanted)


# ------------------------------------------------------------------ courses


def test_the_same_course_gives_the_same_net(whole: Any) -> None:
    assert trained(course()) == whole
    assert trained(course(), jobs=3) == whole
    assert trained(course(seed="2")) != whole
    assert [entry["generation"] for entry in whole[1]] == [1, 2]
    assert whole[1][1]["decisions"] > whole[1][0]["decisions"] > 50


def test_generations_that_refine_play_moves_out_in_another_way() -> None:
    asked: dict[str, Any] = {"base": 1.0, "playouts": "maxims", "rate": 0.05}
    once, again = (trained(course(refine=1, **asked)) for _ in range(2))
    plain = trained(course(**asked))
    assert once == again
    assert once[1][0]["spread"] == plain[1][0]["spread"]  # the first generation is played out as ever
    assert once[1][1]["spread"] != plain[1][1]["spread"]


def test_a_run_that_was_stopped_goes_on_to_the_same_net(tmp_path: Path, whole: Any) -> None:
    path, output = tmp_path / "run", tmp_path / "net.npz"

    def interrupt(run: Trainer) -> None:
        if run.place == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Trainer(course(), resume=path).run(interrupt)
    run = Trainer(course(), resume=path, output=output)
    assert run.place == 2
    run.run()
    assert known(run) == whole
    assert load_net(output).to_bytes() == output.read_bytes() == whole[0]
    again = Trainer(course(), resume=path)
    again.run()
    assert known(again) == whole


def test_a_stop_in_the_middle_of_a_step_takes_nothing_with_it(
    tmp_path: Path, whole: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run"
    learn = Fit.learn
    calls = 0

    def stopping(self: Fit, *words: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        found = learn(self, *words, **named)
        if calls == course().passes + 1:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr("millebornes_research.training.trainer.SAVE_EVERY", -1.0)
    monkeypatch.setattr(Fit, "learn", stopping)
    with pytest.raises(KeyboardInterrupt):
        Trainer(course(), resume=path).run()
    run = Trainer(course(), resume=path)
    assert run.place == 1
    run.run()
    assert known(run) == whole


def test_more_generations_may_be_asked_for_later(tmp_path: Path) -> None:
    path = tmp_path / "run"
    Trainer(course(generations=1), resume=path).run()
    run = Trainer(course(generations=2), resume=path)
    run.run()
    assert known(run) == trained(course())
    with pytest.raises(SaveError, match="this file already contains more generations; ask for at least as many"):
        Trainer(course(generations=1), resume=path)


def test_several_tables_and_playouts_of_others() -> None:
    tables = (make_rules(), make_rules("house", 3, 3))
    run = Trainer(course(rules=tables, generations=1, base=1.0, playouts="maxims"))
    run.run()
    (entry,) = run.history
    assert [strength["table"] for strength in entry["strength"]] == ["2x2", "3x3"]
    assert run.net.arrays["base"] != 1
    assert "maxims" in run.line()


def test_files_of_other_runs(tmp_path: Path) -> None:
    path = tmp_path / "run"
    Trainer(course(generations=1), resume=path).run()
    for name, other in (("seed", "2"), ("hands", 11), ("base", 1.0), ("rules", (make_rules("bsd"),))):
        with pytest.raises(SaveError, match=f"{path}: this file belongs to another run: its {name} differs"):
            Trainer(course(**{name: other}), resume=path)
    with pytest.raises(SaveError, match="this file belongs to another run: its start differs"):
        Trainer(course(), start=Net.random(7), resume=path)
    whole = path.read_bytes()
    for content, told in (
        (whole[:-3000], "this file isn't a file of a training run, or it is damaged"),
        (b"", "this file isn't a file of a training run, or it is damaged"),
        (Net.random(1).to_bytes(), "this file is damaged"),
    ):
        path.write_bytes(content)
        with pytest.raises(SaveError, match=f"{path}: {told}"):
            Trainer(course(), resume=path)
    path.unlink()
    np.savez(path.with_suffix(".npz"), about=np.array(json.dumps({"format": "millebornes-training/9"})))
    with pytest.raises(SaveError, match='the format of this file must be "millebornes-training/3"'):
        Trainer(course(), resume=path.with_suffix(".npz"))


def test_strength_tells_who_is_better() -> None:
    for table in (("classic", 2, 2), ("house", 3, 3)):
        rules = make_rules(*table)
        maxims, chance = (KernelPlayer.named(name, rules) for name in ("maxims", "random"))
        better = measure(rules, maxims, chance, 60, seed=1)
        assert better.points.low > 300
        assert better.share.low > 0.6
        even = measure(rules, maxims, maxims, 60, seed=1)
        assert even.points.value == pytest.approx(0, abs=1e-9)
        assert even.share.value == pytest.approx(1 / rules.sides)


# ------------------------------------------------------------------ company


def league(**changes: Any) -> Course:
    asked: dict[str, Any] = {"playouts": "company", "ahead": 2, "rivals": ("basic", "random"), "target": 2000}
    return course(**(asked | {"generations": 3, "base": 1.0, "itself": 50, "former": 1} | changes))


@pytest.fixture(scope="module")
def whole_league() -> tuple[bytes, list[dict[str, Any]]]:
    return trained(league())


def test_a_league_grows_by_what_the_net_has_been(whole_league: Any) -> None:
    run = Trainer(league())
    before = run.net
    run.run()
    assert known(run) == whole_league
    assert known(run) == trained(league(), jobs=2)
    former = [sorted(entry["former"][0]) for entry in run.history]
    assert former[:2] == [[], ["generation 1"]]
    assert len(former[2]) == 1
    assert len(run.population.former) == 1
    assert set(run.population.leads[0]) == {"basic", "random", *run.population.former}
    assert 0.5 < sum(run.population.weights(0).values()) < 1.5
    assert run.net.arrays["rows"].tobytes() != before.arrays["rows"].tobytes()


def test_a_league_goes_on_where_it_was_stopped(tmp_path: Path, whole_league: Any) -> None:
    path, copy = tmp_path / "run", tmp_path / "copy"

    def keep(run: Trainer) -> None:
        if run.place == 3:
            run.save()
            copy.write_bytes(path.read_bytes())

    Trainer(league(), resume=path).run(keep)
    run = Trainer(league(), resume=copy)
    assert run.place == 3
    run.run()
    assert known(run) == whole_league


def test_one_rival_alone_may_be_learned_from(tmp_path: Path) -> None:
    path, other, resume = tmp_path / "frozen.npz", tmp_path / "other.npz", tmp_path / "run"
    path.write_bytes(Net.random(3, base=1.0).to_bytes())
    other.write_bytes(Net.random(4, base=1.0).to_bytes())
    alone = league(generations=1, itself=0, former=0, ahead=0, rivals=(f"instant:{path}",))
    run = Trainer(alone, resume=resume)
    run.run()
    ((strength,),) = (entry["strength"] for entry in run.history)
    assert set(strength) == {"edition", "table", f"instant:{path}"}
    path.write_bytes(other.read_bytes())
    with pytest.raises(SaveError, match="this file belongs to another run: its rivals differs"):
        Trainer(alone, resume=resume)


def test_who_is_harder_to_beat_sits_at_the_table_more_often() -> None:
    population = Population((make_rules(),), ("basic", "maxims"), 1)
    population.leads = [{"basic": 200.0, "maxims": 100.0}]
    weights = population.weights(0)
    assert sum(weights.values()) == pytest.approx(1)
    assert weights["maxims"] / weights["basic"] == pytest.approx(math.e)
    population.grow("generation 1", Net.random(1))
    assert population.leads[0]["generation 1"] == 0
    assert max(population.weights(0), key=population.weights(0).__getitem__) == "generation 1"
    population.leads[0]["generation 1"] = 50.0
    population.grow("generation 2", Net.random(2))
    assert list(population.former) == ["generation 2"]
    with pytest.raises(PlayerError, match="the leads are not those of this population"):
        population.from_arrays({}, [{"basic": 1.0}])


# ------------------------------------------------------------------ curves


def test_curves(tmp_path: Path, whole: Any) -> None:
    history = [entry | {"seconds": 1.5} for entry in whole[1]]
    write_curves(tmp_path / "c.json", history)
    assert json.loads((tmp_path / "c.json").read_text()) == history
    write_curves(tmp_path / "c.csv", history)
    head, *rows = (tmp_path / "c.csv").read_text().splitlines()
    assert head.startswith("generation,decisions,seconds,spread,missed,missed_value,edition,table,basic_points,")
    assert len(rows) == 2
    assert len(set(map(len, (row.split(",") for row in (head, *rows))))) == 1
    with pytest.raises(MilleBornesError, match=r"curves can be written only to files that end in \.csv, \.json, \.svg"):
        write_curves(tmp_path / "c.txt", history)


def test_curves_as_a_plot(tmp_path: Path, whole: Any) -> None:
    pytest.importorskip("matplotlib")
    history = [entry | {"seconds": 1.5} for entry in whole[1]]
    write_curves(tmp_path / "c.svg", history)
    first = (tmp_path / "c.svg").read_text()
    assert "against maxims" in first
    write_curves(tmp_path / "c.svg", history)
    assert (tmp_path / "c.svg").read_text() == first


def test_strangers_and_random_tables_give_the_same_net_with_more_threads() -> None:
    drawn = (make_rules("classic").replace({"goal": 600, "extension_goal": None}), make_rules("house", 3, 3))
    made = course(base=1.0, playouts="maxims", itself=20, strangers=3, drawn=drawn, chunks=4, generations=1)
    assert [made.table(place) for place in range(4)] == [made.rules[0], drawn[0], made.rules[0], drawn[1]]
    assert trained(made) == trained(made, jobs=2)
    assert trained(made)[0] != trained(course(base=1.0, playouts="maxims", chunks=4, generations=1))[0]
