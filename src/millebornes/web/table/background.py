"""Work that takes seconds. A separate process does it, one task at a time, and the server keeps the results."""

import asyncio
import contextlib
import functools
import logging
import multiprocessing
import os
import pickle
import threading
import zlib
from collections.abc import Callable, Hashable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, Generic, NamedTuple, TypeVar

from millebornes.web.errors import ApiError

__all__ = ["Background", "Progress", "Report", "Task"]

NICENESS: Final = 10
"""How far the process lowers its priority, so that no table has to wait."""
MAX_KEPT: Final = 500
"""The maximum number of results in memory. A review takes about 30 KB. If one is dropped, it can be made again."""
MAX_WAITING: Final = 16
"""At most this many tasks can wait while another task is done."""

Report = Callable[[int, int], None]
"""A function that takes the number of decisions that have been judged, and the number of all decisions."""
Task = Callable[[Report], Any]
Name = TypeVar("Name", bound=Hashable)
Result = TypeVar("Result")

_log = logging.getLogger(__name__)


class Progress(NamedTuple):
    """The progress of a task. ``before`` tasks come first, and ``done`` of ``total`` decisions have been judged.

    While the task is starting, ``total`` is 0.
    """

    before: int
    done: int
    total: int


class Background(Generic[Name, Result]):
    """A queue of tasks with names, and their results. Call all methods from the event loop.

    ``kind`` says what the tasks make, in the singular. It is also the name of the process. ``busy`` is the code of the
    error if too many tasks are waiting. After ``idle_after`` seconds without tasks, the process ends.
    """

    def __init__(self, kind: str, busy: str, idle_after: float) -> None:
        self._kind: Final = kind
        self._busy: Final = busy
        self._idle_after: Final = idle_after
        self._wanted: Final[dict[Name, tuple[Task, Callable[[], object]]]] = {}
        """The tasks, in order. The first one is being done."""
        self._made: Final[dict[Name, bytes | None]] = {}
        """The results, packed, or None for a task that has failed. The one that was used last comes last."""
        self._judged = 0, 0
        """The progress of the first task: the number of decisions that have been judged, and of all decisions."""
        self._work: asyncio.Task[None] | None = None
        self._wake: Final = asyncio.Event()
        self._worker: Final = _Worker(kind)

    def ask(self, name: Name, task: Task, done: Callable[[], object] = lambda: None) -> None:
        """Add a task that another process can load, unless there is one of this name. ``done`` is called at its end."""
        if name in self._wanted or self._made.get(name) is not None:
            return
        if len(self._wanted) > MAX_WAITING:
            raise ApiError(503, self._busy, f"too many {self._kind}s are waiting; try again in a minute", 60)
        self._made.pop(name, None)
        self._wanted[name] = task, done
        self._wake.set()
        if self._work is None or self._work.done():
            self._work = asyncio.get_running_loop().create_task(self._do_all())

    def found(self, name: Name) -> Result | None:
        """Return the result of a task, or None if it doesn't exist yet."""
        data = self._made.get(name)
        if data is None:
            return None
        self._made[name] = self._made.pop(name)
        result: Result = _unpacked(data)
        return result

    def progress(self, name: Name) -> Progress | None:
        """Return the progress of a task, or None if it isn't in the queue."""
        for before, other in enumerate(self._wanted):
            if other == name:
                done, total = (0, 0) if before else self._judged
                return Progress(before, done, total)
        return None

    def has_failed(self, name: Name) -> bool:
        """Return whether a task has failed."""
        return name in self._made and self._made[name] is None

    @property
    def is_first(self) -> bool:
        """Whether there are no results yet. If so, the first task may have to wait until code has been compiled."""
        return not self._made

    async def close(self) -> None:
        """Stop all work and end the process."""
        if self._work is not None:
            self._work.cancel()
        await asyncio.to_thread(self._worker.end, is_closing=True)
        if self._work is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._work

    async def _do_all(self) -> None:
        """Do the tasks one after another. After some time without tasks, end the process."""
        while True:
            while self._wanted:
                name, (task, done) = next(iter(self._wanted.items()))
                self._judged = 0, 0
                data: bytes | None = None
                try:
                    data = await self._do(task)
                except Exception as error:
                    _log.warning("the %s for %s failed: %s", self._kind, name, error)
                finally:
                    del self._wanted[name]
                self._made[name] = data
                if len(self._made) > MAX_KEPT:
                    del self._made[next(iter(self._made))]
                done()
            self._wake.clear()
            try:
                # In Python 3.11, `wait_for` can lose the cancellation of the task.
                async with asyncio.timeout(self._idle_after):
                    await self._wake.wait()
            except TimeoutError:
                await asyncio.to_thread(self._worker.end)
                if not self._wanted:
                    return

    async def _do(self, task: Task) -> bytes:
        loop = asyncio.get_running_loop()

        def advance(done: int, total: int) -> None:
            self._judged = done, total

        def report(done: int, total: int) -> None:
            loop.call_soon_threadsafe(advance, done, total)

        return await asyncio.to_thread(self._worker.do, task, report)


@functools.lru_cache(maxsize=16)
def _unpacked(data: bytes) -> Any:
    return pickle.loads(zlib.decompress(data))  # our own process made it


class _Worker:
    """The process, which starts when it is needed. All methods block, so call them in a thread."""

    def __init__(self, name: str) -> None:
        self._name: Final = name
        self._lock: Final = threading.Lock()
        self._running: tuple[BaseProcess, Connection] | None = None
        self._is_closed = False

    def do(self, task: Task, report: Report) -> bytes:
        """Return the packed result of a task. Raises `RuntimeError` if the task fails or the process ends."""
        try:
            tasks = self._begun()
            tasks.send(task)
            while isinstance(answer := tasks.recv(), tuple):
                report(*answer)
        except (EOFError, OSError, RuntimeError) as error:  # RuntimeError: the loop that receives reports has ended
            self.end()
            raise RuntimeError(f"its process has ended ({type(error).__name__})") from None
        if isinstance(answer, str):
            raise RuntimeError(answer)
        data: bytes = answer
        return data

    def _begun(self) -> Connection:
        with self._lock:
            if self._is_closed:
                raise EOFError
            if self._running is None or not self._running[0].is_alive():
                context = multiprocessing.get_context("spawn")  # forking a process that has threads can make it hang
                ours, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs,), name=self._name, daemon=True)
                process.start()
                theirs.close()
                self._running = process, ours
            return self._running[1]

    def end(self, *, is_closing: bool = False) -> None:
        """End the process, even if it is busy. If ``is_closing`` is true, don't start another one."""
        with self._lock:
            self._is_closed |= is_closing
            running, self._running = self._running, None
        if running is not None:
            process = running[0]
            process.kill()
            process.join()
            process.close()


def _serve(tasks: Connection) -> None:
    """Answer each task with pairs for its `Report`, and then with the packed result or with an error in words."""
    from millebornes.arena.executors import settle_worker

    settle_worker()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with contextlib.suppress(EOFError, OSError):  # the server has ended
        while True:
            task: Task = tasks.recv()
            try:
                answer: bytes | str = zlib.compress(pickle.dumps(task(lambda *judged: tasks.send(judged))))
            except OSError:
                raise
            except Exception as error:
                answer = f"{type(error).__name__}: {error}"
            tasks.send(answer)
