"""A browser's answers in practice. The answers are stored in a cookie, so the server doesn't have to store anything."""

import datetime
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from millebornes.storage.practise import Answer

MAX_KEPT: Final = 240
"""A cookie of up to 4 KB can store this many exercises. Those that were answered longest ago are dropped first."""
ID_DIGITS: Final = 6
"""Only this many digits of an exercise's id are stored, which is enough to distinguish the exercises of a browser."""
MAX_RIGHT: Final = 8
"""Right answers in a row are counted up to this number."""
MINUTE_DIGITS: Final = 5
"""The number of base-36 digits for a time in minutes since 1970. This is enough until 2084."""
_ENTRY: Final = re.compile(rf"([0-9a-f]{{{ID_DIGITS}}})([0-{MAX_RIGHT}])([0-9a-z]{{{MINUTE_DIGITS}}})")


class _Known(NamedTuple):
    right: int
    minute: int


class BrowserProgress:
    """The answers of a browser, exercise by exercise, read from the ``text`` in its cookie. A damaged text is empty.

    The cookie contains only the number of right answers since the last wrong one, which is all that boxes need.
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
        """The text to store in the cookie."""
        return "".join(f"{id_part}{known.right}{_base36(known.minute)}" for id_part, known in self._known.items())

    def history(self, exercise_id: str) -> Sequence[Answer]:
        """Return the answers to an exercise that still count. All have the time of the latest answer."""
        known = self._known.get(exercise_id[:ID_DIGITS])
        if known is None:
            return ()
        moment = datetime.datetime.fromtimestamp(60 * known.minute, datetime.UTC)
        return (Answer(moment, known.right > 0),) * max(known.right, 1)

    def record(self, exercise_id: str, answer: Answer) -> None:
        """Add an answer to an exercise."""
        id_part = exercise_id[:ID_DIGITS]
        before = self._known.pop(id_part, _Known(0, 0))
        right = min(before.right + 1, MAX_RIGHT) if answer.right else 0
        self._known[id_part] = _Known(right, int(answer.moment.timestamp()) // 60)  # the latest answer comes last
        while len(self._known) > MAX_KEPT:
            del self._known[next(iter(self._known))]


def _base36(number: int) -> str:
    return np.base_repr(number, 36).lower().zfill(MINUTE_DIGITS)
