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
from types import FrameType, ModuleType
from typing import Any, Final, TextIO

import click

from millebornes.i18n import words
from millebornes.shown import in_ascii, visible
from millebornes.tui.common.glyphs import can_show_symbols

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

MOST_WRONG: Final = 20
"""After this many wrong answers in a row, input that isn't from a terminal will never fit."""

MOST_IDLE: Final = 1000
"""The same after this many answers since the last one that led to anything."""

_LINE_END: Final = re.compile(rb"\r\n?|\n")


class Leave(Exception):
    """Raised to save the game and leave. ``why`` says why.

    The input has ended ("eof"), the program was asked to end ("signal"), or a file or another program gives answers
    that never fit the questions ("stuck").
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
        if isinstance(self._in, io.TextIOWrapper):
            self._in.reconfigure(errors="replace")
        self.is_terminal = self._out.isatty()
        self._was_wrong = False
        """Whether the latest answer was wrong."""
        self._wrong_in_a_row = 0
        self._idle = 0
        """How many answers there were since the last one that led to anything."""
        self._ahead: list[str] = []
        """Lines that were typed before the question, if lines can be edited …"""
        self._begun = b""
        """… and the beginning of another one."""
        self._prompt = ""
        self._typed: str | None = None
        """A line that was typed before a question and counts as its answer."""
        self._asked_at = 0.0
        self._empty_at = 0.0
        """The time at which the previous line arrived, if it was empty."""
        self.has_symbols: Final = can_show_symbols(self._out.encoding)
        """Whether all characters can be shown, or only ASCII."""
        self._has_escapes = self.is_terminal and os.environ.get("TERM", "").lower() not in {"dumb", "unknown"}
        if sys.platform == "win32":
            os.system("")  # from then on, the console takes escape sequences
        self.colour = self._has_escapes and not os.environ.get("NO_COLOR")
        # `input` edits lines only on the program's own streams.
        is_own = self._in is sys.stdin and self._out is sys.stdout and self._in.isatty()
        self._editor: Final = _editor() if is_own and self._has_escapes else None
        self._modes: list[Any] = []
        """The modes of the terminal when no line is edited."""
        self._waiting = False
        self._leave = False
        self._interrupted = False

    @property
    def width(self) -> int:
        """The number of columns of a line, or 80 if the output isn't a terminal."""
        return max(shutil.get_terminal_size().columns - 1, NARROWEST) if self.is_terminal else 80

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
        return text if self.has_symbols else in_ascii(text)

    def hide(self) -> None:
        """Scroll everything out of sight before another person looks. If this isn't a terminal, do nothing."""
        if not self.is_terminal:
            return
        if self._editor is not None:
            self._editor.clear_history()  # which would show what the other person tried
        lines = max(HIDING_LINES, shutil.get_terminal_size().lines)
        self._out.write("\n" * lines)
        # People must not be able to scroll back to these lines.
        if self._has_escapes:
            self._out.write("\x1b[H\x1b[2J\x1b[3J")
        self._out.flush()

    # ------------------------------------------------------------------ in

    def ask(self, prompt: str, *, careful: bool = False, help: Sequence[str] = ()) -> str:
        """Ask for a line and return it without spaces around it.

        Raises `Leave` at the end of input or if answers that don't come from a terminal never fit, and `Interrupted` at
        Ctrl-C.

        At a terminal, lines can be edited, and the arrow keys bring back earlier lines. There, empty lines that were
        typed before the question are ignored. With ``careful``, an Enter key that is being held down is ignored too. A
        question mark prints the lines in ``help`` and repeats the question.
        """
        while (answer := self._asked(prompt, careful=careful)) and help and (answer == "?" or answer in words("help")):
            self.say_all(help)
        return answer

    def wrong(self, text: str) -> None:
        """Say what is wrong with the latest answer, before the question is repeated."""
        self.say(text)
        self._was_wrong = True

    def advance(self) -> None:
        """Note that the latest answer has led on."""
        self._idle = 0

    def _count(self) -> None:
        """Count the question. Raises `Leave` if no one is at a keyboard and the answers never fit."""
        self._wrong_in_a_row = self._wrong_in_a_row + 1 if self._was_wrong else 0
        self._was_wrong = False
        self._idle += 1
        if (self._wrong_in_a_row >= MOST_WRONG or self._idle > MOST_IDLE) and not self._in.isatty():
            raise Leave("stuck")

    def _asked(self, prompt: str, *, careful: bool) -> str:
        self._waiting = True
        try:
            self.check()
            self._count()
            self._prompt = f"{self._showable(prompt)} "
            while True:
                line = self._edited() if self._editor is not None else self._typed_line()
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

    def _typed_line(self) -> str:
        self._forget_enter()
        self._out.write(self._prompt)
        self._out.flush()
        line = self._read() if self._typed is None else self._typed
        self._typed = None
        return line

    def _edited(self) -> str:
        """Return a line from a person who can edit it, ending with a newline, or "" at the end of input."""
        self._look_ahead()
        self._out.flush()
        if self._ahead:
            line = self._ahead.pop(0)
            self._out.write(f"{self._prompt}{self._showable(line)}")
            self._out.flush()
            return line
        begun, self._begun = self._begun.decode(self._in.encoding, "replace"), b""
        assert self._editor is not None
        self._editor.set_startup_hook(lambda: _insert(self._editor, begun) if begun else None)
        try:
            return f"{input(self._prompt)}\n"
        except EOFError:
            return ""
        finally:
            self._editor.set_startup_hook(None)

    def _look_ahead(self) -> None:
        """Keep the lines that were typed before the question, except for empty ones, and an unfinished last line.

        The terminal may hold several lines, typed while another one was edited, in a single piece.
        """
        self._asked_at = time.monotonic()
        found = self._begun
        while select.select([self._in], [], [], 0)[0]:
            piece = os.read(self._in.fileno(), CHUNK)
            found += piece
            if not piece:  # the end of input
                if not found and not self._ahead:
                    self._ahead.append("")
                break
        *parts, self._begun = _LINE_END.split(found)
        lines = [part.decode(self._in.encoding, "replace") for part in parts]
        if not all(line.strip() for line in lines):
            self._empty_at = self._asked_at
        self._ahead += [f"{line}\n" for line in lines if line.strip()]

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
        handlers = {"SIGTERM": self._on_end, "SIGHUP": self._on_end, "SIGINT": self._on_interrupt}
        if self._editor is not None:
            handlers["SIGTSTP"] = self._on_stop
            self._modes = _modes(self._in)
        for name, handler in handlers.items():
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

    def _on_stop(self, number: int, frame: FrameType | None) -> None:
        """Leave the terminal as it was while the program is stopped with Ctrl-Z, and then show the question again."""
        if sys.platform == "win32":
            return
        import termios

        editing = _modes(self._in)
        termios.tcsetattr(self._in, termios.TCSADRAIN, self._modes)
        handler = signal.signal(number, signal.SIG_DFL)
        try:
            os.kill(os.getpid(), number)  # stops here until the program continues
        finally:
            signal.signal(number, handler)
        self._modes = _modes(self._in)
        termios.tcsetattr(self._in, termios.TCSADRAIN, editing)
        if self._waiting and self._editor is not None:
            sys.stdout.write(f"{self._prompt}{self._editor.get_line_buffer()}")
            sys.stdout.flush()


def _editor() -> ModuleType | None:
    """Return the library with which `input` edits lines, or None. Its history stays in memory."""
    try:
        import readline
    except ImportError:
        return None
    readline.parse_and_bind("set enable-bracketed-paste off")  # its escape sequences would precede every question
    return readline


def _insert(editor: Any, text: str) -> None:
    editor.insert_text(text)
    editor.redisplay()


def _modes(stream: TextIO) -> list[Any]:
    if sys.platform == "win32":
        return []
    import termios

    return termios.tcgetattr(stream)


def _broken(line: str, width: int) -> str:
    """Return the parts of a line that is broken between words. All parts but the first are indented like the text."""
    if len(line) <= width or "\x1b" in line:
        return line
    start = len(line) - len(line.lstrip())
    kept = _FRENCH_SPACE.sub(_HARD_SPACE, line)  # no line begins with a colon, even in ASCII
    filled = textwrap.fill(kept, width, subsequent_indent=" " * (start + 2), break_on_hyphens=False)
    return filled.replace(_HARD_SPACE, " ")
