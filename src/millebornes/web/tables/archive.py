"""Long logs and finished matches. The logs are read in separate threads, so that no table has to wait for them."""

import asyncio
import dataclasses
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from millebornes.game import Match
from millebornes.notation import transcript_lines
from millebornes.table.facts import Fact, HandDealt, Shuffled
from millebornes.table.log import fold
from millebornes.table.state import TableState
from millebornes.web.store.store import Store
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.fair_threads import FairThreads

MAX_EVENTS_AT_ONCE: Final = 300
"""A log with at most this many events is read without a thread, which takes about 70 ms."""
MAX_MATCHES: Final = 16
"""At most this many finished matches stay in memory. Each takes about 200 KB."""

_LOADING: Final = ThreadPoolExecutor(2, thread_name_prefix="loader")


async def fold_in_thread(log: list[Fact]) -> TableState:
    """Return the state that a log determines. A long log is read in a thread. Raises `LogError`."""
    if len(log) <= MAX_EVENTS_AT_ONCE:
        return fold(log)
    return await asyncio.get_running_loop().run_in_executor(_LOADING, fold, log)


class Archive:
    """The finished matches of all tables. The most recent ones stay in memory. ``owner`` is the address that asks."""

    def __init__(self, store: Store, threads: FairThreads) -> None:
        self._store: Final = store
        self._threads: Final = threads
        self._kept: Final[OrderedDict[tuple[str, int], asyncio.Task[TableState]]] = OrderedDict()

    def has(self, table: str, number: int) -> bool:
        """Return whether a match is in memory or being read."""
        return (table, number) in self._kept

    async def past(self, table: str, number: int, owner: str) -> TableState:
        """Return the state at the end of a match that isn't the table's latest.

        Simultaneous requests share the work.
        """
        key = table, number
        if key not in self._kept:
            self._kept[key] = asyncio.get_running_loop().create_task(self._read(table, number, owner))
            if len(self._kept) > MAX_MATCHES:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        try:
            return await asyncio.shield(self._kept[key])
        except Exception:
            self._kept.pop(key, None)
            raise

    async def _read(self, table: str, number: int, owner: str) -> TableState:
        log = await self._store.facts(table)
        return await self._threads.run(owner, lambda: _match_of(log, number))

    async def transcript(self, state: TableState, owner: str) -> str:
        """Return the finished hands in a match as a transcript. Raises `ApiError` if there are none."""
        match, more = _finished(state)

        def write() -> str:
            return "".join(f"{line}\n" for line in transcript_lines(match, hand_extra=more))

        return await self._threads.run(owner, write)


def _match_of(log: list[Fact], number: int) -> TableState:
    after = (n for n, fact in enumerate(log) if isinstance(fact, Shuffled | HandDealt) and fact.match > number)
    state = fold(log[: next(after, len(log))])
    state.messages.clear()
    return state


def _finished(state: TableState) -> tuple[Match, list[dict[str, object]]]:
    """Return the match without its current hand, and additional keys for the line of each hand.

    Raises `ApiError` (no_hand) if no hand is finished.
    """
    known = state.match
    hands = () if known is None else tuple(hand for hand in known.hands if hand.is_over)
    if known is None or not hands:
        raise ApiError(404, "no_hand", "no hand is finished yet")
    match = dataclasses.replace(known, hand=hands[-1], finished=hands[:-1])
    more: list[dict[str, object]] = [
        {"shuffle": state.shuffles[number].to_dict()} if number in state.shuffles else {}
        for number in range(1, len(hands) + 1)
    ]
    return match, more
