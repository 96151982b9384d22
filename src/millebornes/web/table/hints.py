"""Hints for people who play against computers, made one after the other in a process of their own."""

import asyncio
import contextlib
import logging
import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from millebornes.web.errors import ApiError
from millebornes.web.table.reviewer import HintOrder
from millebornes.web.table.reviews import Worker

if TYPE_CHECKING:
    from millebornes.analysis.records import Analysis
    from millebornes.game import InformationState, View

__all__ = ["HintName", "Hints"]

MAX_WAITING: Final = 16
"""The hints that can wait while another one is being made."""
MAX_KEPT: Final = 256
"""The hints in memory."""
IDLE_AFTER: Final = 300.0
"""The seconds without requests after which the process ends."""

_log = logging.getLogger(__name__)


class HintName(NamedTuple):
    """The decision that a hint is about: its table, the seat that decides, and the version of the table."""

    table: str
    seat: int
    version: int


class _Wanted(NamedTuple):
    seen: "InformationState | View"
    done: Callable[[], object]


class Hints:
    """The hints of a server. Call all methods from the event loop.

    ``simulations`` and ``milliseconds`` bound the work for one hint.
    """

    def __init__(self, simulations: int, milliseconds: int) -> None:
        self._bounds: Final = simulations, milliseconds
        self._made: Final[dict[HintName, Analysis | None]] = {}
        """None for a hint that failed."""
        self._wanted: Final[dict[HintName, _Wanted]] = {}
        self._work: asyncio.Task[None] | None = None
        self._wake: Final = asyncio.Event()
        self._worker: Final = Worker("hints")

    def ask(self, name: HintName, seen: "InformationState | View", done: Callable[[], object]) -> None:
        """Request a hint from what a seat has seen, and call ``done`` when it is made. Raises `ApiError` (too_many)."""
        if self._made.get(name) is not None or name in self._wanted:
            return
        if len(self._wanted) > MAX_WAITING:
            raise ApiError(503, "too_many", "too many hints are wanted at the moment; try again in a minute", 60)
        self._made.pop(name, None)
        self._wanted[name] = _Wanted(seen, done)
        self._wake.set()
        if self._work is None or self._work.done():
            self._work = asyncio.get_running_loop().create_task(self._make_all())

    def found(self, name: HintName) -> "Analysis | None":
        """Return the hint for a decision, or None if it has not been made."""
        return self._made.get(name)

    def is_wanted(self, name: HintName) -> bool:
        """Return whether a hint is being made."""
        return name in self._wanted

    async def close(self) -> None:
        """Stop making hints and end the process."""
        if self._work is not None:
            self._work.cancel()
        await asyncio.to_thread(self._worker.close)
        if self._work is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._work

    async def _make_all(self) -> None:
        """Make the requested hints. After a while without requests, end the process."""
        while True:
            while self._wanted:
                name, wanted = next(iter(self._wanted.items()))
                made: Analysis | None = None
                try:
                    order = HintOrder(wanted.seen, *self._bounds)
                    made = pickle.loads(await asyncio.to_thread(self._worker.do, order, lambda _judging: None))
                except Exception as error:
                    _log.warning("a hint at table %s failed: %s", name.table, error)
                finally:
                    del self._wanted[name]
                self._made[name] = made
                if len(self._made) > MAX_KEPT:
                    del self._made[next(iter(self._made))]
                wanted.done()
            self._wake.clear()
            try:
                async with asyncio.timeout(IDLE_AFTER):
                    await self._wake.wait()
            except TimeoutError:
                await asyncio.to_thread(self._worker.end)
                if not self._wanted:
                    return
