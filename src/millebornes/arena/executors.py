"""Where long work runs: here, in processes on this machine, or on the machines of a Dask cluster.

All three are a `concurrent.futures.Executor`, and `in_order` brings their results back in the order of the work, none
lost and none twice, whatever becomes of a worker.
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
"""What a piece of work should take: long against the cost of sending it, short for a person who waits."""
MIN_SECONDS: Final = 0.2
MAX_FAILURES: Final = 5
"""So many pieces lost in a row, with nothing finished between, and the work is given up."""
NOTICED_SECONDS: Final = 1.0
"""Within that an executor notices the death of a process, unless it is stuck."""


class Timed(Protocol):
    """A result that says how long it took."""

    @property
    def seconds(self) -> float:
        """Seconds that the work took where it was done."""
        ...


Result = TypeVar("Result", bound=Timed)


class _Here(Executor):
    """Does the work at once, in this thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _Results(Protocol):
    """The pipe of results that all processes of an executor share; `_writer` is its end to which they write."""

    _writer: Connection


class _Manager(Protocol):
    """What is asked of the thread in which `ProcessPoolExecutor` manages its processes (Python 3.11 to 3.13)."""

    processes: Mapping[int, BaseProcess]
    result_queue: _Results

    def is_alive(self) -> bool: ...
    def join(self, timeout: float | None = None) -> None: ...


class _Processes(ProcessPoolExecutor):
    """An executor that notices the death of a process at whatever moment it dies.

    One that is killed while it hands over a result leaves half of that in the pipe which all share, and holds its lock.
    The base class then waits for the other half for ever, also at the end of the program, since it keeps the end of the
    pipe open to which processes write.
    """

    def __init__(self, jobs: int) -> None:
        # A fresh interpreter for each process: to fork one that has threads (a progress bar, Numba) may hang it.
        super().__init__(jobs, multiprocessing.get_context("spawn"), settle_worker)
        self._guard: threading.Thread | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = super().submit(fn, *args, **kwargs)
        if self._guard is None:
            manager = self._executor_manager_thread
            # Not a daemon: it may be the last to let the semaphores of the processes go. That takes more than one step,
            # and the program must not end between them.
            self._guard = threading.Thread(target=_break_when_stuck, args=(manager,))
            self._guard.start()
        return future


def _break_when_stuck(manager: _Manager) -> None:
    """Let the thread that manages processes find them broken, where it has not done so a while after one was killed.

    With all processes gone and its own end of their pipe closed, it reads the end of the file instead of a result.
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

    ``count`` is how many pieces of work it does at a time; 0 for the one that works at once.
    """

    def __init__(self, make: Callable[[], Executor], count: Callable[[], int]) -> None:
        self._make = make
        self._count = count
        self._executor = make()

    @property
    def count(self) -> int:
        """How many workers there are now."""
        return self._count()

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Hand in a piece of work."""
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
        """Drop the work that has not begun; what is being done is waited for only if that is said."""
        self._executor.shutdown(wait=wait)


@contextlib.contextmanager
def open_workers(jobs: int = 1, cluster: str | None = None) -> Iterator[Workers]:
    """Workers: ``jobs`` processes (with 1 all is done here), or those of the Dask scheduler at ``cluster``.

    Programs that they have started to play games end with the work. Raises `MilleBornesError` when there is no such
    scheduler, or Dask is not installed.
    """
    if cluster is not None:
        with _dask_client(cluster) as client:
            workers = Workers(lambda: client.get_executor(pure=False), lambda: max(1, sum(client.nthreads().values())))
            try:
                yield workers
            finally:
                workers.close()
                with contextlib.suppress(Exception):  # these workers stay, and a scheduler may have gone
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
    workers.close(wait=True)  # a program that ends while the executor closes itself says so with a traceback


def settle_worker() -> None:
    """What a new worker process does first: Ctrl-C is the main program's affair, and without it there is no work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What a worker process does at its end: `atexit` knows nothing of it.
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
        raise MilleBornesError(
            "to play on a cluster, Dask must be installed: pip install 'millebornes[cluster]'"
        ) from None
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
    """``function`` of batches of the numbers from ``first`` to below ``end``, as they are done, in the numbers' order.

    The batches are sized so that each takes about half a second. Batches of workers that die are given out again;
    raises `MilleBornesError` when that does not help. What ``function`` raises is raised here.
    """
    todo: list[range] = []  # lost batches, to be done again
    pending: dict[Future[Result], range] = {}
    done: dict[int, tuple[range, Result]] = {}
    given, yielded, failures = first, first, 0
    pace = math.inf  # seconds for a number
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
                            f"the workers keep dying ({type(error).__name__}); the work is given up"
                        ) from None
                    continue
                failures = 0
                pace = result.seconds / len(batch)
                done[batch.start] = (batch, result)
            if broken:  # all that was with the broken executor is lost
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
    """How many numbers the next batch takes; towards the end smaller ones, so that no worker waits for another."""
    if pace <= 0:
        return left
    best, least = BATCH_SECONDS / pace, MIN_SECONDS / pace
    return max(1, math.ceil(max(least, min(best, left / (2 * max(1, count))))))


def _is_lost(error: Exception) -> bool:
    """Whether an error comes from a worker that died, rather than of the work."""
    return isinstance(error, BrokenExecutor | CancelledError) or type(error).__name__ in {
        "KilledWorker",
        "FutureCancelledError",
        "LostWorkerError",
    }
