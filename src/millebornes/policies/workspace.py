"""What kernels need to play at a table: its tables, and records that they write to."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from millebornes.editions import Rules
from millebornes.policies.chooser import chooser_address, decider_at
from millebornes.policies.deal import DEAL
from millebornes.policies.features import WORKSPACE, lookups_for
from millebornes.rules.engine import engine_for
from millebornes.rules.state import Records
from millebornes.rules.tables import tables_for

__all__ = ["Workspace", "workspace_for"]


class Workspace(NamedTuple):
    """Arrays of `WORKSPACE` records, of states and of deals: a hand, and copies of it that are played on.

    It serves one thread of one process; a copy, here or in another process, finds the code that chooses moves anew. A
    kernel that Python calls takes it whole; it hands on single records, which are plain pointers, for arrays are
    counted references.
    """

    work: Records
    states: Records
    deals: Records

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _restored, (decider_at(int(self.work["chooser"][0])), *self)


def _restored(players: str, work: Records, states: Records, deals: Records) -> Workspace:
    """A workspace whose arrays were copied, perhaps in another process."""
    work["chooser"] = chooser_address(states.dtype, players)
    return Workspace(work, states, deals)


def workspace_for(rules: Rules, copies: int = 1, players: str = "all") -> Workspace:
    """A workspace for a table, with so many of everything.

    ``players`` says who can be asked in it (`millebornes.policies.chooser.DECIDERS`).
    """
    dtype = engine_for(rules).dtype
    work = np.zeros(copies, WORKSPACE)
    work["tables"], work["lookups"] = tables_for(rules), lookups_for(rules)
    work["chooser"] = chooser_address(dtype, players)
    return Workspace(work, np.zeros(copies, dtype), np.zeros(copies, DEAL))
