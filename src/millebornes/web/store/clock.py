"""The clocks of a server: a steady clock for durations, and the machine's clock for times that are stored.

The machine's clock can be wrong at the start, and someone can set it while the server runs, so it is never used for
durations.
"""

import time
from typing import Final, NamedTuple

HOUR: Final = 3_600_000
MIN_JUMP: Final = 10_000
"""If the machine's clock gains or loses more than this many milliseconds between two checks, it has jumped."""

_BEGUN: Final = (time.time_ns(), time.monotonic_ns())


def wall() -> int:
    """Return the time by the machine's clock in milliseconds since 1970. This clock can jump forwards and backwards."""
    return time.time_ns() // 1_000_000


def now() -> int:
    """Return the time in milliseconds since 1970. This time starts with the machine's clock and then runs steadily."""
    begun, since = _BEGUN
    return (begun + time.monotonic_ns() - since) // 1_000_000


def uptime() -> int:
    """Return a time in milliseconds that runs steadily. If the system supports this, it includes time asleep."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    return time.monotonic_ns() // 1_000_000


class ClockRange(NamedTuple):
    """The range of times that the machine's clock has shown before it jumped, in milliseconds since 1970."""

    since: int
    until: int


class ClockMonitor:
    """Decides whether the machine's clock is reliable enough to judge ages.

    To be reliable, it must have run for an hour without a jump.
    """

    def __init__(self, wall: int, uptime: int) -> None:
        self._begun = self._wall = wall
        self._reliable_since = self._uptime = uptime

    def check(self, wall: int, uptime: int) -> ClockRange | None:
        """Compare the machine's clock with the steady clock.

        After a jump, return the range of times since the last jump.
        """
        expected = self._wall + uptime - self._uptime
        has_jumped, shown = abs(wall - expected) > MIN_JUMP, ClockRange(self._begun, expected)
        self._wall, self._uptime = wall, uptime
        if not has_jumped:
            return None
        self._begun, self._reliable_since = wall, uptime
        return shown

    def is_reliable(self, uptime: int) -> bool:
        """Return whether an hour has passed both since the start and since the last jump."""
        return uptime - self._reliable_since >= HOUR
