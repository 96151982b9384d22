"""Your policy, which is any function from an observation and a mask of legal actions to an action, as a player."""

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.envs.actions import action_count, action_of, move_of
from millebornes.envs.arguments import brief
from millebornes.envs.fields import layout_for
from millebornes.envs.observing import observation_of
from millebornes.errors import PlayerError
from millebornes.game import LegalMoves, Move, Moved, View
from millebornes.players.base import Player

Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int8]], Any]
"""A function from an observation (numbers,) and a mask (actions,), 1 for legal actions, to an action."""


class PolicyPlayer(Player):
    """A player that follows a policy which was trained in the environments.

    The player calls ``policy(observation, action_mask)``. The observation contains the numbers that
    `millebornes.envs.observation_fields` lists, including the latest ``history`` public events, and the mask contains 1
    for each legal action. The policy returns the number of a legal action. If it uses random numbers of its own, games
    can't be repeated from their seed.

    Use it wherever you can use a player::

        play_match(Match.start(rules, seed=1), [PolicyPlayer(policy), player("basic")])

    For the arena, put a class that needs no arguments in a file (``py:FILE``)::

        class Mine(PolicyPlayer):
            def __init__(self):
                super().__init__(policy)

    Raises `MilleBornesError` for an invalid ``history``.
    """

    name = "policy"
    summary: ClassVar[str] = "a policy learned in the environments"

    def __init__(self, policy: Policy, *, history: int = 0) -> None:
        self.policy: Final = policy
        self.history: Final = history
        self._events: list[Moved] = []

    def check_table(self, rules: Rules) -> None:
        """Raise `MilleBornesError` if ``history`` is invalid for these rules."""
        layout_for(rules, self.history)

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        """Forget everything seen before this match. Raises the same errors as `check_table`."""
        self.check_table(rules)
        self._events = []

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Forget the moves of the previous hand."""
        self._events = []

    def moved(self, seat: int, move: Move) -> None:
        """Remember the move, if the policy uses a history."""
        if self.history:
            self._events.append(Moved(seat, move))

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """Return the move that belongs to the action the policy has chosen. ``rng`` isn't used.

        Raises `PlayerError` if the policy doesn't return the number of an action.
        """
        mask = np.zeros(action_count(view.rules), np.int8)
        mask[[action_of(view.rules, view.seat, move) for move in legal]] = 1
        chosen = self.policy(observation_of(view, self.history, self._events), mask)
        if np.size(chosen) != 1 or not np.issubdtype(np.asarray(chosen).dtype, np.integer):
            raise PlayerError(f"its policy chose {brief(chosen)}, which isn't the number of an action")
        return move_of(view.rules, view.seat, int(np.asarray(chosen).item()))
