"""A policy of one's own as a player: whatever maps an observation and a mask of legal actions to an action."""

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from millebornes.cards import Card
from millebornes.editions import Rules
from millebornes.envs.actions import action_count, action_of, move_of
from millebornes.envs.fields import layout_for
from millebornes.envs.observing import observation_of
from millebornes.errors import PlayerError
from millebornes.game import LegalMoves, Move, Moved, View
from millebornes.players.base import Player

__all__ = ["Policy", "PolicyPlayer"]

Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.int8]], Any]
"""Given an observation (numbers,) and an action mask (actions,), 1 for what is legal: the number of an action."""


class PolicyPlayer(Player):
    """Plays as a policy says that knows the game as an environment.

    ``policy(observation, action_mask)`` gets what `millebornes.envs.observation_fields` lists, with ``history`` of the
    latest public events, and 1 for each action that is legal; it returns the number of one of these. Chance of its own
    makes games that cannot be repeated by their seed.

    It plays wherever a player does::

        play_match(Match.start(rules, seed=1), [PolicyPlayer(policy), player("basic")])

    In the arena it is a class in a file (``py:FILE``) that is made without arguments::

        class Mine(PolicyPlayer):
            def __init__(self):
                super().__init__(policy)

    Raises `MilleBornesError` for a wrong ``history``.
    """

    name = "policy"
    summary: ClassVar[str] = "a policy learned in the environments"

    def __init__(self, policy: Policy, *, history: int = 0) -> None:
        self.policy: Final = policy
        self.history: Final = history
        self._events: list[Moved] = []

    def check_table(self, rules: Rules) -> None:
        """Raises `MilleBornesError` for a wrong ``history``."""
        layout_for(rules, self.history)

    def match_started(self, seat: int, rules: Rules, players: Sequence[str], match_target: int | None) -> None:
        """Forget what was; raises as `check_table` does."""
        self.check_table(rules)
        self._events = []

    def hand_started(self, number: int, first: int, totals: Sequence[int], hand: Sequence[Card]) -> None:
        """Forget the hand before."""
        self._events = []

    def moved(self, seat: int, move: Move) -> None:
        """Keep it for the history, where that is wanted."""
        if self.history:
            self._events.append(Moved(seat, move))

    def choose(self, view: View, legal: LegalMoves, rng: random.Random) -> Move:
        """The move of the policy's action; ``rng`` is not used. Raises `PlayerError` for what is no action."""
        mask = np.zeros(action_count(view.rules), np.int8)
        mask[[action_of(view.rules, view.seat, move) for move in legal]] = 1
        chosen = self.policy(observation_of(view, self.history, self._events), mask)
        if np.size(chosen) != 1 or not np.issubdtype(np.asarray(chosen).dtype, np.integer):
            raise PlayerError(f"its policy chose {chosen!r}, which is no number of an action")
        return move_of(view.rules, view.seat, int(np.asarray(chosen).item()))
