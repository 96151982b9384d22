"""``millebornes strangers``: the mean and the worst quarter, against strangers and at random tables."""

import json

import pytest
from click.testing import CliRunner, Result

from millebornes.editions import make_rules
from millebornes.policies.batch import KernelPlayer
from millebornes_research.cli.strangers import strangers
from millebornes_research.lab.changes import random_tables
from millebornes_research.pool.strangers import Stranger
from millebornes_research.seeds import seed_word
from millebornes_research.training.meetings import strangers_met, summary_of
from millebornes_research.training.strength import measure

TINY = ("--decks", "4", "--match-target", "none", "--seed", "7")


def run(*words: str) -> Result:
    return CliRunner().invoke(strangers, words)


def test_against_strangers() -> None:
    """What is told follows from the games of each; the mean and the worst quarter are those of the shares."""
    report = json.loads(run("maxims", "--baseline", "basic", "--count", "5", *TINY, "--json").stdout)
    assert [met["name"] for met in report["meetings"]] == [f"stranger report {n}" for n in range(5)]
    rules = make_rules()
    word, second = seed_word("7", "strangers"), Stranger("report", 1).player(rules)
    for name, key in (("maxims", None), ("basic", "baseline")):
        found = report["meetings"][1] if key is None else report["meetings"][1][key]
        alone = measure(rules, KernelPlayer.named(name, rules), second, 4, seed=word)
        assert {part: found[part] for part in ("points", "share")} == alone.plain()
    met = list(strangers_met(rules, "maxims", "basic", [Stranger("report", n) for n in range(5)], 4, seed=word))
    edges = sorted(one.share.value - 0.5 for one in (m.strength for m in met))
    own = summary_of(met)
    assert own.edge.value == pytest.approx(sum(edges) / 5)
    assert own.worst == pytest.approx(sum(edges[:2]) / 2), "the worst quarter of five are two"
    text = run("maxims", "--baseline", "basic", "--count", "5", *TINY).stdout.splitlines()
    assert text[0] == "maxims: classic 2x2, 5 times against strangers (report), 4 decks of hands each"
    assert text[1].split() == "player share worst quarter points a hand".split()
    assert [line.split()[0] for line in text[2:5]] == ["maxims", "basic", "difference"]
    assert text[-1].startswith("seed 7, ")


def test_at_random_tables() -> None:
    result = run("instant", "--random-tables", "3", *TINY, "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert [met["table"] for met in report["meetings"]] == [rules.table for rules in random_tables(3, "7")]
    assert all("baseline" not in met for met in report["meetings"])
    text = run("instant", "--random-tables", "3", *TINY, "--markdown").stdout
    assert "random tables, 3 times against maxims" in text
    assert "| instant |" in text


@pytest.mark.slow
def test_judged() -> None:
    """Any player can be judged, against strangers and at random tables, and the figures are in the table."""
    words = ("basic", "--judged", "2", *TINY)
    report = json.loads(run(*words, "--count", "2", "--json").stdout)
    assert (report["baseline"], report["games"], report["complete"]) == ("instant", 4, True)
    assert [met["name"] for met in report["meetings"]] == ["stranger report 0", "stranger report 1"]
    text = run(*words, "--count", "2").stdout.splitlines()
    assert text[0] == "basic: classic 2x2, 2 meetings judged against instant in the same seats"
    assert text[1].split() == "player judged hands better than instant, points a hand worst quarter".split()
    assert text[2].split()[:3] == ["basic", "4", f"{report['gain']['value']:+.1f}"]
    assert text[-2].startswith("worse beyond the 95% interval: ")
    assert text[-1].startswith("seed 7, ")
    tables = json.loads(run(*words, "--random-tables", "2", "--baseline", "maxims", "--json").stdout)
    assert [met["table"] for met in tables["meetings"]] == [rules.table for rules in random_tables(2, "7")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("champion",), "champion"),
        (("nobody", "--judged", "1"), "nobody"),
        (("basic", "--judged", "1", "--baseline", "champion"), "the baseline must be a player whose moves"),
        (("maxims", "--jobs", "2"), "add --judged"),
        (("maxims", "--resume", "gains.json"), "add --judged"),
        (("nobody",), "nobody"),
        (("maxims", "--random-tables", "2", "--seats", "3"), "leave out --edition, --seats"),
        (("maxims", "--count", "0"), "0"),
    ],
)
def test_what_cannot_be_measured(words: tuple[str, ...], said: str) -> None:
    result = run(*words, "--decks", "2")
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
