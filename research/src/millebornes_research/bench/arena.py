"""Measure how much faster an arena is with two processes than with one."""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from millebornes.errors import MilleBornesError
from millebornes_research.bench.base import Result, alternate, cpu_of_children, shown

__all__ = ["measure_arena"]

COMMAND: Final = (sys.executable, "-m", "millebornes", "arena", "--player", "maxims", "--player", "basic", "--json")


class _Cost(NamedTuple):
    wall: float
    cpu: float


def measure_arena(quick: bool = False) -> Result:
    """Time matches of `maxims` against `basic` (classic, two seats, to 5000) from the start of the command to its end.

    The matches are played in turn by one process, by two processes (``--jobs 2``), and by two arenas of one process
    each at the same time, which shows how much the machine can do at that moment. Seconds are those of the fastest
    round. ``speed_up_by_cpu`` is the speed-up computed from the CPU seconds of all processes, as if two cores had no
    other work. It is None if CPU seconds aren't available.
    """
    matches = 2_000 if quick else 400_000
    words = [*COMMAND, "--matches", str(matches), "--seed", "bench"]
    _cost([[*words[:-3], "200", *words[-2:]]])  # compile everything before the measurement
    found: list[list[_Cost]] = [[], [], []]

    def measured(place: int, commands: Sequence[Sequence[str]]) -> float:
        found[place].append(_cost(commands))
        return found[place][-1].wall

    alternate(
        1 if quick else 2,
        lambda _: measured(0, [words]),
        lambda _: measured(1, [[*words, "--jobs", "2"]]),
        lambda _: measured(2, [words, words]),
    )
    one, two, both = (min(cost.wall for cost in costs) for costs in found)
    cpu, cpu_of_two = (min(cost.cpu for cost in costs) for costs in found[:2])
    figures = {
        "matches": matches,
        "one_process_s": shown(one),
        "matches_per_s": shown(matches / one),
        "two_processes_s": shown(two),
        "speed_up": shown(one / two),
        "speed_up_by_cpu": shown(2 * cpu / cpu_of_two) if cpu_of_two else None,
    }
    ceiling = {"seconds_s": shown(both), "speed_up": shown(2 * one / both)}
    return Result("arena", figures, {"two_arenas_at_once": ceiling})


def _cost(commands: Sequence[Sequence[str]]) -> _Cost:
    """Run arenas to the end at the same time, and return their cost. Raises `MilleBornesError` if one of them fails."""
    start, before = time.perf_counter(), cpu_of_children()
    started = [subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) for words in commands]
    answers = [process.communicate()[0] for process in started]
    cost = _Cost(time.perf_counter() - start, cpu_of_children() - before)
    for process, answer in zip(started, answers, strict=True):
        if process.returncode or not json.loads(answer)["complete"]:
            raise MilleBornesError(f"the arena ended with status {process.returncode}")
    return cost
