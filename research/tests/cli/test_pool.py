import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

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


@pytest.mark.once
@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_run_prints_what_it_knows_and_can_be_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    members = [word for name in ("novice", "regular", "advanced") for word in ("--member", name)]
    words = ("maxims", *members, "--judged", "0", "--seed", "3", "--json", "--resume", str(file))
    command = [sys.executable, "-m", "millebornes", "pool", *words, "--matches", "199"]  # a minute, without kernels
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, env=environment
    ) as process:
        until = time.monotonic() + 150
        while time.monotonic() < until and not file.exists() and process.poll() is None:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        try:
            out, err = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    assert process.returncode == 1
    assert err == "millebornes: interrupted; these are the results so far\n"
    first = json.loads(out)
    assert not first["complete"]
    matches = first["members"][0]["matches"]
    assert 0 < matches < 199
    goal = ("--matches", str(matches + 2))
    resumed, whole = (json.loads(run(*some, *goal).stdout) for some in (words, words[:-2]))
    for report in (resumed, whole):
        assert report["complete"]
        del report["wall_s"]
    assert resumed == whole
