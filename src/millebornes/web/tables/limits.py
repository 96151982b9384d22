"""Limits on the number of requests from one address or one seat."""

import asyncio
import contextlib
import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from millebornes.web.tables.errors import ApiError

MAX_BODY: Final = 16 * 1024
"""The maximum size of a request body, in bytes."""

MAX_STREAMS: Final = 64
"""An address may have this many open streams and connections of programs."""

MAX_TABS: Final = 12
"""A seat may have this many open streams and connections of programs."""

MAX_KNOWN: Final = 50_000

MAX_HELD: Final = 512
"""At most this many requests are held up at the same time."""

HELD_FOR: Final = 1.0
"""The seconds for which a request that is over the limit is held up."""


class _Rate(NamedTuple):
    """A rate limit. This allows a number of requests at once, and then a number per second."""

    burst: float
    per_second: float


BUDGETS: Final = {
    "cpu": _Rate(120, 0.5),
    "pages": _Rate(10, 0.2),
    "bytes": _Rate(64e6, 64e6 / 86_400),
}
"""What each address may use at once, and per second from then on.

``cpu`` is in seconds of the processes for reviews and hints, ``pages`` in seconds of threads that make pages, and
``bytes`` is what the database keeps.
"""

RATES: Final = {
    "any": _Rate(300, 60),
    "tables": _Rate(20, 0.5),
    "join": _Rate(30, 1),
    "wrong": _Rate(30, 0.5),
    "chat": _Rate(6, 0.5),
    "review": _Rate(6, 0.1),
    "hint": _Rate(20, 0.5),
    "past": _Rate(40, 2),
    "seat": _Rate(20, 0.5),
}
"""The rate limits for each address, except that ``chat`` and ``seat`` are limits for each seat.

``wrong`` counts invalid tokens and invitations, ``past`` counts requests that read from a log, and ``seat`` counts how
often people leave and return.
"""


def origin_of(address: str) -> str:
    """Return the part of an address that limits count as one. For IPv6, this is the 64-bit network of a household."""
    if ":" not in address:
        return address
    try:
        return str(ipaddress.IPv6Network((address.partition("%")[0], 64), strict=False))
    except ValueError:
        return address


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a host, which is a name or an address."""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost"
    return bool((getattr(found, "ipv4_mapped", None) or found).is_loopback)


class Limits:
    """Counters for requests. Requests are refused only if ``on`` is true."""

    def __init__(self, on: bool = True, clock: Callable[[], float] = time.monotonic) -> None:
        self._on: Final = on
        self._clock: Final = clock
        self._held = 0
        self._left: dict[tuple[str, str], tuple[float, float]] = {}
        self._streams: Counter[str] = Counter()

    def spend(self, what: str, who: str) -> None:
        """Count a request. Raises `ApiError` (429) if there have been too many."""
        if not self._on:
            return
        rate, left = RATES[what], self._left_of(what, who)
        if left < 1:
            seconds = math.ceil((1 - left) / rate.per_second)
            text = f"too many requests; try again in about {seconds} seconds"
            raise ApiError(429, "too_many", text, retry_after=seconds)
        self._left[what, who] = (left - 1, self._clock())

    async def delay(self) -> None:
        """Wait a second before a flood of requests is refused, so that whoever sends them has to wait, too."""
        if self._held < MAX_HELD:
            self._held += 1
            try:
                await asyncio.sleep(HELD_FOR)
            finally:
                self._held -= 1

    def check(self, what: str, who: str, amount: float = 0) -> None:
        """Raise `ApiError` (429) if a budget is used up, or has less left than an ``amount`` that is already known."""
        if not self._on:
            return
        budget, left = BUDGETS[what], self._left_of(what, who)
        missing = min(amount, budget.burst) - left
        if left <= 0 or missing > 0:
            seconds = max(1, math.ceil(max(missing, 0) / budget.per_second))
            used = "as much storage" if what == "bytes" else "as much computing time"
            text = f"this address has used {used} as it may; try again in about {seconds} seconds"
            raise ApiError(429, "used_up", text, retry_after=seconds)

    def charge(self, what: str, who: str, amount: float) -> None:
        """Take something from a budget after it was used. A budget can go below zero."""
        if self._on:
            self._left[what, who] = (self._left_of(what, who) - amount, self._clock())

    def _left_of(self, what: str, who: str) -> float:
        """Return what is left of a rate or a budget now. The one that was used last is forgotten last."""
        rate, time_ = BUDGETS.get(what) or RATES[what], self._clock()
        left, since = self._left.pop((what, who), (rate.burst, time_))
        left = min(rate.burst, left + (time_ - since) * rate.per_second)
        while len(self._left) >= MAX_KNOWN:
            del self._left[next(iter(self._left))]
        self._left[what, who] = (left, time_)
        return left

    @contextlib.contextmanager
    def count_failures(self, who: str, *statuses: int) -> Iterator[None]:
        """Count failed guesses in a ``with`` block.

        These are all `ApiError`s, or only those with one of ``statuses``.
        """
        try:
            yield
        except ApiError as error:
            if not statuses or error.status in statuses:
                self.spend("wrong", who)
            raise

    def enter(self, address: str, seat: str | None = None) -> Callable[[], None]:
        """Count a new stream of an address and, if it has one, of a seat.

        Return a function to call when the stream closes.

        Raises `ApiError` (429) if the address or the seat already has too many streams.
        """
        limits = {address: MAX_STREAMS} if seat is None else {address: MAX_STREAMS, seat: MAX_TABS}
        for who, most in limits.items():
            if self._on and self._streams[who] >= most:
                owner = "address" if who == address else "seat"
                raise ApiError(
                    429, "too_many", f"at most {most} streams can be open at once for one {owner}", retry_after=5
                )
        self._streams.update(limits.keys())

        def leave() -> None:
            for who in limits:
                self._streams[who] -= 1
                if self._streams[who] <= 0:
                    del self._streams[who]

        return leave
