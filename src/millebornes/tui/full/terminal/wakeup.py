"""Waking the event loop for a signal, whichever thread the system hands it to."""

import asyncio
import contextlib
import os
import signal

__all__ = ["Wakeup"]

CHUNK = 4096


class Wakeup:
    """As long as it is open, each signal wakes the loop; handlers are those of `signal.signal`.

    Python runs them in the main thread. A signal that the system hands to another thread, as it may do after a stop
    (Control-Z), does not end the main thread's wait for events. So without this nothing would happen until the next
    key, and there are no keys where the handler is what begins to read them.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Raises `ValueError` outside the main thread, `NotImplementedError` where the loop cannot watch a pipe."""
        if not hasattr(os, "set_blocking"):  # Windows, before Python 3.12
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
        """Leave signals as they were."""
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
