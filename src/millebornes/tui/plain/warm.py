"""Loading what is compiled behind the back of somebody who reads the first question, or while they wait."""

import threading
from collections.abc import Callable

from millebornes.tui.plain.console import Console

__all__ = ["WarmUp"]


class WarmUp:
    """Work in a thread. What takes seconds the first time calls what it is given before; then ``text`` is said."""

    def __init__(self, work: Callable[[Callable[[], None]], None], text: str) -> None:
        self._work = work
        self._text = text
        self._compiling = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="warm-up", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._work(self._compiling.set)
        except BaseException as error:  # told in the main thread, by wait()
            self._error = error

    def wait(self, console: Console) -> None:
        """Return when it is done, saying so if it takes long. Raises its error, or as `Console.check`."""
        told = False
        while self._thread.is_alive():
            self._thread.join(0.02)
            if self._compiling.is_set() and self._thread.is_alive() and not told:
                console.say(self._text)
                console.flush()
                told = True
            console.check()
        if self._error is not None:
            raise self._error
