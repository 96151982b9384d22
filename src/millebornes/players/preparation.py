"""Get computer players ready before a game. In the first run, this may involve a lot of compilation."""

from collections.abc import Callable, Iterable
from typing import Final

from millebornes.editions import Rules, make_rules
from millebornes.game import prepare
from millebornes.kernels.store import is_prepared, mark_prepared
from millebornes.player_names import COMMAND_PREFIX
from millebornes.players.base import Player
from millebornes.players.external_player import greet
from millebornes.players.kernel_parts import GAME
from millebornes.players.registry import PLAYERS, player
from millebornes.players.search_preparation import begin

LOADING: Final = 2.0
"""The usual number of seconds for loading a player that has been compiled before."""


def prepare_rules(begins: Callable[[], None] | None = None) -> None:
    """Load the rules before a game, and from now on compile in the background instead of waiting for machine code.

    ``begins`` is called if something has to be compiled in this process (``MILLEBORNES_COMPILE=here``). You can call
    this function in another thread.
    """
    begin(GAME, make_rules())
    prepare(begins)


def unprepared(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the players whose first move could take a long time, without repetition.

    Programs aren't included.
    """
    return tuple(name for name in dict.fromkeys(names) if _is_slow(name.partition(":")[0]))


def _is_slow(bare: str) -> bool:
    if bare not in PLAYERS or PLAYERS[bare].prepare is Player.prepare:
        return False
    return not is_prepared(bare) or PLAYERS[bare].prepare_behind is not Player.prepare_behind


def prepare_players(
    names: Iterable[str], rules: Rules, match_target: int | None, begins: Callable[[], None]
) -> tuple[str, ...]:
    """Get players ready for a table, and start programs. ``begins`` is called before any slow work.

    Returns the names of the players that get ready in the background and use a simpler method until then. You can call
    this function in another thread.
    """
    behind, names = [], tuple(names)
    for name in names:
        if name.startswith(COMMAND_PREFIX):
            greet(name, rules)
    for name in unprepared(names):
        bare = name.partition(":")[0]
        made = player(name)
        try:
            if made.prepare_behind(rules, match_target):
                if not made.is_prepared_behind(rules, match_target, LOADING):
                    behind.append(bare)
            elif not is_prepared(bare):
                begins()
                made.prepare()
                mark_prepared(bare)
        finally:
            made.close()
    return tuple(dict.fromkeys(behind))
