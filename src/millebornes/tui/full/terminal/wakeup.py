"""Wake the event loop when a signal arrives, no matter which thread receives it."""

import asyncio
import contextlib
import os
import signal

__all__ = ["Wakeup"]

CHUNK = 4096


class Wakeup:
    """While this object is open, every signal wakes the event loop. Set the signal handlers with `signal.signal`.

    Python runs signal handlers in the main thread, but the system may deliver a signal to another thread, for example
    after a stop (Ctrl-Z). The main thread then keeps waiting for events. Without this class, nothing would happen until
    the next key, and if the handler is what starts reading keys, there would be no next key.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Raises `ValueError` outside the main thread, and `NotImplementedError` if the loop can't watch a pipe."""
        if not hasattr(os, "set_blocking"):  # on Windows, before Python 3.12
            raise NotImplementedError
        self._loop = loop
        self._reads, self._writes = os.pipe()
        os.set_blocking(self._reads, False)
        os.set_blocking(self._writes, False)
        try:
            loop.add_reader(self._reads, self._drain)
            self._before = signal.set_wakeup_fd(self._writes, warn_on_full_buffer=False)
        except (NotImplementedError, ValueError):
            self._close_pipe()
            raise

    def close(self) -> None:
        """Restore the previous handling of signals."""
        signal.set_wakeup_fd(self._before)
        self._close_pipe()

    def _close_pipe(self) -> None:
        with contextlib.suppress(NotImplementedError):
            self._loop.remove_reader(self._reads)
        os.close(self._reads)
        os.close(self._writes)

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._reads, CHUNK)
