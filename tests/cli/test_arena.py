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


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["arena", *words])


def test_results_as_json() -> None:
    result = run("--player", "basic", "--player", "random", "--matches", "3", "--seed", "7", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["players"] == ["basic", "random"]
    assert found["edition"] == "classic"
    assert found["matches"] == 4
    assert found["hands"] > 4
    assert found["seed"] == 7
    assert found["wall_s"] > 0
    for row in found["results"]:
        assert row["matches_won"] + row["matches_drawn"] <= 4
        assert row["match_share_ci95"][0] <= row["match_share"] <= row["match_share_ci95"][1]
        assert row["mean_score_ci95"][0] <= row["mean_score"] <= row["mean_score_ci95"][1]
        assert row["forfeits"] == 0
        assert 0 < row["ms_per_move"] < 50
    (pair,) = found["pairs"]
    assert (pair["a"], pair["b"]) == ("basic", "random")
    assert pair["ci95"][0] <= pair["mean_difference"] <= pair["ci95"][1]
    assert {"elo", "elo_ci95"} <= pair.keys()


def test_results_as_a_table() -> None:
    result = run("--player", "basic", "--player", "random", "--player", "random", "--hands", "12", "--seed", "a b")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "classic, 2 seats, 2 sides: 12 hands on 2 deals, each played in every rotation"
    assert lines[1].startswith("seed a b, ")
    assert [line.split()[0] for line in lines[4:7]] == ["basic", "random", "random#2"]
    assert "random - random#2" in result.stdout
    assert result.stderr == ""


def test_a_ladder_is_printed_the_strongest_first() -> None:
    words = "--player random --player random --player basic --hands 150 --seed 2 --ladder --anchor basic".split()
    result = run(*words)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert "hands between neighbours, on " in lines[0]
    start = next(number for number, line in enumerate(lines) if line.startswith("rating "))
    assert lines[start].split()[1:4] == ["Elo", "above", "basic"]
    assert lines[start + 1].split()[:3] == ["1.", "basic", "+0.0"]
    assert lines[start + 2].startswith("2. random")
    found = json.loads(run(*words, "--json").stdout)
    assert found["ratings"][0]["player"] == found["anchor"] == "basic"
    assert found["ratings"][1]["elo_ci95"][1] < 0


def test_partners_are_joined_by_plus() -> None:
    result = run("--player", "basic+random", "--player", "random", "--seats", "4", "--hands", "8", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["players"] == ["basic+random", "random"]


def test_records_are_transcripts_that_can_be_replayed(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    result = run("--player", "basic", "--player", "random", "--matches", "2", "--record", str(file), "--seed", "1")
    assert result.exit_code == 0, result.output
    found = sorted(tmp_path.iterdir())
    assert [path.name for path in found] == ["games-000001.jsonl", "games-000002.jsonl"]
    for path in found:
        shown = CliRunner().invoke(cli, ["replay", str(path), "--json"])
        assert shown.exit_code == 0
        assert json.loads(shown.stdout.splitlines()[-1])["winner"] in {0, 1, None}


def test_a_sequential_test_tells_its_answer() -> None:
    result = run(
        "--player", "basic", "--player", "random", "--sprt", "0", "200", "--match-target", "500", "--seed", "1"
    )
    assert result.exit_code == 0, result.output
    assert "sequential test of 0 against 200 Elo: 200 Elo it is" in result.stdout


def test_a_seed_of_its_own_is_told_and_gives_the_same_again() -> None:
    words = ("--player", "random", "--player", "random", "--hands", "4", "--json")
    first = json.loads(run(*words).stdout)
    again = json.loads(run(*words, "--seed", str(first["seed"])).stdout)
    assert [row["mean_score"] for row in first["results"]] == [row["mean_score"] for row in again["results"]]
    other = json.loads(run(*words, "--seed", str(first["seed"] + 1)).stdout)
    assert [row["mean_score"] for row in first["results"]] != [row["mean_score"] for row in other["results"]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--matches", "2"], "Missing option '--player'"),
        (["--player", "basic", "--matches", "2"], "1 given for 2 sides"),
        (["--player", "basic", "--player", "basc", "--matches", "2"], "did you mean 'basic'?"),
        (["--player", "basic", "--player", "cmd:no-such-program-here", "--matches", "2"], "no-such-program-here"),
        (["--player", "basic", "--player", "basic"], "choose how long"),
        (
            ["--player", "basic", "--player", "basic", "--matches", "2", "--hands", "2"],
            "use either --matches or --hands",
        ),
        (["--player", "basic", "--player", "basic", "--matches", "0"], "--matches"),
        (["--player", "basic", "--player", "basic", "--matches", "2", "--match-target", "none"], "never ends"),
        (["--player", "basic", "--player", "basic", "--hands", "2", "--match-target", "900"], "single hands"),
        (["--player", "basic", "--player", "basic", "--sprt", "5", "0"], "elo0 < elo1"),
        (["--player", "basic", "--player", "random", "--player", "basic", "--sprt", "0", "5"], "two players"),
        (["--player", "basic", "--player", "basic", "--hands", "2", "--seats", "9"], "--seats"),
        (["--player", "basic", "--player", "basic", "--hands", "2", "--anchor", "maxims"], "none of basic, basic#2"),
        (["--player", "basic+random", "--player", "basic", "--hands", "2"], "names 2 players"),
        (["--player", "basic+nobody", "--player", "basic", "--hands", "2", "--seats", "4"], "no player 'nobody'"),
    ],
)
def test_wrong_usage_is_told_in_words(words: list[str], message: str) -> None:
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "millebornes", "arena", *words]


def test_a_checkpoint_of_another_run_is_an_error_of_one_line(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    words = ("--player", "random", "--player", "random", "--hands", "2", "--resume", str(file))
    result = run(*words)
    assert result.exit_code == 0
    assert "use --seed " in result.stderr
    done = subprocess.run(command(*words, "--seed", "other"), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "belongs to another run: its seed is" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="sends a signal that Windows does not have")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("jobs", "number"), [("1", "SIGINT"), ("2", "SIGTERM"), pytest.param("2", "SIGINT", marks=pytest.mark.once)]
)
def test_an_interrupted_run_prints_what_it_knows_and_can_be_gone_on_with(
    tmp_path: Path, jobs: str, number: str
) -> None:
    file, record = tmp_path / "kept", tmp_path / "games"
    record.mkdir()
    words: tuple[str, ...] = ("--player", "basic", "--player", "random", "--seed", "3", "--json", "--jobs", jobs)
    words += ("--resume", str(file), "--record", str(record))
    with subprocess.Popen(
        command(*words, "--hands", "100000"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        until = time.monotonic() + 150  # it may have to compile its kernels
        while time.monotonic() < until and len(list(record.iterdir())) < 10:
            time.sleep(0.05)
        # As a terminal and `timeout` do: to the program and its worker processes.
        os.killpg(process.pid, getattr(signal, number))
        try:
            out, err = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    assert process.returncode == 1
    assert err == "millebornes: interrupted; these are the results so far\n"
    first = json.loads(out)
    assert not first["complete"]
    assert 0 < first["hands"] < 100_000
    goal = str(first["hands"] + 4)
    result = run(*words, "--jobs", "1", "--hands", goal)
    assert result.exit_code == 0, result.output
    whole = run("--player", "basic", "--player", "random", "--seed", "3", "--json", "--hands", goal)
    one, other = json.loads(result.stdout), json.loads(whole.stdout)
    assert one["complete"]
    for found in (one, other):
        del found["wall_s"]
        for row in found["results"]:
            del row["ms_per_move"]
    assert one == other


def test_a_terminal_shows_how_far_it_is_and_the_estimate() -> None:
    pexpect = pytest.importorskip("pexpect")
    words = command("--player", "basic", "--player", "random", "--hands", "40", "--seed", "5")
    child = pexpect.spawn(words[0], words[1:], dimensions=(24, 110), encoding="utf-8", timeout=300)
    try:
        child.expect(r"basic \d+\.\d% ± \d+\.\d% against random")
        child.expect("40 hands on 20 deals")
        child.expect(pexpect.EOF)
    finally:
        child.close()
    assert child.exitstatus == 0
