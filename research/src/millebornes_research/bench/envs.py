"""Measure the steps of learning environments, in turn with the environments of other installed packages."""

import importlib
import random
import time
import warnings
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from millebornes.editions import make_rules
from millebornes.envs import HandBatch, TableOptions, Trajectories, play_trajectories
from millebornes.errors import MilleBornesError
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes_research.bench.base import Result, alternate, cpu_seconds, median
from millebornes_research.bench.kernels import RandomHands

__all__ = ["measure_envs"]

GAMES: Final = 1024
"""The number of hands, or carts, that take a step at the same time."""
MANY: Final = 4096
"""A number of hands that doesn't fit in the inner caches of a processor."""
OPPONENTS: Final = {"every_seat": (), "random": ("random",), "basic": ("basic",), "maxims": ("maxims",)}
SINGLE: Final = ("random", "basic", "maxims")
RLCARD: Final = {"leduc_holdem": "leduc_holdem_v4", "texas_holdem": "texas_holdem_v4"}
"""Card games of PettingZoo that are based on RLCard. Newer versions of PettingZoo have no other card games."""
OPEN_SPIEL: Final = ("python_block_dominoes", "python_team_dominoes")

Speed = Callable[[int], float]


def measure_envs(quick: bool = False) -> Result:
    """Measure steps per CPU-second for hands in kernels, including observations and masks, and for single environments.

    For vectors, the choice of actions isn't measured. For single environments, it is the same in all of them.
    ``trajectories`` and ``play_batch`` (random players, hands per CPU-second) are shown as ratios to random hands
    played with the rules alone.
    """
    rounds, steps = (3, 20) if quick else (9, 200)
    notes: list[str] = []
    speeds: dict[str, Speed] = {f"vector_{name}": _batch(GAMES, who, steps) for name, who in OPPONENTS.items()}
    speeds[f"vector_random_{MANY}"] = _batch(MANY, ("random",), steps // 4)
    speeds |= _baselines(steps, 10 if quick else 40, notes)
    speeds |= _records(2_000 if quick else 20_000)
    for speed in speeds.values():
        speed(-1)  # compile and set up everything before the measurement
    names = list(speeds)
    rows = dict(zip(names, alternate(rounds, *speeds.values()), strict=True))
    figures: dict[str, Any] = {"games": GAMES}
    baselines: dict[str, dict[str, Any] | None] = {}
    for name, values in rows.items():
        unit = "hands_per_cpu_s" if name in ("play_batch", "trajectories", "playouts") else "steps_per_cpu_s"
        if name.startswith(("vector_", "single_", "pettingzoo", "openspiel", "play_batch", "trajectories")):
            figures[f"{name}_{unit}"] = median(values)
        else:
            baselines[name] = {unit: median(values)}

    def ratio(ours: str, theirs: str) -> None:
        if theirs in rows and ours in rows:
            both = zip(rows[ours], rows[theirs], strict=True)
            figures[f"{ours}_ratio_to_{theirs}"] = median([a / b for a, b in both])

    for theirs in ("cartpole_sync", "cartpole_vector"):
        ratio("vector_random", theirs)
    ratio("single_random", "cartpole")
    for theirs in RLCARD:
        ratio("pettingzoo", theirs)
    for theirs in OPEN_SPIEL:
        ratio("openspiel", theirs)
    ratio("play_batch", "playouts")
    ratio("trajectories", "playouts")
    return Result("envs", figures, baselines, tuple(notes))


# ---------------------------------------------------------------- vectors


def _legal(masks: npt.NDArray[np.int8], chance: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return a legal action for each row."""
    found: npt.NDArray[np.int64] = (masks * chance.random(masks.shape, np.float32)).argmax(1)
    return found


def _batch(games: int, opponents: tuple[str, ...], steps: int) -> Speed:
    batch = HandBatch(TableOptions(), games, opponents)
    batch.seed(1)
    batch.reset()
    chance = np.random.default_rng(1)

    def speed(round_: int) -> float:
        spent = 0.0
        for _ in range(steps if round_ >= 0 else 1):
            actions = _legal(batch.masks, chance)
            start = time.process_time()
            batch.step(actions)
            spent += time.process_time() - start
        return games * steps / spent

    return speed


def _carts(mode: str, steps: int) -> Speed:
    import gymnasium

    envs = gymnasium.make_vec("CartPole-v1", num_envs=GAMES, vectorization_mode=mode)
    envs.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 2, (steps, GAMES))

    def speed(round_: int) -> float:
        done = steps if round_ >= 0 else 1
        return GAMES * done / cpu_seconds(lambda: [envs.step(row) for row in actions[:done]])

    return speed


# ---------------------------------------------------------------- single environments


def _zoo(make: Callable[[], Any], episodes: int) -> Speed:
    """Measure a PettingZoo environment: `last`, a legal action and `step`, as in PettingZoo's own benchmark.

    It is seeded only once. For each seed, RLCard creates its games again, which takes longer than playing them.
    """
    env, chance = make(), random.Random(1)
    env.reset(seed=1)

    def play() -> int:
        count = 0
        for _ in range(episodes):
            env.reset()
            for _agent in env.agent_iter():
                seen, _, terminated, truncated, info = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
                env.step(chance.choice(np.flatnonzero(mask).tolist()))
                count += 1
        return count

    return _per_second(play)


def _single(name: str, steps: int, **options: Any) -> Speed:
    """Measure a Gymnasium environment: `step`, and `reset` at the end of each episode.

    The choice of actions isn't measured.
    """
    import gymnasium

    env, chance = gymnasium.make(name, **options), random.Random(1)
    info: dict[str, Any] = env.reset(seed=1)[1]

    def speed(_round: int) -> float:
        nonlocal info
        spent = 0.0
        for _step in range(steps):
            mask = info.get("action_mask")
            action = chance.randrange(2) if mask is None else chance.choice(np.flatnonzero(mask).tolist())
            start = time.process_time()
            _, _, over, truncated, info = env.step(action)
            if over or truncated:
                info = env.reset()[1]
            spent += time.process_time() - start
        return steps / spent

    return speed


def _spiel(name: str, games: int) -> Speed:
    """Measure an OpenSpiel game: list the legal actions or chance outcomes and apply one of them, until the end."""
    import pyspiel

    game, chance = pyspiel.load_game(name), random.Random(1)

    def play() -> int:
        count = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    action = chance.choice(state.chance_outcomes())[0]
                else:
                    action = chance.choice(state.legal_actions())
                state.apply_action(action)
                count += 1
        return count

    return _per_second(play)


def _per_second(play: Callable[[], int]) -> Speed:
    def speed(_: int) -> float:
        start = time.process_time()
        count = play()
        return count / (time.process_time() - start)

    return speed


def _baselines(steps: int, games: int, notes: list[str]) -> dict[str, Speed]:
    """Return the speeds of our single environments and of those in other installed packages.

    A note about each missing environment is added to ``notes``.
    """
    found: dict[str, Speed] = {}
    try:
        found["cartpole_vector"] = _carts("vector_entry_point", steps)
        found["cartpole_sync"] = _carts("sync", 3)
        found["cartpole"] = _single("CartPole-v1", 50 * steps)
        from millebornes.envs import HAND, env

        found |= {f"single_{who}": _single(HAND, 50 * steps, opponent=who) for who in SINGLE}
        found["pettingzoo"] = _zoo(env, games)
    except (ImportError, MilleBornesError) as error:
        notes.append(f"without the extra envs: {error}")
    for name, module in RLCARD.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = importlib.import_module(f"pettingzoo.classic.{module}")
                found[name] = _zoo(made.env, 5 * games)
        except Exception as error:  # any error, because the package is missing or doesn't work with these versions
            notes.append(f"{name} of PettingZoo cannot be had: {error}")
    try:
        import open_spiel.python.games

        import millebornes.envs.openspiel as ours

        assert open_spiel.python.games is not None
        found["openspiel"] = _spiel(ours.GAME_TYPE.short_name, games)
        found |= {name: _spiel(name, 5 * games) for name in OPEN_SPIEL}
    except ImportError as error:
        notes.append(f"without the extra openspiel: {error}")
    return found


# ---------------------------------------------------------------- batches


def _records(hands: int) -> dict[str, Speed]:
    rules = make_rules()
    playouts, players = RandomHands(rules), [KernelPlayer.named("random", rules)]
    kept: list[Trajectories] = []

    def batch(_: int) -> float:
        return hands / cpu_seconds(lambda: play_batch(rules, players, [[0, 0]], hands, seed=1, streams=False))

    def record() -> None:
        room = kept.pop() if kept else None
        kept.append(play_trajectories(rules, ["random", "random"], hands // 2, seed=1, into=room))

    return {
        "play_batch": batch,
        "trajectories": lambda _: hands // 2 / cpu_seconds(record),
        "playouts": lambda _: playouts.play(5 * hands).hands_per_cpu_s,
    }
