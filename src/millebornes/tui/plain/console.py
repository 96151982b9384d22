"""The terminal as this game sees it: lines out, lines in; nothing that a screen reader could stumble over."""

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
"""Characters of a typed line that are looked at."""

_HARD_SPACE = "\ue000"  # for a private use: no text has it
_FRENCH_SPACE = re.compile(r" (?=[:;!?»])|(?<=«) ")

CHUNK = 1 << 16
"""Characters of what is left of a longer line that are passed over at once."""

HIDING_LINES = 60

NARROWEST = 20
"""Columns below which lines are not broken any further."""


class Leave(Exception):
    """The input has ended, or the program was told to end: save and leave. ``why`` is ``"eof"`` or ``"signal"``."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Interrupted(Exception):
    """Ctrl-C was pressed at a question."""


class Console:
    """Says lines and asks for them. Colours only on a terminal, and not where NO_COLOR is set."""

    def __init__(self, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        # Without standard input there is nothing to read, without standard output nobody to tell.
        self._in: TextIO = stdin or sys.stdin or io.StringIO()
        self._out: TextIO = stdout or sys.stdout or io.StringIO()
        # Bytes that are no text are a mistyped line, not the end of the program.
        _reconfigure(self._in, errors="replace")
        # What the encoding lacks is written with other letters.
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
        """Columns of a line; 80 where there is no screen."""
        return max(shutil.get_terminal_size().columns - 1, NARROWEST) if self.is_terminal else 80

    @property
    def has_symbols(self) -> bool:
        """Whether all characters can be shown."""
        return self._encoding is None

    # ------------------------------------------------------------------ out

    def say(self, text: str = "") -> None:
        """A line (or several); on a screen, lines that are too long break between words."""
        text = self._showable(text)
        if self.is_terminal:
            width = max(shutil.get_terminal_size().columns - 1, NARROWEST)
            text = "\n".join(_broken(line, width) for line in text.split("\n"))
        self._out.write(f"{text}\n")

    def heading(self, text: str) -> None:
        """A line that begins something new, after an empty one."""
        self.say()
        self.say(self.paint(text, bold=True))

    def paint(self, text: str, **style: bool | str) -> str:
        """The text in a style, where there are colours."""
        return click.style(text, **style) if self.colour else text  # type: ignore[arg-type]

    def _showable(self, text: str) -> str:
        """The text in what the terminal can show, which Python writes as UTF-8 even where the locale is C."""
        text = visible(text, styled=self.colour)
        return text if self._encoding is None else respelled(text, self._encoding)

    def hide(self) -> None:
        """Push everything out of sight before another person looks; only where there is a screen."""
        if not self.is_terminal:
            return
        lines = max(HIDING_LINES, shutil.get_terminal_size().lines)
        self._out.write("\n" * lines)
        # The lines scrolled away must not be there to scroll back to.
        if self._has_escapes:
            self._out.write("\x1b[H\x1b[2J\x1b[3J")
            self._out.flush()
        elif sys.platform == "win32":  # an old console
            self._out.flush()
            os.system("cls")
        else:
            self._out.flush()

    # ------------------------------------------------------------------ in

    def ask(self, prompt: str, *, careful: bool = False, help: Sequence[str] = ()) -> str:
        """Ask for a line; blanks around it are removed. Raises `Leave` at the end of input, `Interrupted` at Ctrl-C.

        An empty line that was typed at the terminal before is no answer. With ``careful`` one from an Enter that is
        held down is none either. ``help`` are the lines that a question mark shows, before the question is put again.
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
        except OSError:  # a terminal that has gone away
            line = ""
        finally:
            self._waiting = False
        if not line:
            self._out.write("\n")
            raise Leave("eof")
        if not self.is_terminal or not self._in.isatty():
            self._out.write("\n")  # nobody's typing ends the line of the prompt
        return line[:LONGEST].strip(" \t\r\n")

    def _read(self) -> str:
        """A line, or as much of it as is looked at: what somebody pours into a pipe need not fit into memory."""
        line = self._in.readline(LONGEST + 1)
        rest = line
        while rest and not rest.endswith("\n"):
            rest = self._in.readline(CHUNK)
        return line

    def check(self) -> None:
        """Raise what a signal left behind while nobody was being asked: `Leave` or `Interrupted`."""
        if self._leave:
            raise Leave("signal")
        if self._interrupted:
            self._interrupted = False
            raise Interrupted

    def flush(self) -> None:
        """See everything said on its way."""
        self._out.flush()

    @contextlib.contextmanager
    def signals(self) -> Iterator[None]:
        """Within: SIGTERM and SIGHUP raise `Leave`, SIGINT raises `Interrupted`, both only at questions.

        Never in the middle of a move or a save; what comes then is raised at the next question.
        """
        before: dict[int, Any] = {}
        for name, handler in (("SIGTERM", self._on_end), ("SIGHUP", self._on_end), ("SIGINT", self._on_interrupt)):
            number = getattr(signal, name, None)
            if number is not None:
                with contextlib.suppress(ValueError):  # not the main thread
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
    """Whether a terminal takes escape sequences: on Windows, which has no ``TERM``, the console is asked."""
    if (term or "").lower() in {"dumb", "unknown"}:
        return False
    if sys.platform == "win32":
        return enable_escapes()
    return True


def _reconfigure(stream: TextIO, **settings: str | None) -> None:
    """Set up a stream, where it can be: one that holds texts in memory has no encoding."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(**settings)  # type: ignore[arg-type]


def _shown_encoding(is_terminal: bool) -> str | None:
    """The encoding of what can be shown where Python writes more: UTF-8 even where the locale is C. None: everything.

    A pipe is nobody's terminal, and takes what it was said to take.
    """
    encoding = repertoire()
    if is_terminal:
        return encoding
    declared = os.environ.get("PYTHONIOENCODING") or os.environ.get("PYTHONUTF8")
    return PLAIN if encoding == PLAIN and not declared else None


def _broken(line: str, width: int) -> str:
    """The line broken between words, its later parts set in like its text."""
    if len(line) <= width or "\x1b" in line:
        return line
    start = len(line) - len(line.lstrip())
    kept = _FRENCH_SPACE.sub(_HARD_SPACE, line)  # no line begins with a colon, in ASCII neither
    filled = textwrap.fill(kept, width, subsequent_indent=" " * (start + 2), break_on_hyphens=False)
    return filled.replace(_HARD_SPACE, " ")


OUTPUT: Final = -11
"""The number of standard output among the handles of a process."""
PROCESSES_ESCAPES: Final = 4


def enable_escapes(system: Any = None) -> bool:
    """Have the console take escape sequences; whether it does. ``system`` is kernel32, by default the real one."""
    try:
        kernel = system or ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
        handle, mode = kernel.GetStdHandle(OUTPUT), ctypes.c_uint()
        if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
            return True  # no console of Windows but a terminal of another kind, such as that of Git
        return bool(kernel.SetConsoleMode(handle, mode.value | PROCESSES_ESCAPES))
    except (AttributeError, OSError):
        return False
