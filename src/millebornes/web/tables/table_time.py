"""The time at a table, which is never earlier than its log and runs steadily."""

import asyncio
import math
import time
from typing import Final, TypeVar

import msgspec

from millebornes.table.facts import Away, Fact
from millebornes.table.state import TableState
from millebornes.web.store.clock import now

SECRET_FOR: Final = 2.0
"""For this many seconds after a window, looking at the table may be a viewer's reaction to having answered."""
MAX_DOWNTIME: Final = 60_000
"""At most this many milliseconds of downtime count against the person whose clock is running."""

Dated = TypeVar("Dated", bound=Fact)


class TableTime:
    """The time at one table, in milliseconds since 1970.

    If a process with a fast clock wrote the log, time continues from the latest fact.
    """

    def __init__(self, state: TableState, *, even: float = 0.0, alone: bool = False) -> None:
        """``even`` is `Pace.even` in seconds.

        ``alone`` is true if no other process serves the table, so that its clocks can stop with this one.
        """
        self.even: Final = even
        self._shift = 0
        self._secret_until = -math.inf
        runs = state.clocks is not None and state.clocks.running is not None
        if alone and runs:
            self._shift = min(0, state.latest + MAX_DOWNTIME - now())
        self.follow(state)

    @property
    def now(self) -> int:
        """The current time."""
        return now() + self._shift

    def follow(self, state: TableState) -> None:
        """Follow the log after new facts."""
        self._shift = max(self._shift, state.latest - now())
        if state.window is not None:
            self._secret_until = math.inf
        elif self._secret_until == math.inf:
            self._secret_until = time.monotonic()

    def was_secret(self, begun: float, *, looks: bool) -> bool:
        """Return whether a window was open since ``begun``, in the time of `time.monotonic`.

        If the request only ``looks`` at the table, a window that closed shortly before ``begun`` also counts.
        """
        return begun < self._secret_until + (SECRET_FOR if looks else 0)

    async def wait_evenly(self, begun: float) -> None:
        """Wait until the time since ``begun``, on the event loop's clock, is a multiple of `even` (R5.5)."""
        if self.even:
            await asyncio.sleep(self.even - (asyncio.get_running_loop().time() - begun) % self.even)

    def of(self, fact: Dated) -> Dated:
        """Return a fact with the time of this table, instead of one from `millebornes.web.store.clock`."""
        more = {"until": fact.until + self._shift} if isinstance(fact, Away) else {}
        return msgspec.structs.replace(fact, at=fact.at + self._shift, **more)
