"""The one door to the machine code that chooses moves.

Choosing takes much code: maxims, nets, levels. Each kernel that called it in the ordinary way would be compiled with a
copy of all of it, and the first start of the champion would take much longer. So it is compiled once, as a C function,
for each kind of states and of players. Its address is written into the workspace, and `choose_code` calls what lies
there. Two processes can then compile at the same time: one this function, the other what calls it
(`millebornes.players.search_preparation`).

An address holds for one process. A workspace that is copied or pickled finds it anew
(`millebornes.policies.workspace.Workspace`).
"""

import functools
from typing import Final

import numpy as np

from millebornes.kernels.decorator import callback, inner_kernel
from millebornes.kernels.memory import call_at
from millebornes.policies.choosing import SEATED, decide_any, decide_by_any_player, decide_in_search
from millebornes.policies.deal import DEAL
from millebornes.policies.features import WORKSPACE
from millebornes.rules.state import Record, Word

__all__ = ["DECIDERS", "choose_code", "chooser_address", "decider_at"]

DECIDERS: Final = {"all": decide_by_any_player, "search": decide_in_search, "none": decide_any}
"""Who decides, by which players are to be there."""


@functools.lru_cache(maxsize=6)
def chooser_address(state: np.dtype[np.void], players: str = "all") -> int:
    """Where the machine code of one of `DECIDERS` lies in this process, for one of the two kinds of states."""
    address = callback(DECIDERS[players], state, DEAL, SEATED, WORKSPACE)
    _names[address] = players
    return address


def decider_at(address: int) -> str:
    """Which of `DECIDERS` lies at an address that `chooser_address` has told in this process."""
    return _names[address]


_names: Final[dict[int, str]] = {}


@inner_kernel
def choose_code(state: Record, deal: Record, seated: Record, work: Record) -> Word:
    """The move of the seat that decides, played by ``seated`` (a `SEATED` record).

    Of the ``deal`` only "public", "tells", "totals" and "target" are read, and for a `LEVEL` the cards dealt to the
    seat. The chance of this decision starts from the word of the generator in ``work`` (a `WORKSPACE` record); what the
    player saw stands in its features afterwards.
    """
    return call_at(work["chooser"], state, deal, seated, work)
