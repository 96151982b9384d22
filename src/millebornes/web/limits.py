"""How much one address or one seat may ask for."""

import math
import time
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from millebornes.web.errors import ApiError

__all__ = ["MAX_BODY", "Limits"]

MAX_BODY: Final = 64 * 1024
"""Bytes of a request's body."""

MOST_STREAMS: Final = 64
"""Streams and connections of programs that one address may have open."""

MOST_TABS: Final = 12
"""Streams and connections of programs that one seat may have open."""

MOST_KNOWN: Final = 50_000


class _Rate(NamedTuple):
    """So many at once, and then so many a second."""

    burst: float
    per_second: float


RATES: Final = {
    "any": _Rate(300, 60),
    "tables": _Rate(20, 0.5),
    "join": _Rate(30, 1),
    "wrong": _Rate(30, 0.5),
    "chat": _Rate(6, 0.5),
    "review": _Rate(6, 0.1),
}
"""By address, but ``chat`` by seat; ``wrong`` are tokens and invitations that open nothing."""


class Limits:
    """Counts; nothing is refused where it is not ``on``."""

    def __init__(self, on: bool = True) -> None:
        self._on: Final = on
        self._left: dict[tuple[str, str], tuple[float, float]] = {}
        self._streams: Counter[str] = Counter()

    def spend(self, what: str, who: str) -> None:
        """Count one. Raises `ApiError` (429) where that is too much."""
        if not self._on:
            return
        rate, time_ = RATES[what], time.monotonic()
        left, since = self._left.get((what, who), (rate.burst, time_))
        left = min(rate.burst, left + (time_ - since) * rate.per_second)
        if left < 1:
            self._left[what, who] = (left, time_)
            seconds = math.ceil((1 - left) / rate.per_second)
            raise ApiError(429, "too_many", f"too much at once; try again in {seconds} s", retry_after=seconds)
        if len(self._left) > MOST_KNOWN:
            self._left.clear()
        self._left[what, who] = (left - 1, time_)

    def enter(self, address: str, seat: str | None = None) -> Callable[[], None]:
        """An address opens a stream, for a seat if it has one; what to call when it is closed.

        Raises `ApiError` (429) where the address or the seat has too many.
        """
        limits = {address: MOST_STREAMS} if seat is None else {address: MOST_STREAMS, seat: MOST_TABS}
        for who, most in limits.items():
            if self._on and self._streams[who] >= most:
                owner = "address" if who == address else "seat"
                raise ApiError(429, "too_many", f"at most {most} streams at once for one {owner}", retry_after=5)
        self._streams.update(limits.keys())

        def leave() -> None:
            for who in limits:
                self._streams[who] -= 1
                if self._streams[who] <= 0:
                    del self._streams[who]

        return leave
