"""Environments for reinforcement learning (PettingZoo, Gymnasium and OpenSpiel), and the arrays they are built on.

If Gymnasium is installed, importing this package registers ``millebornes/Hand-v0`` and the tasks of
`millebornes.envs.suite`. Of the names exported here, only `env`, `raw_env` and `parallel_env` need the extra `envs`.
"""

import dataclasses
import importlib.util
from typing import Any, Final

from millebornes.envs.actions import action_of, actions, move_of
from millebornes.envs.batch import HandBatch
from millebornes.envs.fields import ObservationField, observation_fields
from millebornes.envs.observing import observation_of
from millebornes.envs.onnx_player import OnnxPlayer, onnx_metadata
from millebornes.envs.policy_player import PolicyPlayer
from millebornes.envs.suite import TASKS, Task, TaskReport, evaluate
from millebornes.envs.table import TableOptions
from millebornes.envs.trajectories import Trajectories, play_trajectories
from millebornes.errors import MilleBornesError

__all__ = [
    "HAND",
    "TASKS",
    "HandBatch",
    "ObservationField",
    "OnnxPlayer",
    "PolicyPlayer",
    "TableOptions",
    "Task",
    "TaskReport",
    "Trajectories",
    "action_of",
    "actions",
    "env",
    "evaluate",
    "move_of",
    "observation_fields",
    "observation_of",
    "onnx_metadata",
    "parallel_env",
    "play_trajectories",
    "raw_env",
]


HAND: Final = "millebornes/Hand-v0"
"""The Gymnasium id of the environment in which you play one seat against our players, alone or as a vector."""


def env(*arguments: Any, **options: Any) -> Any:
    """Return a PettingZoo environment (`millebornes.envs.zoo.env`), or raise `MilleBornesError` without PettingZoo."""
    return _zoo().env(*arguments, **options)


def raw_env(**options: Any) -> Any:
    """Return the same environment as `env`, but without PettingZoo's wrappers (`millebornes.envs.zoo.RawEnv`)."""
    return _zoo().RawEnv(**options)


def parallel_env(**options: Any) -> Any:
    """Return the same table as a parallel PettingZoo environment (`millebornes.envs.zoo.parallel_env`)."""
    return _zoo().parallel_env(**options)


def _zoo() -> Any:
    if importlib.util.find_spec("pettingzoo") is None:
        raise MilleBornesError("this needs the extra 'envs': pip install 'millebornes[envs]'")
    from millebornes.envs import zoo

    return zoo


def _register() -> None:
    if importlib.util.find_spec("gymnasium") is None:
        return
    import gymnasium

    options_by_id: dict[str, dict[str, Any]] = {HAND: {}}
    for name, task in TASKS.items():
        options_by_id[name] = {**dataclasses.asdict(task), "reward": "lead"}
        del options_by_id[name]["id"]
    for name, options in options_by_id.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="millebornes.envs.single:HandEnv",
                vector_entry_point="millebornes.envs.vector:HandVectorEnv",
                kwargs=options,
            )


_register()
