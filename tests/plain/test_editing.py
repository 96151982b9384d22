"""Lines can be edited at a terminal, and input from elsewhere that never fits ends the program."""

import io
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from millebornes.editions import make_rules
from millebornes.table.setup import GameSetup
from millebornes.tui.plain import PlayOptions
from millebornes.tui.plain.console import MOST_IDLE, MOST_WRONG, Console, Leave

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

pytest.importorskip("readline")
import pexpect

from tests.plain.inside import Home

CLASSIC = make_rules("classic")
ASK = """
from millebornes.tui.plain.console import Console, Interrupted, Leave
console = Console()
with console.signals():
    while True:
        try:
            answer = console.ask("Card?")
            if answer == "hide":
                console.hide()
            console.say(f"<{answer}>")
        except Interrupted:
            console.say("<interrupted>")
        except Leave as left:
            console.say(f"<{left.why}>")
            break
"""
UP, LEFT, HOME = "\x1b[A", "\x1b[D", "\x01"


@pytest.fixture
def asked(tmp_path: Path) -> "pexpect.spawn[str]":
    env = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "INPUTRC": os.devnull, "HOME": str(tmp_path)}
    child = pexpect.spawn(sys.executable, ["-c", ASK], env=env, encoding="utf-8", timeout=60)
    child.delaybeforesend = None
    child.expect_exact("Card? ")
    return child


def test_a_line_is_edited_before_it_is_sent(asked: "pexpect.spawn[str]") -> None:
    asked.send(f"oll{HOME}r\r")
    asked.expect_exact("<roll>")
    asked.expect_exact("Card? ")
    asked.send(f"stpp{LEFT}\x7fo\r")
    asked.expect_exact("<stop>")


def test_earlier_lines_come_back_until_someone_else_sits_down(asked: "pexpect.spawn[str]", tmp_path: Path) -> None:
    asked.send("discard 3\r")
    asked.expect_exact("<discard 3>")
    asked.expect_exact("Card? ")
    asked.send(f"{UP}\r")
    asked.expect_exact("<discard 3>")
    asked.expect_exact("Card? ")
    asked.send("hide\r")
    asked.expect_exact("<hide>")
    asked.expect_exact("Card? ")
    asked.send(f"{UP}{UP}\r")
    asked.expect_exact("<>")
    assert [path.name for path in tmp_path.iterdir() if path.name != ".cache"] == []  # no history is stored


def test_lines_typed_ahead_and_an_unfinished_one_count(asked: "pexpect.spawn[str]") -> None:
    asked.send("one\r\rtwo\rthr")
    asked.expect_exact("<one>")
    asked.expect_exact("<two>")
    asked.send("ee\r")
    asked.expect_exact("<three>")


def test_control_keys(asked: "pexpect.spawn[str]") -> None:
    asked.send("half a line\x03")
    asked.expect_exact("<interrupted>")
    asked.expect_exact("Card? ")
    asked.send("whole\r")
    asked.expect_exact("<whole>")
    asked.expect_exact("Card? ")
    asked.send("\x04")
    asked.expect_exact("<eof>")
    asked.expect(pexpect.EOF)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs a shell with jobs")
def test_the_program_stops_and_continues_in_a_line(tmp_path: Path) -> None:
    env = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "INPUTRC": os.devnull, "CODE": ASK}
    shell = 'set -m; "$0" -c "$CODE"; stty -a; echo stopped; fg'
    child = pexpect.spawn("bash", ["-c", shell, sys.executable], env=env, encoding="utf-8", timeout=60)
    child.expect_exact("Card? ")
    child.send("ro")
    child.expect_exact("ro")
    child.send("\x1a")
    child.expect(r" icanon .* echo .*stopped")  # the terminal is as it was
    child.expect_exact("Card? ro")
    child.send("ll\r")
    child.expect_exact("<roll>")


def test_a_signal_ends_a_question(asked: "pexpect.spawn[str]") -> None:
    asked.kill(signal.SIGTERM)
    asked.expect_exact("<signal>")


def test_wrong_answers_from_a_pipe_end() -> None:
    console = Console(io.StringIO("y\n" * 3 * MOST_WRONG), io.StringIO())
    for _ in range(MOST_WRONG - 1):
        console.ask("Card?")
        console.wrong("no")
    console.ask("Card?")  # a good answer
    for _ in range(MOST_WRONG):
        console.ask("Card?")
        console.wrong("no")
    with pytest.raises(Leave, match="stuck"):
        console.ask("Card?")


def test_answers_that_lead_nowhere_end() -> None:
    console = Console(io.StringIO("hand\n" * 3 * MOST_IDLE), io.StringIO())
    for _ in range(MOST_IDLE):
        console.ask("Card?")
    console.advance()
    for _ in range(MOST_IDLE):
        console.ask("Card?")
    with pytest.raises(Leave, match="stuck"):
        console.ask("Card?")


@pytest.mark.parametrize(
    "options",
    [
        PlayOptions(),
        PlayOptions(setup=GameSetup(rules=CLASSIC, places=("human", "human"))),
        PlayOptions(tutorial=True),
        PlayOptions(save=Path("new.jsonl")),
    ],
)
def test_input_that_never_fits_ends_the_game(options: PlayOptions, home: Home) -> None:
    played = home.play(options, ["maybe"] * 1000)
    assert played.status == 1
    assert "The input doesn't answer the questions" in played.text


def test_a_pipe_that_never_fits_ends_the_program(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "millebornes", "play", "--plain", "--edition", "classic"],
        input="maybe\n" * 1000,
        env={**os.environ, "MILLEBORNES_HOME": str(tmp_path / "home"), "LC_ALL": "C.UTF-8"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "The input doesn't answer the questions" in done.stdout
