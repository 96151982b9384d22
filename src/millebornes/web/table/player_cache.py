"""Computer players that go on from one decision of a match to the next, for what they learn of the others."""

import contextlib
import itertools
import threading
from collections import OrderedDict
from typing import Final

from millebornes.game import Match, Move
from millebornes.players import Player, Table, player

__all__ = ["PlayerCache", "choose_once"]

MAX_KEPT: Final = 100
"""Seats whose players are kept; the one that has not been asked for longest goes first."""
MAX_READY: Final = 8
"""Seats whose players keep what only makes them quicker, too: for the champion some 20 MB a seat."""


def _seated(made: Player, match: Match, seat: int, seed: str) -> Table:
    players: list[Player | None] = [None] * match.rules.seats
    players[seat] = made
    return Table(match, players, seed)


def choose_once(kind: str, match: Match, seat: int, seed: str) -> Move:
    """What a player of this kind does in the seat that decides; made for this decision, and told the hand so far."""
    with contextlib.closing(player(kind)) as made:
        return _seated(made, match, seat, seed).choose()


class PlayerCache:
    """Players by table, seat and kind, such as may be asked again after `Champion.close`.

    Threads may share it; each player is with one of them at a time.
    A decision for a seat whose player is still busy, as with a move that nobody waits for any more, is made by another
    one, which is kept instead.
    """

    def __init__(self) -> None:
        self._tables: Final[OrderedDict[tuple[str, int, str], Table]] = OrderedDict()
        self._lock: Final = threading.Lock()
        self._is_closed = False

    def choose(self, name: str, kind: str, match: Match, seat: int, seed: str) -> Move:
        """What the player of the seat that decides does at the table of a name, told what has happened meanwhile.

        Raises whatever the player raises; it is not kept then.
        """
        key = (name, seat, kind)
        with self._lock:
            table = self._tables.pop(key, None)
        made = player(kind) if table is None else table.players[seat]
        assert made is not None
        try:
            if table is None:
                table = _seated(made, match, seat, seed)
            else:
                table.follow(match)
            move = table.choose()
        except BaseException:
            made.close()
            raise
        self._keep(key, table)
        return move

    def close(self) -> None:
        """Let go of all players, and of those that are busy when they have chosen."""
        with self._lock:
            self._is_closed = True
            while self._tables:
                _close(self._tables.popitem()[1])

    def _keep(self, key: tuple[str, int, str], table: Table) -> None:
        with self._lock:
            if self._is_closed:
                _close(table)
                return
            before = self._tables.pop(key, None)
            if before is not None:
                _close(before)
            self._tables[key] = table
            if len(self._tables) > MAX_KEPT:
                _close(self._tables.popitem(last=False)[1])
            for resting in itertools.islice(reversed(self._tables.values()), MAX_READY, MAX_READY + 1):
                _close(resting)  # it may be asked again


def _close(table: Table) -> None:
    for seated in table.players:
        if seated is not None:
            seated.close()
