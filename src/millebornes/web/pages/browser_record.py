"""A browser's matches against computer players. They are stored in a cookie, so the server stores nothing."""

import re
from typing import Final, NamedTuple

from millebornes.roster import ROSTER

MAX_TABLES: Final = 60
"""A cookie of up to 4 KB can store this many tables. Those that were counted longest ago are dropped first."""
MAX_COUNTED: Final = 99_999
"""Each number of matches is counted up to this maximum."""
_ENTRY: Final = re.compile(r"(~?)([A-Za-z0-9_-]{1,32})\.([0-9]{1,5})\.([0-9]{1,5})\.([0-9]{1,5})")


class MatchCounts(NamedTuple):
    """The numbers of finished matches that were won, lost and drawn."""

    won: int = 0
    lost: int = 0
    drawn: int = 0


class BrowserRecord:
    """The matches of a browser by level, read from the ``text`` in its cookie. A damaged text counts as empty.

    In addition to the totals, the text contains the counts for the latest tables, so that no match is counted twice.
    """

    def __init__(self, text: str = "") -> None:
        found = [_ENTRY.fullmatch(part) for part in text.split("|")]
        self._levels: Final[dict[str, MatchCounts]] = {}
        self._tables: Final[dict[str, MatchCounts]] = {}
        if all(found):
            for entry in filter(None, found):
                mark, name, *counts = entry.groups()
                (self._tables if mark else self._levels)[name] = MatchCounts(*map(int, counts))

    @property
    def text(self) -> str:
        """The text to store in the cookie."""
        levels = [f"{name}.{'.'.join(map(str, counts))}" for name, counts in self._levels.items()]
        return "|".join(levels + [f"~{name}.{'.'.join(map(str, counts))}" for name, counts in self._tables.items()])

    @property
    def levels(self) -> dict[str, MatchCounts]:
        """The matches against each level that the browser has played, the weakest level first."""
        return {name: self._levels[name] for name in ROSTER if name in self._levels}

    def count(self, table: str, level: str, matches: MatchCounts) -> None:
        """Count the matches that have been played at a table, except those that were counted before."""
        before = self._tables.pop(table, MatchCounts())
        new = [max(0, now - then) for now, then in zip(matches, before, strict=True)]
        if any(matches):
            self._tables[table] = matches
        if any(new):
            old = self._levels.get(level, MatchCounts())
            self._levels[level] = MatchCounts(*(min(a + b, MAX_COUNTED) for a, b in zip(old, new, strict=True)))
        while len(self._tables) > MAX_TABLES:
            del self._tables[next(iter(self._tables))]
