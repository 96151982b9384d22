"""Computer players at the tables: each decision is made in a thread, by a player that is told the hand so far."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from millebornes.errors import PlayerError
from millebornes.game import Match, Move
from millebornes.players import PLAYERS, Player, Table, available, player
from millebornes.session.setup import USUAL_LEVEL

__all__ = ["STAND_IN", "Thinkers", "check_computer"]

STAND_IN: Final = USUAL_LEVEL
"""Who decides for a person that has left."""

_SLOW: Final = frozenset(("champion",))
"""Players that take long for a move; they have threads of their own, so that nobody else waits for them."""


def check_computer(name: str) -> None:
    """Whether a computer player may be asked for over the network: never a program. Raises `PlayerError`."""
    if name in PLAYERS:
        return
    known = available()
    info = known.get(name)
    if info is None or info.problem is not None or info.sees_everything:
        names = ", ".join(other for other, found in known.items() if not (found.sees_everything or found.problem))
        shown = name if len(name) <= 40 else f"{name[:37]}..."
        raise PlayerError(f"there is no computer player {shown!r} for a table; they are {names}")


def _choose(kind: str, match: Match, seat: int, seed: str) -> Move:
    """What a player of this kind does; made anew, so that no thread shares anything with another."""
    made = player(kind)
    try:
        seated: list[Player | None] = [None] * match.rules.seats
        seated[seat] = made
        return Table(match, seated, seed).choose()
    finally:
        made.close()


def _prepare(kind: str, match: Match) -> None:
    made = player(kind)
    try:
        made.prepare_behind(match.rules, match.match_target)
    finally:
        made.close()


class Thinkers:
    """Threads in which computer players think; as many as there are cores, and as many again for those that search."""

    def __init__(self, workers: int | None = None) -> None:
        count = workers or os.cpu_count() or 1
        self._quick: Final = ThreadPoolExecutor(count, thread_name_prefix="quick")
        self._slow: Final = ThreadPoolExecutor(max(1, count // 2), thread_name_prefix="slow")
        self._prepared: set[tuple[str, str]] = set()

    async def choose(self, kind: str, match: Match, seat: int, seed: str) -> Move:
        """The move that a player of this kind makes for the seat that decides. Raises whatever the player raises."""
        loop = asyncio.get_running_loop()
        pool = self._slow if kind in _SLOW else self._quick
        made_ready = (kind, str(match.rules))
        if kind in _SLOW and made_ready not in self._prepared:
            self._prepared.add(made_ready)
            await loop.run_in_executor(pool, _prepare, kind, match)
        return await loop.run_in_executor(pool, _choose, kind, match, seat, seed)

    def close(self) -> None:
        """Start no further thought, and wait for none."""
        for pool in (self._quick, self._slow):
            pool.shutdown(wait=False, cancel_futures=True)
