"""A log that nobody can flood: what repeats is written a few times, then counted."""

import logging
import time
from collections.abc import Hashable
from typing import Final

__all__ = ["BURST", "WHILE", "Throttle"]

BURST: Final = 10
"""Lines of one kind that are written in a `WHILE`."""
WHILE: Final = 30.0
"""Seconds."""
MOST_KINDS: Final = 1000


class Throttle(logging.Filter):
    """Leaves out lines of a kind after the first few in a while; the next one that's written says how many.

    Notes are of one kind where only what is filled in differs, refused requests where status and address are the same.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kinds: Final[dict[Hashable, tuple[float, int]]] = {}
        """Since when each kind is counted, and how often it has come."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        kind = _kind_of(record)
        if kind is None:
            return True
        time_ = time.monotonic()
        since, count = self._kinds.pop(kind, (time_, 0))
        left_out = 0
        if time_ - since >= WHILE:
            since, count, left_out = time_, 0, max(0, count - BURST)
        self._kinds[kind] = (since, count + 1)
        if len(self._kinds) > MOST_KINDS:
            del self._kinds[next(iter(self._kinds))]
        if left_out:
            record.left_out = left_out
            record.msg, record.args = f"{record.getMessage()} ({left_out} more like this were left out)", None
        return count < BURST


def _kind_of(record: logging.LogRecord) -> Hashable | None:
    """What a line has in common with those like it; None where each is written."""
    asked = getattr(record, "asked", None)
    if asked is not None:
        return (asked.status, asked.address) if asked.status >= 400 else None
    failed = record.exc_info[0] if record.exc_info else None
    return record.name, record.levelno, str(record.msg), failed
