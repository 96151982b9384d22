"""The nets that come with the program, combined into one that uses the right net at each table."""

import functools
import importlib.resources
from collections.abc import Callable
from pathlib import Path
from typing import Any

from millebornes.editions import Rules
from millebornes.policies.net_choice import CLASSIC, NetChoice, choose_net
from millebornes.policies.net_files import Net, ReadyNet, load_net

__all__ = ["ShippedNet", "net_file", "net_named", "ready_as", "shipped_net"]


class ShippedNet(Net):
    """All shipped nets as one net. At each table it uses the net that `millebornes.policies.net_choice` chooses.

    If none is chosen, a net's additions to the maxims would do harm, so nothing is added. The arrays are those of the
    classic game for two.
    """

    def __init__(self) -> None:
        super().__init__(net_file(CLASSIC).arrays)

    def __reduce__(self) -> tuple[Callable[..., Net], tuple[Any, ...]]:
        return shipped_net, ()

    def knows(self, rules: Rules) -> bool:
        """Return whether one of the nets plays at this table."""
        return choose_net(rules) is not None

    def of(self, rules: Rules) -> Net | None:
        """Return the net that plays at this table, or None if the maxims play without one."""
        choice = choose_net(rules)
        return None if choice is None else net_file(choice.file)

    def ready(self, rules: Rules) -> ReadyNet:
        """Return the net made ready for a table. Its inputs for the rules are those of the learned table."""
        found = self._ready.get(rules)
        if found is None:
            choice = choose_net(rules)
            found = self._ready[rules] = _as_maxims() if choice is None else ready_as(choice)
        return found


def ready_as(choice: NetChoice) -> ReadyNet:
    """Return a net made ready as for a table that it has learned."""
    return net_file(choice.file).ready(choice.table)


@functools.cache
def shipped_net() -> ShippedNet:
    """Return the nets that come with the program, as one net."""
    return ShippedNet()


def net_named(options: str) -> Net:
    """Return the net of a player ``instant`` or ``instant:FILE.npz``, given the text after the colon.

    Raises `PlayerError` if the file is not a net.
    """
    return _net_in(Path(options)) if options.strip() else shipped_net()


@functools.lru_cache(maxsize=8)
def _net_in(path: Path) -> Net:
    return load_net(path)


@functools.cache
def net_file(name: str) -> Net:
    """Return one of the nets that come with the program, by the name of its file."""
    with importlib.resources.as_file(importlib.resources.files(__package__) / "nets" / name) as path:
        return load_net(path)


@functools.cache
def _as_maxims() -> ReadyNet:
    """Return a net that adds nothing to the maxims, the same at all tables."""
    return Net.random(0, base=1.0).ready(Rules())
