"""The nets that come with the program, as one player's net: at each table the right one is asked."""

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
    """All of them as one net: at each table the one that `millebornes.policies.net_choice` chooses is asked.

    If none is chosen, what they add to the maxims would do harm, so nothing is added. The arrays are those of the
    classic game for two.
    """

    def __init__(self) -> None:
        super().__init__(net_file(CLASSIC).arrays)

    def __reduce__(self) -> tuple[Callable[..., Net], tuple[Any, ...]]:
        return shipped_net, ()

    def knows(self, rules: Rules) -> bool:
        """Whether one of them plays at this table."""
        return choose_net(rules) is not None

    def of(self, rules: Rules) -> Net | None:
        """The one that plays at this table; None where they all play as the maxims."""
        choice = choose_net(rules)
        return None if choice is None else net_file(choice.file)

    def ready(self, rules: Rules) -> ReadyNet:
        """The net made ready for a table. What it reads of the rules is what the learned table says."""
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


@functools.cache
def net_file(name: str) -> Net:
    """Return one of the nets that come with the program, by the name of its file."""
    with importlib.resources.as_file(importlib.resources.files(__package__) / "nets" / name) as path:
        return load_net(path)


@functools.cache
def _as_maxims() -> ReadyNet:
    """A net that adds nothing to the maxims; the same at all tables."""
    return Net.random(0, base=1.0).ready(Rules())
