"""The strategy lab: what its experiments find, and that a run is the same however it is done."""

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from millebornes.arena.executors import open_workers
from millebornes.cards import SAFETIES, Card
from millebornes.editions import EDITIONS, make_rules
from millebornes.errors import MilleBornesError, PlayerError, SaveError
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes.policies.maxims.catalogue import MAXIMS
from millebornes.policies.maxims.weights import MATCH
from millebornes_research.lab.contrast import (
    Contrast,
    MaximWorth,
    Objective,
    WeightWorth,
    edges_of,
    scaled,
    with_options,
)
from millebornes_research.lab.coups import CoupsFourres
from millebornes_research.lab.deal import CardWorth, FirstHands, GoingFirst
from millebornes_research.lab.experiment import Experiment
from millebornes_research.lab.experiments import EXPERIMENTS
from millebornes_research.lab.extension import STATES, Extension
from millebornes_research.lab.goal import Goal
from millebornes_research.lab.instrumented import FATES
from millebornes_research.lab.lab import Lab
from millebornes_research.lab.sheets import Sheet
from millebornes_research.lab.study import instrumented

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


def test_weights_are_scaled_from_where_they_do_nothing() -> None:
    advice = MATCH._replace(mile=60, roll=101, delay=0, keep_desperate=40)
    assert scaled(advice, ("mile", "delay"), 0.5) == ["mile=30"]
    assert scaled(advice, ("roll",), 2.0) == ["roll=202"]
    assert scaled(advice, ("keep_desperate",), 0.5) == ["keep_desperate=70"]
    assert scaled(advice, ("keep_desperate",), 0.0) == ["keep_desperate=100"]
    assert with_options("maxims:points", "mile=3") == "maxims:points,mile=3"
    assert with_options("maxims", "mile=3", "roll=4") == "maxims:mile=3,roll=4"
    assert with_options("maxims") == "maxims"


def test_other_weights() -> None:
    rules = make_rules()
    advice = KernelPlayer.named("maxims", rules).advice
    (sheet,) = found(WeightWorth(rules, "maxims", maxims=["even_finish"], hands=40, matches=2, seed="3"))
    rows = by(sheet.rows, "weights")
    tuned = [name for name in MAXIMS["even_finish"].weights if getattr(advice, name)]
    assert list(rows) == ["even_finish", *tuned]
    assert rows["exact"]["player_x1.5"] == f"maxims:exact={round(advice.exact * 1.5)}"
    assert rows["even_finish"]["player_x2"].count("=") == len(tuned)
    # switched off, it loses what the experiment on maxims says that it is worth, over the same decks
    studies = WeightWorth(rules, "maxims", maxims=["even_finish"], hands=40, seed="3").studies
    assert isinstance(studies[0], Contrast)
    off = dataclasses.replace(studies[0], variants=("maxims:no-even_finish",))
    worth = edges_of(off.count(range(40)), rules, 0)[0].value
    assert worth
    assert rows["even_finish"]["points_x0"]["value"] == pytest.approx(worth)
    everything = WeightWorth(rules, "maxims", hands=1, matches=0)
    assert not any(",match=" in name or ":match=" in name for name in everything.variants)


def test_objectives_differ_in_matches_alone() -> None:
    (sheet,) = found(Objective(make_rules(), "maxims", hands=30, matches=30))
    (row,) = sheet.rows
    assert row["points"]["value"] == row["points"]["stderr"] == 0
    assert row["match_points"]["stderr"] > 0


@pytest.mark.parametrize("kind", [MaximWorth, WeightWorth, Objective])
def test_only_maxims_has_maxims(kind: Callable[..., Experiment]) -> None:
    with pytest.raises(PlayerError, match="has no maxims"):
        kind(make_rules(), "basic")
    if kind is not Objective:
        with pytest.raises(PlayerError, match="there is no maxim 'no_such'"):
            kind(make_rules(), "maxims", maxims=["no_such"])


# ---------------------------------------------------------------- the deal


