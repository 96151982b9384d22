"""Programs that are greeted before a game, so that they can be called what they call themselves."""

import threading
from typing import Final

from millebornes.editions import Rules
from millebornes.player_names import COMMAND_PREFIX
from millebornes.players.base import Player
from millebornes.players.external.player import ExternalPlayer

__all__ = ["greet", "greeted"]

_waiting: Final[dict[str, list[ExternalPlayer]]] = {}
_lock: Final = threading.Lock()


def greet(name: str, rules: Rules) -> None:
    """Start the program of this name, and wait until it says what it is called, or is not ready in time.

    It then waits for who takes it by `greeted`. One that does not get ready is ended; the game will tell why.
    """
    made = ExternalPlayer(name.removeprefix(COMMAND_PREFIX))
    if made.greet(rules) is None:
        made.close()
        return
    with _lock:
        _waiting.setdefault(name, []).append(made)


def greeted(name: str) -> Player | None:
    """A program that was greeted, once; None where there is none of that name."""
    with _lock:
        found = _waiting.get(name)
        return found.pop() if found else None
