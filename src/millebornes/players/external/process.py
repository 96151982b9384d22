"""A child process that answers lines with lines, and whose host never has to wait longer than it wants."""

import contextlib
import selectors
import shlex
import shutil
import subprocess
import time
import weakref
from collections.abc import Callable
from typing import Final

from millebornes.errors import PlayerError
from millebornes.players.external.launch import Launched, LaunchError, launch
from millebornes.players.external.pipes import Pipes, pipes_to

__all__ = ["MAX_UNASKED_BYTES", "Child", "ChildError", "EndedError", "find_program", "split_command"]

MAX_UNASKED_BYTES: Final = 1 << 20
"""The maximum number of bytes that a child may write without being asked, and the maximum length of a line."""

LOOK: Final = 0.25
"""Seconds between two checks whether a silent child is still alive, if it isn't possible to watch for its end."""

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


class Child:
    """A child process. All methods return immediately, except `receive` and `close`, which can wait.

    ``log`` is the file for its standard error once something has been written, or None if it can't be written.
    """

    def __init__(
        self,
        command: str,
        pipes: Callable[["subprocess.Popen[bytes]"], Pipes] = pipes_to,
        start: Callable[[str, list[str]], Launched] = launch,
    ) -> None:
        """Start the program so that it ends with all its child processes (`millebornes.players.external.launch`).

        Raises `ChildError` if the program can't be started and this is known immediately, and `PlayerError` if
        ``command`` isn't valid.
        """
        words = split_command(command)
        try:
            self._launched: Final = start(command, words)
        except LaunchError as error:
            raise ChildError(str(error)) from None
        self.log: Final = self._launched.log
        self._finalizer: Final = weakref.finalize(self, self._launched.end)
        self._pipes: Final = pipes(self._launched.process)
        self._selector: Final = selectors.DefaultSelector()
        self._selector.register(self._pipes.reader(), selectors.EVENT_READ)
        self._status: Final = self._launched.status
        if self._status is not None:
            self._selector.register(self._status, selectors.EVENT_READ)
        self._to_send = bytearray()
        self._deaf = False
        self._mute = False
        self._ended = False
        self._came = bytearray()
        self._looked = 0
        """The number of bytes in `_came` that are known to contain no line break."""
        self.unasked = 0
        """The number of bytes in lines that were dropped. A caller that counts them can set this to 0."""
        self.is_chatty = False
        """Whether any lines have been dropped."""

    @property
    def pid(self) -> int:
        """The process number of the program or its supervisor."""
        return self._launched.process.pid

    # ------------------------------------------------------------------ communication

    def send(self, line: bytes) -> None:
        """Send a line, given with its line break.

        If the child doesn't accept all the data yet, the rest is kept and sent later.
        """
        if self._deaf:
            return
        if self._to_send:
            self._to_send += line
            return
        try:
            sent = self._pipes.write(line)
        except BrokenPipeError:
            self._deaf = True
            return
        if sent < len(line):
            self._to_send += line[sent:]
            self._selector.register(self._pipes.writer(), selectors.EVENT_WRITE)

    def drop(self, quiet: float = 0.0) -> None:
        """Drop all lines that have arrived without being asked for. Raises `ChildError` if there are too many.

        If ``quiet`` is given, wait until the child has read all data and has been silent for this number of seconds,
        but at most ten times as long. This way, lines that the child was still writing aren't mistaken for the answer
        to the next question.
        """
        latest = time.monotonic() + 10 * quiet
        while True:
            while (line := self._next_line()) is not None:
                self.drop_line(line)
            if self._take():
                continue
            if not quiet or self._mute or self._deaf or time.monotonic() >= latest:
                return
            if not self._wait(quiet) and not self._to_send and self._pipes.unread() == 0:
                return

    def drop_line(self, line: bytes) -> None:
        """Count a line that wasn't asked for. Raises `ChildError` if there are now too many such lines."""
        self.unasked += len(line) + 1
        self.is_chatty = True
        if self.unasked > MAX_UNASKED_BYTES:
            raise ChildError(f"flooded its host with more than {MAX_UNASKED_BYTES >> 20} MiB of unrequested output")

    def receive(self, deadline: float | None, *, asked: bool = True) -> bytes | None:
        """Return the next line without its line break, or None if none arrives by ``deadline`` (a `time.monotonic`).

        If a question was ``asked`` just before, lines that arrived before the child could have read it are dropped. If
        the deadline is None, wait without a limit. Raises `ChildError` if there are too many other lines, or if no more
        lines can arrive.
        """
        while True:
            while (line := self._next_line()) is not None:
                # A well-behaved child may leave the line break after a question unread.
                if asked and (self._to_send or self._pipes.unread() > 1):
                    self.drop_line(line)
                else:
                    return line
            if self._mute or self._deaf:
                raise self._gone()
            if self._has_ended():  # another process that the child started may keep its output open
                if not self._take():
                    raise self._gone()
                continue
            wait = None if self._status is not None else LOOK
            if deadline is not None:
                left = max(0.0, deadline - time.monotonic())
                wait = left if wait is None else min(wait, left)
            if not self._wait(wait) and deadline is not None and time.monotonic() >= deadline:
                return None

    def _next_line(self) -> bytes | None:
        end = self._came.find(b"\n", self._looked)
        if end < 0:
            self._looked = len(self._came)
            if self._looked > MAX_UNASKED_BYTES:
                raise ChildError(f"flooded its host with a line of more than {MAX_UNASKED_BYTES >> 20} MiB")
            return None
        line = bytes(self._came[:end])
        del self._came[: end + 1]
        self._looked = 0
        if len(line) > MAX_UNASKED_BYTES:
            raise ChildError(f"flooded its host with a line of more than {MAX_UNASKED_BYTES >> 20} MiB")
        return line

    def _wait(self, seconds: float | None) -> bool:
        """Wait until data can be read or written, and do so, or until the child ends.

        Returns False if none of this happens in time.
        """
        found = self._selector.select(seconds)
        for key, _ in found:
            if key.fileobj == self._pipes.reader():
                self._take()
            elif key.fileobj == self._status:
                self._selector.unregister(key.fileobj)
                self._ended = True
            else:
                self._send_rest()
        return bool(found)

    def _has_ended(self) -> bool:
        """Return whether it is known that the child has ended."""
        if self._status is None and not self._ended:
            self._ended = self._launched.ending() is not None
        return self._ended

    def _take(self) -> bool:
        """Read all available data. Returns False if no data is available."""
        if self._mute:
            return False
        data = self._pipes.read()
        if data:
            self._came += data
        elif data is not None:
            self._mute = True
            self._selector.unregister(self._pipes.reader())
        return bool(data)

    def _send_rest(self) -> None:
        try:
            del self._to_send[: self._pipes.write(bytes(self._to_send))]
        except BrokenPipeError:
            self._deaf = True
            self._to_send.clear()
        if not self._to_send:
            self._selector.unregister(self._pipes.writer())

    # ------------------------------------------------------------------ how it ends

    def require_alive(self) -> None:
        """Raise `ChildError` if the child has ended or can't answer any more."""
        if self._mute or self._deaf or self._launched.ending() is not None:
            raise self._gone()

    def _gone(self) -> ChildError:
        """Return an error that says why no more answers can arrive."""
        ending = self._launched.ending(LAST_WORDS)
        return (
            EndedError(ending) if ending else ChildError(f"closed its standard {'output' if self._mute else 'input'}")
        )

    def close(self, farewell: bytes = b"", patience: float = 1.0) -> None:
        """Send ``farewell``, wait ``patience`` seconds, and then kill the child and all its child processes.

        This raises no errors, and can be called again.
        """
        if not self._finalizer.alive:
            return
        if patience > 0:
            self._say_farewell(farewell, time.monotonic() + patience)
        self._selector.close()
        self._pipes.close()
        self._finalizer()

    def _say_farewell(self, farewell: bytes, until: float) -> None:
        with contextlib.suppress(OSError):
            self.send(farewell)
            pause = 0.001
            while self._launched.ending() is None and time.monotonic() < until:
                if not self._to_send and self._pipes.writer() is not None:
                    self._pipes.close_writer()
                # The child may still write a lot before it ends, but no one reads this any more.
                self._came.clear()
                self._looked = 0
                if self._selector.get_map() and self._wait(pause):
                    continue
                self._launched.ending(pause)
                pause = min(2 * pause, 0.05)
