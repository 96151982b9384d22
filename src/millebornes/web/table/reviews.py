"""Reviews of finished hands.

The pages of the hands request them, a separate process makes them one by one, and the server keeps them.
"""

import asyncio
import collections
import contextlib
import functools
import logging
import multiprocessing
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from millebornes.web.errors import ApiError
from millebornes.web.table.reviewer import Failed, HintOrder, Judging, Order, serve_orders, unpacked

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from millebornes.analysis.match_review import Review
    from millebornes.game import Match

__all__ = ["HandName", "ReviewProgress", "Reviews", "Worker"]

MAX_WAITING: Final = 8
"""The number of reviews that can wait while another one is being made."""
MAX_BYTES: Final = 16 << 20
"""The bytes of packed reviews in memory, about 30 KB each. A dropped review can be made again, with the same result."""
MAX_FAILED: Final = 1000
IDLE_AFTER: Final = 60.0
"""The seconds without requests after which the process ends."""

_log = logging.getLogger(__name__)


class HandName(NamedTuple):
    """The name of a hand: its table, the number of its match there and its number in the match, both from 1."""

    table: str
    match: int
    hand: int


class ReviewProgress(NamedTuple):
    """The progress of a review: ``before`` reviews come first, and ``done`` of ``total`` decisions are judged.

    ``total`` is 0 while the review starts.
    """

    before: int
    done: int
    total: int


class _Lost(Exception):
    """The reviewer process has ended."""


class Reviews:
    """The reviews of a server. Each one is made only once, for all its readers. Call all methods from the event loop.

    ``worlds`` is the maximum number of simulations for a decision and for its luck.
    """

    def __init__(self, worlds: tuple[int, int]) -> None:
        self._worlds: Final = worlds
        self._made: Final[collections.OrderedDict[HandName, bytes]] = collections.OrderedDict()
        self._bytes = 0
        self._wanted: Final[dict[HandName, Match]] = {}
        """The reviews to make, in order. The first one is in progress."""
        self._judging = Judging(0, 0)
        self._failed: Final[dict[HandName, None]] = {}
        self._work: asyncio.Task[None] | None = None
        self._wake: Final = asyncio.Event()
        self._worker: Final = Worker("reviewer")

    def ask(self, name: HandName, match: "Match") -> None:
        """Request a review of a hand, unless it is done or in progress. Raises `ApiError` (busy)."""
        if name in self._made or name in self._wanted:
            return
        if len(self._wanted) > MAX_WAITING:
            raise ApiError(503, "busy", "too many reviews are wanted at the moment; try again in a minute", 60)
        self._failed.pop(name, None)
        self._wanted[name] = match
        self._wake.set()
        if self._work is None or self._work.done():
            self._work = asyncio.get_running_loop().create_task(self._make_all())

    def found(self, name: HandName) -> "Review | None":
        """Return the review of a hand, or None if it has not been made."""
        data = self._made.get(name)
        if data is None:
            return None
        self._made.move_to_end(name)
        return _opened(data)

    def progress(self, name: HandName) -> ReviewProgress | None:
        """Return the progress of a review, or None if it is not being made."""
        for before, other in enumerate(self._wanted):
            if other == name:
                return ReviewProgress(before, *(Judging(0, 0) if before else self._judging))
        return None

    def has_failed(self, name: HandName) -> bool:
        """Return whether a review failed."""
        return name in self._failed

    async def close(self) -> None:
        """Stop making reviews and end the process."""
        if self._work is not None:
            self._work.cancel()
        await asyncio.to_thread(self._worker.close)
        if self._work is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._work

    # ------------------------------------------------------------------ making

    async def _make_all(self) -> None:
        """Make the requested reviews. After a while without requests, end the process."""
        while True:
            while self._wanted:
                name, match = next(iter(self._wanted.items()))
                self._judging = Judging(0, 0)
                try:
                    self._keep(name, await self._make(Order(match, name.hand, self._worlds)))
                except Exception as error:
                    _log.warning("the review of a hand at table %s failed: %s", name.table, error)
                    self._fail(name)
                finally:
                    del self._wanted[name]
            self._wake.clear()
            try:
                # In Python 3.11, `wait_for` can swallow the cancellation of the task.
                async with asyncio.timeout(IDLE_AFTER):
                    await self._wake.wait()
            except TimeoutError:
                await asyncio.to_thread(self._worker.end)
                if not self._wanted:
                    return

    async def _make(self, order: Order) -> bytes:
        loop = asyncio.get_running_loop()

        def report(judging: Judging) -> None:
            loop.call_soon_threadsafe(self._advance, judging)

        return await asyncio.to_thread(self._worker.do, order, report)

    def _advance(self, judging: Judging) -> None:
        self._judging = judging

    def _keep(self, name: HandName, data: bytes) -> None:
        self._made[name] = data
        self._bytes += len(data)
        while self._bytes > MAX_BYTES and len(self._made) > 1:
            self._bytes -= len(self._made.popitem(last=False)[1])

    def _fail(self, name: HandName) -> None:
        self._failed[name] = None
        if len(self._failed) > MAX_FAILED:
            del self._failed[next(iter(self._failed))]


@functools.lru_cache(maxsize=8)
def _opened(data: bytes) -> "Review":
    return unpacked(data)


class Worker:
    """A process that reviews or makes hints, started when it is needed. Its methods block, so call them in threads."""

    def __init__(self, name: str) -> None:
        self._name: Final = name
        self._lock: Final = threading.Lock()
        self._process: BaseProcess | None = None
        self._orders: Connection[Order | HintOrder, Judging | Failed | bytes] | None = None
        self._is_closed = False

    def do(self, order: Order | HintOrder, report: Callable[[Judging], object]) -> bytes:
        """Return the packed answer to an order. Raises `_Lost` if the process ends or is closed meanwhile."""
        try:
            orders = self._begun()
            orders.send(order)
            while isinstance(answer := orders.recv(), Judging):
                report(answer)
        except (EOFError, OSError, RuntimeError) as error:  # RuntimeError: the loop that receives reports has ended
            self.end()
            raise _Lost(f"its process has ended ({type(error).__name__})") from None
        if isinstance(answer, Failed):
            raise _Lost(answer.reason)
        return answer

    def _begun(self) -> "Connection[Order | HintOrder, Judging | Failed | bytes]":
        with self._lock:
            if self._is_closed:
                raise _Lost("the server ends")
            if self._process is None or self._orders is None or not self._process.is_alive():
                context = multiprocessing.get_context("spawn")  # forking a process that has threads can make it hang
                self._orders, theirs = context.Pipe()
                self._process = context.Process(target=serve_orders, args=(theirs,), name=self._name, daemon=True)
                self._process.start()
                theirs.close()
            return self._orders

    def end(self) -> None:
        """End the process, even if it is busy."""
        with self._lock:
            process, self._process, self._orders = self._process, None, None
        if process is not None:
            process.kill()
            process.join()
            process.close()

    def close(self) -> None:
        """End the process, and start no other."""
        with self._lock:
            self._is_closed = True
        self.end()
