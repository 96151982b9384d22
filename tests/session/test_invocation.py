"""The command that is told to go on with a game is the one that was typed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from millebornes.session.invocation import play_command, practise_command, program, shell_word

ROOT = Path(__file__).parents[2]
CACHE = "/home/ann/.cache/uv/archive-v0/8f"


@pytest.mark.parametrize(
    ("started", "script", "prefix", "environ", "told"),
    [
        (["python3"], "/no/such/bin/millebornes", "/usr", {}, "/no/such/bin/millebornes"),
        (["py/py", "-m", "millebornes"], "/x/millebornes/__main__.py", "/usr", {}, "py/py -m millebornes"),
        (["p", f"{CACHE}/bin/millebornes"], f"{CACHE}/bin/millebornes", CACHE, {}, "uvx millebornes"),
        (["p"], "/h/.cache/pipx/1/bin/millebornes", "/h/.cache/pipx/1", {}, "pipx run millebornes"),
        (["p"], "/w/.venv/bin/millebornes", "/w/.venv", {"UV_RUN_RECURSION_DEPTH": "1"}, "uv run millebornes"),
        (["p", "-c", "x"], "-c", "/usr", {}, "millebornes"),
    ],
)
def test_what_was_typed(
    started: list[str],
    script: str,
    prefix: str,
    environ: dict[str, str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert program(started, script, prefix, environ) == told


def test_by_its_name_where_the_shell_finds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "millebornes"
    script.write_text("")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", "/nowhere")
    assert program(["p"], str(script), "/usr", {}) == str(script)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program(["p"], str(script), "/usr", {}) == "millebornes"


def test_the_script_of_a_checkout_takes_no_subcommand() -> None:
    environ = {"MILLEBORNES_SCRIPT": "scripts/play"}
    assert play_command(None, environ) == "scripts/play"
    assert practise_command(environ) == "scripts/play practise"
    assert practise_command({}).endswith("millebornes practise")
    assert play_command(Path("my game.jsonl"), environ) == "scripts/play 'my game.jsonl'"
    script = (ROOT / "scripts" / "play").read_text(encoding="utf-8")
    assert 'export MILLEBORNES_SCRIPT="$0"' in script


@pytest.mark.slow
def test_the_script_of_a_checkout_runs_other_commands_too(tmp_path: Path) -> None:
    """A word that is a command runs it, unless there is a file of that name to play on."""

    def ran(*words: str) -> str:
        environ = {**os.environ, "MILLEBORNES_SCRIPT": "scripts/play", "MILLEBORNES_HOME": str(tmp_path)}
        command = [sys.executable, "-m", "millebornes", *words]
        done = subprocess.run(command, env=environ, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    assert "no unfinished games" in ran("saves")
    told = ran("--help")
    assert "Usage: millebornes play" in told
    assert "--tutorial" in told
    (tmp_path / "saves").write_text("nonsense")
    assert "no unfinished games" not in ran("saves")


def test_names_that_no_shell_would_take_as_they_are() -> None:
    assert shell_word("a b") == "'a b'"
    assert shell_word("a\nb") == "$'a\\x0ab'"


@pytest.mark.slow
def test_started_as_a_module_it_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "millebornes", "play", "--plain", "--player", "human", "--player", "random"],
        input="d 1\n",
        env={**os.environ, "MILLEBORNES_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert done.stdout.rpartition("To resume it: ")[2].strip().endswith(" -m millebornes play")
