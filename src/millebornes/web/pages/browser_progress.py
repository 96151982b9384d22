"""A browser's answers in practice, kept in a cookie, so that the server stores nothing."""

import datetime
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from millebornes.storage.practise import Answer

__all__ = ["BrowserProgress"]

MAX_KEPT: Final = 240
"""The maximum number of exercises in a cookie of up to 4 KB. Those answered longest ago are dropped first."""
ID_DIGITS: Final = 6
"""The number of digits of an id that are kept, which is enough to distinguish a browser's exercises."""
MAX_RIGHT: Final = 8
"""The maximum number of right answers in a row to count."""
MINUTE_DIGITS: Final = 5
"""The number of digits of a time: minutes since 1970 in base 36, which is enough until 2084."""
_ENTRY: Final = re.compile(rf"([0-9a-f]{{{ID_DIGITS}}})([0-{MAX_RIGHT}])([0-9a-z]{{{MINUTE_DIGITS}}})")


class _Known(NamedTuple):
    """How often an exercise was answered right in a row, and the minute of the latest answer."""

    right: int
    minute: int


class BrowserProgress:
    """The answers of a browser by exercise, read from the ``text`` of its cookie. A damaged text counts as none.

    Only the right answers since the latest wrong one are known, which is all that boxes need.
    """

    def __init__(self, text: str = "") -> None:
        found = _ENTRY.findall(text)
        is_whole = sum(map(len, map("".join, found))) == len(text)
        self._known: Final = {
            id_part: _Known(int(right), int(minute, 36)) for id_part, right, minute in (found if is_whole else ())
        }

    def __len__(self) -> int:
        """Return the number of exercises that have been answered."""
        return len(self._known)

    @property
    def text(self) -> str:
        """The text of the cookie."""
        return "".join(f"{id_part}{known.right}{_base36(known.minute)}" for id_part, known in self._known.items())

    def history(self, exercise_id: str) -> Sequence[Answer]:
        """Return the answers to an exercise that count, oldest first, all with the time of the latest one."""
        known = self._known.get(exercise_id[:ID_DIGITS])
        if known is None:
            return ()
        moment = datetime.datetime.fromtimestamp(60 * known.minute, datetime.UTC)
        return (Answer(moment, known.right > 0),) * max(known.right, 1)

    def record(self, exercise_id: str, answer: Answer) -> None:
        """Add an answer."""
        id_part = exercise_id[:ID_DIGITS]
        before = self._known.pop(id_part, _Known(0, 0))
        right = min(before.right + 1, MAX_RIGHT) if answer.right else 0
        self._known[id_part] = _Known(right, int(answer.moment.timestamp()) // 60)  # the latest is the last
        while len(self._known) > MAX_KEPT:
            del self._known[next(iter(self._known))]


def _base36(number: int) -> str:
    return np.base_repr(number, 36).lower().zfill(MINUTE_DIGITS)
