"""Executors for long work: in this thread, in processes on this machine, or on the machines of a Dask cluster.

All three are a `concurrent.futures.Executor`. `in_order` returns their results in the order of the work. No result is
lost or returned twice, even if workers die.
"""

import contextlib
import math
import multiprocessing
import multiprocessing.util
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from concurrent.futures.process import ProcessPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, Protocol, TypeVar

from millebornes.arena.programs import end_programs
from millebornes.errors import MilleBornesError

__all__ = ["Timed", "Workers", "in_order", "open_workers", "settle_worker"]

BATCH_SECONDS: Final = 0.5
"""The seconds a batch should take: long compared with the cost of sending it, short for a person who is waiting."""
MIN_SECONDS: Final = 0.2
MAX_FAILURES: Final = 5
"""The number of losses in a row, for each batch that can be in progress, after which the work is abandoned."""
NOTICED_SECONDS: Final = 1.0
"""The seconds within which an executor notices that a process has died, unless the executor is stuck."""


class Timed(Protocol):
    """A result that knows how long it took."""

    @property
    def seconds(self) -> float:
        """The seconds that the work took on its worker."""
        ...


Result = TypeVar("Result", bound=Timed)


class _Here(Executor):
    """Does the work immediately, in this thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _Results(Protocol):
    """The pipe for results that all processes of an executor share. They write to its end `_writer`."""

    _writer: Connection


class _Manager(Protocol):
    """The parts used here of the thread that manages the processes of `ProcessPoolExecutor` (Python 3.11 to 3.13)."""

    processes: Mapping[int, BaseProcess]
    result_queue: _Results

    def is_alive(self) -> bool: ...
    def join(self, timeout: float | None = None) -> None: ...


class _Processes(ProcessPoolExecutor):
    """An executor that notices when a process dies, whatever it was doing.

    A process that is killed while it sends a result leaves half of it in the pipe that all processes share, and keeps
    the pipe locked. The base class then waits for the other half for ever, even at the end of the program, because it
    keeps the end of the pipe open to which processes write.
    """

    def __init__(self, jobs: int) -> None:
        # Start a fresh interpreter for each process. Forking one with threads (a progress bar, Numba) may hang it.
        super().__init__(jobs, multiprocessing.get_context("spawn"), settle_worker)
        self._guard: threading.Thread | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = super().submit(fn, *args, **kwargs)
        if self._guard is None:
            manager = self._executor_manager_thread
            # Not a daemon thread: it may be the last to release the semaphores of the processes. That takes more than
            # one step, and the program must not end between them.
            self._guard = threading.Thread(target=_break_when_stuck, args=(manager,))
            self._guard.start()
        return future


def _break_when_stuck(manager: _Manager) -> None:
    """Make the managing thread notice a killed process if it hasn't done so after a while.

    When all processes are gone and its own writing end of the pipe is closed, the thread reads the end of the file
    instead of a result.
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
    """An executor that can be replaced when it breaks.

    ``count`` returns the number of batches that it works on at a time, or 0 if it works immediately in this thread.
    """

    def __init__(self, make: Callable[[], Executor], count: Callable[[], int]) -> None:
        self._make = make
        self._count = count
        self._executor = make()

    @property
    def count(self) -> int:
        """The current number of workers."""
        return self._count()

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Submit a piece of work."""
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
        """Drop the work that hasn't started. With ``wait``, wait for the work in progress."""
        self._executor.shutdown(wait=wait)


@contextlib.contextmanager
def open_workers(jobs: int = 1, cluster: str | None = None) -> Iterator[Workers]:
    """Yield workers: ``jobs`` processes (1: this thread), or those of the Dask scheduler at ``cluster``.

    Programs that they have started as players end with the work. Raises `MilleBornesError` if there is no such
    scheduler, or if Dask isn't installed.
    """
    if cluster is not None:
        with _dask_client(cluster) as client:
            workers = Workers(lambda: client.get_executor(pure=False), lambda: max(1, sum(client.nthreads().values())))
            try:
                yield workers
            finally:
                workers.close()
                with contextlib.suppress(Exception):  # these workers keep running, and the scheduler may be gone
                    client.run(end_programs)
        return
    if jobs == 1:
        try:
            yield Workers(_Here, lambda: 0)
        finally:
            end_programs()
        return
    workers = Workers(lambda: _Processes(jobs), lambda: jobs)
    try:
        yield workers
    except BaseException:
        workers.close()
        raise
    workers.close(wait=True)  # a program that ends while the executor closes shows a traceback


def settle_worker() -> None:
    """Prepare a new worker process: ignore Ctrl-C, which the main program handles, and end with the main program."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Run this at the end of a worker process, which skips `atexit`.
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
        said = " ".join(str(error).split()) or type(error).__name__
        raise MilleBornesError(f"no Dask scheduler answers at {address!r} ({said})") from None
    with client:
        yield client


def in_order(
    workers: Workers, function: Callable[[range], Result], first: int, end: int
) -> Generator[tuple[range, Result], None, None]:
    """Apply ``function`` to batches of the numbers from ``first`` up to ``end``, and yield the results in order.

    Batches are sized to take about half a second each. If a worker dies, its batches are submitted again. Raises
    `MilleBornesError` if that doesn't help, and any error that ``function`` raises.
    """
    todo: list[range] = []  # lost batches, to submit again
    pending: dict[Future[Result], range] = {}
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
                pending[workers.submit(function, batch)] = batch
            finished, _ = wait(pending, return_when=FIRST_COMPLETED)
            broken = False
            for future in finished:
                batch = pending.pop(future)
                try:
                    result = future.result()
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
                pace = result.seconds / len(batch)
                done[batch.start] = (batch, result)
            if broken:  # everything in the broken executor is lost
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


def _size(pace: float, left: int, count: int) -> int:
    """Return the size of the next batch. Batches get smaller near the end, so that no worker has to wait for others."""
    if pace <= 0:
        return left
    best, least = BATCH_SECONDS / pace, MIN_SECONDS / pace
    return max(1, math.ceil(max(least, min(best, left / (2 * max(1, count))))))


def _is_lost(error: Exception) -> bool:
    """Return whether an error means that a worker died, not that the work failed."""
    return isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ in {
        "KilledWorker",
        "FutureCancelledError",
        "LostWorkerError",
    }
