"""The names of players. To let the first screen appear immediately, this module imports nothing from the game."""

from collections.abc import Collection
from importlib import metadata
from typing import Final

__all__ = ["COMMAND_PREFIX", "FILE_PREFIX", "GROUP", "HUMAN", "ONNX_PREFIX", "OWN_PREFIXES", "plugins"]

HUMAN: Final = "human"
"""The name that marks a human player in a list of players by seat."""
COMMAND_PREFIX: Final = "cmd:"
"""The prefix for a program, followed by its command. Its command follows."""
FILE_PREFIX: Final = "py:"
"""The prefix for a class in a Python file, followed by the path of the file."""
ONNX_PREFIX: Final = "onnx:"
"""The prefix for a net in an ONNX file, followed by the path of the file."""
OWN_PREFIXES: Final = (COMMAND_PREFIX, FILE_PREFIX, ONNX_PREFIX)
"""The prefixes for custom players: programs, classes and nets. They can do anything that the user's account can do."""
GROUP: Final = "millebornes.players"
"""The entry points through which other packages provide players: classes to create without arguments."""


def plugins(built_in: Collection[str]) -> dict[str, metadata.EntryPoint]:
    """Return the players that other packages provide, by name, without loading them or replacing built-in ones."""
    return {
        point.name: point
        for point in metadata.entry_points(group=GROUP)
        if point.name not in built_in and not point.name.startswith(OWN_PREFIXES)
    }
