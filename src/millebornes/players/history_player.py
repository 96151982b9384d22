"""The base class of players that remember the events of a hand."""

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

if TYPE_CHECKING:  # the kernels of this module are loaded when they are needed
    from millebornes.search.memory import Memory


class HistoryPlayer(Player):
    """A player that remembers everything that its seat has seen of the hand."""

    _memory: "Memory | None" = None

    def memory_for(self, rules: Rules) -> "Memory":
        """Return the player's memory, which is empty if no match under these rules has been reported to the player."""
        from millebornes.search.memory import Memory

        if self._memory is None or self._memory.rules != rules:
            return Memory(rules)
        return self._memory

    def share(self, memory: "Memory") -> None:
        """Use the memory of another player."""
        self._memory = memory

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        """Start to remember events."""
        from millebornes.search.memory import Memory

        self._memory = Memory(rules)

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Forget the last hand."""
        if self._memory is not None:
            self._memory.start(first)

    def drew(self, seat: int, count: int, cards: Sequence[Card] | None) -> None:
        """Remember a draw."""
        if self._memory is not None:
            self._memory.drew(seat, count)

    def moved(self, seat: int, move: Move) -> None:
        """Remember a move."""
        if self._memory is not None:
            rules = self._memory.rules
            self._memory.moved(seat, move_codes(rules, rules.side_of(seat)).codes[move])


class _Listener(HistoryPlayer):
    name = "listener"

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        raise NotImplementedError


def remember_state(state: InformationState) -> "Memory":
    """Return the memory of a seat that is about to decide, given everything that it has seen of the hand."""
    listener = _Listener()
    replay_state(listener, state)
    memory = listener.memory_for(state.rules)
    if not state.is_asked:  # so no one can call a coup fourré against the latest hazard any more
        memory.record_no_coup()
    return memory
