"""Other terminals than the usual one: dumb ones, pipes, no colours, and sizes that change."""

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.screen.terminal import ALTERNATE, COLOUR, Terminal
from tests.screen.typist import Keys, Mouse, step, wait_asked

pytestmark = pytest.mark.slow  # it says nothing of the Python that runs it

ALONE = ("--player", "human", "--player", "basic", "--seed", "11", "--match-target", "1")


@pytest.mark.parametrize("term", ["DUMB", "unknown"])
def test_simple_terminals_get_the_plain_game(tmp_path: Path, term: str) -> None:
    with Terminal(tmp_path, *ALONE, term=term) as terminal:
        terminal.wait(r"Your move: ")
        assert b"\x1b[?1049h" not in terminal.sent
        assert not terminal.is_on(ALTERNATE)
        terminal.send("Q\n")
        terminal.wait(r"Quit\?")
        terminal.send("y\n")
        assert terminal.finish() == 0


@pytest.mark.parametrize("piped", ["in", "out"])
def test_pipes_get_the_plain_game(tmp_path: Path, piped: str) -> None:
    """One end at a terminal is not enough."""
    master, slave = os.openpty()
    try:
        os.write(master, b"\x04")  # control-D ends what is typed there
        done = subprocess.run(
            [sys.executable, "-m", "millebornes", "play", *ALONE],
            stdin=slave if piped == "out" else subprocess.DEVNULL,
            stdout=slave if piped == "in" else subprocess.PIPE,
            env={**os.environ, "MILLEBORNES_HOME": str(tmp_path), "TERM": "xterm-256color"},
            timeout=300,
            check=False,
        )
        text: bytes = os.read(master, 1 << 16) if piped == "in" else done.stdout
    finally:
        os.close(master)
        os.close(slave)
    assert done.returncode == 0
    assert b"Your turn." in text
    assert b"\x1b[?1049h" not in text


@pytest.mark.parametrize(
    "environ", [{"LC_ALL": "C"}, {"TERM": "linux"}], ids=lambda environ: "-".join(environ.values())
)
def test_terminals_without_symbols_get_plain_characters(tmp_path: Path, environ: dict[str, str]) -> None:
    """In the C locale and on the Linux console, nothing but ASCII is sent."""
    term = environ.get("TERM", "xterm-256color")
    more: dict[str, Any] = {name: value for name, value in environ.items() if name != "TERM"}
    with Terminal(tmp_path, *ALONE, "--language", "fr", term=term, **more) as terminal:
        terminal.wait("P[rR]iorit|A vous de jouer|À vous de jouer")
        terminal.press("?")
        terminal.wait("Touches")
        terminal.press("escape")
        _wait_gone(terminal, "Touches")
        terminal.press("q")
        terminal.wait("Quitter|quitter")
        assert terminal.sent.isascii()
        assert "25" in terminal.text
        terminal.child.kill(15)
        terminal.left_behind()


def test_the_plain_game_leaves_accents_out_where_they_cannot_be_shown(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ALONE, "--plain", "--language", "fr", LC_ALL="C") as terminal:
        terminal.wait(r"Votre coup|jouez|jouer")
        terminal.send("?\n")
        terminal.wait("Defausser|defausser|defausse")
        assert terminal.sent.isascii()
        terminal.child.kill(15)
        terminal.left_behind()


def _wait_gone(terminal: Terminal, seen: str) -> None:
    terminal.wait(lambda: seen not in terminal.text)


def _looked_around(terminal: Terminal) -> Keys:
    """Look at all that stands in front of the table; a person at its keys."""
    wait_asked(terminal)
    for key, seen in (("?", "Keys"), ("l", "What you can do"), ("t", "Hand 1: the score")):
        terminal.press(key)
        terminal.wait(seen)
        terminal.press("escape")
        _wait_gone(terminal, seen)
    return Keys(terminal, random.Random(5))


def test_no_color_sends_no_colours(tmp_path: Path) -> None:
    with Terminal(tmp_path, *ALONE, NO_COLOR="1") as terminal:
        keys = _looked_around(terminal)
        for _ in range(3):
            step(terminal, keys, random.Random(5), wait_asked(terminal))
        assert COLOUR.search(terminal.sent) is None


@pytest.mark.parametrize("seats", [2, pytest.param(6, marks=pytest.mark.once)])
def test_the_size_changes_while_playing(tmp_path: Path, seats: int) -> None:
    rng = random.Random(6)
    options = ["--seats", str(seats), *("--player", "human"), "--seed", "8"]
    with Terminal(tmp_path, *options) as terminal:
        keys = Keys(terminal, rng)
        wait_asked(terminal)
        assert COLOUR.search(terminal.sent) is not None, "unless NO_COLOR is set"
        for columns, rows in ((120, 40), (60, 20), (200, 60), (30, 10), (1, 1), (80, 24), (79, 23), (100, 30)):
            terminal.resize(columns, rows)
            terminal.settle(0.3)
            if columns >= 60:
                terminal.wait(lambda: "hand 1" in terminal.rows[0])
                what = wait_asked(terminal)
                step(terminal, keys, rng, what)
                wait_asked(terminal)
        terminal.resize(80, 24)
        terminal.settle(0.3)
        if seats == 2:
            mouse = Mouse(terminal, rng)
            what = wait_asked(terminal)
            step(terminal, mouse, rng, what)
        wait_asked(terminal)
        terminal.child.kill(15)
        assert terminal.left_behind()[0] == 0


def test_terminals_that_answer_no_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old terminals say nothing about frames; the game is as good there."""
    monkeypatch.setattr("tests.screen.terminal.ASKS_SYNC", b"never")
    with Terminal(tmp_path, *ALONE, term="vt220") as terminal:
        keys = _looked_around(terminal)
        for _ in range(3):
            step(terminal, keys, random.Random(5), wait_asked(terminal))
        wait_asked(terminal)
        terminal.child.kill(15)
        assert terminal.left_behind()[0] == 0
