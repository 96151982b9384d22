import json

import pytest
from click.testing import CliRunner, Result

from millebornes.cli import cli

TINY = ("--member", "basic", "--member", "novice", "--matches", "2", "--judged", "0", "--seed", "7")


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["pool", *words])


def test_without_a_player_the_members_are_listed() -> None:
    result = run()
    assert result.exit_code == 0, result.output
    assert any(line.split()[:2] == ["tune", "maxims"] for line in result.stdout.splitlines())
    assert {line.split()[0] for line in run("--test").stdout.splitlines()} <= {"test", "left"}
    listed = json.loads(run("--seats", "3", "--json").stdout)
    assert {"member", "half", "player", "about"} == listed["members"][0].keys()
    assert listed["left_out"][0] == {"member": "net-2026-11", "reason": "it plays at tables of 2 seats only"}


def test_the_table() -> None:
    result = run("random", *TINY, "--member", "net-2026-11", "--seats", "4", "--match-target", "1000")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "random: classic, 4 seats, 2 sides, matches to 1000 on duplicate decks"
    assert lines[1].split() == "against half matches share points a hand".split()
    assert [line.split()[0] for line in lines[2:5]] == ["basic", "novice", "mean"]
    assert lines[4].split()[:4] == ["mean", "of", "2", "all"]
    assert lines[6].startswith("worst: 0.0 % of the matches, against ")
    assert lines[6].endswith(" %, as the worst of 2)")
    assert lines[7] == "left out: net-2026-11: it plays at tables of 2 seats only"
    assert lines[8].startswith("seed 7, ")
    again = run("random", *TINY, "--member", "net-2026-11", "--seats", "4", "--match-target", "1000", "--markdown")
    assert "| against | half | matches | share | points a hand |" in again.stdout.splitlines()
    for line in lines[2:4]:
        assert f"| {line.split()[0]} | tune | 2 | " in again.stdout


def test_the_same_seed_gives_the_same_json_in_any_number_of_processes() -> None:
    found = [json.loads(run("random", *TINY, "--json", "--jobs", jobs).stdout) for jobs in ("1", "2")]
    for report in found:
        assert report["complete"]
        assert report["wall_s"] > 0
        del report["wall_s"]
    assert found[0] == found[1]
    assert found[0]["seed"] == 7
    assert [row["member"] for row in found[0]["members"]] == ["basic", "novice"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["champoin"], "'PLAYER': there is no player 'champoin'; did you mean 'champion'"),
        (["oracle"], "'PLAYER': the player 'oracle' sees all cards"),
        (["basic", "--member", "x"], "'--member': the pool has no member 'x'; its members are instant, "),
        (["basic", "--member", "basic", "--test"], "none of these is in the test half"),
        (["basic", "--match-target", "none"], "'--match-target': the pool plays matches, which need a target"),
        (["basic", "--baseline", "champion"], "the baseline must be a player whose moves can be played out"),
        (["basic", "--matches", "0"], "'--matches'"),
        (["basic", "--minutes", "0"], "'--minutes'"),
    ],
)
def test_wrong_words_are_refused(words: list[str], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
