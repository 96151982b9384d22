"""What kernels need to play at a table: its tables, and records that they write to."""

from typing import Any, NamedTuple

import numpy as np

from millebornes.editions import Rules
from millebornes.policies.features import FEATURES, lookups_for
from millebornes.policies.native import DEAL
from millebornes.rules.playout import GENERATOR
from millebornes.rules.state import COMPACT_DECK, STATE, STATE_LARGE
from millebornes.rules.tables import tables_for

__all__ = ["Workspace", "workspace_for"]


class Workspace(NamedTuple):
    """Tables of a game (`tables`, `facts`), and as many states with all that belongs to them as are played at a time.

    A kernel takes it whole and reads what it needs once, at its beginning: records within are plain pointers, but the
    arrays are counted references.
    """

    tables: Any
    facts: Any
    states: Any
    deals: Any
    generators: Any
    features: Any


def workspace_for(rules: Rules, copies: int = 1) -> Workspace:
    """A workspace for a table."""
    return Workspace(
        tables_for(rules),
        lookups_for(rules),
        np.zeros(copies, STATE if rules.cards <= COMPACT_DECK else STATE_LARGE),
        np.zeros(copies, DEAL),
        np.zeros(copies, GENERATOR),
        np.zeros(copies, FEATURES),
    )
