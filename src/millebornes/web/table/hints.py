"""Hints for people who play against computers. A separate process makes them, one at a time."""

import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from millebornes.web.table.background import Background
from millebornes.web.table.reviewer import HintOrder

if TYPE_CHECKING:
    from millebornes.analysis.records import Analysis
    from millebornes.game import InformationState, View

__all__ = ["HintName", "Hints", "WantedHint"]

MAX_KEPT: Final = 256
"""The maximum number of hints in memory."""


class HintName(NamedTuple):
    """The decision that a hint is about: the table, the seat, and the match, hand and ply of the decision.

    ``undone`` is how often moves have been taken back at the table. This number is part of the name because different
    moves can lead to the same ply.
    """

    table: str
    seat: int
    match: int
    hand: int
    ply: int
    undone: int = 0

    def __str__(self) -> str:
        return f"seat {self.seat} at table {self.table}"


class WantedHint(NamedTuple):
    """A request for a hint, with everything the player has seen, and the function to call when the hint is ready."""

    seen: "InformationState | View"
    done: Callable[[], object]


class Hints(Background[HintName, WantedHint]):
    """The hints that a server computes. Call all methods from the event loop.

    ``simulations`` and ``milliseconds`` limit the work for each hint.
    """

    KIND: ClassVar = "hint"
    MAX_WAITING: ClassVar = 16
    BUSY: ClassVar = "too_many"
    IDLE_AFTER: ClassVar = 300.0

    def __init__(self, simulations: int, milliseconds: int) -> None:
        super().__init__()
        self._bounds: Final = simulations, milliseconds
        self._made: Final[dict[HintName, Analysis]] = {}

    @property
    def is_first(self) -> bool:
        """Whether this server hasn't made any hints yet.

        If so, the first hint may have to wait until code has been compiled.
        """
        return not self._made

    def ask(self, name: HintName, wanted: WantedHint) -> None:
        """Request a hint, unless it exists or is being made. Raises `ApiError` (too_many)."""
        if name not in self._made:
            super().ask(name, wanted)

    def found(self, name: HintName) -> "Analysis | None":
        """Return the hint for a decision, or None if it doesn't exist yet."""
        return self._made.get(name)

    def _order(self, name: HintName, wanted: WantedHint) -> HintOrder:
        return HintOrder(wanted.seen, *self._bounds)

    def _finish(self, name: HintName, wanted: WantedHint, data: bytes | None) -> None:
        if data is not None:
            self._made[name] = pickle.loads(data)
            if len(self._made) > MAX_KEPT:
                del self._made[next(iter(self._made))]
        wanted.done()
