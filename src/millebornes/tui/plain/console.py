"""The terminal of the line game, which reads and prints lines.

The output contains nothing that confuses screen readers.
"""

import contextlib
import io
import os
import re
import select
import shutil
import signal
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator, Sequence
from types import FrameType
from typing import Any, Final, TextIO

import click

from millebornes.i18n import words
from millebornes.shown import visible
from millebornes.themes.spelling import RESPELL, respelled
from millebornes.tui.common.glyphs import PLAIN, repertoire

__all__ = ["Console", "Interrupted", "Leave"]

LONGEST = 400
"""The maximum number of characters that are used from a typed line."""

_HARD_SPACE = "\ue000"  # a private-use character that never occurs in texts
_FRENCH_SPACE = re.compile(r" (?=[:;!?»])|(?<=«) ")

CHUNK = 1 << 16
"""The rest of a longer line is skipped in chunks of this many characters."""

HIDING_LINES = 60

NARROWEST = 20
"""Lines always use at least this many columns."""

REACTION: Final = 0.15
"""No one can read and answer a question in fewer seconds than this."""

QUIET: Final = 0.4
"""If no empty line arrives for this many seconds, Enter is no longer held down."""


class Leave(Exception):
    """Raised when the input has ended ("eof") or the program was asked to end ("signal"), to save the game first."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Interrupted(Exception):
    """Raised when Ctrl-C was pressed during a question."""


class Console:
    """Prints lines and asks for them. Colours are used only on a terminal, and only if NO_COLOR isn't set."""

    def __init__(self, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        # Without standard input, nothing can be read. Without standard output, nothing is shown.
        self._in: TextIO = stdin or sys.stdin or io.StringIO()
        self._out: TextIO = stdout or sys.stdout or io.StringIO()
        # Bytes that aren't valid text count as a mistyped line. They must not end the program.
        _reconfigure(self._in, errors="replace")
        # Characters that the encoding doesn't have are replaced by others.
        _reconfigure(self._out, errors=RESPELL)
        self.is_terminal = self._out.isatty()
        self._typed: str | None = None
        """A line that was typed before a question and counts as its answer."""
        self._asked_at = 0.0
        self._empty_at = 0.0
        """The time at which the previous line arrived, if it was empty."""
        self._encoding = _shown_encoding(self.is_terminal)
        self._has_escapes = self.is_terminal and os.environ.get("TERM", "").lower() not in {"dumb", "unknown"}
        if sys.platform == "win32":
            os.system("")  # from then on, the console takes escape sequences
        self.colour = self._has_escapes and not os.environ.get("NO_COLOR")
        self._waiting = False
        self._leave = False
        self._interrupted = False

    @property
    def width(self) -> int:
        """The number of columns of a line, or 80 if the output isn't a terminal."""
        return max(shutil.get_terminal_size().columns - 1, NARROWEST) if self.is_terminal else 80

    @property
    def has_symbols(self) -> bool:
        """Whether all characters can be shown."""
        return self._encoding is None

    # ------------------------------------------------------------------ out

    def say(self, text: str = "") -> None:
        """Print one or more lines. On a terminal, long lines are broken between words."""
        text = self._showable(text)
        if self.is_terminal:
            text = "\n".join(_broken(line, self.width) for line in text.split("\n"))
        self._out.write(f"{text}\n")

    def say_all(self, lines: Iterable[str]) -> None:
        """Print lines, if there are any."""
        for line in lines:
            self.say(line)

    def heading(self, text: str) -> None:
        """Print an empty line, and then a line that introduces something new."""
        self.say()
        self.say(self.paint(text, bold=True))

    def paint(self, text: str, **style: bool | str) -> str:
        """Return the text in a style, if colours are used."""
        return click.style(text, **style) if self.colour else text  # type: ignore[arg-type]

    def _showable(self, text: str) -> str:
        text = visible(text, styled=self.colour)
        return text if self._encoding is None else respelled(text, self._encoding)

    def hide(self) -> None:
        """Scroll everything out of sight before another person looks. If this isn't a terminal, do nothing."""
        if not self.is_terminal:
            return
        lines = max(HIDING_LINES, shutil.get_terminal_size().lines)
        self._out.write("\n" * lines)
        # People must not be able to scroll back to these lines.
        if self._has_escapes:
            self._out.write("\x1b[H\x1b[2J\x1b[3J")
        self._out.flush()

    # ------------------------------------------------------------------ in

    def ask(self, prompt: str, *, careful: bool = False, help: Sequence[str] = ()) -> str:
        """Ask for a line and return it without spaces around it.

        Raises `Leave` at the end of input, `Interrupted` at Ctrl-C.

        At a terminal, empty lines that were typed before the question are ignored. With ``careful``, an Enter key that
        is being held down is ignored too. A question mark prints the lines in ``help`` and repeats the question.
        """
        while (answer := self._asked(prompt, careful=careful)) and help and (answer == "?" or answer in words("help")):
            self.say_all(help)
        return answer

    def _asked(self, prompt: str, *, careful: bool) -> str:
        self._waiting = True
        try:
            self.check()
            while True:
                self._forget_enter()
                self._out.write(f"{self._showable(prompt)} ")
                self._out.flush()
                line = self._read() if self._typed is None else self._typed
                self._typed = None
                if not (self._is_held(line) and careful):
                    break
        except KeyboardInterrupt:
            self._out.write("\n")
            raise Interrupted from None
        except OSError:  # the terminal has disappeared
            line = ""
        finally:
            self._waiting = False
        if not line:
            self._out.write("\n")
            raise Leave("eof")
        if not self.is_terminal or not self._in.isatty():
            self._out.write("\n")  # no one has pressed Enter, so the line with the prompt must be ended
        return line[:LONGEST].strip(" \t\r\n")

    def _read(self) -> str:
        """Read a line, but keep only the part that is used, because a line from a pipe may not fit into memory."""
        line = self._in.readline(LONGEST + 1)
        rest = line
        while rest and not rest.endswith("\n"):
            rest = self._in.readline(CHUNK)
        return line

    def _forget_enter(self) -> None:
        """At a terminal, drop empty lines typed before a question. Any other line typed ahead answers it."""
        self._asked_at = time.monotonic()
        if not self._in.isatty():
            return
        if sys.platform == "win32":  # passes the keys on one by one, so that they can't be made into a line
            import msvcrt

            while msvcrt.kbhit():
                if msvcrt.getwch() == "\x03":
                    raise KeyboardInterrupt
            return
        with contextlib.suppress(OSError, ValueError):  # the stream has no file descriptor
            while self._typed is None and select.select([self._in], [], [], 0)[0]:
                line = self._read()
                if line.strip() or not line:
                    self._typed = line
                else:
                    self._empty_at = self._asked_at

    def _is_held(self, line: str) -> bool:
        """Return whether a line comes from an Enter key that has been held down since before the question."""
        if not self._in.isatty() or line.strip() or not line:
            self._empty_at = 0.0
            return False
        now, before = time.monotonic(), self._empty_at
        self._empty_at = now
        return now - self._asked_at < REACTION and now - before < QUIET

    def check(self) -> None:
        """Raise `Leave` or `Interrupted` if a signal has arrived since the last question."""
        if self._leave:
            raise Leave("signal")
        if self._interrupted:
            self._interrupted = False
            raise Interrupted

    def flush(self) -> None:
        """Write all output that is still in the buffer."""
        self._out.flush()

    @contextlib.contextmanager
    def signals(self) -> Iterator[None]:
        """Let SIGTERM and SIGHUP raise `Leave`, and SIGINT raise `Interrupted`, at the next question."""
        before: dict[int, Any] = {}
        for name, handler in (("SIGTERM", self._on_end), ("SIGHUP", self._on_end), ("SIGINT", self._on_interrupt)):
            number = getattr(signal, name, None)
            if number is not None:
                with contextlib.suppress(ValueError):  # not in the main thread
                    before[number] = signal.signal(number, handler)
        try:
            yield
        finally:
            for number, previous in before.items():
                signal.signal(number, previous)

    def _on_end(self, number: int, frame: FrameType | None) -> None:
        self._leave = True
        if self._waiting:
            self._waiting = False
            raise Leave("signal")

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._waiting:
            self._waiting = False
            raise KeyboardInterrupt
        self._interrupted = True


def _reconfigure(stream: TextIO, **settings: str | None) -> None:
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(**settings)  # type: ignore[arg-type]


def _shown_encoding(is_terminal: bool) -> str | None:
    """Return the encoding to respell text for, or None. A pipe gets the encoding that was set for it."""
    encoding = repertoire()
    if is_terminal:
        return encoding
    declared = os.environ.get("PYTHONIOENCODING") or os.environ.get("PYTHONUTF8")
    return PLAIN if encoding == PLAIN and not declared else None


def _broken(line: str, width: int) -> str:
    """Return the parts of a line that is broken between words. All parts but the first are indented like the text."""
    if len(line) <= width or "\x1b" in line:
        return line
    start = len(line) - len(line.lstrip())
    kept = _FRENCH_SPACE.sub(_HARD_SPACE, line)  # no line begins with a colon, even in ASCII
    filled = textwrap.fill(kept, width, subsequent_indent=" " * (start + 2), break_on_hyphens=False)
    return filled.replace(_HARD_SPACE, " ")
