"""The keyboard of the line game: what was typed before a question, and whether Enter is being held down."""

import contextlib
import select
import sys
import time
from collections.abc import Callable
from typing import Final, Protocol, TextIO

__all__ = ["LineInput"]

REACTION: Final = 0.15
"""No one can read and answer a question in fewer seconds than this."""

QUIET: Final = 0.4
"""If no empty line arrives for this many seconds, Enter is no longer held down."""


class _WindowsConsole(Protocol):
    """The functions used here of the module ``msvcrt``, which exists only on Windows."""

    def kbhit(self) -> bool:
        """Return whether a key has been pressed and not read yet."""

    def getwch(self) -> str:
        """Return the next key that was pressed."""


class LineInput:
    """Lines from standard input. At a terminal, an empty line typed before a question doesn't answer it.

    Any other line does, because players who type commands ahead mean them. Lines from a pipe or a file always count.
    """

    def __init__(self, stream: TextIO, read: Callable[[], str]) -> None:
        self._stream = stream
        self._read = read
        self.is_terminal: Final = stream.isatty()
        self._typed: str | None = None
        """A line that was typed ahead and counts as an answer."""
        self._asked = 0.0
        self._empty = 0.0
        """The time at which the previous line arrived, if it was empty."""

    def forget_enter(self) -> None:
        """Prepare for a question, which isn't answered by empty lines typed before."""
        self._asked = time.monotonic()
        while self._typed is None and self._waits():
            line = self._read()
            if line.strip() or not line:
                self._typed = line
                return
            self._empty = self._asked

    def line(self) -> str:
        """Return the next line, including its line break. At the end of input, return ""."""
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
        """Return whether the terminal has a whole line that can be read."""
        if not self.is_terminal:
            return False
        if sys.platform == "win32":
            import msvcrt

            return self._drop_enter(msvcrt)
        with contextlib.suppress(OSError, ValueError):  # the stream has no file descriptor
            return bool(select.select([self._stream], [], [], 0)[0])
        return False

    @staticmethod
    def _drop_enter(console: "_WindowsConsole") -> bool:
        """Drop the keys that have been typed so far.

        Windows passes them on one by one, so they can't be made into a line.
        """
        while console.kbhit():
            if console.getwch() == "\x03":
                raise KeyboardInterrupt
        return False
