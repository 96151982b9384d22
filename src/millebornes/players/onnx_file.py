"""Nets as ONNX files: ``onnx:FILE`` seats a policy that was learned in the environments of `millebornes.envs`."""

import pkgutil
from typing import Final

from millebornes.players.base import Player

__all__ = ["player_by_onnx"]

MADE_BY: Final = "millebornes.envs.onnx_player:player_in_onnx"
"""Found by its name: environments stand on players, not the other way round, and most games need none of them."""


def player_by_onnx(name: str) -> Player:
    """A new player of the net that a name such as ``onnx:mine.onnx`` stands for; its ``name`` is that name.

    Raises `PlayerError` that says in one sentence what is wrong with the file, or what has to be installed.
    """
    made: Player = pkgutil.resolve_name(MADE_BY)(name)
    return made
