"""The keyboard of a terminal that gives lines: what was typed before a question, and whether Enter is held down."""

import contextlib
import select
import sys
import time
from collections.abc import Callable
from typing import Final, Protocol, TextIO

__all__ = ["LineInput"]

REACTION: Final = 0.15
"""Seconds in which nobody reads a question and answers it."""

QUIET: Final = 0.4
"""Seconds without Enter after which it is not held down any more."""


class _WindowsConsole(Protocol):
    """What the module ``msvcrt`` offers, which is there on Windows only."""

    def kbhit(self) -> bool:
        """Return whether a key waits."""

    def getwch(self) -> str:
        """Return the next key."""


class LineInput:
    """Lines from standard input. At a terminal, empty lines that were typed ahead of a question do not answer it.

    Other lines do: who types commands ahead means them. What comes from a pipe or a file is never left out.
    """

    def __init__(self, stream: TextIO, read: Callable[[], str]) -> None:
        self._stream = stream
        self._read = read
        self.is_terminal: Final = stream.isatty()
        self._typed: str | None = None
        """A line that was typed ahead and stands for an answer."""
        self._asked = 0.0
        self._empty = 0.0
        """When the line before came, if it was empty."""

    def forget_enter(self) -> None:
        """A question is about to be put: empty lines that have been typed by now are no answers to it."""
        self._asked = time.monotonic()
        while self._typed is None and self._waits():
            line = self._read()
            if line.strip() or not line:
                self._typed = line
                return
            self._empty = self._asked

    def line(self) -> str:
        """The next line, with its end; empty at the end of input."""
        if self._typed is not None:
            line, self._typed = self._typed, None
            return line
        return self._read()

    def is_held(self, line: str) -> bool:
        """Whether a line comes from an Enter that is held down since before the question."""
        if not self.is_terminal or line.strip() or not line:
            self._empty = 0.0
            return False
        now, before = time.monotonic(), self._empty
        self._empty = now
        return now - self._asked < REACTION and now - before < QUIET

    def _waits(self) -> bool:
        """Whether a whole line lies ready at the terminal."""
        if not self.is_terminal:
            return False
        if sys.platform == "win32":
            import msvcrt

            return self._drop_enter(msvcrt)
        with contextlib.suppress(OSError, ValueError):  # no descriptor
            return bool(select.select([self._stream], [], [], 0)[0])
        return False

    @staticmethod
    def _drop_enter(console: "_WindowsConsole") -> bool:
        """On Windows keys are taken one by one: drop what was typed, of which no line can be made."""
        while console.kbhit():
            if console.getwch() == "\x03":
                raise KeyboardInterrupt
        return False
