"""The names of players. This module imports nothing from the game, so that the first screen appears immediately."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["COMMAND_PREFIX", "FILE_PREFIX", "GROUP", "HUMAN", "ONNX_PREFIX", "OWN_PREFIXES", "plugins"]

HUMAN: Final = "human"
"""The name for a person in a list of players by seat."""
COMMAND_PREFIX: Final = "cmd:"
"""The prefix for a program. Its command follows."""
FILE_PREFIX: Final = "py:"
"""The prefix for a class in a file."""
ONNX_PREFIX: Final = "onnx:"
"""The prefix for a net in a file."""
OWN_PREFIXES: Final = (COMMAND_PREFIX, FILE_PREFIX, ONNX_PREFIX)
"""The prefixes for custom players: programs, classes and nets. Nothing limits what these can do."""
GROUP: Final = "millebornes.players"
"""The group of entry points for other packages' players. Each names a `Player` class that takes no arguments."""


def plugins(built_in: Collection[str]) -> "dict[str, EntryPoint]":
    """Return players from other packages by name, without loading them. They can't replace a ``built_in`` player."""
    from importlib import metadata  # slow to import

    return {
        point.name: point
        for point in metadata.entry_points(group=GROUP)
        if point.name not in built_in and not point.name.startswith(OWN_PREFIXES)
    }
