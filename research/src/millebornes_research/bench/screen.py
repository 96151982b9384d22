"""Measure the full-screen game as a user experiences it: how fast it starts and reacts to keys, and its idle state.

The program runs in a pseudo-terminal. Only its output to the screen is observed.
"""

import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from millebornes.errors import MilleBornesError
from millebornes_research.bench.base import (
    Result,
    alternate,
    cpu_of_process,
    median,
    memory_of_process,
    shown,
)
from millebornes_research.bench.startup import COMMAND, PATIENCE, seconds_to_run

TABLE: Final = ("--edition", "classic", "--player", "human", "--player", "random", "--seed", "1")
ROWS, COLUMNS = 24, 80
QUIET: Final = 0.15
"""Seconds without output after which the screen counts as painted."""

EMPTY_APP: Final = """\
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("an empty app", id="text")
    def on_key(self, event):
        self.query_one("#text").update(f"key {event.key} was typed")
Empty().run()
"""


class _Screen:
    """A program in a pseudo-terminal."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self._end, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.began = time.perf_counter()
        self._process = subprocess.Popen(
            command, stdin=other, stdout=other, stderr=other, env=dict(environment), start_new_session=True
        )
        os.close(other)
        self._name = " ".join(command[1:4])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._end)

    def send(self, keys: str) -> float:
        """Type keys, and return the time after this was done."""
        os.write(self._end, keys.encode())
        return time.perf_counter()

    def _read(self, seconds: float) -> bytes:
        if not select.select([self._end], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self._end, 1 << 16)
        except OSError:  # on Linux, this means that the program has ended
            data = b""
        if not data:
            raise MilleBornesError(f"{self._name} ended before it painted the expected text")
        return data

    def painted(self, *texts: str) -> float:
        """Return the time when one of the texts was painted. Raises `MilleBornesError` if none of them appears."""
        wanted, seen = [text.encode() for text in texts], b""
        end = time.perf_counter() + PATIENCE
        while time.perf_counter() < end:
            seen += self._read(0.2)
            if any(text in seen for text in wanted):
                return time.perf_counter()
        raise MilleBornesError(f"{self._name} did not paint {texts[0]!r} within {PATIENCE:.0f} s")

    def settle(self) -> bytes:
        """Wait until the program stops painting, and return its output."""
        seen = b""
        while data := self._read(QUIET):
            seen += data
        return seen

    @property
    def pid(self) -> int:
        return self._process.pid


def _environment(home: Path) -> dict[str, str]:
    """Return an environment with a separate folder for settings and saves, in which other seats move immediately."""
    (home / "config").mkdir(parents=True)
    (home / "config" / "preferences.json").write_text(json.dumps({"pace": 0, "bell": False}), encoding="utf-8")
    unwanted = {"NO_COLOR", "COLUMNS", "LINES"}
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return {**kept, "MILLEBORNES_HOME": str(home), "TERM": "xterm-256color", "LANGUAGE": "en"}


def seconds_to_paint(command: Sequence[str], environment: Mapping[str, str], *texts: str) -> float:
    """Return the wall-clock seconds until a command has painted one of the texts."""
    with _Screen(command, environment) as screen:
        return screen.painted(*texts) - screen.began


def _spread(milliseconds: list[float], name: str) -> dict[str, float]:
    """Return the median and the 95th percentile, under keys that begin with ``name``."""
    twentieths = statistics.quantiles(milliseconds, n=20, method="inclusive")
    return {f"{name}_p50_ms": shown(twentieths[9]), f"{name}_p95_ms": shown(twentieths[18])}


def _typed(screen: _Screen, pairs: Sequence[tuple[str, str]], times: int) -> list[float]:
    """Return the milliseconds between each key and its effect on the screen, for several keys in turn."""
    found = []
    for i in range(times):
        key, text = pairs[i % len(pairs)]
        start = screen.send(key)
        found.append(1000 * (screen.painted(text) - start))
        screen.settle()
    return found


def _moved(screen: _Screen, times: int) -> list[float]:
    """Return the milliseconds between the Enter key and the move in the log, for discards until the hand is over."""
    found: list[float] = []
    seen = b"U "
    while len(found) < times and b"Another hand?" not in seen:
        if b"would answer it" in seen:
            screen.send("n")
        else:
            screen.send("d")
            screen.painted("Discard which card?")
            screen.send("1")
            screen.painted("Discard card 1")
            screen.settle()
            start = screen.send("\r")
            found.append(1000 * (screen.painted("You discard") - start))
        seen = screen.settle()
    return found


def measure_screen(quick: bool = False) -> Result:
    """Measure the time to the first screen, the time from keys and moves to their effect, the idle CPU and the memory.

    The compiled rules are already in the cache. The baselines are the bare Python interpreter, and an empty program of
    the same library (Textual) in the same terminal. No program that uses Textual can be faster. CPU and memory can only
    be measured on Linux. On Windows, nothing can be measured.
    """
    if os.name == "nt":
        return Result("screen", {}, {"python": None, "empty_app": None}, ("there are no pseudo-terminals on Windows",))
    starts, keys, moves, idle = (2, 10, 4, 1.0) if quick else (11, 200, 40, 20.0)
    game, empty = [*COMMAND, "play"], [sys.executable, "-c", EMPTY_APP]
    figures: dict[str, Any] = {}
    mine: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="millebornes-bench-") as folder:
        environment = _environment(Path(folder, "home"))
        seconds_to_paint([*game, *TABLE], environment, "Your turn.")  # compile, or read from the cache, first
        first, table, library, bare = alternate(
            starts,
            lambda _: seconds_to_paint(game, environment, "Seat 1"),
            lambda _: seconds_to_paint([*game, *TABLE], environment, "Your turn."),
            lambda _: seconds_to_paint(empty, environment, "an empty app"),
            lambda _: seconds_to_run([sys.executable, "-c", "pass"]),
        )
        figures |= {"first_screen_s": median(first), "table_s": median(table)}
        mine |= {"first_screen_s": median(library)}
        with _Screen([*game, *TABLE], environment) as screen, _Screen(empty, environment) as other:
            screen.painted("Your turn.")
            other.painted("an empty app")
            screen.settle()
            other.settle()
            pairs = (("u", "Use which card?"), ("d", "Discard which card?"))
            figures |= _spread(_typed(screen, pairs, keys), "key")
            mine |= _spread(_typed(other, (("u", "key u was"), ("d", "key d was")), keys), "key")
            screen.send("\x1b")
            screen.settle()
            figures |= _spread(_moved(screen, moves), "move")
            if Path("/proc/self/stat").exists():
                before = [cpu_of_process(one.pid) for one in (screen, other)]
                time.sleep(idle)
                for one, used, told in ((screen, before[0], figures), (other, before[1], mine)):
                    told["idle_cpu_percent"] = shown(100 * (cpu_of_process(one.pid) - used) / idle)
                    told["memory_mb"] = shown(memory_of_process(one.pid, "VmHWM") / 2**20)
    notes = () if "memory_mb" in figures else ("CPU and memory are measured on Linux only",)
    return Result("screen", figures, {"python": {"nothing_ms": shown(1000 * median(bare))}, "empty_app": mine}, notes)
