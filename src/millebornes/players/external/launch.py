"""Start a program as a child process that ends together with all its child processes."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from millebornes.players.external import supervisor
from millebornes.players.external.program_log import ProgramLog
from millebornes.players.external.supervisor import EXITED, FAILED, LINGER, SIGNALLED, STUCK

__all__ = ["LaunchError", "Launched", "Supervised", "launch"]

_START: Final = "import sys; sys.path.append(sys.argv.pop(1)); from supervisor import main; main()"
"""Imports the supervisor instead of running its file, because Python stores the compiled form only of imports."""


class LaunchError(Exception):
    """Raised if a program couldn't be started. The message says why."""


class Launched:
    """A program that was started without a supervisor. When it ends, processes that it started may keep running.

    ``process`` has the pipes to the program.
    """

    def __init__(self, words: list[str], command: str | list[str], **options: Any) -> None:
        """Start a program by ``command``, which consists of ``words``. Raises `LaunchError` if that isn't possible."""
        self._program: Final = words[0]
        self._owner: Final = os.getpid()
        try:
            self.process: Final = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                **options,
            )
        except (OSError, ValueError) as error:
            raise LaunchError(self._why(error)) from None
        assert self.process.stderr is not None
        self.log: Final = ProgramLog(words[0], self.process.stderr)
        """The log with the program's standard error."""

    def _why(self, error: Exception) -> str:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return f"could not be started: {self._program!r}: {why}"

    def ending(self, seconds: float = 0.0) -> str | None:
        """Return how the program ended as a verb phrase, or None if it is still running.

        Waits at most ``seconds`` for the program to end.
        """
        with contextlib.suppress(subprocess.TimeoutExpired):
            return _exited(self.process.wait(seconds))
        return None

    def end(self) -> None:
        """End the program and all processes that it has started. This raises no errors, and can be called again."""
        if os.getpid() != self._owner:
            return  # this is a forked copy of the host: the child belongs to the original
        self._end()
        self.log.join(LINGER)

    def _end(self) -> None:
        if self.process.poll() is None:
            self._signal("SIGTERM")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(LINGER)
        self._signal("SIGKILL")  # processes that the program started may still be running
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(STUCK)

    def _signal(self, name: str) -> None:
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self.process.terminate()
            else:
                os.killpg(self.process.pid, getattr(signal, name))


class Supervised(Launched):
    """A program that runs under a supervisor (`millebornes.players.external.supervisor`)."""

    def __init__(self, words: list[str]) -> None:
        """Raises `LaunchError` if not even the supervisor can be started.

        `ending` reports errors of the program itself.
        """
        self._ending: str | None = None
        self._status, there = socket.socketpair()
        supervise = [sys.executable, "-I", "-S", "-c", _START, str(Path(supervisor.__file__).parent)]
        command = [*supervise, str(there.fileno()), str(os.getpid()), *words]
        with there:
            try:
                super().__init__(words, command, pass_fds=[there.fileno()])
            except LaunchError:
                self._status.close()
                raise

    def ending(self, seconds: float = 0.0) -> str | None:
        """Return how the program ended, or None if it is still running (see `Launched.ending`)."""
        if self._ending is None:
            try:
                self._status.settimeout(seconds)
                said = self._status.recv(64)
            except (TimeoutError, BlockingIOError):
                return None
            except OSError:
                said = b""
            self._ending = self._in_words(said.decode())
        return self._ending

    def _in_words(self, said: str) -> str:
        what, _, number = said.partition(" ")
        if what == FAILED:
            return self._why(OSError(int(number), os.strerror(int(number))))
        if what == EXITED:
            return _exited(int(number))
        if what == SIGNALLED:
            return _exited(-int(number))
        return "lost its supervisor process, which someone ended"

    def _end(self) -> None:
        self._status.close()  # the supervisor then ends everything
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(LINGER + 2 * STUCK)


def _exited(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"was ended by the signal {signal.Signals(-code).name}"
    return f"ended, with exit status {code}"


def launch(command: str, words: list[str]) -> Launched:
    """Start a program, given its whole command and the words of this command.

    Raises `LaunchError` if the program can't be started.
    """
    # If this program was packed into a single file, that file takes the place of the Python interpreter.
    if sys.platform == "win32" or not sys.executable or getattr(sys, "frozen", False):
        return Launched(words, command if sys.platform == "win32" else words)
    return Supervised(words)
