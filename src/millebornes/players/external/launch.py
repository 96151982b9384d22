"""Start a program as a child process, and end it together with the processes that it has started."""

import contextlib
import os
import signal
import subprocess
import sys
from typing import Final

from millebornes.players.external.program_log import ProgramLog

LINGER: Final = 0.5
"""Seconds between the signal that asks processes to end and the signal that kills them."""

STUCK: Final = 5.0
"""Seconds to wait for a killed program."""


class LaunchError(Exception):
    """Raised if a program couldn't be started. The message says why."""


class Launched:
    """A program that runs in a session of its own, where no Ctrl-C reaches it. ``process`` has the pipes to it."""

    def __init__(self, command: str, words: list[str]) -> None:
        """Start a program, given its whole command and the words of this command.

        Raises `LaunchError` if the program can't be started.
        """
        self._owner: Final = os.getpid()
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
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise LaunchError(f"could not be started: {words[0]!r}: {why}") from None
        assert self.process.stderr is not None
        self.log: Final = ProgramLog(words[0], self.process.stderr)
        """The log with the program's standard error."""

    def ending(self, seconds: float = 0.0) -> str | None:
        """Return how the program ended as a verb phrase, or None if it is still running.

        Waits at most ``seconds`` for the program to end.
        """
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"was ended by the signal {signal.Signals(-code).name}"
        return f"ended, with exit status {code}"

    def end(self) -> None:
        """End the program and all processes in its group. This raises no errors, but must not be called twice."""
        if os.getpid() != self._owner:
            return  # this is a forked copy of the host: the child belongs to the original
        if self.ending() is None:
            self._signal("SIGTERM")
            self.ending(LINGER)
        self._signal("SIGKILL")  # processes that the program started may still be running
        self.ending(STUCK)
        self.log.join(LINGER)

    def _signal(self, name: str) -> None:
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self.process.terminate()
            else:
                os.killpg(self.process.pid, getattr(signal, name))
