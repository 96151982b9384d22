"""A player that remembers a hand, for tests of what it remembers and of what can be made of it."""

import abc
from collections.abc import Sequence

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.game import Move
from millebornes.players import Player
from millebornes.players.search.memory import Memory


class Rememberer(Player, abc.ABC):
    """Passes all that it is told on to its memory."""

    memory: Memory

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        self.memory = Memory(rules)

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        self.memory.start(first)

    def drew(self, seat: int, count: int, cards: Sequence[Card] | None) -> None:
        self.memory.drew(seat, count)

    def moved(self, seat: int, move: Move) -> None:
        self.memory.moved(seat, move)
