"""Executors for long tasks: in this thread, in processes on this machine, or on the machines of a Dask cluster.

All three implement `concurrent.futures.Executor`. `in_order` returns their results in order. No result is lost or
returned twice, even if workers die.
"""

import contextlib
import math
import multiprocessing
import multiprocessing.util
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from concurrent.futures.process import ProcessPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, Protocol, TypeVar

from millebornes.arena.programs import end_programs
from millebornes.errors import MilleBornesError, message_of

BATCH_SECONDS: Final = 0.5
"""How long a batch should take: sending it costs much less, and people don't have to wait long for news."""
MIN_SECONDS: Final = 0.2
MAX_FAILURES: Final = 5
"""If this many batches in a row are lost for each batch that can be in progress, the work is abandoned."""
NOTICED_SECONDS: Final = 1.0
"""An executor notices within this many seconds that a process has died, unless the executor is stuck."""


Result = TypeVar("Result")


class _InlineExecutor(Executor):
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _Results(Protocol):
    """The pipe through which all processes of an executor send their results. The processes write to `_writer`."""

    _writer: Connection


class _Manager(Protocol):
    """The attributes used here of the thread that manages a `ProcessPoolExecutor` (Python 3.11 to 3.13)."""

    processes: Mapping[int, BaseProcess]
    result_queue: _Results

    def is_alive(self) -> bool: ...
    def join(self, timeout: float | None = None) -> None: ...


class _RobustProcessPool(ProcessPoolExecutor):
    """An executor that always notices when a process dies, whatever the process was doing.

    If a process is killed while it sends a result, half of the result stays in the pipe that all processes share, and
    the pipe stays locked. The base class would then wait for the other half for ever, even at the end of the program,
    because it keeps the writing end of the pipe open.
    """

    def __init__(self, jobs: int) -> None:
        # Start a fresh interpreter for each process. A fork can hang if the parent process has threads (a progress bar,
        # Numba).
        super().__init__(jobs, multiprocessing.get_context("spawn"), set_up_worker)
        self._watchdog: threading.Thread | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = super().submit(fn, *args, **kwargs)
        if self._watchdog is None:
            manager = self._executor_manager_thread
            # This thread is not a daemon, because it may be the last to release the processes' semaphores. That takes
            # several steps, and the program must not end between them.
            self._watchdog = threading.Thread(target=_break_when_stuck, args=(manager,))
            self._watchdog.start()
        return future


def _break_when_stuck(manager: _Manager) -> None:
    """Make the managing thread notice that a process was killed, if it hasn't noticed by itself after a while.

    Once all processes have ended and this process has closed the writing end of the pipe, the thread reads the end of
    the file instead of a result.
    """
    was_killed = False
    while manager.is_alive():
        manager.join(NOTICED_SECONDS)
        processes = list(manager.processes.values())
        if was_killed and manager.is_alive():
            for process in processes:
                process.kill()
            for process in processes:
                process.join()
            manager.result_queue._writer.close()
            return
        was_killed = any(process.exitcode for process in processes)


class Workers:
    """An executor that is replaced when it breaks. ``count`` is 0 if it does the work immediately in this thread."""

    def __init__(self, make: Callable[[], Executor], count: Callable[[], int]) -> None:
        self._make = make
        self._count = count
        self._executor = make()

    @property
    def count(self) -> int:
        """The current number of workers."""
        return self._count()

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Submit a function call and return its future."""
        try:
            return self._executor.submit(function, *args)
        except BrokenExecutor:
            self.renew()
            return self._executor.submit(function, *args)

    def renew(self) -> None:
        """Replace a broken executor."""
        self._executor.shutdown(wait=False)
        self._executor = self._make()

    def close(self, *, wait: bool = False) -> None:
        """Cancel the work that hasn't started. With ``wait``, wait for the work in progress."""
        self._executor.shutdown(wait=wait)


