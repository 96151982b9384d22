"""Loading the rules behind the back of somebody who reads the first question."""

import threading

from millebornes.i18n import Translator
from millebornes.tui.plain.console import Console

__all__ = ["WarmUp"]


class WarmUp:
    """Loads the compiled rules in a thread, or compiles them the first time, which takes seconds."""

    def __init__(self) -> None:
        self._compiling = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="warm-up", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            from millebornes.game import prepare

            prepare(self._compiling.set)
        except BaseException as error:  # told in the main thread, by wait()
            self._error = error

    def wait(self, console: Console, _: Translator) -> None:
        """Return when the rules are there, saying so if it takes long. Raises its error, or as `Console.check`."""
        told = False
        while self._thread.is_alive():
            self._thread.join(0.02)
            if self._compiling.is_set() and self._thread.is_alive() and not told:
                console.say(_("Preparing the rules (first time only) …"))
                console.flush()
                told = True
            console.check()
        if self._error is not None:
            raise self._error

    @property
    def is_busy(self) -> bool:
        """Whether it is still at work."""
        return self._thread.is_alive()
