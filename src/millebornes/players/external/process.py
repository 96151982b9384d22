"""A child process that answers lines with lines, and whose host never has to wait longer than it wants."""

import contextlib
import io
import math
import os
import queue
import shlex
import shutil
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import IO, Final

from millebornes.errors import PlayerError
from millebornes.players.external.launch import Launched, LaunchError

MAX_UNASKED_BYTES: Final = 1 << 20
"""The maximum number of bytes that a child may write without being asked, and the maximum length of a line."""

LOOK: Final = 0.25
"""Seconds between two checks whether a silent child is still alive.

Other processes that it started may keep its output open.
"""

SEND_AGAIN: Final = 0.01
"""Seconds between two attempts to send data to a child that doesn't read it."""

LAST_WORDS: Final = 1.0
"""Seconds to wait for a child that no longer answers, to find out how it ended."""


class ChildError(PlayerError):
    """Raised if a child process can't continue to play. The message says what the child did, without naming it."""


class EndedError(ChildError):
    """Raised if a child process has ended by itself. Its standard error may say why."""


def split_command(command: str) -> list[str]:
    """Return the words of a command, split as in a shell.

    No shell is run. Raises `PlayerError` if the command isn't valid.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise PlayerError(f"cmd:{command}: not a command that can be split into words ({error})") from None
    if not words or "\0" in command:
        raise PlayerError(f"cmd:{command}: no command; write a program and its arguments, as in 'cmd:python3 bot.py'")
    return words


def find_program(command: str) -> None:
    """Raise `PlayerError` if the program in a command doesn't exist or can't be run."""
    program = split_command(command)[0]
    if shutil.which(program) is None:
        raise PlayerError(f"cmd:{command}: there is no program {program!r} that can be run")


class _Reader(threading.Thread):
    """A thread that reads the lines of a child into a queue, until no more can arrive or the child floods its host.

    Each line comes with what ``is_behind`` returned when it arrived: whether the child had more to read. The last item
    in the queue says why there are no more lines: it is a `ChildError`, or None at the end of the output.
    """

    def __init__(self, output: IO[bytes], is_behind: Callable[[], bool]) -> None:
        super().__init__(daemon=True, name="millebornes bot")
        self.lines: Final[queue.SimpleQueue[tuple[bytes, bool] | ChildError | None]] = queue.SimpleQueue()
        self.asked = 0
        """The number of bytes in lines that were asked for. The host counts them."""
        self.came = 0
        """The number of bytes in all lines."""
        self._output: Final = output
        self._is_behind: Final = is_behind
        self.start()

    def run(self) -> None:
        most = MAX_UNASKED_BYTES
        last: ChildError | None = None
        with contextlib.suppress(OSError), io.BufferedReader(self._output, 1 << 16) as output:  # type: ignore[type-var]
            while (line := output.readline(most + 1)).endswith(b"\n"):
                self.came += len(line)
                self.lines.put((line[:-1], self._is_behind()))
                if self.came - self.asked > most:
                    last = ChildError(f"flooded its host with more than {most >> 20} MiB of unrequested output")
                    break
            if len(line) > most:
                last = ChildError(f"flooded its host with a line of more than {most >> 20} MiB")
            self.lines.put(last)


class Child:
    """A child process. All methods return immediately, except `receive`, `drop` and `close`, which can wait."""

    def __init__(self, command: str) -> None:
        """Start the program.

        Raises `ChildError` if the program can't be started and this is known immediately, and `PlayerError` if
        ``command`` isn't valid.
        """
        words = split_command(command)
        try:
            self._launched: Final = Launched(command, words)
        except LaunchError as error:
            raise ChildError(str(error)) from None
        process = self._launched.process
        assert process.stdin is not None
        assert process.stdout is not None
        self._input: Final = process.stdin
        if sys.platform != "win32":
            os.set_blocking(process.stdin.fileno(), False)
        self._to_send = bytearray()
        """Data that the child's pipe has no room for yet."""
        self._reader: Final = _Reader(process.stdout, self._is_behind)
        self._finalizer: Final = weakref.finalize(self, self._launched.end)
        self._error: ChildError | None = None
        """The error that explains why no more lines can be sent or received, or None."""
        self._has_ended = False
        self.is_chatty = False
        """Whether any lines have been dropped."""

    @property
    def pid(self) -> int:
        """The process number of the program."""
        return self._launched.process.pid

    @property
    def log(self) -> Path | None:
        """The file for its standard error once something has been written, or None if it can't be written."""
        return self._launched.log.path

    # ------------------------------------------------------------------ communication

    def send(self, line: bytes) -> None:
        """Send a line, given with its line break. What the pipe has no room for is sent later, by `receive` or `drop`.

        On Windows, this waits instead until the child reads.
        """
        self._to_send += line
        self._send_rest()

    def _send_rest(self) -> None:
        try:
            while self._to_send and self._error is None:
                sent = self._input.write(self._to_send)
                if not sent:  # the pipe is full
                    return
                del self._to_send[:sent]
        except OSError:
            self._error = self._gone("input")

    def receive(self, deadline: float | None, *, asked: bool = False) -> bytes | None:
        """Return the next line without its line break, or None if none arrives by ``deadline`` (a `time.monotonic`).

        If a question was ``asked`` just before, lines that arrived before the child could have read it are dropped. If
        the deadline is None, wait without a limit. Raises `ChildError` if the child has written too much without
        being asked, or if no more lines can arrive.
        """
        while self._error is None:
            left = math.inf if deadline is None else max(0.0, deadline - time.monotonic())
            pause = SEND_AGAIN if self._to_send else LOOK
            try:
                arrived = self._reader.lines.get(timeout=min(left, pause))
            except queue.Empty:
                self._send_rest()
                if left <= pause:
                    return None
                if self._has_ended and not self._error:
                    self._error = self._gone("output")
                self._has_ended = self._launched.ending() is not None
                continue
            if isinstance(arrived, tuple):
                line, was_behind = arrived
                if asked and (was_behind or self._to_send or self._is_behind()):
                    self.is_chatty = True
                    continue
                return line
            self._error = arrived or self._gone("output")
        raise self._error

    def accept(self, line: bytes) -> None:
        """Count a line as an answer, and not as output that no one asked for."""
        self._reader.asked += len(line) + 1

    def drop(self, quiet: float = 0.0) -> None:
        """Drop all lines that have arrived without being asked for. Raises `ChildError` if there are too many.

        If ``quiet`` is given, wait until the child has read all data and has been silent for this number of seconds,
        but at most ten times as long. This way, lines that the child was still writing aren't mistaken for the answer
        to the next question.
        """
        latest = time.monotonic() + 10 * quiet
        while True:
            if self.receive(min(time.monotonic() + quiet, latest)) is not None:
                self.is_chatty = True
            elif time.monotonic() >= latest or not (self._to_send or self._unread()):
                return

    def _is_behind(self) -> bool:
        """Return whether its pipe holds more than the line break after a question, which a child may leave unread."""
        return self._unread() > 1

    def _unread(self) -> int:
        """Return how many sent bytes the child hasn't read yet, which is only known on Linux (0 elsewhere)."""
        if sys.platform != "linux":
            return 0
        import fcntl
        import termios

        try:
            return int.from_bytes(fcntl.ioctl(self._input, termios.FIONREAD, b"\0" * 4), sys.byteorder)
        except (OSError, ValueError):  # the pipe is closed
            return 0

    # ------------------------------------------------------------------ how it ends

    def begin(self) -> None:
        """Get ready for a new match. Raises `ChildError` if the child has ended or can't answer any more."""
        self.drop()
        self._reader.asked = self._reader.came
        if self._launched.ending() is not None:
            raise self._gone("output")

    def _gone(self, pipe: str) -> ChildError:
        ending = self._launched.ending(LAST_WORDS)
        return EndedError(ending) if ending else ChildError(f"closed its standard {pipe}")

    def close(self, farewell: bytes = b"", patience: float = 1.0) -> None:
        """Send ``farewell``, wait ``patience`` seconds, and then kill the child and all processes in its group.

        This raises no errors, and can be called again.
        """
        if not self._finalizer.alive:
            return
        if patience > 0:
            self.send(farewell)
        with contextlib.suppress(OSError):
            self._input.close()
        if patience > 0:
            self._launched.ending(patience)
        self._finalizer()
