"""The keyboard of a line terminal: what was typed before a question, and whether Enter is held down."""

import contextlib
import select
import sys
import time
from collections.abc import Callable
from typing import Final, Protocol, TextIO

__all__ = ["LineInput"]

REACTION: Final = 0.15
"""Seconds: no one reads and answers a question faster than this."""

QUIET: Final = 0.4
"""Enter is no longer held down after this many seconds without an empty line."""


class _WindowsConsole(Protocol):
    """The part of the module ``msvcrt`` used here, which exists on Windows only."""

    def kbhit(self) -> bool:
        """Return whether a key is waiting."""

    def getwch(self) -> str:
        """Return the next key."""


class LineInput:
    """Lines from standard input. At a terminal, empty lines typed before a question do not answer it.

    Other lines do, because a player who types commands ahead means them. Input from a pipe or a file is never skipped.
    """

    def __init__(self, stream: TextIO, read: Callable[[], str]) -> None:
        self._stream = stream
        self._read = read
        self.is_terminal: Final = stream.isatty()
        self._typed: str | None = None
        """A line that was typed ahead and counts as an answer."""
        self._asked = 0.0
        self._empty = 0.0
        """When the previous line came, if it was empty."""

    def forget_enter(self) -> None:
        """Prepare for a question: empty lines typed so far do not answer it."""
        self._asked = time.monotonic()
        while self._typed is None and self._waits():
            line = self._read()
            if line.strip() or not line:
                self._typed = line
                return
            self._empty = self._asked

    def line(self) -> str:
        """Return the next line, with its end. At the end of input it is empty."""
        if self._typed is not None:
            line, self._typed = self._typed, None
            return line
        return self._read()

    def is_held(self, line: str) -> bool:
        """Return whether a line comes from an Enter key that has been held down since before the question."""
        if not self.is_terminal or line.strip() or not line:
            self._empty = 0.0
            return False
        now, before = time.monotonic(), self._empty
        self._empty = now
        return now - self._asked < REACTION and now - before < QUIET

    def _waits(self) -> bool:
        """Return whether a whole line is ready at the terminal."""
        if not self.is_terminal:
            return False
        if sys.platform == "win32":
            import msvcrt

            return self._drop_enter(msvcrt)
        with contextlib.suppress(OSError, ValueError):  # the stream has no descriptor
            return bool(select.select([self._stream], [], [], 0)[0])
        return False

    @staticmethod
    def _drop_enter(console: "_WindowsConsole") -> bool:
        """Drop the keys that were typed so far. Windows gives them one by one, so they cannot be made into a line."""
        while console.kbhit():
            if console.getwch() == "\x03":
                raise KeyboardInterrupt
        return False
