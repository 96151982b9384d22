"""The driver between Textual and the terminal, which extends Textual's own driver."""

import contextlib
import os
import select
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, Any, Final

from textual.driver import Driver

from millebornes.tui.full.app import FullScreenApp

__all__ = ["Outlet", "say_last", "terminal_driver", "watch"]

GLANCE: Final = 1.0
"""The seconds between two checks of whether the terminal still has to be watched."""

LISTEN: Final = 0.1
"""The seconds between two checks of whether the app still wants keys.

A silence of this length also ends an unfinished sequence.
"""

CHUNK: Final = 4096
"""The maximum number of bytes to read at once."""


HangUp = Callable[[float], bool]
"""A function that waits for a number of seconds.

It returns whether the other side of the terminal closed in that time.
"""


def watch(fileno: int) -> HangUp:
    """Return the function with which this system can detect that the other side of a terminal has closed."""
    if hasattr(select, "kqueue"):  # on macOS, poll reports only errors for terminals and no hang-ups
        return _watch_by_kqueue(fileno)
    return _watch_by_poll(fileno) if hasattr(select, "poll") else _watch_by_asking(fileno)


def _watch_by_poll(fileno: int) -> HangUp:
    poll = select.poll()
    poll.register(fileno, 0)  # a hang-up is always reported
    return lambda seconds: bool(poll.poll(1000 * seconds))


def _watch_by_kqueue(fileno: int) -> HangUp:
    """Watch with kqueue. Because it keeps reporting keys that are waiting, it is checked only now and then."""
    ask = _watch_by_asking(fileno)
    try:
        queue = select.kqueue()  # type: ignore[attr-defined,unused-ignore]
        wanted = select.kevent(  # type: ignore[attr-defined,unused-ignore]
            fileno,
            select.KQ_FILTER_READ,  # type: ignore[attr-defined,unused-ignore]
            select.KQ_EV_ADD,  # type: ignore[attr-defined,unused-ignore]
        )
        queue.control([wanted], 0, 0)
    except OSError:  # this terminal can't be watched
        return ask

    def hung_up(seconds: float) -> bool:
        if ask(seconds):
            return True
        try:
            found = queue.control([], 1, 0)
        except OSError:
            return True
        return any(event.flags & select.KQ_EV_EOF for event in found)  # type: ignore[attr-defined,unused-ignore]

    return hung_up


def _watch_by_asking(fileno: int) -> HangUp:
    """Watch by reading the terminal's attributes, which fails once the terminal has disappeared."""

    def hung_up(seconds: float) -> bool:
        import termios

        time.sleep(seconds)
        try:
            termios.tcgetattr(fileno)
        except (termios.error, OSError):
            return True
        return False

    return hung_up


class Outlet:
    """A terminal to write to. When it disappears, further output is dropped, and ``gone`` is called once.

    Textual writes in a thread with a short queue. An error would end that thread. The app would then wait forever to
    deliver its next frame, and ignore every signal.
    """

    def __init__(self, file: IO[str], gone: Callable[[], object]) -> None:
        self._file = file
        self._tell = gone
        self._gone = False

    def write(self, text: str) -> int:
        """Write some text, as long as the terminal exists."""
        self._while_there(lambda: self._file.write(text))
        return len(text)

    def flush(self) -> None:
        """Flush the output, as long as the terminal exists."""
        self._while_there(self._file.flush)

    def fileno(self) -> int:
        """Return the file descriptor."""
        return self._file.fileno()

    def isatty(self) -> bool:
        """Return whether the file is a terminal."""
        return self._file.isatty()

    def _while_there(self, act: Callable[[], object]) -> None:
        if self._gone:
            return
        try:
            act()
        except OSError:
            self._gone = True
            self._tell()


def terminal_driver() -> type[Driver] | None:
    """Return Textual's driver for POSIX terminals with three changes, or None on other systems.

    `millebornes.tui.full.textual_private` describes the problems in Textual's own driver and links to their reports.

    This driver draws on standard output if standard error is redirected. The driver accepts any bytes from a terminal
    and ignores bytes without a meaning. If the terminal disappears without a signal, the app saves and leaves, and
    doesn't wait for keys that will never come.
    """
    if sys.platform == "win32":
        return None
    from textual import constants
    from textual.drivers.linux_driver import LinuxDriver

    from millebornes.tui.full.terminal.reports import Interpreter
    from millebornes.tui.full.terminal.scanner import Scanner, Token
    from millebornes.tui.full.textual_private import draw_on, output_of

    listen = min(LISTEN, constants.ESCAPE_DELAY)

    class TerminalDriver(LinuxDriver):
        def __init__(self, app: FullScreenApp, **more: Any) -> None:
            super().__init__(app, **more)
            self._lost = app.terminal_gone
            out, file = sys.__stdout__, output_of(self)
            if out is not None and out.isatty() and (file is None or not file.isatty()):
                file = out
            if file is not None:
                draw_on(self, Outlet(file, self._lost))

        def run_input_thread(self) -> None:
            over = threading.Event()
            threading.Thread(target=self._watch, args=(over,), name="terminal-watch", daemon=True).start()
            try:
                self._read()
            except OSError:
                pass
            finally:
                over.set()
                if not self.exit_event.is_set():
                    self._lost()

        def _read(self) -> None:
            """Read until the app no longer wants keys or the terminal disappears.

            Silence counts only if there is nothing to read. On a busy machine, the rest of a sequence may already have
            been waiting for a long time.
            """
            scanner, interpreter, latest = Scanner(), Interpreter(), time.monotonic()
            while not self.exit_event.is_set():
                tokens: list[Token]
                if select.select([self.fileno], [], [], listen)[0]:
                    data = os.read(self.fileno, CHUNK)
                    if not data:
                        return
                    tokens, latest = scanner.feed(data), time.monotonic()
                else:
                    tokens = scanner.idle(time.monotonic() - latest)
                for token in tokens:
                    for event in interpreter.messages(token):
                        self.process_message(event)

        def _watch(self, over: threading.Event) -> None:
            """Watch for the other side of the terminal to close, which the code that reads keys wouldn't notice."""
            hung_up = watch(self.fileno)
            while not over.is_set():
                if hung_up(GLANCE):
                    self._lost()
                    return

    return TerminalDriver


def say_last(text: str) -> None:
    """Print some text on the restored terminal. Nothing happens if the terminal has disappeared."""
    try:
        print(text, end="\n" if text else "", flush=True)
    except OSError:  # otherwise the same text would be written again when the process exits
        nowhere = os.open(os.devnull, os.O_WRONLY)
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nowhere, sys.stdout.fileno())
