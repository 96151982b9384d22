"""Start a program as a child process that ends together with all its child processes, and limit the size of its log."""

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

from millebornes.errors import printable
from millebornes.players.external import supervisor
from millebornes.players.external.supervisor import EXITED, FAILED, LINGER, SIGNALLED, STUCK
from millebornes.storage.files import logs_folder

__all__ = ["LaunchError", "Launched", "Supervised", "Unsupervised", "last_line", "launch", "new_log"]

_START: Final = "import sys; sys.path.append(sys.argv.pop(1)); from supervisor import main; main()"
"""Imports the supervisor instead of running its file, because Python stores the compiled form only of imports."""

MAX_LOGS: Final = 100
MAX_TAIL_BYTES: Final = 1 << 14
"""The number of bytes at the end of a log that `last_line` reads."""
MAX_LINE: Final = 200
"""The maximum number of characters of the last line to show."""
MAX_NAME: Final = 40
"""The maximum length of the program's name in the name of its log file."""

_numbers = itertools.count(1)


class LaunchError(Exception):
    """Raised if a program couldn't be started. The message says why."""


class Supervised:
    """A program that runs under a supervisor (`millebornes.players.external.supervisor`).

    ``process`` has the pipes to the program. ``log`` is the file for its standard error, which is created when the
    program first writes to it, or None if it can't be created. ``status`` becomes readable, for use with a selector,
    when the program has ended.
    """

    def __init__(self, command: str, words: list[str]) -> None:
        """Raises `LaunchError` if not even the supervisor can be started.

        `ending` reports errors of the program itself.
        """
        self._program: Final = words[0]
        self._ending: str | None = None
        self._owner: Final = os.getpid()
        self.log: Final = new_log(words[0])
        here, there = socket.socketpair()
        self.status: Final = here
        supervise = [sys.executable, "-I", "-S", "-c", _START, str(Path(supervisor.__file__).parent)]
        try:
            self.process: Final = subprocess.Popen(
                [*supervise, str(there.fileno()), str(os.getpid()), str(self.log or ""), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
                pass_fds=[there.fileno()],
            )
        except (OSError, ValueError) as error:
            here.close()
            raise LaunchError(_why(words[0], error)) from None
        finally:
            there.close()

    def ending(self, seconds: float = 0.0) -> str | None:
        """Return how the program ended as a verb phrase, or None if it is still running.

        Waits at most ``seconds`` for the program to end.
        """
        if self._ending is None:
            try:
                self.status.settimeout(seconds)
                said = self.status.recv(64)
            except (TimeoutError, BlockingIOError):
                return None
            except OSError:
                said = b""
            self._ending = self._in_words(said.decode())
        return self._ending

    def _in_words(self, said: str) -> str:
        what, _, number = said.partition(" ")
        if what == FAILED:
            return _why(self._program, OSError(int(number), os.strerror(int(number))))
        if what == EXITED:
            return _exited(int(number))
        if what == SIGNALLED:
            return _exited(-int(number))
        return "lost its supervisor process, which someone ended"

    def end(self) -> None:
        """End the program and all processes that it has started. This raises no errors, and can be called again."""
        if os.getpid() != self._owner:
            return  # this is a forked copy of the host: the child belongs to the original
        self.status.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(LINGER + 2 * STUCK)


class Unsupervised:
    """A program that is a direct child of its host, for systems without the supervisor. A thread writes its log.

    Other processes that the program started end with it if they are in the same process group. On Windows, such
    processes keep running.
    """

    status = None
    """There is nothing to watch, so the host has to check from time to time whether the program has ended."""

    def __init__(self, command: str, words: list[str]) -> None:
        """Raises `LaunchError` if the program can't be started."""
        self._owner: Final = os.getpid()
        self.log: Final = new_log(words[0])
        try:
            self.process: Final = subprocess.Popen(
                command if sys.platform == "win32" else words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise LaunchError(_why(words[0], error)) from None
        assert self.process.stderr is not None
        arguments = (os.dup(self.process.stderr.fileno()), supervisor.OutputLog(str(self.log or "")))
        self.process.stderr.close()
        self._writer: Final = threading.Thread(target=_write_log, args=arguments, daemon=True, name="millebornes log")
        self._writer.start()

    def ending(self, seconds: float = 0.0) -> str | None:
        """Return how the program ended (see `Supervised.ending`)."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return _exited(self.process.wait(seconds))
        return None

    def end(self) -> None:
        """End the program (see `Supervised.end`)."""
        if os.getpid() != self._owner:
            return
        if self.process.poll() is None:
            self._signal("SIGTERM")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(LINGER)
        self._signal("SIGKILL")  # processes that the program started may still be running
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(STUCK)
        self._writer.join(LINGER)

    def _signal(self, name: str) -> None:
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self.process.terminate()
            else:
                os.killpg(self.process.pid, getattr(signal, name))


def _write_log(errors: int, log: supervisor.OutputLog) -> None:
    """Copy output to a log until no more can arrive."""
    with contextlib.suppress(OSError):
        while data := os.read(errors, supervisor.CHUNK):
            log.add(data)
            log.flush()
    log.close()
    os.close(errors)


def _why(program: str, error: Exception) -> str:
    why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"could not be started: {program!r}: {why}"


def _exited(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"was ended by the signal {signal.Signals(-code).name}"
    return f"ended, with exit status {code}"


Launched = Supervised | Unsupervised


def launch(command: str, words: list[str]) -> Launched:
    """Start a program, given its whole command and the words of this command.

    Raises `LaunchError` if the program can't be started.
    """
    # If this program was packed into a single file, that file takes the place of the Python interpreter.
    if sys.platform == "win32" or not sys.executable or getattr(sys, "frozen", False):
        return Unsupervised(command, words)
    return Supervised(command, words)


def new_log(program: str) -> Path | None:
    """Return an unused path for a new log of ``program``, or None if there is no place for a log.

    The oldest logs are removed to keep at most a hundred, including the new one.
    """
    folder = logs_folder()
    name = "".join(c if c.isascii() and (c.isalnum() or c in "._") else "_" for c in Path(program).name)[:MAX_NAME]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = list(folder.glob("bot-*.log"))
    except OSError:
        return None
    if len(found) >= MAX_LOGS:
        for log in sorted(found, key=_age)[: len(found) - MAX_LOGS + 1]:
            with contextlib.suppress(OSError):
                log.unlink(missing_ok=True)
    # Process numbers are reused at some point, and quickly in a container.
    paths = (folder / f"bot-{name or 'program'}-{os.getpid()}-{number}.log" for number in _numbers)
    return next(path for path in paths if not os.path.lexists(path))


def last_line(log: Path) -> str:
    """Return the last line of a log that isn't blank, shortened and safe to print, or "" if there is no such line."""
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - MAX_TAIL_BYTES))
            data = stream.read(MAX_TAIL_BYTES)
    except OSError:
        return ""
    lines = [" ".join(line.split()) for line in data.decode("utf-8", "replace").splitlines()]
    line = printable(next((line for line in reversed(lines) if line), ""))
    return line if len(line) <= MAX_LINE else f"{line[: MAX_LINE - 1]}…"


def _age(log: Path) -> float:
    """Return the time when a log was last written, or a time long ago if another process has just removed it."""
    try:
        return log.stat().st_mtime
    except OSError:
        return 0.0
