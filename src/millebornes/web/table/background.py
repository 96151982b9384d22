"""Tasks that take seconds. A separate process carries them out, one at a time."""

import abc
import asyncio
import contextlib
import logging
import multiprocessing
import threading
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, ClassVar, Final, Generic, TypeVar

from millebornes.web.errors import ApiError
from millebornes.web.table.reviewer import Failed, HintOrder, Judging, Order, serve_orders

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

__all__ = ["Background"]

Name = TypeVar("Name", bound=Hashable)
Wanted = TypeVar("Wanted")

_log = logging.getLogger(__name__)


class Background(abc.ABC, Generic[Name, Wanted]):
    """A queue of requests, and the process that answers them. Call all methods from the event loop.

    Each request has a name, and ``wanted`` describes it. If several callers ask for the same request, it is carried out
    only once.
    """

    KIND: ClassVar[str]
    """What the process makes, in the singular. It is also the name of the process."""
    MAX_WAITING: ClassVar[int]
    """At most this many requests can wait while another request is carried out."""
    BUSY: ClassVar[str]
    """The code of the error if there are more requests."""
    IDLE_AFTER: ClassVar[float]
    """After this many seconds without requests, the process ends."""

    def __init__(self) -> None:
        self._wanted: Final[dict[Name, Wanted]] = {}
        """The requests, in order. The first request is being carried out."""
        self._judging = Judging(0, 0)
        self._work: asyncio.Task[None] | None = None
        self._wake: Final = asyncio.Event()
        self._worker: Final = _Worker(self.KIND)

    def ask(self, name: Name, wanted: Wanted) -> None:
        """Add a request, unless it is already in the queue. Raises `ApiError` (`BUSY`)."""
        if name in self._wanted:
            return
        if len(self._wanted) > self.MAX_WAITING:
            raise ApiError(503, self.BUSY, f"too many {self.KIND}s are waiting; try again in a minute", 60)
        self._wanted[name] = wanted
        self._wake.set()
        if self._work is None or self._work.done():
            self._work = asyncio.get_running_loop().create_task(self._make_all())

    def is_wanted(self, name: Name) -> bool:
        """Return whether a request is waiting or being carried out."""
        return name in self._wanted

    async def close(self) -> None:
        """Stop all work and end the process."""
        if self._work is not None:
            self._work.cancel()
        await asyncio.to_thread(self._worker.close)
        if self._work is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._work

    @abc.abstractmethod
    def _order(self, name: Name, wanted: Wanted) -> Order | HintOrder:
        """Return the order that the process gets for a request."""

    @abc.abstractmethod
    def _finish(self, name: Name, wanted: Wanted, data: bytes | None) -> None:
        """Store the answer to a request. If it is None, the request has failed."""

    async def _make_all(self) -> None:
        """Answer the requests one after another. After some time without requests, end the process."""
        while True:
            while self._wanted:
                name, wanted = next(iter(self._wanted.items()))
                self._judging = Judging(0, 0)
                data: bytes | None = None
                try:
                    data = await self._make(self._order(name, wanted))
                except Exception as error:
                    _log.warning("the %s for %s failed: %s", self.KIND, name, error)
                finally:
                    del self._wanted[name]
                self._finish(name, wanted, data)
            self._wake.clear()
            try:
                # In Python 3.11, `wait_for` can lose the cancellation of the task.
                async with asyncio.timeout(self.IDLE_AFTER):
                    await self._wake.wait()
            except TimeoutError:
                await asyncio.to_thread(self._worker.end)
                if not self._wanted:
                    return

    async def _make(self, order: Order | HintOrder) -> bytes:
        loop = asyncio.get_running_loop()

        def report(judging: Judging) -> None:
            loop.call_soon_threadsafe(self._advance, judging)

        return await asyncio.to_thread(self._worker.do, order, report)

    def _advance(self, judging: Judging) -> None:
        self._judging = judging


class _Lost(Exception):
    """The process has ended or couldn't answer."""


class _Worker:
    """The process, which starts when it is needed. All methods block, so call them in a thread."""

    def __init__(self, name: str) -> None:
        self._name: Final = name
        self._lock: Final = threading.Lock()
        self._process: BaseProcess | None = None
        self._orders: Connection[Order | HintOrder, Judging | Failed | bytes] | None = None
        self._is_closed = False

    def do(self, order: Order | HintOrder, report: Callable[[Judging], object]) -> bytes:
        """Return the packed answer to an order. Raises `_Lost` if the process ends or is closed in the meantime."""
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
                raise _Lost("the server is shutting down")
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
        """End the process, and don't start another one."""
        with self._lock:
            self._is_closed = True
        self.end()
