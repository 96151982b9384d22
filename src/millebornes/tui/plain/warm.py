"""Load compiled code in the background while a player reads the first question."""

import threading
from collections.abc import Callable

from millebornes.tui.plain.console import Console


class WarmUp:
    """A task in a thread. If it has to compile code, which takes a few seconds, ``text`` is printed once."""

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
        except BaseException as error:  # wait() raises this error in the main thread
            self._error = error

    def wait(self, console: Console) -> None:
        """Return when the task is done. Raises its error, and whatever `Console.check` raises."""
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
