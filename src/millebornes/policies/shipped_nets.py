"""The nets that come with the program, combined into one net that uses the right one at each table."""

import functools
import importlib.resources
from collections.abc import Callable
from pathlib import Path
from typing import Any

from millebornes.editions import Rules
from millebornes.policies.net_choice import CLASSIC, NetChoice, choose_net
from millebornes.policies.net_files import Net, ReadyNet, load_net


class ShippedNet(Net):
    """All nets that come with the program, as a single net.

    At each table, it uses the net that `millebornes.policies.net_choice` chooses. Its arrays are those of the net for
    the classic game for two.
    """

    def __init__(self) -> None:
        super().__init__(net_file(CLASSIC).arrays)

    def __reduce__(self) -> tuple[Callable[..., Net], tuple[Any, ...]]:
        return shipped_net, ()

    def of(self, rules: Rules) -> Net:
        """Return the net that plays at this table."""
        return net_file(choose_net(rules).file)

    def ready(self, rules: Rules) -> ReadyNet:
        """Return the net in the form for one table.

        Its inputs for the rules describe the table that it takes this one for.
        """
        ready = self._ready.get(rules)
        if ready is None:
            ready = self._ready[rules] = ready_as(choose_net(rules))
        return ready


def ready_as(choice: NetChoice) -> ReadyNet:
    """Return the net, set up for the table that it treats this one as."""
    return net_file(choice.file).ready(choice.table)


@functools.cache
def shipped_net() -> ShippedNet:
    """Return the nets that come with the program as a single net."""
    return ShippedNet()


def net_named(options: str) -> Net:
    """Return the net of the player ``instant`` or ``instant:FILE.npz``, given the text after the colon.

    Raises `PlayerError` if the file doesn't contain a net.
    """
    return _cached_net(Path(options)) if options.strip() else shipped_net()


_cached_net = functools.lru_cache(maxsize=8)(load_net)


@functools.cache
def net_file(name: str) -> Net:
    """Return one of the nets that come with the program, by the name of its file."""
    with importlib.resources.as_file(importlib.resources.files(__package__) / "nets" / name) as path:
        return load_net(path)
