"""Hands on a CUDA device: by the clock on the wall, for a device has no CPU-seconds."""

import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from millebornes.bench.base import Result, alternate, cpu_seconds, median, shown
from millebornes.editions import make_rules
from millebornes.errors import DeviceError
from millebornes.policies.batch import Batch, KernelPlayer, play_batch
from millebornes.rules.device import is_simulated
from millebornes.simulation.gpu import device_name, play_batch_gpu

__all__ = ["Sizes", "measure_device", "measure_gpu"]

PLAYERS: Final = ("random", "basic", "maxims")


class Sizes(NamedTuple):
    """How much is measured: rounds, and hands a round of random players, of each other player, and on the processor."""

    rounds: int
    random: int
    others: int
    processor: int


def measure_gpu(quick: bool = False) -> Result:
    """Decisions a second on a device; where there is none, no figures, and a note that says what is missing."""
    try:
        name = device_name()
        if is_simulated():
            raise DeviceError("there is no CUDA device to measure, for NUMBA_ENABLE_CUDASIM asks Numba to simulate one")
    except DeviceError as error:
        return Result("gpu", {"decisions_per_s": None}, {"play_batch": None}, (str(error),))
    sizes = Sizes(3, 1 << 21, 1 << 16, 1 << 14) if quick else Sizes(7, 1 << 24, 1 << 20, 1 << 17)
    return measure_device(name, sizes)


def measure_device(name: str, sizes: Sizes) -> Result:
    """Hands of the classic game for two without streams, by players against themselves, in turn with one processor.

    ``name`` is the device's. Points are copied back within the time that is measured. The hands of the processor are
    the first of those on the device, and compared with them.
    """
    rules = make_rules()
    played: dict[str, Batch] = {}

    def on_device(who: str) -> Callable[[int], float]:
        players, games = [KernelPlayer.named(who, rules)], sizes.random if who == "random" else sizes.others

        def measure(i: int) -> float:
            start = time.perf_counter()
            played[who] = play_batch_gpu(rules, players, games=games if i >= 0 else 1, seed=max(i, 0), streams=False)
            return played[who].moves / (time.perf_counter() - start)

        return measure

    players = [KernelPlayer.named("random", rules)]
    differ = compared = 0

    def on_processor(i: int) -> float:
        nonlocal differ, compared
        found: list[Batch] = []

        def work() -> None:
            found.append(play_batch(rules, players, games=sizes.processor, seed=max(i, 0), streams=False))

        seconds = cpu_seconds(work)
        (batch,) = found
        if i >= 0:
            same = min(len(batch.points), len(played["random"].points))
            compared += same
            differ += int((batch.points[:same] != played["random"].points[:same]).any((1, 2)).sum())
        return batch.moves / seconds

    measures = [*map(on_device, PLAYERS), on_processor]
    for measure in measures:
        measure(-1)  # compiled, and everything in place
    rows = dict(zip((*PLAYERS, "processor"), alternate(sizes.rounds, *measures), strict=True))
    batch = played["random"]
    figures: dict[str, Any] = {
        "device": name,
        "decisions_per_s": median(rows["random"]),
        "hands_per_s": shown(median(rows["random"]) * batch.hands / batch.moves),
        "basic_decisions_per_s": median(rows["basic"]),
        "maxims_decisions_per_s": median(rows["maxims"]),
        "ratio_to_play_batch": median([a / b for a, b in zip(rows["random"], rows["processor"], strict=True)]),
        "hands_compared": compared,
        "hands_that_differ": differ,
        "rounds": sizes.rounds,
    }
    return Result("gpu", figures, {"play_batch": {"decisions_per_cpu_s": median(rows["processor"])}})
