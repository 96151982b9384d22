"""The time at a table: what its log tells, running on evenly."""

import math
import time
from typing import Final, TypeVar

import msgspec

from millebornes.web.server.moments import now
from millebornes.web.table.events import Away, TableEvent
from millebornes.web.table.state import TableState

__all__ = ["TableTime"]

SECRET_FOR: Final = 2.0
"""Seconds after a window in which somebody may still look at the table because they have answered."""
MAX_DOWNTIME: Final = 60_000
"""Milliseconds without a server that count against the person whose clock runs, at most."""

Dated = TypeVar("Dated", bound=TableEvent)


class TableTime:
    """The time at one table, in milliseconds since 1970.

    Where the log is ahead of this process, as it was written under a clock that was fast, time goes on from there: what
    lies in the future counts as now.
    """

    def __init__(self, state: TableState, *, alone: bool = False) -> None:
        """With ``alone`` no other process serves the table, so no clock ran while this one did not."""
        self._shift = 0
        self._secret_until = -math.inf
        runs = state.clocks is not None and state.clocks.running is not None
        if alone and runs:
            self._shift = min(0, state.latest + MAX_DOWNTIME - now())
        self.follow(state)

    @property
    def now(self) -> int:
        """The present time."""
        return now() + self._shift

    def follow(self, state: TableState) -> None:
        """The log has gone on."""
        self._shift = max(self._shift, state.latest - now())
        if state.window is not None:
            self._secret_until = math.inf
        elif self._secret_until == math.inf:
            self._secret_until = time.monotonic()

    def was_secret(self, begun: float, *, looks: bool) -> bool:
        """Whether a window has been open since a time of `time.monotonic`; for a look, or had only just ended then."""
        return begun < self._secret_until + (SECRET_FOR if looks else 0)

    def stamped(self, event: Dated) -> Dated:
        """An event as it happens now."""
        return msgspec.structs.replace(event, at=self.now)

    def of(self, event: Dated) -> Dated:
        """An event by `now` as it is by the time at this table."""
        more = {"until": event.until + self._shift} if isinstance(event, Away) else {}
        return msgspec.structs.replace(event, at=event.at + self._shift, **more)
