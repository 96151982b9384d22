import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from millebornes.cli import cli
from millebornes.editions import EDITIONS
from millebornes.errors import MilleBornesError
from millebornes.policies.maxim_catalogue import MAXIMS
from millebornes_research.cli.lab import NAMES
from millebornes_research.lab.experiments import EXPERIMENTS

NOTEBOOK = Path(__file__).parents[2] / "notebook"


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["lab", *words])


def test_the_help_knows_all_experiments() -> None:
    assert list(EXPERIMENTS) == list(NAMES)
    text = " ".join(run("--help").stdout.split())
    for name, line in NAMES.items():
        assert f"{name} - {line}" in text


def test_results_as_json() -> None:
    words = ("maxims", "objective", "--hands", "8", "--matches", "2", "--seed", "7", "--json")
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    found = json.loads(result.stdout)
    assert (found["seed"], found["complete"]) == (7, True)
    maxims, objective = found["experiments"]
    assert maxims["experiment"] == "maxims"
    assert (maxims["edition"], maxims["seats"], maxims["sides"], maxims["set"]) == ("classic", 2, 2, {})
    assert (maxims["player"], maxims["deals"]) == ("maxims", [8, 2])
    assert [row["maxim"] for row in maxims["tables"]["worth"]] == list(MAXIMS)
    for row in maxims["tables"]["worth"]:
        for key in ("points", "hand_share", "match_points", "match_share"):
            low, high = row[key]["ci95"]
            assert low <= row[key]["value"] <= high
    assert objective["deals"] == [8, 2]
    again = json.loads(run(*words, "--jobs", "2").stdout)
    assert again["experiments"] == found["experiments"]


def test_results_as_a_table() -> None:
    result = run("maxims", "--maxim", "safe_trip", "--hands", "6", "--matches", "0", "--seed", "a b")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "classic 2x2: worth of each maxim (6 decks of hands)"
    assert lines[1].split() == "maxim points a hand share of hands verdict".split()
    assert lines[2].startswith("safe_trip ")
    assert lines[-1].startswith("seed a b, ")


def test_all_editions_side_by_side() -> None:
    result = run("maxims", "--maxim", "safe_trip", "--edition", "all", "--hands", "4", "--matches", "0", "--markdown")
    assert result.exit_code == 0, result.output
    assert f"| maxim | {' | '.join(f'{name} 2x2' for name in EDITIONS)} |" in result.stdout
    assert "seed" not in result.stdout
    assert re.search(r"^\| safe_trip \| ", result.stdout, re.MULTILINE)


def test_experiments_of_every_kind_at_another_table() -> None:
    names = list(NAMES)
    words = "--maxim safe_trip --seats 3 --set targets=left --hands 10 --matches 2 --json"
    result = run(*names, *words.split())
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert [entry["experiment"] for entry in found["experiments"]] == names
    assert {entry["set"]["targets"] for entry in found["experiments"]} == {"left"}
    assert {entry["sides"] for entry in found["experiments"]} == {3}


def test_a_plot(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "plot.svg"
    result = run("maxims", "--hands", "4", "--matches", "0", "--plot", str(file))
    assert result.exit_code == 0, result.output
    assert "<svg" in file.read_text()


def test_a_plot_that_cannot_be_drawn_is_told_before_the_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run("maxims", "--hands", "100000000", "--plot", str(tmp_path / "plot.svg"))
    assert isinstance(result.exception, MilleBornesError)
    assert "millebornes-research[plots]" in str(result.exception)


def test_fitting(tmp_path: Path) -> None:
    output = tmp_path / "best.toml"
    words = ("fit", "--player", "maxims:mile=-60", "--weight", "mile", "--hands", "30", "--rounds", "1", "--seed", "1")
    result = run(*words, "--output", str(output))
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert re.match(r"\d+ decisions played out, 1 weights changed", lines[0])
    (change,) = (line for line in lines if line.startswith("  mile: -60 -> "))
    assert f"mile = {change.split()[-1]}\n" in output.read_text()
    assert re.match(r"against what it began with, on 200 fresh decks: \+\d+\.\d ± \d+\.\d points a hand, ", lines[-3])
    assert lines[-2] == f"best: maxims:mile=-60,mile={change.split()[-1]}"
    found = json.loads(run(*words, "--json").stdout)
    assert f"best: {found['best']}" == lines[-2]
    assert found["complete"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no_such"], "there is no experiment 'no_such'; the experiments are maxims, objective"),
        (["maxims", "--maxim", "no_such"], "there is no maxim 'no_such'"),
        (["maxims", "--player", "basic"], "has no maxims to compare"),
        (["maxims", "--player", "maxims:mil=3"], "did you mean 'mile'?"),
        (["objective", "--player", "cmd:x"], "has no maxims to compare"),
        (["objective", "--maxim", "safe_trip"], "--maxim is for maxims and fit, not for objective"),
        (["objective", "--edition", "nowhere"], "--edition"),
        (["objective", "--edition", "all", "--seats", "9"], "--seats"),
        (["objective", "--hands", "0"], "--hands"),
        (["objective", "--match-target", "none"], "never ends"),
        (["--plot", "x.svg"], "name the one experiment"),
        (["objective", "--rounds", "2"], "--rounds is for fit"),
        (["objective", "--output", "x"], "--output is for fit"),
        (["fit", "maxims"], "fit runs alone"),
        (["fit", "--edition", "all"], "fit runs alone"),
        (["fit", "--matches", "2"], "fit counts points of single hands"),
        (["fit", "--weight", "mil"], "no maxim and no weight 'mil'"),
        (["fit", "--markdown"], "fit draws no plots and prints no Markdown"),
        (["fit", "--weight", "keep_safety"], "none of keep_safety can be fitted"),
        (["fit", "--player", "basic"], "no weights to fit"),
    ],
)
def test_wrong_usage_is_told_in_words(words: list[str], message: str) -> None:
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""


@pytest.mark.parametrize(("name", "asked"), [("lab.md", set(NAMES)), ("nets.md", {"nets"})])
def test_the_pages_on_the_lab_ask_for_what_there_is(name: str, asked: set[str]) -> None:
    page = (NOTEBOOK / name).read_text(encoding="utf-8")
    places = re.findall(r"<!-- lab: (.*?) -->\n(.*?)<!-- end -->", page, re.DOTALL)
    command = cli.get_command(cli.make_context("millebornes", []), "lab")
    assert command is not None
    experiments = set()
    for words, told in places:
        context = command.make_context("lab", words.split())
        experiments.update(context.params["names"])
        assert f"$ millebornes lab {words.partition(' ')[0]}" in told
        assert told.count("|---|") >= 1
        plot = context.params["plot"]
        assert plot is None or f"]({plot.relative_to('research/notebook')})" in page
    assert experiments == asked
