"""Work that takes seconds. A separate process does one task at a time, and the addresses that ask take turns."""

import asyncio
import contextlib
import enum
import functools
import logging
import math
import multiprocessing
import os
import pickle
import threading
import time
import zlib
from collections.abc import Awaitable, Callable, Hashable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, Generic, NamedTuple, TypeVar

from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.fair_queue import FairQueue, QueueFull
from millebornes.web.tables.limits import Limits

MAX_KEPT: Final = 500
"""The maximum number of results in memory. A review takes about 30 KB. If one is dropped, it can be made again."""
MAX_WAITING: Final = 64
"""At most this many tasks can wait while another task is done."""
MAX_OWN: Final = 8
"""At most this many tasks of one address can wait."""
COMPILES_WITHIN: Final = 600.0
"""The first task of a server may take this many seconds longer, because code may have to be compiled."""
BUDGET: Final = "cpu"
_WEIGHT: Final = 0.3
"""How much the latest task counts when we estimate how long tasks take."""

Report = Callable[[int, int], None]
"""A function that takes the number of decisions that have been judged, and the number of all decisions."""
Task = Callable[[Report], Any]
Timer = Callable[[float], Awaitable[object]]
"""A function that waits for some seconds."""
Name = TypeVar("Name", bound=Hashable)
Result = TypeVar("Result")

_log = logging.getLogger(__name__)


class Progress(NamedTuple):
    """The progress of a task. ``before`` tasks come first, and ``done`` of ``total`` decisions have been judged.

    While the task is starting, ``total`` is 0. ``seconds`` is an estimate of the time until the task is done.
    """

    before: int
    done: int
    total: int
    seconds: int


class TaskEffort(NamedTuple):
    """How much time tasks of a kind take.

    A task usually takes ``usual`` seconds. After ``within`` seconds it is stopped. After ``idle_after`` seconds without
    tasks, the process ends. It lowers its priority by ``niceness``, so that no table has to wait.
    """

    usual: float
    within: float
    idle_after: float
    niceness: int


class Failure(enum.Enum):
    """Why a task has no result."""

    BROKEN = enum.auto()
    """There was an error, which has been logged."""
    LATE = enum.auto()
    """The task took too long and was stopped."""
    DROPPED = enum.auto()
    """The task had to make room for others."""


class Done(NamedTuple):
    """What is left of a task: its packed result or its failure, and the CPU seconds that it took."""

    data: bytes | Failure
    seconds: float


class _QueuedTask(NamedTuple):
    task: Task
    done: Callable[[], object]


