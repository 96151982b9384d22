"""Getting computer players ready before a game, where they have much to compile the first time."""

from collections.abc import Callable, Iterable

from millebornes.players.base import Player
from millebornes.players.registry import PLAYERS, player
from millebornes.rules.jit import is_prepared, mark_prepared

__all__ = ["prepare_players", "unprepared"]


def unprepared(names: Iterable[str]) -> tuple[str, ...]:
    """Which of these players, without their options, would take long over their first move; each is named once."""
    bare = dict.fromkeys(name.partition(":")[0] for name in names)
    slow = (name for name in bare if name in PLAYERS and PLAYERS[name].prepare is not Player.prepare)
    return tuple(name for name in slow if not is_prepared(name))


def prepare_players(names: Iterable[str], begins: Callable[[], None]) -> None:
    """Get players ready that would take long over their first move; ``begins`` is called before, if there are any.

    May run in a thread of its own.
    """
    for name in unprepared(names):
        begins()
        made = player(name)
        try:
            made.prepare()
        finally:
            made.close()
        mark_prepared(name)
