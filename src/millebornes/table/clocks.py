"""The clocks of the people at a table, and the window of a coup fourré. Times are in milliseconds."""

import dataclasses
import random
from collections.abc import Sequence
from typing import Final

from millebornes.schema.api import ClocksObject
from millebornes.table.facts import Created


class Clocks:
    """The time that each person has left in this hand. Each move adds an increment. Computer players have no clock.

    The clock of a seat runs only while all players can see that it is that seat's turn. All clocks stop while a coup
    fourré can be called, so that no clock reveals which seat is being asked (R5.5). The clocks are reset for each hand
    and never go below zero.
    """

    def __init__(self, initial: int, increment: int, humans: Sequence[bool]) -> None:
        self.initial: Final = initial
        self.increment: Final = increment
        self._humans: Final = tuple(humans)
        self._left: list[int] = []
        self.running: int | None = None
        """The seat whose clock is running."""
        self._since = 0
        self.fill()

    def fill(self) -> None:
        """Reset all clocks for a new hand."""
        self._left = [self.initial if human else 0 for human in self._humans]

    def stop(self, at: int) -> int | None:
        """Stop the running clock at time ``at``. Return its seat, or None if no clock was running."""
        seat, self.running = self.running, None
        if seat is not None:
            self._left[seat] = self._left_at(seat, at)
        return seat

    def add(self, seat: int) -> None:
        """Add the increment for a move that the seat made while its clock was running."""
        self._left[seat] += self.increment

    def start(self, seat: int | None, at: int) -> None:
        """Start the clock of ``seat`` at time ``at``. If ``seat`` is None, no clock starts."""
        self.running, self._since = seat, at

    @property
    def due(self) -> int:
        """The time at which the running clock will reach zero, in milliseconds since 1970."""
        assert self.running is not None
        return self._since + self._left[self.running]

    def to_object(self, time: int) -> ClocksObject:
        """Return the clocks as data for ``time``, in milliseconds since 1970. ``left`` is None for computer players."""
        left = [
            (self._left_at(seat, time) if seat == self.running else self._left[seat]) if human else None
            for seat, human in enumerate(self._humans)
        ]
        return ClocksObject(initial_ms=self.initial, increment_ms=self.increment, left=left, running=self.running)

    def _left_at(self, seat: int, time: int) -> int:
        return max(0, self._left[seat] - max(0, time - self._since))


@dataclasses.dataclass(frozen=True, slots=True)
class CoupWindow:
    """The period in which a coup fourré can be called, in milliseconds since 1970.

    ``seq`` is the number of the fact that opened the window, and identifies it. Computer players start to think at
    ``think_at`` and may call at ``call_at``. All times are fixed before anyone's hand is taken into account.
    """

    seq: int
    opened: int
    until: int
    call_at: int
    think_at: int

    @classmethod
    def settled(cls, created: Created, seq: int, at: int) -> "CoupWindow":
        """Return the window that fact ``seq`` opened at time ``at``."""
        length = created.coup_window
        chance = random.Random(f"window {created.secret} {seq}")
        call, think = chance.uniform(0.25, 0.9), chance.uniform(0.02, 0.2)
        return cls(seq, at, at + length, at + round(length * call), at + round(length * think))