@contextlib.contextmanager
def open_workers(jobs: int = 1, cluster: str | None = None) -> Iterator[Workers]:
    """Yield workers: ``jobs`` processes (1 means this thread, 0 one per core), or those of a Dask scheduler.

    When the work ends, any programs that the workers have started as players end too. Raises `MilleBornesError` if
    there is no scheduler at that address or Dask isn't installed.
    """
    if cluster is not None:
        with _dask_client(cluster) as client:
            workers = Workers(lambda: client.get_executor(pure=False), lambda: max(1, sum(client.nthreads().values())))
            try:
                yield workers
            finally:
                workers.close()
                with contextlib.suppress(Exception):  # a cluster's workers keep running, and the scheduler may be gone
                    client.run(end_programs)
        return
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1:
        try:
            yield Workers(_InlineExecutor, lambda: 0)
        finally:
            end_programs()
        return
    workers = Workers(lambda: _RobustProcessPool(jobs), lambda: jobs)
    try:
        yield workers
    except BaseException:
        workers.close()
        raise
    workers.close(wait=True)  # a program would show a traceback if it ended while the executor is closing


def set_up_worker() -> None:
    """Let a new worker process ignore Ctrl-C, which the main program handles, and end with the main program."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Do this when a worker process ends, because worker processes skip `atexit`.
    multiprocessing.util.Finalize(None, end_programs, exitpriority=0)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


@contextlib.contextmanager
def _dask_client(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError:
        raise MilleBornesError("playing on a cluster needs Dask: pip install 'millebornes[cluster]'") from None
    try:
        client = Client(address, timeout=10, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise MilleBornesError(f"no Dask scheduler answers at {address!r} ({message_of(error)})") from None
    with client:
        yield client


def in_order(
    workers: Workers, function: Callable[[range], Result], first: int, end: int
) -> Generator[tuple[range, Result], None, None]:
    """Apply ``function`` to batches of the numbers from ``first`` to ``end`` - 1, and yield the results in order.

    The batches are sized so that each takes about half a second. If a worker dies, its batches are submitted again.
    Raises `MilleBornesError` if workers keep dying, and any error that ``function`` raises.
    """
    todo: list[range] = []  # lost batches that have to be submitted again
    pending: dict[Future[tuple[Result, float]], range] = {}
    done: dict[int, tuple[range, Result]] = {}
    given, yielded, failures = first, first, 0
    pace = math.inf  # seconds per number
    try:
        while yielded < end:
            while len(pending) < max(1, 2 * workers.count) and (todo or given < end):
                if todo:
                    batch = todo.pop()
                else:
                    batch = range(given, min(end, given + _size(pace, end - given, workers.count)))
                    given = batch.stop
                pending[workers.submit(_timed, function, batch)] = batch
            finished, _ = wait(pending, return_when=FIRST_COMPLETED)
            broken = False
            for future in finished:
                batch = pending.pop(future)
                try:
                    result, seconds = future.result()
                except Exception as error:
                    if not _is_lost(error):
                        raise
                    broken = broken or isinstance(error, BrokenExecutor)
                    todo.append(batch)
                    failures += 1
                    if failures > MAX_FAILURES * max(1, 2 * workers.count):
                        raise MilleBornesError(
                            f"the workers keep dying ({type(error).__name__}), so the work has been stopped"
                        ) from None
                    continue
                failures = 0
                pace = seconds / len(batch)
                done[batch.start] = (batch, result)
            if broken:  # everything submitted to the broken executor is lost
                todo += pending.values()
                pending.clear()
                workers.renew()
            while yielded in done:
                batch, result = done.pop(yielded)
                yielded = batch.stop
                yield batch, result
    finally:
        for future in pending:
            future.cancel()


def _timed(function: Callable[[range], Result], batch: range) -> tuple[Result, float]:
    start = time.perf_counter()
    return function(batch), time.perf_counter() - start


def _size(pace: float, left: int, count: int) -> int:
    """Return the size of the next batch, which is smaller towards the end, so that all workers finish together."""
    if pace <= 0:
        return left
    best, least = BATCH_SECONDS / pace, MIN_SECONDS / pace
    return max(1, math.ceil(max(least, min(best, left / (2 * max(1, count))))))


def _is_lost(error: Exception) -> bool:
    """Return whether an error means that a worker died rather than that the work failed."""
    return isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ in {
        "KilledWorker",
        "FutureCancelledError",
        "LostWorkerError",
    }
