"""A terminal for the tests: the real program in a real pseudo-terminal, and what a person would see on the screen."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import re
import select
import signal
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import pexpect
import pyte

PATIENCE = 60.0
"""Seconds for which anything may take on a busy machine; only tests that fail wait so long."""

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "delete": "\x1b[3~",
    "backspace": "\x7f",
    "tab": "\t",
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "f3": "\x1bOR",
    "f10": "\x1b[21~",
    "ctrl+c": "\x03",
    "ctrl+l": "\x0c",
    "ctrl+p": "\x10",
    "ctrl+z": "\x1a",
}
"""What a terminal sends for keys that are no characters."""

REPORTS = {1000, 1002, 1003, 1004, 1006, 1015, 2004}
"""Private modes that must be off when the program has gone: reports of the mouse, of focus and of pasting."""
ALTERNATE, CURSOR = 1049, 25

BEHIND: tuple[str, ...] = (
    "-c",
    "import signal, subprocess, sys; signal.signal(signal.SIGHUP, lambda *_: None); "
    "sys.exit(subprocess.call([sys.executable, *sys.argv[1:]]))",
)
"""Runs the program behind another one, which is the one that hears of a terminal that goes away, and keeps it back."""

ASKS_SYNC = b"\x1b[?2026$p"
BEGINS_FRAME, ENDS_FRAME = b"\x1b[?2026h", b"\x1b[?2026l"
COLOUR = re.compile(rb"\x1b\[[0-9;]*\b(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|[34]8;[25];[0-9;]+)(?:;[0-9;]*)?m")
"""A colour sent to the terminal."""


class _Lenient(pyte.Screen):
    """A screen that takes no notice of parameters too many, as real ones do; what is typed may be echoed among them."""


def _lenient(name: str) -> None:
    method = getattr(pyte.Screen, name)
    parameters = inspect.signature(method).parameters.values()
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return
    most = len([parameter for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD])
    setattr(_Lenient, name, lambda screen, *found, **named: method(screen, *found[: most - 1], **named))


for _name in set(pyte.Stream.csi.values()):
    _lenient(_name)


def shown(sent: bytes, size: tuple[int, int]) -> list[str]:
    """The rows of a screen on which something has been written."""
    screen = _Lenient(*size)
    pyte.ByteStream(screen).feed(sent)
    return list(screen.display)


class Terminal:
    """`millebornes play` in a pseudo-terminal. `sent` is all that it has written.

    ``prefer`` are preferences kept in ``home`` beforehand; other seats move at once unless they say otherwise. With
    ``behind`` another program sits between, so that no signal says that the terminal has gone away.
    """

    def __init__(
        self,
        home: Path,
        *args: str,
        size: tuple[int, int] = (80, 24),
        term: str = "xterm-256color",
        prefer: dict[str, object] | None = None,
        behind: bool = False,
        **environ: str,
    ) -> None:
        config = home / "config" / "preferences.json"
        if prefer is not None or not config.exists():
            config.parent.mkdir(parents=True, exist_ok=True)
            config.write_text(json.dumps({"pace": 0.0, "bell": False, **(prefer or {})}), encoding="utf-8")
        unwanted = {"NO_COLOR", "LANGUAGE", "COLUMNS", "LINES", "COLORTERM", "TEXTUAL", "TMUX"}
        env = {name: value for name, value in os.environ.items() if name not in unwanted}
        env |= {"MILLEBORNES_HOME": str(home), "TERM": term, "LC_ALL": "C.UTF-8", **environ}
        self.home = home
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            sys.executable,
            [*(BEHIND if behind else ()), "-m", "millebornes", "play", *args],
            env=env,
            dimensions=(size[1], size[0]),
            cwd=str(home),
        )
        self.child.delaybeforesend = None
        self.screen: pyte.Screen = _Lenient(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.sent = b""
        self.ended = False

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.child.close(force=True)

    # ------------------------------------------------------------------ what is seen

    @property
    def rows(self) -> list[str]:
        """The text on the screen by row."""
        return list(self.screen.display)

    @property
    def text(self) -> str:
        """All text on the screen."""
        return "\n".join(self.screen.display)

    @property
    def bottom(self) -> str:
        """The last three rows: what is asked, and what can be chosen."""
        return "\n".join(self.screen.display[-3:])

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.screen.columns, self.screen.lines

    @property
    def autosave(self) -> Path:
        """The file in which the game saves itself."""
        return self.home / "data" / "saves" / "autosave-1.jsonl"

    def saved_at(self) -> tuple[int, int] | None:
        """Something that changes whenever the game has saved itself."""
        try:
            found = self.autosave.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns

    @property
    def pid(self) -> int:
        """The program's process."""
        assert self.child.pid is not None
        return self.child.pid

    def find(self, pattern: str) -> tuple[int, int] | None:
        """The column and row (from 0) of the first place where a pattern is seen."""
        for row, line in enumerate(self.screen.display):
            if found := re.search(pattern, line):
                return found.start(), row
        return None

    @property
    def is_drawing(self) -> bool:
        """Whether only a part of the latest frame has come yet."""
        return self.sent.rfind(BEGINS_FRAME) > self.sent.rfind(ENDS_FRAME)

    def is_on(self, mode: int) -> bool:
        """Whether the program has switched a private mode of the terminal on."""
        return mode << 5 in self.screen.mode

    def is_usable(self) -> bool:
        """Whether a shell could go on: no alternate screen, a cursor, no reports, echo and lines."""
        flags = termios.tcgetattr(self.child.child_fd)[3]
        asked = any(self.is_on(mode) for mode in {ALTERNATE, *REPORTS})
        return not asked and self.is_on(CURSOR) and bool(flags & termios.ECHO) and bool(flags & termios.ICANON)

    def is_taken(self) -> bool:
        """Whether the program has the terminal: its own screen, and every key as it is typed, without an echo."""
        flags = termios.tcgetattr(self.child.child_fd)[3]
        return self.is_on(ALTERNATE) and not flags & (termios.ECHO | termios.ICANON)

    def is_stopped(self) -> bool:
        """Whether the program has been stopped, as by Control-Z, and waits for SIGCONT."""
        return os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None

    # ------------------------------------------------------------------ time

    def pump(self, seconds: float) -> bool:
        """Take what the program writes within some time; False when it has written nothing."""
        if self.ended:
            return False
        fd = self.child.child_fd
        if not select.select([fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(fd, 1 << 16)
        except OSError:  # how Linux says that the other side has gone
            data = b""
        if not data:
            self.ended = True
            return False
        self.sent += data
        self._stream.feed(data)
        if ASKS_SYNC in data:
            self.send("\x1b[?2026;2$y")  # as most terminals of today do: whole frames, please
        return True

    def wait(self, seen: str | Callable[[], object], patience: float = PATIENCE) -> None:
        """Wait until a pattern is on the screen, or something is so."""
        end = time.monotonic() + patience
        while (self.is_drawing and not self.ended) or not (
            re.search(seen, self.text) if isinstance(seen, str) else seen()
        ):
            if self.ended or time.monotonic() > end:
                why = "the program has ended" if self.ended else f"nothing in {patience:.0f} s"
                raise AssertionError(f"{seen}: {why}; the screen:\n{self.text}")
            self.pump(0.05)

    def settle(self, quiet: float = 0.1) -> None:
        """Wait until nothing has been written for a moment."""
        while self.pump(quiet) or (self.is_drawing and not self.ended):
            pass

    def finish(self, patience: float = PATIENCE) -> int:
        """Wait for the end of the program; its exit status, or minus the signal that ended it."""
        self.wait(lambda: self.ended, patience)
        self.child.wait()
        self.child.close()
        return -(self.child.signalstatus or 0) if self.child.exitstatus is None else self.child.exitstatus

    def left_behind(self) -> tuple[int, str]:
        """Wait for the end: the exit status, and what was said on the terminal, which must be usable again."""
        self.wait(lambda: self.ended)
        assert self.is_usable(), self.screen.mode
        said = self.sent.rpartition(b"\x1b[?1049l")[2].decode()
        return self.finish(), re.sub(r"\x1b\[[?<>0-9;]*[a-z]", "", said).replace("\r", "").strip()

    # ------------------------------------------------------------------ keys and mouse

    def send(self, text: str) -> None:
        """Send characters as they are."""
        self.send_bytes(text.encode())

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are, as many at a time as the other side has room for."""
        while data and not self.ended:
            if select.select([], [self.child.child_fd], [], 0.05)[1]:
                data = data[os.write(self.child.child_fd, data[:1024]) :]
            self.pump(0.0)

    def press(self, *keys: str) -> None:
        """Press keys, by their names in `KEYS` or as characters."""
        for key in keys:
            self.send(KEYS.get(key, key))

    def mouse(self, button: int, x: int, y: int, down: bool = True) -> None:
        """Report the mouse at a column and row (from 0), as SGR terminals do; 32 more is a motion."""
        self.send(f"\x1b[<{button};{x + 1};{y + 1}{'M' if down else 'm'}")

    def click(self, x: int, y: int, button: int = 0) -> None:
        """Click with a button: 0 left, 2 right."""
        self.mouse(button, x, y)
        self.mouse(button, x, y, down=False)

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Press at one place, go to another, and let go."""
        (x, y), (to_x, to_y) = start, end
        self.mouse(0, x, y)
        for step in range(1, 5):
            self.mouse(32, x + (to_x - x) * step // 4, y + (to_y - y) * step // 4)
        self.mouse(0, to_x, to_y, down=False)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size; the program hears of it by SIGWINCH."""
        self.screen.resize(max(1, rows), max(1, columns))
        self.child.setwinsize(rows, columns)

    def hang_up(self) -> None:
        """The terminal goes away; no signal is sent but what the system itself sends."""
        process: Any = self.child.ptyproc  # type: ignore[attr-defined]
        process.fileobj.close()
        process.closed = self.child.closed = self.ended = True

    def ends_alone(self, patience: float = PATIENCE) -> int | None:
        """After `hang_up`: the exit status, or None when the program does not end, or was ended by a signal."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.child.ptyproc.terminated = self.child.terminated = True  # type: ignore[attr-defined]
                return os.WEXITSTATUS(status) if os.WIFEXITED(status) else None
            time.sleep(0.05)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return None

    def kill(self) -> None:
        """SIGKILL: the program has no time for anything."""
        self.child.kill(signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):  # it may have ended before
            os.waitpid(self.pid, 0)  # on a busy machine that takes longer than `close` waits
        self.child.ptyproc.terminated = self.child.terminated = True  # type: ignore[attr-defined]
        self.child.close(force=True)
        self.ended = True
