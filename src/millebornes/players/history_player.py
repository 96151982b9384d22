"""Players that remember what has been done in a hand."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game.information_state import InformationState
from millebornes.game.legal import LegalMoves
from millebornes.game.move import Move, move_codes
from millebornes.game.view import View
from millebornes.players.base import Player, replay_state

if TYPE_CHECKING:  # its kernels are loaded when they are needed
    from millebornes.search.memory import Memory

__all__ = ["HistoryPlayer", "remember_state"]


class HistoryPlayer(Player):
    """A player with a memory of the hand, which it fills with what its seat sees."""

    _memory: "Memory | None" = None

    def memory_for(self, rules: Rules) -> "Memory":
        """What it remembers; nothing if it has heard of no match by these rules."""
        from millebornes.search.memory import Memory

        if self._memory is None or self._memory.rules != rules:
            return Memory(rules)
        return self._memory

    def share(self, memory: "Memory") -> None:
        """Remember what somebody else remembers."""
        self._memory = memory

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


class _Listener(HistoryPlayer):
    """Listens only."""

    name = "listener"

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """It is never asked."""
        raise NotImplementedError


def remember_state(state: InformationState) -> "Memory":
    """What a seat remembers of a hand when it is to decide, by all that it has seen of it."""
    listener = _Listener()
    replay_state(listener, state)
    memory = listener.memory_for(state.rules)
    if not state.is_asked:  # so nobody can call a coup fourré against the latest hazard any more
        memory.settle()
    return memory
