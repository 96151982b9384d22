"""Fair turns: everyone who waits is served in rotation, however much one of them asks for."""

from collections import OrderedDict
from typing import Final, Generic, NamedTuple, TypeVar

Name = TypeVar("Name")


class QueueFull(Exception):
    """There is no room for another name. ``is_own`` is true if its owner has too many, and false if everyone has."""

    def __init__(self, *, is_own: bool) -> None:
        super().__init__()
        self.is_own = is_own


class FairTurn(NamedTuple, Generic[Name]):
    """The name whose turn it is, and the owner who pays for it."""

    owner: str
    name: Name


class FairQueue(Generic[Name]):
    """A queue of names. The owners take turns, and the names of one owner keep their order.

    At most ``most`` names can wait, and at most ``most_own`` of one owner. The same name can wait for several owners.
    It is then taken once, at the first of its turns.
    """

    def __init__(self, most: int, most_own: int) -> None:
        self._most: Final = most
        self._most_own: Final = most_own
        self._lines: Final[OrderedDict[str, list[Name]]] = OrderedDict()
        """The names of each owner. The first owner has the next turn. No list is empty."""

    def __bool__(self) -> bool:
        """Return whether anything is waiting."""
        return bool(self._lines)

    def __contains__(self, name: Name) -> bool:
        """Return whether a name is waiting."""
        return any(name in line for line in self._lines.values())

    def add(self, owner: str, name: Name) -> Name | None:
        """Add a name at the end of its owner's line. Raises `QueueFull`.

        If the whole queue is full, the newest name of the longest line has to make room, unless this owner would then
        have as long a line. Return the name that no longer waits, or None.
        """
        own = self._lines.get(owner, [])
        if name in own:
            return None
        if len(own) >= self._most_own:
            raise QueueFull(is_own=True)
        dropped = None
        if sum(map(len, self._lines.values())) >= self._most:
            longest = max(self._lines, key=lambda other: len(self._lines[other]))
            if len(self._lines[longest]) <= len(own) + 1:
                raise QueueFull(is_own=False)
            dropped = self._lines[longest].pop()
        self._lines.setdefault(owner, own).append(name)
        return None if dropped is None or dropped in self else dropped

    def take(self) -> FairTurn[Name]:
        """Remove and return the next name. Raises `KeyError` if there is none."""
        owner, line = self._lines.popitem(last=False)
        name = line[0]
        self._lines[owner] = line  # behind all others
        self.remove(name)
        return FairTurn(owner, name)

    def remove(self, name: Name) -> None:
        """Remove a name from all lines."""
        for owner, line in list(self._lines.items()):
            if name in line:
                line.remove(name)
            if not line:
                del self._lines[owner]

    def first_of(self, owner: str) -> Name | None:
        """Return the next name of an owner, or None."""
        line = self._lines.get(owner)
        return line[0] if line else None

    @property
    def order(self) -> list[Name]:
        """The names in the order in which they will be taken."""
        depth = max(map(len, self._lines.values()), default=0)
        names = (line[n] for n in range(depth) for line in self._lines.values() if n < len(line))
        return list(dict.fromkeys(names)) if self._lines else []
