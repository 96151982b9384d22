"""The real program in a real pseudo-terminal: when it takes the whole screen, and how it leaves it."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals", allow_module_level=True)

import pexpect
import pyte

SOURCE = Path(__file__).parents[2] / "src"
GAME = f"{sys.executable} -m millebornes play --player human --player basic --seed 7"
PATIENCE = 120.0


class Terminal:
    """A terminal of 80 columns and 24 rows with a program in it."""

    def __init__(self, command: str, home: Path, **environ: str) -> None:
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        env = {**os.environ, "MILLEBORNES_HOME": str(home), "PYTHONPATH": str(SOURCE), "TERM": "xterm-256color"}
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            "/bin/sh", ["-c", command], env={**env, **environ}, dimensions=(24, 80), cwd=home
        )

    def read(self, seconds: float) -> None:
        """Take in what the program writes."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                found = self.child.read_nonblocking(65536, timeout=0.05)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                return
            self.raw += found
            self._stream.feed(found)

    @property
    def text(self) -> str:
        """What is on the screen."""
        return "\n".join(self.screen.display)

    def wait(self, text: str) -> None:
        """Read until a text is on the screen."""
        end = time.monotonic() + PATIENCE
        while text not in self.text:
            assert time.monotonic() < end, f"{text!r} never came; but:\n{self.text}"
            self.read(0.05)

    def wait_end(self) -> int:
        """Read until the program has ended; its exit status."""
        end = time.monotonic() + PATIENCE
        while self.child.isalive():
            assert time.monotonic() < end, self.text
            self.read(0.05)
        self.read(0.1)
        return self.child.exitstatus if self.child.exitstatus is not None else -(self.child.signalstatus or 0)


@pytest.fixture
def terminals(home: Path) -> Iterator[list[Terminal]]:
    found: list[Terminal] = []
    yield found
    for terminal in found:
        terminal.child.close(force=True)


def test_it_takes_the_whole_screen_and_gives_it_back(home: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(f"{GAME}; echo status $?; stty -a", home)
    terminals.append(terminal)
    terminal.wait("Your turn.")
    assert "Draw pile" in terminal.text
    for keys, answer in (("u3 ", "You play Roll"), ("q", "Your game is saved."), ("y", "status 0")):
        terminal.child.send(keys)
        terminal.wait(answer)
    terminal.wait_end()
    assert " echo " in terminal.text.replace("\n", " ")
    assert b"\x1b[?1049l" in terminal.raw, "the screen from before is back"
    assert b"\x1b[?1000l" in terminal.raw, "the mouse is free"


@pytest.mark.parametrize(
    ("command", "environ"),
    [(f"{GAME} --plain", {}), (GAME, {"TERM": "dumb"}), (f"{GAME} | cat", {}), (f"{GAME} </dev/null", {})],
)
def test_it_goes_line_by_line_where_it_should(
    home: Path, terminals: list[Terminal], command: str, environ: dict[str, str]
) -> None:
    terminal = Terminal(command, home, **environ)
    terminals.append(terminal)
    terminal.wait("Your hand:")
    assert b"Type ? for the commands." in terminal.raw
    assert b"\x1b[?1049h" not in terminal.raw


def test_it_draws_though_errors_go_elsewhere(home: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(f"{GAME} 2>{home}/errors", home)
    terminals.append(terminal)
    terminal.wait("Your turn.")
    assert (home / "errors").read_bytes() == b""


def test_no_colour_is_sent_where_none_is_wanted(home: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(GAME, home, NO_COLOR="1", COLORTERM="truecolor")
    terminals.append(terminal)
    terminal.wait("Your turn.")
    assert b"\x1b[38" not in terminal.raw
    assert b"\x1b[48" not in terminal.raw
    assert b";38;" not in terminal.raw
    assert b";48;" not in terminal.raw
