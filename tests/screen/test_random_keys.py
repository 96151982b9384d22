"""Random keys, clicks, drags, bytes and sizes: no crash, no hang, no illegal state, at every table.

The campaign (`pytest -m campaign tests/screen -s`) does it for minutes and prints its figures.
"""

import dataclasses
import os
import random
import re
import signal
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from millebornes.errors import SaveError
from millebornes.storage import read_save
from tests.screen.terminal import Terminal, shown

pytestmark = pytest.mark.slow  # real terminals

TABLES = {
    "two": ("--player", "human", "--player", "basic"),
    "three": ("--seats", "3", "--player", "human", "--player", "maxims"),
    "teams": ("--seats", "4", "--player", "human"),
    "six": ("--seats", "6", "--sides", "3", "--player", "human"),
    "hot seat": ("--player", "human", "--player", "human", "--name", "Ann", "--name", "Bo"),
    "shared": (
        "--seats",
        "4",
        "--player",
        "human",
        "--player",
        "basic",
        "--player",
        "human",
        "--set",
        "coup_by=anyone",
    ),
    "practice": ("--player", "human", "--player", "random", "--practice", "--match-target", "none"),
    "house, in French": ("--edition", "house", "--player", "human", "--language", "fr", "--theme", "french"),
    "picking": ("--edition", "bsd", "--player", "human", "--manual-pick", "--match-target", "300"),
    "start": (),
}

PLAY = [*"ppuuuddd123456717", *"yyyynn", "enter", "enter", "enter", " ", "left", "right"]
LOOK = [
    *"owrtlhzckjg?:+.-é漢\t",
    "f1",
    "f2",
    "f3",
    "f10",
    "ctrl+l",
    "ctrl+p",
    "escape",
    "up",
    "down",
    "tab",
    "backspace",
]
LEAVE = [*"qsQS", "delete", "ctrl+c", *"!@#$%^&"]
REPORTS = [
    b"\x1b[200~u1\r\x1b[201~",
    b"\x1b[<0;12;9M",
    b"\x1b[<0;12;9m",
    b"\x1b[<32;40;3M",
    b"\x1b[M !!",
    b"\x1b[32;20;20M",
    b"\x1b[48;24;80;0;0t",
    b"\x1b[?2048;2$y",
    b"\x1b[?64;1;2c",
    b"\x1b[24;80R",
    b"\x1b[99;99u",
    b"\x1b[117;1;117u",
    b"\x1b[1;5A",
    b"\x1bOZ",
    b"\x1b[I",
    b"\x1b[O",
    b"\x1b]11;rgb:0/0/0\x1b\\",
    b"\x1bP1+r\x1b\\",
    "é漢".encode(),
    b"\x7f" * 5,
]
"""What terminals send by themselves; sent as it is, cut, or with bytes changed."""

CONTROL_Z = 0x1A
"""Would stop the program, as it should."""

STILL = 60.0
"""Seconds after which a program that does not paint a new size, or end, counts as hung, on however busy a machine."""


@dataclasses.dataclass
class Figures:
    """What a run has seen."""

    events: int = 0
    beats: int = 0
    slowest: float = 0.0
    starts: int = 0
    moves: int = 0


def _mouse(terminal: Terminal, rng: random.Random) -> None:
    columns, rows = terminal.size
    x, y = rng.randrange(columns), rng.randrange(rows)
    match rng.randrange(6):
        case 0 | 1:
            terminal.click(x, y, rng.choice([0, 0, 0, 1, 2]))
        case 2:
            terminal.drag((x, y), (rng.randrange(columns), rng.randrange(rows)))
        case 3:
            terminal.mouse(rng.choice([64, 65]), x, y)  # the wheel
        case 4:
            terminal.mouse(35, x, y)  # moved without a button
        case _other:
            terminal.mouse(rng.choice([0, 2, 32]), x, y, down=rng.random() < 0.5)  # half a click


def _bytes(terminal: Terminal, rng: random.Random) -> None:
    """Bytes of any value, or a report in which some have been changed, lost or put in."""
    if rng.random() < 0.3:
        data = bytearray(rng.randbytes(rng.randrange(1, 12)))
    else:
        data = bytearray(rng.choice(REPORTS))
        for _n in range(rng.randrange(4)):
            at, byte = rng.randrange(len(data)), rng.choice([*b"\x1b[;:<M~u0123456789", rng.randrange(256)])
            data[at : at + rng.randrange(2)] = bytes((byte,)) * rng.randrange(2)
            data = data or bytearray(b"\x1b")
    terminal.send_bytes(bytes(byte for byte in data if byte != CONTROL_Z))


def _event(terminal: Terminal, rng: random.Random) -> None:
    chance = rng.random()
    if chance < 0.15:
        _mouse(terminal, rng)
    elif chance < 0.25:
        _bytes(terminal, rng)
    elif chance < 0.26:
        terminal.resize(*rng.choice([(1, 1), (0, 0), (2, 50), (300, 1), (30, 8), (1000, 300)]))
    else:
        keys = PLAY if chance < 0.85 else LOOK if chance < 0.97 else LEAVE
        terminal.press(rng.choice(keys))


def _wait(terminal: Terminal, seen: Callable[[], object], what: str) -> None:
    """Wait for something; where it does not come, tell what the program was doing instead."""
    try:
        terminal.wait(seen, STILL)
    except AssertionError:
        terminal.child.kill(signal.SIGABRT)  # tells what every thread was doing
        while terminal.pump(5.0):
            pass
        raise AssertionError(f"nothing {what} in {STILL:.0f} s; {_report(terminal)}") from None


