import contextlib
import functools
import importlib.util
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from millebornes.arena.arena import Arena
from millebornes.arena.executors import in_order, open_workers
from millebornes.arena.schedule import Plan
from millebornes.editions import make_rules
from millebornes.errors import MilleBornesError
from tests.arena.reporting import run_arena, timeless
from tests.arena.workload import Done, deadly, faulty, squares, squares_told_by_half, squares_with_an_accident

needs_signals = pytest.mark.skipif(os.name == "nt", reason="kills processes as only POSIX can")


def numbers(work: Iterator[tuple[range, Done]]) -> list[int]:
    return [number for _, done in work for number in done.numbers]


def expected(first: int, end: int) -> list[int]:
    return [number * number for number in range(first, end)]


def test_work_is_done_here_in_batches_of_some_length() -> None:
    with open_workers() as workers:
        found = list(in_order(workers, squares, 5, 60))
    assert numbers(iter(found)) == expected(5, 60)
    assert {done.process for _, done in found} == {os.getpid()}
    assert all(len(batch) > 1 for batch, _ in found[1:-1])
    assert len(found) > 3  # a batch takes half a second, and all the work takes at least 1.65


def test_work_is_done_by_processes_and_comes_back_in_order() -> None:
    with open_workers(2) as workers:
        assert workers.count == 2
        found = list(in_order(workers, squares, 0, 60))
    assert numbers(iter(found)) == expected(0, 60)
    assert os.getpid() not in {done.process for _, done in found}
    assert [batch.start for batch, _ in found] == sorted(batch.start for batch, _ in found)


def test_errors_of_the_work_come_out() -> None:
    for jobs in (1, 2):
        with open_workers(jobs) as workers, pytest.raises(LookupError, match="number 3"):
            list(in_order(workers, faulty, 0, 9))


@pytest.mark.slow
@needs_signals
@pytest.mark.parametrize("work", [squares_with_an_accident, squares_told_by_half])
def test_a_process_killed_in_the_middle_loses_nothing(tmp_path: Path, work: Callable[[Path, range], Done]) -> None:
    with open_workers(2) as workers:
        found = in_order(workers, functools.partial(work, tmp_path), 0, 30)
        assert numbers(found) == expected(0, 30)
    assert (tmp_path / "accident").exists()


@pytest.mark.slow
@needs_signals
def test_work_that_kills_every_process_is_given_up() -> None:
    with open_workers(2) as workers, pytest.raises(MilleBornesError, match="keep dying"):
        list(in_order(workers, deadly, 0, 4))


LAST_TO_LET_GO = """
import atexit, threading, time
from multiprocessing import synchronize
from millebornes.arena import executors
from tests.arena.workload import squares

guard, unlink = executors._break_when_stuck, synchronize.sem_unlink

def guard_longer(manager):
    guard(manager)
    time.sleep(0.1)

def unlink_slowly(name):
    unlink(name)
    if threading.current_thread() is not threading.main_thread():
        time.sleep(2)

executors._break_when_stuck, synchronize.sem_unlink = guard_longer, unlink_slowly
atexit.register(time.sleep, 0.5)
with executors.open_workers(2) as workers:
    next(executors.in_order(workers, squares, 0, 1000))
    raise SystemExit
"""
"""A program whose thread that watches over processes is the last to need their semaphores, while the program ends."""


@needs_signals
@pytest.mark.once
def test_a_program_ends_only_after_the_thread_that_watches_over_its_processes() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LAST_TO_LET_GO],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def plan(games: int) -> Plan:
    return Plan(rules=make_rules(), players=("basic", "random"), games=games, match_target=None, seed="jobs")


def test_an_arena_of_processes_has_the_same_result(tmp_path: Path) -> None:
    one = run_arena(plan(20), record=tmp_path / "one")
    two = run_arena(plan(20), jobs=2, record=tmp_path / "two")
    assert timeless(one) == timeless(two)
    for number in range(1, 21):
        assert (tmp_path / f"one-{number:06}").read_bytes() == (tmp_path / f"two-{number:06}").read_bytes()


# ---------------------------------------------------------------- a cluster

needs_dask = pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="Dask is not installed")


@contextlib.contextmanager
def process(folder: Path, name: str, *words: str) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[str], str]]]:
    """A process of Dask, and a function that waits for what it logs."""
    log = folder / f"{name}.log"
    with log.open("wb") as file:
        started = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
            stdout=file,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *sys.path])},
        )

    def find(pattern: str) -> str:
        until = time.monotonic() + 40
        while time.monotonic() < until and started.poll() is None:
            if found := re.search(pattern, log.read_text(errors="replace")):
                return found[1]
            time.sleep(0.05)
        raise AssertionError(f"{name} did not say {pattern}:\n{log.read_text(errors='replace')}")

    try:
        yield started, find
    finally:
        started.kill()
        started.wait()


@pytest.mark.once
@needs_dask
@needs_signals
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_cluster_that_loses_a_worker_in_the_middle_has_the_same_result(tmp_path: Path) -> None:
    alone = run_arena(plan(190))
    here = "127.0.0.1"
    with contextlib.ExitStack() as stack:
        _, said = stack.enter_context(
            process(tmp_path, "scheduler", "dask_scheduler", "--host", here, "--port", "0", "--no-dashboard")
        )
        address = said(r"Scheduler at:\s+(tcp://\S+)")
        options = ("--host", here, "--nthreads", "1", "--nworkers", "1", "--no-nanny", "--no-dashboard")
        # Started one after the other would take longer: both load at the same time.
        workers = [
            stack.enter_context(process(tmp_path, f"worker{n}", "dask_worker", address, *options)) for n in range(2)
        ]
        for _, told in workers:
            told(r"(Registered to)")
        killed: list[int] = []

        def kill_one(arena: Arena) -> None:
            if not killed:
                killed.append(arena.tally.rounds)
                workers[0][0].send_signal(signal.SIGKILL)

        arena = Arena(plan(190))  # too few for kernels, which would be done at once
        with open_workers(cluster=address) as cluster:
            assert cluster.count == 2
            arena.run(cluster, kill_one)
            assert cluster.count == 1
    assert 0 < killed[0] < 95
    assert timeless(arena.report()) == timeless(alone)


@needs_dask
def test_a_scheduler_that_is_not_there_is_told_of() -> None:
    with pytest.raises(MilleBornesError, match="no Dask scheduler answers"), open_workers(cluster="nonsense://x"):
        pass


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MilleBornesError, match=r"millebornes\[cluster\]"), open_workers(cluster="tcp://127.0.0.1:1"):
        pass
