"""Batches on a device, or on a simulated one, against the same on the processor: run as a program of its own.

Numba decides when it is imported whether it simulates, so no test can do it in its own process.
"""

import sys
from typing import Any

from millebornes import KernelPlayer, make_rules
from millebornes.bench.gpu import Sizes, measure_device
from millebornes.editions import EDITIONS, Rules
from millebornes.policies.batch import play_batch
from millebornes.simulation import gpu
from millebornes.simulation.gpu import device_name, play_batch_gpu

LARGE_DECK = {"25": 50, "50": 30, "200": 4, "roll": 40, "stop": 20, "right_of_way": 1}
TABLES = ((3, 3), (4, 2), (4, 4), (6, 2), (6, 3))


def compare(rules: Rules, names: list[str], games: int, **options: Any) -> int:
    """Play the same on both; how many hands that were."""
    players = [KernelPlayer.named(name, rules) for name in names]
    expected = play_batch(rules, players, games=games, **options)
    found = play_batch_gpu(rules, players, games=games, **options)
    assert found.points.dtype == expected.points.dtype
    assert found.points.tolist() == expected.points.tolist(), (rules, names, options)
    assert found[1:] == expected[1:], (rules, names, options)
    return found.hands


def main(games: int) -> None:
    setattr(gpu, "TASKS", games - 1)  # noqa: B010  # more than one launch a batch
    classic = make_rules()
    hands = compare(classic, ["random"], games, seed=7, streams=False)
    hands += compare(classic, ["random", "random"], games, seed=-1, begin=9, lineups=[[0, 1], [1, 0]])
    hands += compare(classic, ["casual", "maxims"], games, seed=3, lineups=[[0, 1], [1, 1]])
    hands += compare(classic, ["random", "basic"], 1, seed=4, match_target=1500)
    hands += compare(make_rules("classic", settings={"deck": LARGE_DECK}), ["random"], games, seed=5)
    for seats, sides in TABLES:
        hands += compare(make_rules("classic", seats, sides), ["basic", "random", "maxims"], games, seed=seats)
    for edition in EDITIONS:
        hands += compare(make_rules(edition), ["random", "maxims"], games, seed=1, streams=False)
    found = measure_device(device_name(), Sizes(1, games, 1, games)).figures
    assert found["hands_that_differ"] == 0
    assert found["hands_compared"] == games
    print(f"{hands} hands are the same on {device_name()}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
