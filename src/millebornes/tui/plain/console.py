"""The terminal of the line game, which reads and prints lines.

The output contains nothing that confuses screen readers.
"""

import contextlib
import ctypes
import io
import os
import re
import shutil
import signal
import sys
import textwrap
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any, Final, TextIO

import click

from millebornes.i18n import words
from millebornes.shown import visible
from millebornes.themes.spelling import RESPELL, respelled
from millebornes.tui.common.glyphs import PLAIN, repertoire
from millebornes.tui.plain.keyboard import LineInput

__all__ = ["Console", "Interrupted", "Leave", "enable_escapes"]

LONGEST = 400
"""The maximum number of characters that are used from a typed line."""

_HARD_SPACE = "\ue000"  # a private-use character that never occurs in texts
_FRENCH_SPACE = re.compile(r" (?=[:;!?»])|(?<=«) ")

CHUNK = 1 << 16
"""The rest of a longer line is skipped in chunks of this many characters."""

HIDING_LINES = 60

NARROWEST = 20
"""Lines always use at least this many columns."""


class Leave(Exception):
    """Raised when the input has ended or the program has been asked to end. ``why`` is ``"eof"`` or ``"signal"``.

    The game has to be saved before the program ends.
    """

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
        self._keyboard = LineInput(self._in, self._read)
        self._encoding = _shown_encoding(self.is_terminal)
        self._has_escapes = self.is_terminal and _takes_escapes(os.environ.get("TERM"))
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
            width = max(shutil.get_terminal_size().columns - 1, NARROWEST)
            text = "\n".join(_broken(line, width) for line in text.split("\n"))
        self._out.write(f"{text}\n")

    def heading(self, text: str) -> None:
        """Print an empty line, and then a line that introduces something new."""
        self.say()
        self.say(self.paint(text, bold=True))

    def paint(self, text: str, **style: bool | str) -> str:
        """Return the text in a style, if colours are used."""
        return click.style(text, **style) if self.colour else text  # type: ignore[arg-type]

    def _showable(self, text: str) -> str:
        """Return the text with only those characters that the terminal can show.

        Python writes UTF-8 even in the locale C.
        """
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
        elif sys.platform == "win32":  # for an old console
            self._out.flush()
            os.system("cls")
        else:
            self._out.flush()

    # ------------------------------------------------------------------ in

    def ask(self, prompt: str, *, careful: bool = False, help: Sequence[str] = ()) -> str:
        """Ask for a line and return it without spaces around it.

        Raises `Leave` at the end of input, `Interrupted` at Ctrl-C.

        At a terminal, empty lines that were typed before the question are ignored. With ``careful``, an Enter key that
        is being held down is ignored too. A question mark prints the lines in ``help`` and repeats the question.
        """
        while (answer := self._asked(prompt, careful=careful)) and help and (answer == "?" or answer in words("help")):
            for line in help:
                self.say(line)
        return answer

    def _asked(self, prompt: str, *, careful: bool) -> str:
        self._waiting = True
        try:
            self.check()
            self._keyboard.forget_enter()
            while True:
                self._out.write(f"{self._showable(prompt)} ")
                self._out.flush()
                line = self._keyboard.line()
                if not (self._keyboard.is_held(line) and careful):
                    break
                self._keyboard.forget_enter()
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
        """Let SIGTERM and SIGHUP raise `Leave`, and SIGINT raise `Interrupted`, but only during questions.

        Signals never interrupt a move or a save. Instead, they take effect at the next question.
        """
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


def _takes_escapes(term: str | None) -> bool:
    """Return whether a terminal understands escape sequences. On Windows, there is no ``TERM``, so ask the console."""
    if (term or "").lower() in {"dumb", "unknown"}:
        return False
    if sys.platform == "win32":
        return enable_escapes()
    return True


def _reconfigure(stream: TextIO, **settings: str | None) -> None:
    """Configure a stream, if it allows this. A stream in memory has no encoding."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(**settings)  # type: ignore[arg-type]


def _shown_encoding(is_terminal: bool) -> str | None:
    """Return the encoding of the characters that the terminal can show, or None if that is all Python writes.

    Python writes UTF-8 even in the locale C. A pipe isn't a terminal and gets the encoding that was set for it.
    """
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


OUTPUT: Final = -11
"""The number with which a Windows process asks for the handle of standard output."""
PROCESSES_ESCAPES: Final = 4


def enable_escapes(system: Any = None) -> bool:
    """Make the Windows console accept escape sequences, and return whether it does.

    ``system`` replaces kernel32 in tests.
    """
    try:
        kernel = system or ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
        handle, mode = kernel.GetStdHandle(OUTPUT), ctypes.c_uint()
        if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
            return True  # not a Windows console but a different kind of terminal, such as Git's
        return bool(kernel.SetConsoleMode(handle, mode.value | PROCESSES_ESCAPES))
    except (AttributeError, OSError):
        return False
