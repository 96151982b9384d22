"""The name by which Gymnasium knows the game."""

import importlib.util
from typing import Final

__all__ = ["HAND", "register"]

HAND: Final = "millebornes/Hand-v0"
"""One seat against our players; as a vector environment, thousands of hands."""


def register() -> None:
    """Register `HAND`, where Gymnasium is installed and that was not done."""
    if importlib.util.find_spec("gymnasium") is None:
        return
    import gymnasium

    if HAND not in gymnasium.registry:
        gymnasium.register(
            HAND,
            entry_point="millebornes.envs.single:HandEnv",
            vector_entry_point="millebornes.envs.vector:HandVectorEnv",
        )
