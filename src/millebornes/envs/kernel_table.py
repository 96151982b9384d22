"""One seat against players that have kernels, played as a batch of one game. The single environment uses it."""

from array import array
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from millebornes.envs.actions import action_count
from millebornes.envs.batch import HandBatch
from millebornes.envs.player_table import PlayerTable
from millebornes.envs.stepping import DISABLED
from millebornes.envs.table import TableOptions
from millebornes.game import Match, View

__all__ = ["KernelTable"]

NEXT_EPISODE, ILLEGAL = -1, -2
"""Log entries for the start of an episode and for an illegal action."""


class KernelTable:
    """The episodes of one seat, played as a `HandBatch` of one game.

    Raises `PlayerError` for opponents without kernels.
    """

    def __init__(self, options: TableOptions, opponents: Sequence[str], seat: int) -> None:
        self.options: Final = options
        self.opponents: Final = tuple(opponents)
        self.seat: Final = seat
        self.batch: Final = HandBatch(options, 1, self.opponents, seat=seat, mode=DISABLED)
        self.rules: Final = self.batch.rules
        self._count: Final = action_count(self.rules)
        self._side: Final = self.rules.side_of(seat)
        self._action: Final = np.zeros(1, np.int64)
        self._seed = 0
        self._log = array("h")
        """The actions since the last seed, which are enough to replay everything move by move."""
        self._shadow: PlayerTable | None = None
        self._followed = 0

    # ------------------------------------------------------------------ playing

    def begin(self, seed: int | None) -> None:
        """Begin an episode: the first one of a new seed or, if ``seed`` is None, the next hand of the same seed."""
        if seed is None:
            self._log.append(NEXT_EPISODE)
        else:
            self.batch.seed(seed)
            self._seed, self._log, self._followed = seed, array("h"), 0
        self.batch.reset()

    def step(self, action: int) -> str | None:
        """Make a move, and let the others play until your seat decides again.

        Return the reason if the move is illegal.
        """
        self._action[0] = action if 0 <= action < self._count else -1
        if self.batch.step(self._action):
            self._log.append(ILLEGAL)
            return self.batch.why_illegal(0, action)
        self._log.append(action)
        return None

    def close(self) -> None:
        """Discard the match that was replayed in Python."""
        self._shadow, self._followed = None, 0

    # ------------------------------------------------------------------ observations

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return bool(self.batch.ended[0])

    @property
    def reward(self) -> float:
        """The reward of the latest step."""
        return float(self.batch.rewards_by_side[0, self._side])

    @property
    def observation(self) -> npt.NDArray[np.float32]:
        """The observation that your seat gets."""
        found: npt.NDArray[np.float32] = self.batch.observations[0].copy()
        return found

    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """The action mask: 1 for each legal action. The mask is all ones once the episode is over."""
        found: npt.NDArray[np.int8] = self.batch.masks[0].copy()
        return found

    @property
    def hand_number(self) -> int:
        """The number of the current hand, from 1."""
        return self.batch.hand_number(0)

    @property
    def scores(self) -> list[int] | None:
        """The points of each side if the hand is over, otherwise None."""
        if not (self.is_over and self.batch.is_over(0)):
            return None
        found: list[int] = self.batch.scores[0].tolist()
        return found

    @property
    def view(self) -> View:
        """The view that your seat has of the table."""
        totals = self.batch.totals(0) if self.options.match_target else ()
        return self.batch.hand(0).view(self.seat, totals, self.hand_number, self.options.match_target)

    @property
    def match(self) -> Match:
        """The current match with all cards face up, and with every move since the last seed.

        The match is replayed in Python when you ask for it, starting where the previous replay ended.
        """
        shadow = self._shadow
        if shadow is None:
            shadow = self._shadow = PlayerTable(self.options, self.rules, self.opponents, self.seat)
            self._followed = 0
        if not self._followed:
            shadow.begin(self._seed)
            self._followed = 1
        for action in self._log[self._followed - 1 :]:
            if action == NEXT_EPISODE:
                shadow.begin(None)
            else:
                shadow.step(action)
        self._followed = len(self._log) + 1
        return shadow.match

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_shadow": None, "_followed": 0}
