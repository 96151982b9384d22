"""Measure how fast games are written to Parquet files, and how large the files are."""

import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from millebornes.arena.schedule import Plan
from millebornes.editions import Rules, make_rules
from millebornes.envs import play_trajectories
from millebornes.errors import MilleBornesError
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes_research.bench.base import Result, alternate, cpu_of_children, cpu_seconds, median, shown

__all__ = ["measure_data"]

PLAYER: Final = "maxims"
TABLES: Final = {"2_seats": (2, 2), "4_seats": (4, 2)}
COMMAND: Final = (sys.executable, "-m", "millebornes", "export", "--player", PLAYER, "--seed", "bench", "--json")


def measure_data(quick: bool = False) -> Result:
    """Write classic hands of `maxims` against itself to Parquet files in one process, in comparison with batches alone.

    Rounds alternate with `play_trajectories` and `play_batch`, and all figures are hands per CPU-second. Afterwards,
    the command is run with two processes (``--jobs 2``) and timed from start to end. ``on_two_cores`` is the speed
    computed from the CPU seconds of all its processes, as if two cores had no other work. It is None if CPU seconds
    aren't available.
    """
    if importlib.util.find_spec("pyarrow") is None:
        return Result("data", {}, {"play_batch": None}, ("needs the extra 'data': pip install 'millebornes[data]'",))
    figures: dict[str, Any] = {}
    baselines: dict[str, dict[str, Any] | None] = {}
    for name, table in TABLES.items():
        ours, theirs = _table(make_rules("classic", *table), 500 if quick else 10_000, 3 if quick else 7)
        figures |= {f"{name}_{key}": value for key, value in ours.items()}
        baselines |= {f"{name}_{key}": {"hands_per_cpu_s": value} for key, value in theirs.items()}
    hands = 2_000 if quick else 200_000
    found = [_command(hands) for _ in range(1 if quick else 3)]
    figures["hands"] = hands
    figures["two_processes_hands_per_s"] = shown(hands / min(wall for wall, _ in found))
    cpu = min(cpu for _, cpu in found)
    figures["on_two_cores_hands_per_s"] = shown(2 * hands / cpu) if cpu else None
    return Result("data", figures, baselines)


def _table(rules: Rules, hands: int, rounds: int) -> tuple[dict[str, float], dict[str, float]]:
    """Return the figures for one table, and the figures of batches."""
    from millebornes.data import export_games

    players = [KernelPlayer.named(PLAYER, rules)] * rules.seats
    plan = Plan(rules=rules, players=(PLAYER,) * rules.sides, games=hands, match_target=None, seed="b", duplicate=False)
    size = 0.0
    into = play_trajectories(rules, players, hands, seed=1)

    def export(_: int) -> float:
        nonlocal size
        with tempfile.TemporaryDirectory() as folder:
            start = time.process_time()
            size = export_games(plan, Path(folder)).bytes_a_decision or 0.0
            return hands / (time.process_time() - start)

    def trajectories(round_: int) -> float:
        return hands / cpu_seconds(lambda: play_trajectories(rules, players, hands, seed=round_ + 2, into=into))

    def batch(round_: int) -> float:
        return hands / cpu_seconds(lambda: play_batch(rules, players, games=hands, seed=round_ + 2, streams=False))

    export(0), trajectories(0), batch(0)  # compile before the measurement
    ours, rows, alone = alternate(rounds, export, trajectories, batch)
    figures = {
        "hands_per_cpu_s": median(ours),
        "ratio_to_trajectories": median([a / b for a, b in zip(ours, rows, strict=True)]),
        "ratio_to_play_batch": median([a / b for a, b in zip(ours, alone, strict=True)]),
        "bytes_a_decision": size,
    }
    return figures, {"trajectories": median(rows), "play_batch": median(alone)}


def _command(hands: int) -> tuple[float, float]:
    """Return the seconds and the CPU seconds that the command takes with two processes.

    Raises `MilleBornesError` if it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        start, before = time.perf_counter(), cpu_of_children()
        words = [*COMMAND, "--games", str(hands), "--jobs", "2", str(Path(folder) / "set")]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
        if done.returncode or not json.loads(done.stdout)["complete"]:
            raise MilleBornesError(f"the export ended with status {done.returncode}")
        return time.perf_counter() - start, cpu_of_children() - before
