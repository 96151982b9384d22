"""The clocks of people at a table, and the window of a coup fourré; times in milliseconds."""

import dataclasses
import random
from collections.abc import Sequence
from typing import Final

from millebornes.schema.api import ClocksObject
from millebornes.web.table.events import Created

__all__ = ["Clocks", "CoupWindow"]


class Clocks:
    """How much time each person has left for a hand; a move adds an increment. Computer players have no clock.

    A clock runs while everybody can see that its seat is to move; in the window of a coup fourré none does, so that no
    clock tells who is asked (R5.5). It is filled anew for each hand. Time that is used up does not go below zero.
    """

    def __init__(self, initial: int, increment: int, humans: Sequence[bool]) -> None:
        self.initial: Final = initial
        self.increment: Final = increment
        self._humans: Final = tuple(humans)
        self._left: list[int] = []
        self.running: int | None = None
        """The seat whose clock runs."""
        self._since = 0
        self.fill()

    def fill(self) -> None:
        """A new hand begins."""
        self._left = [self.initial if human else 0 for human in self._humans]

    def stop(self, at: int) -> int | None:
        """Take off the time until ``at``; the seat whose clock ran."""
        seat, self.running = self.running, None
        if seat is not None:
            self._left[seat] = self._left_at(seat, at)
        return seat

    def add(self, seat: int) -> None:
        """A seat has moved while its clock ran."""
        self._left[seat] += self.increment

    def start(self, seat: int | None, at: int) -> None:
        """Let the clock of a seat run from ``at``."""
        self.running, self._since = seat, at

    @property
    def due(self) -> int:
        """When the time of the seat whose clock runs is up, in milliseconds since 1970."""
        assert self.running is not None
        return self._since + self._left[self.running]

    def to_object(self, time: int) -> ClocksObject:
        """What they show at a time (milliseconds since 1970); ``left`` by seat, None for computer players."""
        left = [
            (self._left_at(seat, time) if seat == self.running else self._left[seat]) if human else None
            for seat, human in enumerate(self._humans)
        ]
        return ClocksObject(initial_ms=self.initial, increment_ms=self.increment, left=left, running=self.running)

    def _left_at(self, seat: int, time: int) -> int:
        return max(0, self._left[seat] - max(0, time - self._since))


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
