"""Players that remember what has been done in a hand."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game.move import Move, move_codes
from millebornes.players.base import Player

if TYPE_CHECKING:  # its kernels are loaded when they are needed
    from millebornes.search.memory import Memory

__all__ = ["Remembering"]


class Remembering(Player):
    """A player with a memory of the hand, which it fills with what its seat is told."""

    _memory: "Memory | None" = None

    def memory_for(self, rules: Rules) -> "Memory":
        """What it remembers; nothing where it was told of no match by these rules."""
        from millebornes.search.memory import Memory

        if self._memory is None or self._memory.rules != rules:
            return Memory(rules)
        return self._memory

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        """Begin to remember."""
        from millebornes.search.memory import Memory

        self._memory = Memory(rules)

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Forget the hand before."""
        if self._memory is not None:
            self._memory.start(first)

    def drew(self, seat: int, count: int, cards: Sequence[Card] | None) -> None:
        """Remember who drew."""
        if self._memory is not None:
            self._memory.drew(seat, count)

    def moved(self, seat: int, move: Move) -> None:
        """Remember what was done."""
        if self._memory is not None:
            rules = self._memory.rules
            self._memory.moved(seat, move_codes(rules, rules.side_of(seat)).codes[move])
