"""The common parts of all benchmarks: results, clocks, and rounds that alternate with a baseline."""

import dataclasses
import os
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

_TICKS: Final = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclasses.dataclass(frozen=True)
class Result:
    """The result of a benchmark.

    The name of each figure ends with its unit (``_per_cpu_s``, ``_ms``, ``_s``). Ratios and counts have no unit.

    ``baselines`` contains the figures of other programs for comparison, by name. A figure is None if it isn't available
    on this machine; ``notes`` then says why.
    """

    name: str
    figures: Mapping[str, Any]
    baselines: Mapping[str, Mapping[str, Any] | None] = dataclasses.field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the result as in a line of ``bench --json``."""
        return {"name": self.name, "figures": dict(self.figures), "baselines": dict(self.baselines)}


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds that this process uses for ``work``."""
    start = time.process_time()
    work()
    return time.process_time() - start


def cpu_of_children() -> float:
    """Return the CPU seconds of all processes that have ended and were started by this process or its children.

    Windows doesn't measure them, so they are 0 there.
    """
    times = os.times()
    return times.children_user + times.children_system


def cpu_of_process(pid: int) -> float:
    """Return the CPU seconds that a process has used so far in all its threads (only on Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory_of_process(pid: int, field: str) -> int:
    """Return a field of the memory of a process in bytes (only on Linux), such as ``VmRSS``, or 0 if it is unknown."""
    for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines():
        if line.startswith(f"{field}:"):
            return 1024 * int(line.split()[1])
    return 0


def median(values: list[float]) -> float:
    """Return the median, rounded to five significant digits because more wouldn't be reproducible."""
    return shown(statistics.median(values))


def shown(value: float) -> float:
    """Return a measured number, rounded to five significant digits."""
    return float(f"{value:.5g}")


def alternate(rounds: int, *measures: Callable[[int], float]) -> list[list[float]]:
    """Run several measurements in turn, ``rounds`` times, so that a slow phase of the machine affects all of them.

    Each measurement is called with the number of the round. Returns a list of results for each measurement.
    """
    found: list[list[float]] = [[] for _ in measures]
    for i in range(rounds):
        for values, measure in zip(found, measures, strict=True):
            values.append(measure(i))
    return found