def test_going_first() -> None:
    rules = make_rules()
    experiment = GoingFirst(rules, "maxims", hands=300, matches=40)
    (sheet,) = found(experiment)
    first, second = sheet.rows
    assert first["points"]["value"] == -second["points"]["value"]
    assert first["match_share"]["value"] == -second["match_share"]["value"]
    records = instrumented(rules, "maxims", range(300), experiment.studies[0].seed, (0, 1))  # type: ignore[attr-defined]
    points = records["lines"].sum(axis=3)[:, :, :2]
    lead = (points[:, 0, 0] - points[:, 0, 1] + points[:, 1, 1] - points[:, 1, 0]) / 2
    assert first["points"]["value"] == pytest.approx(lead.mean())
    assert first["points"]["stderr"] == pytest.approx(lead.std(ddof=1) / np.sqrt(300), abs=1e-5)
    assert first["points"]["value"] > 0


def test_going_first_among_partners_and_more_sides() -> None:
    for seats, sides in ((4, 2), (3, 3), (6, 3)):
        study = FirstHands(rules=make_rules("classic", seats, sides), player="basic", deals=20, seed=1)
        counts = study.count(range(20))
        assert counts["lead"].shape == (3, sides)
        assert counts["lead"][1].sum() == 0
        assert counts["wins"][1].sum() == 0


def test_worth_of_cards_is_found_again_where_it_is_known() -> None:
    """Least squares over made-up deals, in which every card has a worth and chance adds to it."""
    rules = make_rules()
    experiment = CardWorth(rules, "basic", hands=10)
    chance = np.random.default_rng(1)
    deck = np.repeat(np.arange(len(Card)), rules.deck)
    worth = np.arange(len(Card)) * 10
    columns = []
    for _ in range(3000):
        chance.shuffle(deck)
        own, other = (np.bincount(deck[at : at + 6], minlength=len(Card)) for at in (0, 6))
        lead = int((own - other) @ worth + chance.normal(0, 50))
        columns.append([*(own - other), lead, 0])
    table = np.array(columns, np.int64)
    empty = experiment.studies[0].count(range(0))
    products = np.stack([table[g::32].T @ table[g::32] for g in range(32)])
    rows = by(experiment.sheets([{**empty, "cards": products}])[0].rows, "card")
    mean = (worth * rules.deck).sum() / rules.cards
    outside = 0
    for card in Card:
        low, high = rows[card.value]["points"]["ci95"]
        assert high - low < 40
        outside += not low <= worth[card.index] - mean <= high
    assert outside <= 3  # of 19 intervals for 95 %


def test_worth_of_safeties() -> None:
    dealt, drawn = found(CardWorth(make_rules(), "maxims", hands=1500))
    assert [row["card"] for row in dealt.rows] == [card.value for card in Card]
    assert by(dealt.rows, "card")["right_of_way"]["points"]["ci95"][0] > 0
    assert [row["card"] for row in drawn.rows] == [card.value for card in SAFETIES]
    for row in drawn.rows:
        assert row["points"]["ci95"][0] > 100
        assert row["hand_share"]["ci95"][0] > 0


# ---------------------------------------------------------------- coups and extensions


def test_coups_are_those_of_the_hands() -> None:
    rules = make_rules("wikibooks", 4)
    experiment = CoupsFourres(rules, "maxims", hands=200)
    fates, held, hazards, points = found(experiment)
    records = instrumented(rules, "maxims", range(200), experiment.studies[0].seed)[:, 0]  # type: ignore[attr-defined]
    called = np.isin(records["fate"], [FATES.index("coup fourré"), FATES.index("opening call")])
    drawn = records["fate"] > 0
    for i, row in enumerate(fates.rows[:4]):
        assert row["drawn"] == drawn[:, i].sum()
        assert row["coup"]["value"] == pytest.approx(called[:, i].sum() / drawn[:, i].sum(), abs=1e-6)
        parts = [row[key]["value"] for key in ("coup", "played", "lost", "discarded")]
        assert sum(parts) == pytest.approx(1, abs=1e-5)
    assert fates.rows[4]["drawn"] == drawn.sum()
    opened = records["fate"] == FATES.index("opening call")
    assert opened.any()
    assert held.rows[0]["still"] == (drawn & ~opened).sum()
    assert [row["still"] for row in held.rows] == sorted((row["still"] for row in held.rows), reverse=True)
    assert hazards.rows[-1]["met"]["value"] == pytest.approx(records["met"].sum() / records["hazards"].sum(), abs=1e-6)
    bonus = records["lines"][:, :2, 3].sum() / 400
    assert points.rows[0]["points"]["value"] == pytest.approx(bonus, abs=1e-5)
    assert bonus == pytest.approx(300 * called.sum() / 400)


