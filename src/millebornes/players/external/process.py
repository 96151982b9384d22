"""A child process that answers lines with lines. Its host never waits longer than it wants to."""

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
"""The maximum number of bytes that a child may print without being asked, and the maximum length of a line."""

LOOK: Final = 0.25
"""Seconds between checks of whether a silent child is still alive, if its end can't be watched."""

LAST_WORDS: Final = 1.0
"""Seconds to wait for a child that no longer answers, to learn how it ended."""


class ChildError(PlayerError):
    """Raised for a child process that can't play any more. The text says what it did, without naming it."""


class EndedError(ChildError):
    """Raised for a child process that ended on its own. Its standard error may say why."""


def split_command(command: str) -> list[str]:
    """Split a command into words as a shell would split it. No shell is run. Raises `PlayerError`."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise PlayerError(f"cmd:{command}: not a command that can be split into words ({error})") from None
    if not words or "\0" in command:
        raise PlayerError(f"cmd:{command}: no command; write a program and its arguments, as in 'cmd:python3 bot.py'")
    return words


def find_program(command: str) -> None:
    """Raise `PlayerError` unless the program of a command exists and may be run."""
    program = split_command(command)[0]
    if shutil.which(program) is None:
        raise PlayerError(f"cmd:{command}: there is no program {program!r} that can be run")


class Child:
    """A running program. All methods return at once, except `receive` and `close`, which can wait.

    ``log`` is the file for its standard error, once there is any, or None if nothing can be written.
    """

    def __init__(
        self,
        command: str,
        pipes: Callable[["subprocess.Popen[bytes]"], Pipes] = pipes_to,
        start: Callable[[str, list[str]], Launched] = launch,
    ) -> None:
        """Start the program so that it ends together with everything it starts (`millebornes.players.external.launch`).

        Raises `ChildError` if it is known at once that it can't be started, and `PlayerError` if ``command`` isn't a
        command.
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
        """Bytes of `_came` that are known to contain no line break."""
        self.unasked = 0
        """Bytes in lines that were dropped. A caller that counts them may reset this."""
        self.is_chatty = False
        """Whether any line has been dropped."""

    @property
    def pid(self) -> int:
        """The number of the process, or of its supervisor."""
        return self._launched.process.pid

    # ------------------------------------------------------------------ talking

    def send(self, line: bytes) -> None:
        """Send a line (with its end). Data that the child doesn't accept yet is kept and sent later."""
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
        """Drop all lines that have arrived, because none was asked for. Raises `ChildError` for a flood.

        With ``quiet``, wait until the child has read everything and been silent for that many seconds, but at most ten
        times as long. Lines it was still writing are then not mistaken for the answer to the next question.
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
        """Count a line that wasn't asked for. Raises `ChildError` if it makes a flood."""
        self.unasked += len(line) + 1
        self.is_chatty = True
        if self.unasked > MAX_UNASKED_BYTES:
            raise ChildError(f"flooded its host with more than {MAX_UNASKED_BYTES >> 20} MiB of unrequested output")

    def receive(self, deadline: float | None, *, asked: bool = True) -> bytes | None:
        """Return the next line, without its end, or None if none comes by ``deadline`` (`time.monotonic` or None).

        If the question was ``asked`` just before, lines that arrived before the child had read it are dropped. With the
        deadline None, wait without limit. Raises `ChildError` for a flood, or if no more lines can arrive.
        """
        while True:
            while (line := self._next_line()) is not None:
                # A well-behaved child may leave the line break of a question unread.
                if asked and (self._to_send or self._pipes.unread() > 1):
                    self.drop_line(line)
                else:
                    return line
            if self._mute or self._deaf:
                raise self._gone()
            if self._has_ended():  # a process that the child started may hold its output open
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
        """Wait until data can be read or written (and do so) or the child ends. Return False if neither happens."""
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
        """Return whether the child is known to have ended."""
        if self._status is None and not self._ended:
            self._ended = self._launched.ending() is not None
        return self._ended

    def _take(self) -> bool:
        """Read what is available now. Return False if there is nothing."""
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
        """Return the reason why no more answers can arrive."""
        ending = self._launched.ending(LAST_WORDS)
        return (
            EndedError(ending) if ending else ChildError(f"closed its standard {'output' if self._mute else 'input'}")
        )

    def close(self, farewell: bytes = b"", patience: float = 1.0) -> None:
        """End the child: send ``farewell``, wait ``patience`` seconds, then end it and all its children by force.

        Raises nothing, and can be called again.
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
                # It may still print a lot before it ends, but no one reads that any more.
                self._came.clear()
                self._looked = 0
                if self._selector.get_map() and self._wait(pause):
                    continue
                self._launched.ending(pause)
                pause = min(2 * pause, 0.05)
