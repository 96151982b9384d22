"""The nets that come with the program, and the tables at which they are asked."""

import dataclasses
import functools
import importlib.resources
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from millebornes.editions import Rules, make_rules
from millebornes.policies.net_files import Net, ReadyNet, load_net

__all__ = ["ShippedNet", "net_named", "shipped_net"]

CLASSIC, TABLES = "classic-2.npz", "tables.npz"
LEARNED: Final[Mapping[str, Mapping[str, tuple[tuple[int, int], ...]]]] = {
    CLASSIC: {"classic": ((2, 2),), "wikibooks": ((2, 2),)},
    TABLES: {
        "classic": ((3, 3), (4, 2), (4, 4), (6, 2), (6, 3)),
        "bsd": ((2, 2),),
        "mille2": ((2, 2),),
        "wikibooks": ((3, 3), (4, 2), (4, 4), (6, 2), (6, 3)),
        "house": ((2, 2), (3, 3), (4, 2), (4, 4), (6, 2), (6, 3)),
    },
}
"""File -> edition -> seats and sides of the tables at which the net is stronger than the maxims."""


class ShippedNet(Net):
    """All of them as one net: at each table the one that has learned it is asked.

    Elsewhere what they add to the maxims would do harm, so there nothing is added. The arrays are those of the classic
    game for two.
    """

    def __init__(self) -> None:
        nets = {name: _load(name) for name in LEARNED}
        super().__init__(nets[CLASSIC].arrays)
        self._by_table = {
            _plain(make_rules(edition, *table)): nets[name]
            for name, editions in LEARNED.items()
            for edition, tables in editions.items()
            for table in tables
        }

    def __reduce__(self) -> tuple[Callable[..., Net], tuple[Any, ...]]:
        return shipped_net, ()

    def knows(self, rules: Rules) -> bool:
        """Whether one of them has learned to play at this table."""
        return _plain(rules) in self._by_table

    def of(self, rules: Rules) -> Net | None:
        """The one that has learned to play at this table."""
        return self._by_table.get(_plain(rules))

    def ready(self, rules: Rules) -> ReadyNet:
        """The net made ready for a table."""
        found = self._ready.get(rules)
        if found is None:
            found = self._ready[rules] = self._by_table.get(_plain(rules), _as_maxims()).ready(rules)
        return found


@functools.cache
def shipped_net() -> ShippedNet:
    """The nets that come with the program."""
    return ShippedNet()


def net_named(options: str) -> Net:
    """The net of a player ``instant`` or ``instant:FILE.npz``, given what follows the colon.

    Raises `PlayerError` for what is no file of a net.
    """
    return _net_in(Path(options)) if options.strip() else shipped_net()


@functools.lru_cache(maxsize=8)
def _net_in(path: Path) -> Net:
    return load_net(path)


def _load(name: str) -> Net:
    with importlib.resources.as_file(importlib.resources.files(__package__) / "nets" / name) as path:
        return load_net(path)


def _plain(rules: Rules) -> Rules:
    """Rules whatever they are called."""
    return dataclasses.replace(rules, edition=None)


@functools.cache
def _as_maxims() -> Net:
    return Net.random(0, base=1.0)
