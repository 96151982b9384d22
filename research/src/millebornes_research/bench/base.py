"""What all benchmarks share: a result, a clock, and rounds that alternate with a baseline."""

import dataclasses
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["Result", "alternate", "cpu_seconds", "median", "shown"]


@dataclasses.dataclass(frozen=True)
class Result:
    """What a benchmark found.

    The names of figures end in their units (``_per_cpu_s``, ``_ms``, ``_s``); ratios and counts have none.

    ``baselines`` are the figures of what was measured beside ours, by name; None where it cannot be had here, and then
    ``notes`` says why.
    """

    name: str
    figures: Mapping[str, Any]
    baselines: Mapping[str, Mapping[str, Any] | None] = dataclasses.field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The line of ``bench --json``."""
        return {"name": self.name, "figures": dict(self.figures), "baselines": dict(self.baselines)}


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds that this process spends on ``work``."""
    start = time.process_time()
    work()
    return time.process_time() - start


def median(values: list[float]) -> float:
    """The median, to five significant digits: more would not come out again."""
    return shown(statistics.median(values))


def shown(value: float) -> float:
    """A measured number to five significant digits."""
    return float(f"{value:.5g}")


def alternate(rounds: int, *measures: Callable[[int], float]) -> list[list[float]]:
    """Measure several things in turn, ``rounds`` times, so that a machine that slows down slows all of them.

    Each is called with the number of the round; the answers come back by measure.
    """
    found: list[list[float]] = [[] for _ in measures]
    for i in range(rounds):
        for values, measure in zip(found, measures, strict=True):
            values.append(measure(i))
    return found
