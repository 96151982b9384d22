"""The time at a table, which follows its log and runs evenly."""

import math
import time
from typing import Final, TypeVar

import msgspec

from millebornes.web.server.moments import now
from millebornes.web.table.events import Away, TableEvent
from millebornes.web.table.state import TableState

__all__ = ["TableTime"]

SECRET_FOR: Final = 2.0
"""The seconds after a window in which a viewer may look at the table just because they have answered."""
MAX_DOWNTIME: Final = 60_000
"""The milliseconds of downtime that count against the person whose clock is running, at most."""

Dated = TypeVar("Dated", bound=TableEvent)


class TableTime:
    """The time at one table, in milliseconds since 1970.

    If the log is ahead of this process because a fast clock wrote it, time continues from the latest event. Times in
    the future count as now.
    """

    def __init__(self, state: TableState, *, alone: bool = False) -> None:
        """``alone`` is true if no other process serves the table, so its clocks stopped while this one was down."""
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
        """Follow the log after new events."""
        self._shift = max(self._shift, state.latest - now())
        if state.window is not None:
            self._secret_until = math.inf
        elif self._secret_until == math.inf:
            self._secret_until = time.monotonic()

    def was_secret(self, begun: float, *, looks: bool) -> bool:
        """Return whether a window has been open at any moment since ``begun``, a time of `time.monotonic`.

        If the request only ``looks``, a window that had only just closed at ``begun`` also counts.
        """
        return begun < self._secret_until + (SECRET_FOR if looks else 0)

    def stamped(self, event: Dated) -> Dated:
        """Return an event with the current time."""
        return msgspec.structs.replace(event, at=self.now)

    def of(self, event: Dated) -> Dated:
        """Return an event timed by `now` of `millebornes.web.server.moments` with the time of this table instead."""
        more = {"until": event.until + self._shift} if isinstance(event, Away) else {}
        return msgspec.structs.replace(event, at=event.at + self._shift, **more)
