"""Computer players at the tables: each decision is made in a thread, by a player that is told the hand so far."""

import asyncio
import contextlib
import dataclasses
import itertools
import logging
import os
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from millebornes.errors import PlayerError
from millebornes.game import Action, Match, Move
from millebornes.players import PLAYERS, Player, Table, available, player
from millebornes.roster import DEFAULT_PLAYER, ROSTER
from millebornes.web.table.events import MoveMade, SeatForfeited, TableEvent
from millebornes.web.table.scheduler import ScheduledStep, StepKind
from millebornes.web.table.state import TableState

__all__ = ["STAND_IN", "ComputerPlayers", "PlayerCache", "check_computer", "choose_once"]

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


STAND_IN: Final = DEFAULT_PLAYER
"""Who decides for a person that has left."""

_SLOW: Final = frozenset(name for name, known in ROSTER.items() if known.learns_in_match)
"""Players that take long for a move, and learn in a match how the others play.

They have threads of their own, so that nobody else waits for them, and are kept from move to move; all others remember
nothing, and are made anew for each decision."""

_log = logging.getLogger(__name__)


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


def _prepare(kind: str, match: Match) -> None:
    made = player(kind)
    try:
        made.prepare_behind(match.rules, match.match_target)
    finally:
        made.close()


class ComputerPlayers:
    """Threads in which computer players think; as many as there are cores, and as many again for those that search."""

    def __init__(self, workers: int | None = None) -> None:
        count = workers or os.cpu_count() or 1
        self._quick: Final = ThreadPoolExecutor(count, thread_name_prefix="quick")
        self._slow: Final = ThreadPoolExecutor(max(1, count // 2), thread_name_prefix="slow")
        self._kept: Final = PlayerCache()
        self._prepared: set[tuple[str, str]] = set()

    async def decide(self, table: str, state: TableState, step: ScheduledStep) -> TableEvent | None:
        """What the seat of a step does that a computer player decides for, without the time yet; None for nothing.

        Who may be asked for a coup fourré, but is not, thinks all the same, of its latest decision: the load of a
        server would tell (R5.5).
        """
        seat = step.seat
        if seat is None or state.session is None:
            return None
        is_own = not state.humans[seat]
        kind = state.places[seat] if is_own else STAND_IN
        match = state.session.match
        is_asked = step.task is not StepKind.CALL or state.asked == seat
        if not is_asked:
            hand = next((hand for hand in reversed(match.hand.moments[:-1]) if hand.seat == seat), None)
            if hand is None:
                return None
            match = dataclasses.replace(match, hand=hand)
        try:
            # Who need not be asked for a coup fourré thinks at an earlier moment, so no player that goes on can do it.
            keeper = None if step.task is StepKind.CALL else table
            move = await self.choose(kind, match, seat, state.created.secret, keeper)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # whatever a player of another package raises
            # Not what it says: a player may name the cards that it holds.
            _log.warning("table %s: %s failed: %s", table, kind, type(error).__name__)
            if step.task is StepKind.CALL:
                return None
            if is_own:
                return SeatForfeited(at=0, seat=seat, reason=f"failed ({type(error).__name__})")
            move = match.hand.legal_moves[0]
        return None if move.action is Action.PASS or not is_asked else MoveMade(at=0, seat=seat, move=move.text)

    async def choose(self, kind: str, match: Match, seat: int, seed: str, table: str | None = None) -> Move:
        """The move that a player of this kind makes for the seat that decides. Raises whatever the player raises.

        With the name of a ``table`` the player may be one that has been asked there before.
        """
        loop = asyncio.get_running_loop()
        if kind not in _SLOW:
            return await loop.run_in_executor(self._quick, choose_once, kind, match, seat, seed)
        made_ready = (kind, str(match.rules))
        if made_ready not in self._prepared:
            self._prepared.add(made_ready)
            await loop.run_in_executor(self._slow, _prepare, kind, match)
        if table is None:
            return await loop.run_in_executor(self._slow, choose_once, kind, match, seat, seed)
        return await loop.run_in_executor(self._slow, self._kept.choose, table, kind, match, seat, seed)

    def close(self) -> None:
        """Start no further thought, and wait for none."""
        for pool in (self._quick, self._slow):
            pool.shutdown(wait=False, cancel_futures=True)
        self._kept.close()