def _beat(terminal: Terminal, rng: random.Random, figures: Figures) -> None:
    """Another size has to be painted on whatever screen there is."""
    columns = terminal.size[0]
    wide = rng.choice([79, 81, 100, 120, 61, 200, 25])  # 80 is what a terminal without a size is taken for
    terminal.resize(wide if wide != columns else wide + 1, rng.choice([24, 24, 40, 17, 50, 9]))
    start, written = time.monotonic(), len(terminal.sent)
    _wait(terminal, lambda: terminal.ended or len(terminal.sent) > written, "painted")
    figures.beats += 1
    figures.slowest = max(figures.slowest, time.monotonic() - start)


def _report(terminal: Terminal) -> str:
    """What was on the screen last, and what the program said when it had left it."""
    painted, left, said = terminal.sent.rpartition(b"\x1b[?1049l")
    if not left:
        painted, said = terminal.sent, b""
    rows = "\n".join(row.rstrip() for row in shown(painted[-200_000:], terminal.size))
    words = re.sub(r"\x1b(?:\[[?<>=0-9;]*[A-Za-z]|\][^\x1b\x07]*(?:\x1b\\|\x07))", "", said.decode(errors="replace"))
    return f"the last screen, of {terminal.size}:\n{rows}\nSaid after leaving it:\n{words}"


def _check(terminal: Terminal) -> int:
    """What is saved can be replayed by the rules, move by move; how many moves."""
    assert b"Traceback" not in terminal.sent, _report(terminal)
    total = 0
    for path in (terminal.home / "data" / "saves").glob("*.jsonl"):
        try:
            total += sum(len(hand.moves) for hand in read_save(path).match.hands)
        except SaveError:
            if path.exists():  # the game may have been left meanwhile
                raise
    return total


def _disobey(terminal: Terminal) -> None:
    """Let the terminal itself obey no control characters but Control-C, as by `stty -ixon quit undef susp undef`.

    Among the bytes there are some that would stop its output, or the program, for good while that is still on its way
    in or already on its way out; in between it takes every byte itself.
    """
    settings = termios.tcgetattr(terminal.child.child_fd)
    settings[0] &= ~termios.IXON
    for number in (termios.VQUIT, termios.VSUSP, termios.VSTOP):
        settings[6][number] = bytes((os.fpathconf(terminal.child.child_fd, "PC_VDISABLE"),))
    termios.tcsetattr(terminal.child.child_fd, termios.TCSANOW, settings)


def _start(home: Path, options: tuple[str, ...], rng: random.Random) -> Terminal:
    saves = sorted((home / "data" / "saves").glob("autosave-*.jsonl"))
    if saves and rng.random() < 0.7:
        arguments: tuple[str, ...] = (str(rng.choice(saves)),)
    else:
        arguments = (*options, "--seed", str(rng.randrange(10**6))) if options else ()
    terminal = Terminal(home, *arguments, PYTHONFAULTHANDLER="1")
    _disobey(terminal)
    return terminal


def hammer(home: Path, options: tuple[str, ...], seed: int, events: int, seconds: float = 0.0) -> Figures:
    """Type so many events at random, and for some time at least; whoever leaves the game begins again."""
    rng, figures = random.Random(seed), Figures()
    end = time.monotonic() + seconds

    def goes_on() -> bool:
        return figures.events < events or time.monotonic() < end

    while goes_on():
        figures.starts += 1
        with _start(home, options, rng) as terminal:
            _wait(terminal, lambda: terminal.ended or terminal.is_taken(), "opened")
            terminal.settle(0.5)
            while goes_on() and not terminal.ended:
                for _n in range(rng.randrange(1, 40)):
                    _event(terminal, rng)
                    figures.events += 1
                terminal.pump(rng.random() * 0.2)
                if not terminal.ended:  # nobody types faster than the program can be seen to live
                    _beat(terminal, rng, figures)
                    figures.moves = max(figures.moves, _check(terminal))
            if not terminal.ended:
                _beat(terminal, rng, figures)
            if not terminal.ended:
                terminal.child.kill(rng.choice([signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]))
                _wait(terminal, lambda: terminal.ended, "ended")
            # A signal may come before or after the program takes signals.
            status = terminal.finish()
            assert status in {0, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGHUP}, f"{status}; {_report(terminal)}"
            _check(terminal)
    return figures


def test_random_keys(tmp_path: Path) -> None:
    figures = hammer(tmp_path, TABLES["shared"], 1, 150)
    assert figures.beats > 0


@pytest.fixture(scope="module")
def account() -> Iterator[list[Figures]]:
    """The figures of the campaign, told at its end."""
    runs: list[Figures] = []
    yield runs
    events, beats, starts = (sum(getattr(run, name) for run in runs) for name in ("events", "beats", "starts"))
    slowest = max((run.slowest for run in runs), default=0.0)
    print(f"\n{len(runs)} runs, {starts} starts, {events:,} events")
    print(f"{beats:,} changes of size painted, the slowest in {slowest:.2f} s")


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("table", TABLES)
def test_random_keys_for_long(tmp_path: Path, table: str, seed: int, account: list[Figures]) -> None:
    account.append(hammer(tmp_path, TABLES[table], 100 + seed, 0, 20.0))
