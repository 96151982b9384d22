"""Threads for requests that take long to answer. The addresses take turns, and each has a budget of CPU time."""

import asyncio
import contextvars
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.fair_queue import FairQueue, QueueFull
from millebornes.web.tables.limits import Limits

THREADS: Final = 1
"""More would only compete for the interpreter with the thread that answers all other requests."""
MAX_WAITING: Final = 256
MAX_OWN: Final = 32
"""At most this many requests of one address can wait. Browsers send at most six at a time."""
SOON: Final = 2
"""If too many requests are waiting, people should try again in this many seconds."""
BUDGET: Final = "pages"

Value = TypeVar("Value")
_Ready = asyncio.Future[None]


class FairThreads:
    """A pool of threads. ``limits`` has the budgets for the CPU time that is used here."""

    def __init__(self, limits: Limits) -> None:
        self._limits: Final = limits
        self._pool: Final = ThreadPoolExecutor(THREADS, thread_name_prefix="pages")
        self._turns: Final[FairQueue[_Ready]] = FairQueue(MAX_WAITING, MAX_OWN)
        self._busy = 0

    async def run(self, owner: str, work: Callable[[], Value]) -> Value:
        """Return what ``work`` returns in a thread, when it is the turn of its owner, which is an address.

        Raises `ApiError` if the address has used up its budget, or if too many requests are waiting.
        """
        self._limits.check(BUDGET, owner)
        loop = asyncio.get_running_loop()
        ready: _Ready = loop.create_future()
        try:
            dropped = self._turns.add(owner, ready)
        except QueueFull as full:
            raise _busy(is_own=full.is_own) from None
        if dropped is not None and not dropped.done():
            dropped.set_exception(_busy(is_own=True))
        self._go_on()
        try:
            await ready
        except BaseException:
            self._turns.remove(ready)
            if ready.done() and not ready.cancelled() and ready.exception() is None:
                self._leave()
            raise
        context = contextvars.copy_context()

        def timed() -> Value:
            begun = time.thread_time()
            try:
                return context.run(work)
            finally:
                spent = time.thread_time() - begun
                loop.call_soon_threadsafe(self._limits.charge, BUDGET, owner, spent)

        doing = loop.run_in_executor(self._pool, timed)
        doing.add_done_callback(lambda _done: self._leave())
        return await asyncio.shield(doing)

    def close(self) -> None:
        """Start nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _leave(self) -> None:
        self._busy -= 1
        self._go_on()

    def _go_on(self) -> None:
        while self._busy < THREADS and self._turns:
            ready = self._turns.take().name
            if not ready.done():
                self._busy += 1
                ready.set_result(None)


def _busy(*, is_own: bool) -> ApiError:
    who = "this address" if is_own else "this server"
    text = f"{who} has too many requests at once; try again in about {SOON} seconds"
    return ApiError(429, "too_many", text, SOON) if is_own else ApiError(503, "busy", text, SOON)
