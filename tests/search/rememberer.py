"""A player that remembers a hand, for tests of what it remembers and of what can be made of it."""

import abc

from millebornes.players.history_player import HistoryPlayer
from millebornes.search.memory import Memory


class Rememberer(HistoryPlayer, abc.ABC):
    """Remembers, and shows what."""

    @property
    def memory(self) -> Memory:
        assert self._memory is not None
        return self._memory
