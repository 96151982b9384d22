"""Standard streams that are closed, full or broken: a status of 0, 1 or 2, at most one line, and never a traceback."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full and a shell"),
]

GAME = Path(__file__).parents[1] / "data" / "golden" / "classic-2x2.jsonl"

EVERYWHERE = ("rules", "rules nothing", "play --plain --player random --player random")
ELSEWHERE = (
    pytest.param("", marks=pytest.mark.once),
    pytest.param("--help", marks=pytest.mark.once),
    pytest.param("rules R4 --json", marks=pytest.mark.once),
    pytest.param(f"replay {GAME} --json", marks=pytest.mark.once),
    pytest.param("editions", marks=pytest.mark.once),
    pytest.param("bench --list", marks=pytest.mark.once),
    "arena --player random --player random --hands 1 --json",
    pytest.param("play --statistics", marks=pytest.mark.once),
)
"""Command lines that print something on standard output, or (``rules nothing``) on standard error."""


def run(words: str, redirections: str, home: Path) -> tuple[int, str]:
    """The exit status of the command line under these redirections, and what came on standard error."""
    command = f"{shlex.quote(sys.executable)} -m millebornes {words} </dev/null 2>said {redirections}"
    environment = {**os.environ, "MILLEBORNES_HOME": str(home / "home"), "LC_ALL": "C.UTF-8"}
    for name in (
        "PYTHONUNBUFFERED",
        "PYTHONWARNINGS",
        "LANGUAGE",
    ):  # the second must not write, the first hides a fault
        environment.pop(name, None)
    status = subprocess.run(["sh", "-c", command], cwd=home, env=environment, stdout=subprocess.DEVNULL, timeout=300)
    return status.returncode, (home / "said").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [*EVERYWHERE[:2], pytest.param(EVERYWHERE[2], marks=pytest.mark.once), *ELSEWHERE])
def test_standard_output_that_takes_nothing(words: str, tmp_path: Path) -> None:
    right, said = run(words, "", tmp_path)
    for redirections, fault in ((">&-", "it is closed"), (">/dev/full", "No space left on device")):
        told = said or f"millebornes: standard output: {fault}\n"
        assert run(words, redirections, tmp_path) == (right or 1, told), redirections


@pytest.mark.parametrize("words", EVERYWHERE)
def test_standard_input_and_error_that_are_not_there(words: str, tmp_path: Path) -> None:
    right, said = run(words, "", tmp_path)
    assert run(words, "<&-", tmp_path) == (right, said)
    for redirections in ("2>&-", "2>/dev/full"):
        assert run(words, redirections, tmp_path) == (right, ""), redirections
    for redirections in (">/dev/full 2>&1", "<&- >&- 2>&-"):
        assert run(words, redirections, tmp_path) == (right or 1, ""), redirections


def test_a_program_as_player_never_gets_a_file_for_its_output(tmp_path: Path) -> None:
    """A file that is opened where standard output was closed must not become the output of what is started."""
    bot = f"cmd:{sys.executable} -m millebornes engine --player random"
    words = f"arena --player random --player {shlex.quote(bot)} --hands 1 --record {tmp_path}"
    assert run(words, ">&- <&-", tmp_path) == (1, "millebornes: standard output: it is closed\n")
    records = sorted(tmp_path.glob("*.jsonl"))
    assert len(records) == 2
    for record in records:
        assert run(f"replay {record}", "", tmp_path) == (0, "")


def test_an_engine_whose_answers_nobody_takes(tmp_path: Path) -> None:
    hello = tmp_path / "hello"
    hello.write_text(
        '{"type":"hello","protocol":"millebornes/1","seat":0,"seats":2,"sides":2,"players":["a","b"],'
        '"rules":{"edition":"classic"},"match_target":null}\n'
    )
    for redirections, fault in (("", ""), (">&-", "it is closed"), (">/dev/full", "No space left on device")):
        told = f"millebornes: standard output: {fault}\n" if fault else ""
        assert run("engine --player random", f"<{hello} {redirections}", tmp_path) == (int(bool(fault)), told)
    status, said = run("engine --player random", "<&-", tmp_path)
    assert (status, said.count("\n")) == (1, 1)
    assert "standard input" in said
    assert "closed" in said
