"""The benchmarks of the project, by name.

Each benchmark is a function that takes an argument ``quick`` and returns a `millebornes_research.bench.base.Result`.
"""

import importlib
from typing import Any, Final, NamedTuple

__all__ = ["BENCHMARKS", "Benchmark"]


class Benchmark(NamedTuple):
    """A benchmark: a description in one line, and the module with its function, which is imported when it runs."""

    summary: str
    module: str

    def measure(self, name: str, quick: bool) -> Any:
        """Run the benchmark of this name. If ``quick`` is true, the figures are rougher and take less time."""
        module = importlib.import_module(f"millebornes_research.bench.{self.module}")
        return getattr(module, f"measure_{name}")(quick)


BENCHMARKS: Final = {
    "kernels": Benchmark("random hands in the compiled rules, one thread, against a C program", "kernels"),
    "tables": Benchmark("the same at other tables and in other editions, as a ratio to two seats", "kernels"),
    "screen": Benchmark("the full-screen game: its first screen, keys until they show, idling", "screen"),
}
"""All benchmarks, in the order in which they run."""
