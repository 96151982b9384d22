"""The clocks of a server: a steady one for durations, and the machine's clock for stored times.

The machine's clock can be wrong at the start and can be set while a server runs, so it never measures durations.
"""

import time
from typing import Final, NamedTuple

__all__ = ["HOUR", "Calm", "Shown", "even", "now", "wall"]

HOUR: Final = 3_600_000
MIN_JUMP: Final = 10_000
"""The milliseconds that the machine's clock can gain or lose between two checks. Any more is a jump."""

_BEGUN: Final = (time.time_ns(), time.monotonic_ns())


def wall() -> int:
    """Return the time in milliseconds since 1970 by the machine's clock, which may jump either way."""
    return time.time_ns() // 1_000_000


def now() -> int:
    """Return the time in milliseconds since 1970, set by the machine's clock at the start and running evenly since."""
    begun, since = _BEGUN
    return (begun + time.monotonic_ns() - since) // 1_000_000


def even() -> int:
    """Return a time in milliseconds that runs evenly, even while the machine sleeps if the system supports that."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    return time.monotonic_ns() // 1_000_000


class Shown(NamedTuple):
    """The period that the machine's clock showed until it jumped, in milliseconds since 1970."""

    since: int
    until: int


class Calm:
    """Checks whether the machine's clock can be trusted to judge age: it must have run for an hour without a jump."""

    def __init__(self, wall: int, even: int) -> None:
        self._begun = self._wall = wall
        self._calm_since = self._even = even

    def look(self, wall: int, even: int) -> Shown | None:
        """Compare the clock with the steady time. After a jump, return what it had shown since the last one."""
        expected = self._wall + even - self._even
        has_jumped, shown = abs(wall - expected) > MIN_JUMP, Shown(self._begun, expected)
        self._wall, self._even = wall, even
        if not has_jumped:
            return None
        self._begun, self._calm_since = wall, even
        return shown

    def is_calm(self, even: int) -> bool:
        """Return whether an hour has passed since the start and since the last jump."""
        return even - self._calm_since >= HOUR