class Background(Generic[Name, Result]):
    """A queue of tasks with names, and their results. Call all methods from the event loop, except `found`.

    The addresses that ask for tasks take turns, and each has a budget of CPU seconds in ``limits``. ``kind`` says what
    the tasks make, in the singular. It is also the name of the process. ``clock`` returns the time in seconds, and
    ``timer`` waits until a task has taken too long.
    """

    def __init__(
        self,
        kind: str,
        limits: Limits,
        effort: TaskEffort,
        *,
        clock: Callable[[], float] = time.monotonic,
        timer: Timer = asyncio.sleep,
    ) -> None:
        self._kind: Final = kind
        self._limits: Final = limits
        self._usual = effort.usual
        self._effort: Final = effort
        self._clock: Final = clock
        self._timer: Final = timer
        self._turns: Final = FairQueue[Name](MAX_WAITING, MAX_OWN)
        self._jobs: Final[dict[Name, _QueuedTask]] = {}
        """The tasks that wait, and the one that is being done."""
        self._current: tuple[Name, float] | None = None
        """The task that is being done, and when it began."""
        self._made: Final[dict[Name, bytes | Failure]] = {}
        """The results, packed, or why there is none. The one that was used last comes last."""
        self._judged = 0, 0
        """The progress of the current task: the number of decisions that have been judged, and of all decisions."""
        self._work: asyncio.Task[None] | None = None
        self._wake: Final = asyncio.Event()
        self._lock: Final = threading.Lock()
        self._worker: Final = _Worker(kind, effort.niceness)

    def ask(self, name: Name, task: Task, owner: str, done: Callable[[], object] = lambda: None) -> None:
        """Add a task that another process can load, unless there is one of this name. ``done`` is called at its end.

        ``owner`` is the address that asks. If several ask for the same task, it is done at the first of their turns.
        Raises `ApiError` if the address has used up its budget, or if too many tasks are waiting.
        """
        if self.has(name) or (self._current is not None and self._current[0] == name):
            return
        if name not in self._jobs:
            self._limits.check(BUDGET, owner)
        try:
            dropped = self._turns.add(owner, name)
        except QueueFull as full:
            if name in self._jobs:
                return  # it waits for someone else
            raise self._too_many(owner, is_own=full.is_own) from None
        with self._lock:
            self._made.pop(name, None)
        self._jobs.setdefault(name, _QueuedTask(task, done))
        if dropped is not None:
            self._end(dropped, Failure.DROPPED)
        self._wake.set()
        if self._work is None or self._work.done():
            self._work = asyncio.get_running_loop().create_task(self._do_all())

    def has(self, name: Name) -> bool:
        """Return whether a task has a result."""
        return isinstance(self._made.get(name), bytes)

    def result(self, name: Name) -> Result | None:
        """Return the result of a task, or None if it doesn't exist yet. Any thread may call this."""
        with self._lock:
            data = self._made.get(name)
            if not isinstance(data, bytes):
                return None
            self._made[name] = self._made.pop(name)
        result: Result = _unpacked(data)
        return result

    def progress(self, name: Name) -> Progress | None:
        """Return the progress of a task, or None if it isn't in the queue."""
        if name not in self._jobs:
            return None
        if self._current is not None and self._current[0] == name:
            return Progress(0, *self._judged, _about(self._left))
        before = self._turns.order.index(name)
        seconds = _about(self._left + (before + 1) * self._usual)
        return Progress(before + (self._current is not None), 0, 0, seconds)

    def failure(self, name: Name) -> Failure | None:
        """Return why a task has no result, or None if it hasn't failed."""
        found = self._made.get(name)
        return found if isinstance(found, Failure) else None

    def is_known(self, name: Name) -> bool:
        """Return whether a task is in the queue, has a result or has failed."""
        return name in self._jobs or name in self._made

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

    @property
    def _left(self) -> float:
        """The estimated number of seconds until the current task is done."""
        if self._current is None:
            return 0.0
        passed, (done, total) = self._clock() - self._current[1], self._judged
        return passed * (total - done) / done if done else max(self._usual - passed, 0.0)

    def _too_many(self, owner: str, *, is_own: bool) -> ApiError:
        first = self._turns.first_of(owner) if is_own else self._turns.order[0]
        progress = None if first is None else self.progress(first)
        seconds = 1 if progress is None else progress.seconds
        whose = "of this address " if is_own else ""
        text = f"too many {self._kind}s {whose}are waiting; try again in about {seconds} seconds"
        return ApiError(429, "too_many", text, seconds) if is_own else ApiError(503, "busy", text, seconds)

    async def _do_all(self) -> None:
        """Do the tasks, each when it is its owner's turn. After some time without tasks, end the process."""
        while True:
            while self._turns:
                owner, name = self._turns.take()
                self._current, self._judged = (name, self._clock()), (0, 0)
                try:
                    data, seconds = await self._do(self._jobs[name].task)
                except Exception as error:
                    _log.warning("the %s for %s failed: %s", self._kind, name, error)
                    data, seconds = Failure.BROKEN, self._passed
                finally:
                    passed, self._current = self._passed, None
                if data is Failure.LATE:
                    _log.warning("the %s for %s was stopped after %.0f s", self._kind, name, passed)
                elif not isinstance(data, Failure) and not self.is_first:
                    self._usual += _WEIGHT * (passed - self._usual)
                self._limits.charge(BUDGET, owner, seconds)
                self._end(name, data)
            self._wake.clear()
            try:
                # In Python 3.11, `wait_for` can lose the cancellation of the task.
                async with asyncio.timeout(self._effort.idle_after):
                    await self._wake.wait()
            except TimeoutError:
                await asyncio.to_thread(self._worker.end)
                if not self._turns:
                    return

    @property
    def _passed(self) -> float:
        return 0.0 if self._current is None else self._clock() - self._current[1]

    def _end(self, name: Name, data: bytes | Failure) -> None:
        """Keep what is left of a task, and tell the one who asked for it."""
        with self._lock:
            self._made.pop(name, None)
            self._made[name] = data
            if len(self._made) > MAX_KEPT:
                del self._made[next(iter(self._made))]
        self._jobs.pop(name).done()

    async def _do(self, task: Task) -> Done:
        """Do a task, but stop it if it takes too long. Raises `RuntimeError` if it fails."""
        loop = asyncio.get_running_loop()

        def advance(done: int, total: int) -> None:
            self._judged = done, total

        def report(done: int, total: int) -> None:
            loop.call_soon_threadsafe(advance, done, total)

        doing = asyncio.ensure_future(asyncio.to_thread(self._worker.do, task, report))
        late = asyncio.ensure_future(self._timer(self._effort.within + (COMPILES_WITHIN if self.is_first else 0.0)))
        try:
            await asyncio.wait({doing, late}, return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                await asyncio.to_thread(self._worker.end)  # the next task gets a new process
                await asyncio.wait({doing})
                if doing.exception() is not None:
                    return Done(Failure.LATE, self._passed)
            return doing.result()
        finally:
            late.cancel()
            doing.cancel()


def _about(seconds: float) -> int:
    """Return a number of seconds to show to people. Long times are multiples of 5."""
    return max(1, math.ceil(seconds)) if seconds <= 10 else 5 * math.ceil(seconds / 5)


@functools.lru_cache(maxsize=16)
def _unpacked(data: bytes) -> Any:
    return pickle.loads(zlib.decompress(data))  # our own process made it


class _WorkerAnswer(NamedTuple):
    """The answer of the process to a task: the packed result or an error in words, and the CPU seconds it took."""

    data: bytes | None
    error: str | None
    seconds: float


class _Worker:
    """The process, which starts when it is needed. All methods block, so call them in a thread."""

    def __init__(self, name: str, niceness: int) -> None:
        self._name: Final = name
        self._niceness: Final = niceness
        self._lock: Final = threading.Lock()
        self._running: tuple[BaseProcess, Connection] | None = None
        self._is_closed = False

    def do(self, task: Task, report: Report) -> Done:
        """Return the packed result of a task. Raises `RuntimeError` if the process ends."""
        try:
            tasks = self._begun()
            tasks.send(task)
            while not isinstance(answer := tasks.recv(), _WorkerAnswer):
                report(*answer)
        except (EOFError, OSError, RuntimeError) as error:  # RuntimeError: the loop that receives reports has ended
            self.end()
            raise RuntimeError(f"its process has ended ({type(error).__name__})") from None
        if answer.error is not None:
            _log.warning("a %s failed: %s", self._name, answer.error)
        return Done(Failure.BROKEN if answer.data is None else answer.data, answer.seconds)

    def _begun(self) -> Connection:
        with self._lock:
            if self._is_closed:
                raise EOFError
            if self._running is None or not self._running[0].is_alive():
                context = multiprocessing.get_context("spawn")  # forking a process that has threads can make it hang
                ours, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs, self._niceness), name=self._name, daemon=True)
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


def _serve(tasks: Connection, niceness: int) -> None:
    """Answer each task with pairs for its `Report`, and then with an `_WorkerAnswer`."""
    from millebornes.arena.executors import set_up_worker

    set_up_worker()
    if hasattr(os, "nice"):
        os.nice(niceness)
    with contextlib.suppress(EOFError, OSError):  # the server has ended
        while True:
            task: Task = tasks.recv()
            begun, data, failed = time.process_time(), None, None
            try:
                data = zlib.compress(pickle.dumps(task(lambda *judged: tasks.send(judged))))
            except OSError:
                raise
            except Exception as error:
                failed = f"{type(error).__name__}: {error}"
            tasks.send(_WorkerAnswer(data, failed, time.process_time() - begun))
