"""The window of a coup fourré: when it is over, settled before any hand is looked at."""

import dataclasses
import random

from millebornes.web.facts import Created

__all__ = ["Window"]


@dataclasses.dataclass(frozen=True, slots=True)
class Window:
    """The time in which a coup fourré can be called, in milliseconds since 1970; the same whoever holds what.

    ``seq`` is the fact that opened it and names it; ``call_at`` is when a computer player that calls does so. Both
    times are settled before any hand is looked at.
    """

    seq: int
    opened: int
    until: int
    call_at: int

    @classmethod
    def settled(cls, created: Created, seq: int, at: int) -> "Window":
        """The window that a fact has opened."""
        length = created.coup_window
        chance = random.Random(f"window {created.secret} {seq}")
        return cls(seq, at, at + length, at + round(length * chance.uniform(0.25, 0.9)))
