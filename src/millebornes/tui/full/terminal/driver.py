"""The driver between Textual and the terminal, which extends Textual's own driver."""

import contextlib
import os
import select
import sys
import time
from collections.abc import Callable
from typing import IO, Any, Final, Protocol, cast

from textual.app import App
from textual.driver import Driver

LISTEN: Final = 0.1
"""The seconds between two checks of whether the app still wants keys, and of a silence that ends a sequence."""

CHUNK: Final = 4096  # the maximum number of bytes to read at once


class _Ending(Protocol):
    """An app that ends when it is told that its terminal is gone."""

    def terminal_gone(self) -> None: ...


class Outlet:
    """A terminal to write to. When it disappears, further output is dropped, and ``gone`` is called once.

    An error would end the thread in which Textual writes. The app would then wait forever to deliver its next frame.
    """

    def __init__(self, file: IO[str], gone: Callable[[], object]) -> None:
        self._file = file
        self._gone = gone
        self._is_gone = False
        self.fileno = file.fileno
        self.isatty = file.isatty

    def write(self, text: str) -> None:
        """Write some text, as long as the terminal exists."""
        self._try(self._file.write, text)

    def flush(self) -> None:
        """Flush the output, as long as the terminal exists."""
        self._try(self._file.flush)

    def _try(self, act: Callable[..., object], *arguments: str) -> None:
        if self._is_gone:
            return
        try:
            act(*arguments)
        except OSError:
            self._is_gone = True
            self._gone()


def terminal_driver() -> type[Driver] | None:
    """Return Textual's driver for POSIX terminals with three changes, or None on other systems.

    It draws on standard output if standard error is redirected, survives any input, and tells the app when the terminal
    disappears. `millebornes.tui.full.terminal.textual_private` links to the reports of the problems.
    """
    if sys.platform == "win32":
        return None
    from textual import constants
    from textual.drivers.linux_driver import LinuxDriver

    from millebornes.tui.full.terminal.textual_private import InputReader, draw_on, output_of

    listen = min(LISTEN, constants.ESCAPE_DELAY)

    class TerminalDriver(LinuxDriver):
        def __init__(self, app: _Ending, **more: Any) -> None:
            super().__init__(cast("App[Any]", app), **more)
            self._lost = app.terminal_gone
            out, file = sys.__stdout__, output_of(self)
            if out is not None and out.isatty() and (file is None or not file.isatty()):
                file = out
            if file is not None:
                draw_on(self, Outlet(file, self._lost))

        def run_input_thread(self) -> None:
            try:
                self._read()
            except OSError:  # the other side of the terminal has closed
                pass
            finally:
                if not self.exit_event.is_set():
                    self._lost()

        def _read(self) -> None:
            """Read until the app no longer wants keys or the terminal disappears.

            Silence counts only if there is nothing to read: on a busy machine, the rest of a sequence may have been
            waiting.
            """
            reader, latest = InputReader(), time.monotonic()
            while not self.exit_event.is_set():
                if select.select([self.fileno], [], [], listen)[0]:
                    data = os.read(self.fileno, CHUNK)
                    if not data:
                        return
                    latest = time.monotonic()
                    messages = reader.feed(data)
                else:
                    messages = reader.idle(time.monotonic() - latest)
                for message in messages:
                    self.process_message(message)

    return TerminalDriver


def say_last(text: str) -> None:
    """Print some text on the restored terminal. Nothing happens if the terminal has disappeared."""
    try:
        print(text, end="\n" if text else "", flush=True)
    except OSError:  # otherwise the same text would be written again when the process exits
        nowhere = os.open(os.devnull, os.O_WRONLY)
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nowhere, sys.stdout.fileno())
