"""The terminal: drawn on where somebody looks, and missed when it goes away."""

import sys
from typing import Any

from textual.driver import Driver

__all__ = ["terminal_driver"]


def terminal_driver() -> type[Driver] | None:
    """Textual's driver for POSIX terminals with two habits of this game; None elsewhere, where the usual one will do.

    It draws on standard output where standard error has been sent elsewhere. And when the terminal has gone away
    without a signal it tells the app to save and leave, rather than waiting for keys that cannot come.
    """
    if sys.platform == "win32":
        return None
    from textual.drivers.linux_driver import LinuxDriver

    class TerminalDriver(LinuxDriver):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            out = sys.__stdout__
            if out is not None and out.isatty() and (self._file is None or not self._file.isatty()):
                self._file = out

        def run_input_thread(self) -> None:
            try:
                super().run_input_thread()
            except OSError:
                pass
            finally:
                gone = getattr(self._app, "terminal_gone", None)
                if gone is not None and not self.exit_event.is_set():
                    gone()

    return TerminalDriver
