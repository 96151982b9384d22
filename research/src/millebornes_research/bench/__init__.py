"""The benchmarks of the project, by name.

Each benchmark is a function that takes an argument ``quick`` and returns a `Result`.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from millebornes_research.bench.arena import measure_arena
from millebornes_research.bench.base import Result
from millebornes_research.bench.data import measure_data
from millebornes_research.bench.envs import measure_envs
from millebornes_research.bench.game import measure_game
from millebornes_research.bench.kernels import measure_kernels, measure_tables
from millebornes_research.bench.players import measure_batches, measure_players
from millebornes_research.bench.replay import measure_replay
from millebornes_research.bench.screen import measure_screen
from millebornes_research.bench.search import measure_search
from millebornes_research.bench.startup import measure_startup

__all__ = ["BENCHMARKS", "Benchmark", "Result"]


class Benchmark(NamedTuple):
    """A benchmark: a description in one line, and its function.

    If the argument of the function is true, the figures are rougher and take less time.
    """

    summary: str
    measure: Callable[[bool], Result]


BENCHMARKS: Final = {
    "kernels": Benchmark("random hands in the compiled rules, one thread, against a C program", measure_kernels),
    "tables": Benchmark("the same at other tables and in other editions, as a ratio to two seats", measure_tables),
    "game": Benchmark("random play through the Python game layer, against python-chess", measure_game),
    "players": Benchmark("strength of basic and maxims against random, and the cost of a move", measure_players),
    "batches": Benchmark("whole hands of kernel players against themselves, one thread", measure_batches),
    "envs": Benchmark("environments for learners, against CartPole, RLCard's and OpenSpiel's games", measure_envs),
    "data": Benchmark("games written as Parquet files, one process and two, against batches alone", measure_data),
    "search": Benchmark("rollouts of the champion, and by how much it outlasts its time", measure_search),
    "arena": Benchmark("matches in the arena by one process, by two, and by two arenas at once", measure_arena),
    "startup": Benchmark("the help, and the first prompt of play --plain with and without a cache", measure_startup),
    "screen": Benchmark("the full-screen game: its first screen, keys until they show, idling", measure_screen),
    "replay": Benchmark("replay --json of 10,000 recorded hands", measure_replay),
}
"""All benchmarks, in the order in which they run."""