def test_extensions_by_state() -> None:
    states, rule = found(Extension(make_rules(), "maxims", hands=400))
    rows = by(states.rows, "state")
    total = rows["every choice"]["times"]
    assert total > 200
    for group in ("safeties", "right_of_way", "held", "covered", "others", "pile", "stuck", "both"):
        assert sum(rows[label]["times"] for label in STATES[group]) == total, group
        weighted = sum(rows[label]["times"] * (rows[label]["gain"]["value"] or 0) for label in STATES[group])
        assert weighted / total == pytest.approx(rows["every choice"]["gain"]["value"], abs=1e-4)
    assert sum(rows[label]["times"] for label in list(STATES["miles"])[:3]) == total
    own, declined, against_never, against_always = rule.rows
    assert own["times"] + declined["times"] == total
    assert own["times"] / total == pytest.approx(rows["every choice"]["called"]["value"], abs=1e-6)
    gain = own["times"] * own["gain"]["value"] / total
    assert against_never["gain"]["value"] == pytest.approx(gain, abs=1e-4)
    every = rows["every choice"]["gain"]["value"]
    assert against_always["gain"]["value"] == pytest.approx(gain - every, abs=1e-4)


def test_nobody_extends_where_there_is_no_extension() -> None:
    with pytest.raises(MilleBornesError, match="no one can call an extension in house 2x2"):
        Extension(make_rules("house"), "maxims")


def test_goals() -> None:
    shape, skill = found(Goal(make_rules(), "basic", rival="random", hands=60, matches=6, target=1000))
    extended, short, long = shape.rows
    assert [row["goal"] for row in shape.rows] == [
        "700, extension to 1000",
        "700, no extension",
        "1000, no extension",
    ]
    assert extended["extended"]["value"] > 0
    assert short["extended"]["value"] == long["extended"]["value"] == 0
    assert long["turns"]["value"] > short["turns"]["value"]
    assert long["miles"]["value"] > short["miles"]["value"]
    assert long["completed"]["value"] < short["completed"]["value"]
    for row in shape.rows:
        assert 0 <= row["winner"]["value"] <= 1
        assert row["hands"] >= 1
    for row in skill.rows:
        assert row["points"]["ci95"][0] > 200
        assert row["match_share"]["value"] > 0.3


# ---------------------------------------------------------------- runs


def some(**changes: int) -> list[Experiment]:
    rules = make_rules()
    deals: dict[str, Any] = {"hands": 60, "matches": 6} | changes
    return [
        MaximWorth(rules, "maxims", maxims=["safe_trip", "roll_first"], **deals),
        GoingFirst(make_rules("classic", 3), "basic", **deals),
        CardWorth(rules, "basic", hands=deals["hands"]),
        Extension(rules, "basic", hands=deals["hands"]),
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


class Enough(Exception):
    """What stops a run in the middle."""


def test_an_interrupted_run_goes_on_to_the_same_result(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    whole = report(Lab(some(hands=300), "a"))
    for interrupted in range(1, 40):
        run = Lab(some(hands=300), "a", resume=file)
        batches = 0

        def stop(run: Lab, after: int = interrupted) -> None:
            nonlocal batches
            batches += 1
            if batches == after and not run.complete:
                raise Enough

        try:
            result = report_with(run, stop)
            break
        except Enough:
            assert not run.report()["complete"]
    assert interrupted > 3
    assert result == whole


def report_with(run: Lab, on_batch: Callable[[Lab], None]) -> dict[str, Any]:
    with open_workers() as workers:
        run.run(workers, on_batch)
    return {name: value for name, value in run.report().items() if name != "wall_s"}


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
        (lambda: Lab(some()[1:2], "a", resume=file), "its experiment differs"),
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
