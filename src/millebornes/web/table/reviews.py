"""Reviews of finished hands: asked for on their pages, made one after another in a process of their own, and kept."""

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
from millebornes.web.table.reviewer import Failed, Judging, Order, serve_orders, unpacked

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from millebornes.analysis.match_review import Review
    from millebornes.game import Match

__all__ = ["HandName", "ReviewProgress", "Reviews"]

MAX_WAITING: Final = 8
"""Reviews that may wait for the one that is being made."""
MAX_BYTES: Final = 16 << 20
"""Of packed reviews in memory; one has some 30 KB. What is let go can be asked for again, and comes out the same."""
MAX_FAILED: Final = 1000
IDLE_AFTER: Final = 60.0
"""Seconds after which the process ends that nobody asks anything."""

_log = logging.getLogger(__name__)


class HandName(NamedTuple):
    """A hand: its table, the number of the match there and its own number in it, both from 1."""

    table: str
    match: int
    hand: int


class ReviewProgress(NamedTuple):
    """How far a review is: ``before`` others are made first, and ``done`` of ``total`` decisions are judged.

    While it begins, ``total`` is 0.
    """

    before: int
    done: int
    total: int


class _Lost(Exception):
    """The process of the reviewer has ended."""


class Reviews:
    """The reviews of a server. Each is made once, however many ask for it; all methods belong to the event loop.

    ``worlds`` are the most worlds for a decision and for its luck.
    """

    def __init__(self, worlds: tuple[int, int]) -> None:
        self._worlds: Final = worlds
        self._made: Final[collections.OrderedDict[HandName, bytes]] = collections.OrderedDict()
        self._bytes = 0
        self._wanted: Final[dict[HandName, Match]] = {}
        """In the order in which they are made; the first one is being made."""
        self._judging = Judging(0, 0)
        self._failed: Final[dict[HandName, None]] = {}
        self._work: asyncio.Task[None] | None = None
        self._wake: Final = asyncio.Event()
        self._worker: Final = _Worker()

    def ask(self, name: HandName, match: "Match") -> None:
        """Have a hand of a match reviewed, unless that is done or being done. Raises `ApiError` (busy)."""
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
        """The review of a hand, where it has been made."""
        data = self._made.get(name)
        if data is None:
            return None
        self._made.move_to_end(name)
        return _opened(data)

    def progress(self, name: HandName) -> ReviewProgress | None:
        """How far a review is; None where it is not being made."""
        for before, other in enumerate(self._wanted):
            if other == name:
                return ReviewProgress(before, *(Judging(0, 0) if before else self._judging))
        return None

    def has_failed(self, name: HandName) -> bool:
        """Whether a review could not be made."""
        return name in self._failed

    async def close(self) -> None:
        """Make no more; the process is gone afterwards."""
        if self._work is not None:
            self._work.cancel()
        await asyncio.to_thread(self._worker.close)
        if self._work is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._work

    # ------------------------------------------------------------------ making

    async def _make_all(self) -> None:
        """Make what is wanted; when nothing has been for a while, the process ends."""
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
                # Python 3.11's `wait_for` may swallow that the task is cancelled.
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


class _Worker:
    """The process, started when there is something to do; its methods wait, so they belong in threads."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._process: BaseProcess | None = None
        self._orders: Connection[Order, Judging | Failed | bytes] | None = None
        self._is_closed = False

    def do(self, order: Order, report: Callable[[Judging], object]) -> bytes:
        """The packed review that is ordered. Raises `_Lost`, also where the process is closed meanwhile."""
        try:
            orders = self._begun()
            orders.send(order)
            while isinstance(answer := orders.recv(), Judging):
                report(answer)
        except (EOFError, OSError, RuntimeError) as error:  # RuntimeError: the loop that hears of it has ended
            self.end()
            raise _Lost(f"its process has ended ({type(error).__name__})") from None
        if isinstance(answer, Failed):
            raise _Lost(answer.reason)
        return answer

    def _begun(self) -> "Connection[Order, Judging | Failed | bytes]":
        with self._lock:
            if self._is_closed:
                raise _Lost("the server ends")
            if self._process is None or self._orders is None or not self._process.is_alive():
                context = multiprocessing.get_context("spawn")  # to fork a process that has threads may hang it
                self._orders, theirs = context.Pipe()
                self._process = context.Process(target=serve_orders, args=(theirs,), name="reviewer", daemon=True)
                self._process.start()
                theirs.close()
            return self._orders

    def end(self) -> None:
        """End the process, whatever it is doing."""
        with self._lock:
            process, self._process, self._orders = self._process, None, None
        if process is not None:
            process.kill()
            process.join()
            process.close()

    def close(self) -> None:
        """End it, and start no other."""
        with self._lock:
            self._is_closed = True
        self.end()
