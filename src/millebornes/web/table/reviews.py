"""Reviews of finished hands.

The pages of the hands request reviews, a separate process makes them one at a time, and the server keeps them.
"""

import collections
import functools
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from millebornes.web.table.background import Background
from millebornes.web.table.reviewer import Judging, Order, unpacked

if TYPE_CHECKING:
    from millebornes.analysis.match_review import Review
    from millebornes.game import Match

__all__ = ["HandName", "ReviewProgress", "Reviews"]

MAX_BYTES: Final = 16 << 20
"""The maximum size of all packed reviews in memory, in bytes. Each takes about 30 KB.

If one is dropped, an identical one can be made.
"""
MAX_FAILED: Final = 1000


class HandName(NamedTuple):
    """The name of a hand: its table, the number of its match there, and its number in the match, both from 1."""

    table: str
    match: int
    hand: int

    def __str__(self) -> str:
        return f"hand {self.hand} of match {self.match} at table {self.table}"


class ReviewProgress(NamedTuple):
    """The progress of a review. ``before`` reviews come first, and ``done`` of ``total`` decisions have been judged.

    While the review is starting, ``total`` is 0.
    """

    before: int
    done: int
    total: int


class Reviews(Background[HandName, "Match"]):
    """The reviews that a server computes. Each is requested with the hand's name and its match.

    Call all methods from the event loop.

    ``worlds`` is the maximum number of simulations for a decision and for the luck in it.
    """

    KIND: ClassVar = "review"
    MAX_WAITING: ClassVar = 8
    BUSY: ClassVar = "busy"
    IDLE_AFTER: ClassVar = 60.0

    def __init__(self, worlds: tuple[int, int]) -> None:
        super().__init__()
        self._worlds: Final = worlds
        self._made: Final[collections.OrderedDict[HandName, bytes]] = collections.OrderedDict()
        self._bytes = 0
        self._failed: Final[dict[HandName, None]] = {}

    def ask(self, name: HandName, wanted: "Match") -> None:
        """Request a review of a hand, unless it exists or is being made. Raises `ApiError` (busy)."""
        if name not in self._made:
            super().ask(name, wanted)
            self._failed.pop(name, None)

    def found(self, name: HandName) -> "Review | None":
        """Return the review of a hand, or None if it doesn't exist yet."""
        data = self._made.get(name)
        if data is None:
            return None
        self._made.move_to_end(name)
        return _opened(data)

    def progress(self, name: HandName) -> ReviewProgress | None:
        """Return the progress of a review, or None if it isn't being made."""
        for before, other in enumerate(self._wanted):
            if other == name:
                return ReviewProgress(before, *(Judging(0, 0) if before else self._judging))
        return None

    def has_failed(self, name: HandName) -> bool:
        """Return whether a review has failed."""
        return name in self._failed

    def _order(self, name: HandName, wanted: "Match") -> Order:
        return Order(wanted, name.hand, self._worlds)

    def _finish(self, name: HandName, wanted: "Match", data: bytes | None) -> None:
        if data is None:
            self._failed[name] = None
            if len(self._failed) > MAX_FAILED:
                del self._failed[next(iter(self._failed))]
            return
        self._made[name] = data
        self._bytes += len(data)
        while self._bytes > MAX_BYTES and len(self._made) > 1:
            self._bytes -= len(self._made.popitem(last=False)[1])


@functools.lru_cache(maxsize=8)
def _opened(data: bytes) -> "Review":
    return unpacked(data)
