"""The window of a coup fourré: when it is over, settled before any hand is looked at."""

import dataclasses
import random

from millebornes.web.table.events import Created

__all__ = ["CoupWindow"]


@dataclasses.dataclass(frozen=True, slots=True)
class CoupWindow:
    """The time in which a coup fourré can be called, in milliseconds since 1970; the same whoever holds what.

    ``seq`` is the event that opened it and names it; at ``think_at`` computer players begin to think, and at
    ``call_at`` one that calls does so. All times are settled before any hand is looked at.
    """

    seq: int
    opened: int
    until: int
    call_at: int
    think_at: int

    @classmethod
    def settled(cls, created: Created, seq: int, at: int) -> "CoupWindow":
        """The window that an event has opened."""
        length = created.coup_window
        chance = random.Random(f"window {created.secret} {seq}")
        call, think = chance.uniform(0.25, 0.9), chance.uniform(0.02, 0.2)
        return cls(seq, at, at + length, at + round(length * call), at + round(length * think))
