"""The computer players at the tables. Each decision is made in a thread by a player that gets the hand so far."""

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
from millebornes.table.facts import Fact, MoveMade, SeatForfeited
from millebornes.table.state import TableState
from millebornes.table.steps import ScheduledStep, StepKind

MAX_KEPT: Final = 100
"""The players of at most this many seats are kept. Those that haven't been used for longest go first."""
MAX_READY: Final = 8
"""The players of at most this many seats keep their caches, which take about 20 MB per champion."""


def _seated(made: Player, match: Match, seat: int, seed: str) -> Table:
    players: list[Player | None] = [None] * match.rules.seats
    players[seat] = made
    return Table(match, players, seed)


def choose_once(kind: str, match: Match, seat: int, seed: str) -> Move:
    """Return the move of a player that is created for this decision and gets the hand so far."""
    with contextlib.closing(player(kind)) as made:
        return _seated(made, match, seat, seed).choose()


class PlayerCache:
    """Players that can go on playing after they were closed, like `Champion`, by table, seat and kind.

    Each player is used by one thread at a time. If it is busy, for example with a move that is no longer needed, a new
    player makes the decision and takes its place.
    """

    def __init__(self) -> None:
        self._tables: Final[OrderedDict[tuple[str, int, str], Table]] = OrderedDict()
        self._lock: Final = threading.Lock()
        self._is_closed = False

    def choose(self, name: str, kind: str, match: Match, seat: int, seed: str) -> Move:
        """Return the move of the cached player for the current seat at table ``name``, after updating the player.

        Raises any exception that the player raises. A player that fails isn't kept.
        """
        key = (name, seat, kind)
        with self._lock:
            table = self._tables.pop(key, None)
        if table is not None and table.match.rules != match.rules:  # a rematch with different settings
            _close(table)
            table = None
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
        """Close all players. A busy player is closed after it has chosen its move."""
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
                _close(resting)  # the player can be used again


def _close(table: Table) -> None:
    for seated in table.players:
        if seated is not None:
            seated.close()


STAND_IN: Final = DEFAULT_PLAYER
"""The computer player that decides for a person who has left."""

_SLOW: Final = frozenset(name for name, known in ROSTER.items() if known.learns_in_match)
"""The players that take a long time for a move, and learn during a match how the others play.

They have threads of their own, and are kept from move to move. All others are created again for each decision.
"""

_log = logging.getLogger(__name__)


def check_computer(name: str) -> None:
    """Check that people may choose a computer player, which isn't a program. Raises `PlayerError`."""
    if name in PLAYERS:
        return
    known = available()
    info = known.get(name)
    if info is None or info.problem is not None or info.sees_everything:
        names = ", ".join(other for other, found in known.items() if not (found.sees_everything or found.problem))
        shown = name if len(name) <= 40 else f"{name[:37]}..."
        raise PlayerError(f"there is no computer player {shown!r} for a table; choose {names}")


def _prepare(kind: str, match: Match) -> None:
    with contextlib.closing(player(kind)) as made:
        made.prepare_behind(match.rules, match.match_target)


class ComputerPlayers:
    """The threads for computer players: one for each core, and as many again for players that search."""

    def __init__(self) -> None:
        count = os.cpu_count() or 1
        self._quick: Final = ThreadPoolExecutor(count, thread_name_prefix="quick")
        self._slow: Final = ThreadPoolExecutor(max(1, count // 2), thread_name_prefix="slow")
        self._kept: Final = PlayerCache()
        self._prepared: set[tuple[str, str]] = set()

    async def decide(self, table: str, state: TableState, step: ScheduledStep) -> Fact | None:
        """Return the fact for a step that a computer player decides, or None. The fact doesn't have a time yet.

        While a coup fourré can be called, computer players that aren't asked also think, about their latest decision.
        Otherwise, the load of the server would reveal which seat is asked (R5.5).
        """
        seat = step.seat
        match = state.match
        if seat is None or match is None:
            return None
        is_own = not state.humans[seat]
        kind = state.places[seat] if is_own else STAND_IN
        is_asked = step.task is not StepKind.CALL or state.asked == seat
        if not is_asked:
            hand = next((hand for hand in reversed(match.hand.moments[:-1]) if hand.seat == seat), None)
            if hand is None:
                return None
            match = dataclasses.replace(match, hand=hand)
        try:
            # A player that isn't asked about a coup fourré thinks about an earlier position, so it can't be a player
            # that is kept from move to move.
            keeper = None if step.task is StepKind.CALL else table
            move = await self.choose(kind, match, seat, state.created.secret, keeper)
        except asyncio.CancelledError:
            raise
        except Exception as error:  # players from other packages can raise any exception
            # Leave out the message of the error, which could name cards in the player's hand.
            _log.warning("table %s: %s failed: %s", table, kind, type(error).__name__)
            if step.task is StepKind.CALL:
                return None
            if is_own:
                return SeatForfeited(at=0, seat=seat, reason=f"failed ({type(error).__name__})")
            move = match.hand.legal_moves[0]
        return None if move.action is Action.PASS or not is_asked else MoveMade(at=0, seat=seat, move=move.text)

    async def choose(self, kind: str, match: Match, seat: int, seed: str, table: str | None = None) -> Move:
        """Return the move of a player of this kind for the current seat. Raises any exception that the player raises.

        With a ``table``, the player may be one that is kept for that table.
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
        """Start no more decisions. The function doesn't wait for current decisions."""
        for pool in (self._quick, self._slow):
            pool.shutdown(wait=False, cancel_futures=True)
        self._kept.close()
