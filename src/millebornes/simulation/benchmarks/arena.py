"""How much quicker an arena is with two processes than with one."""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Final

from millebornes.errors import MilleBornesError
from millebornes.simulation.benchmarks.base import Result, alternate, shown

__all__ = ["measure_arena"]

COMMAND: Final = (sys.executable, "-m", "millebornes", "arena", "--player", "maxims", "--player", "basic", "--json")


def measure_arena(quick: bool = False) -> Result:
    """Matches of `maxims` against `basic` (classic, two seats, to 5000), from the start of the command to its end.

    In turn by one process, by two (``--jobs 2``), and, as the most that the machine gives just then, by two arenas of
    one process each at the same time. All figures are those of the quickest round.
    """
    matches = 2_000 if quick else 200_000
    words = [*COMMAND, "--matches", str(matches), "--seed", "bench"]
    _seconds([[*words[:-3], "200", *words[-2:]]])  # whatever has to be compiled
    one, two, both = (
        min(seconds)
        for seconds in alternate(
            1 if quick else 3,
            lambda _: _seconds([words]),
            lambda _: _seconds([[*words, "--jobs", "2"]]),
            lambda _: _seconds([words, words]),
        )
    )
    figures = {
        "matches": matches,
        "one_process_s": shown(one),
        "matches_per_s": shown(matches / one),
        "two_processes_s": shown(two),
        "speed_up": shown(one / two),
    }
    return Result(
        "arena", figures, {"two_arenas_at_once": {"seconds_s": shown(both), "speed_up": shown(2 * one / both)}}
    )


def _seconds(commands: Sequence[Sequence[str]]) -> float:
    """Wall seconds until some arenas, started together, have all ended. Raises `MilleBornesError` when one fails."""
    start = time.perf_counter()
    started = [subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) for words in commands]
    answers = [process.communicate()[0] for process in started]
    seconds = time.perf_counter() - start
    for process, answer in zip(started, answers, strict=True):
        if process.returncode or not json.loads(answer)["complete"]:
            raise MilleBornesError(f"the arena ended with status {process.returncode}")
    return seconds
