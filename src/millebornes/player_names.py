"""How players are named. It loads nothing of the game, so that the first screen is there at once."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["COMMAND_PREFIX", "FILE_PREFIX", "GROUP", "HUMAN", "ONNX_PREFIX", "OWN_PREFIXES", "plugins"]

HUMAN: Final = "human"
"""Stands for a person where seats name their players."""
COMMAND_PREFIX: Final = "cmd:"
"""What the name of a program begins with; its command follows."""
FILE_PREFIX: Final = "py:"
"""What the name of a class out of a file begins with."""
ONNX_PREFIX: Final = "onnx:"
"""What the name of a net in a file begins with."""
OWN_PREFIXES: Final = (COMMAND_PREFIX, FILE_PREFIX, ONNX_PREFIX)
"""What the names of players begin with that are a program, a class or a net of somebody's own, and may do anything."""
GROUP: Final = "millebornes.players"
"""Entry points by which other packages add players: each names a `Player` class that is made without arguments."""


def plugins(built_in: Collection[str]) -> "dict[str, EntryPoint]":
    """The players of other packages by name, without loading them; none can take the name of a ``built_in`` one."""
    from importlib import metadata  # takes a while

    return {
        point.name: point
        for point in metadata.entry_points(group=GROUP)
        if point.name not in built_in and not point.name.startswith(OWN_PREFIXES)
    }
