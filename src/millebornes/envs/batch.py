"""Thousands of hands stepped at once by one's own policy: the base of all environments, without their libraries."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from millebornes.envs.actions import action_count
from millebornes.envs.fields import layout_for
from millebornes.envs.seen import form_for
from millebornes.envs.stepping import (
    CONTROL,
    EVERY_SEAT,
    GAME,
    NEXT_STEP,
    REWARDS,
    SAME_STEP,
    begin_games,
    observe_seat,
    step_games,
)
from millebornes.envs.table import TableOptions
from millebornes.errors import MilleBornesError
from millebornes.game import Hand
from millebornes.players.table import decision_seed
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.choosing import is_watching
from millebornes.policies.deal import DEAL
from millebornes.policies.random_play import ranks_for
from millebornes.policies.workspace import workspace_for
from millebornes.rules.engine import Position, engine_for
from millebornes.rules.state import Phase

__all__ = ["HandBatch"]

MOST_SEED: Final = (1 << 64) - 1


class HandBatch:
    """Many games of one table, stepped together.

    Each game is a single hand, or a match where the options tell a ``match_target``. Game ``i`` of a seed plays the
    hands of the match with seed ``seed + i``, one after the other: hand h is
    ``Hand.deal(rules, seed + i, (h - 1) % seats, h)``.

    One's own policy plays ``seat``, and ``opponents`` the others: names of players that have kernels (``random``,
    ``basic``, ``maxims``, ``instant``, the levels); where there are several, each seat gets one of them by chance in
    each hand. Without opponents the policy plays every seat in turn.

    ``observations`` (n, numbers) and ``masks`` (n, actions) are written anew by each step, into the same arrays.
    ``final_observations`` are those at the end of episodes where the next one begins in the same step. Raises
    `MilleBornesError`, or `PlayerError` for opponents without kernels.
    """

    def __init__(
        self,
        options: TableOptions,
        games: int,
        opponents: Sequence[str] = (),
        *,
        seat: int = 0,
        mode: int = NEXT_STEP,
    ) -> None:
        rules, history = options.rules(), options.history
        if type(games) is not int or games < 1:
            raise MilleBornesError(f"games: {games!r} must be a whole number from 1 on")
        if type(seat) is not int or not 0 <= seat < rules.seats:
            raise MilleBornesError(f"seat: {seat!r} is none; the seats are 0 to {rules.seats - 1}")
        self.options: Final = options
        self.rules: Final = rules
        self.games: Final = games
        self.layout: Final = layout_for(rules, history)
        self._players: Final = seats_of([KernelPlayer.named(name, rules) for name in opponents or ("random",)])
        control = np.zeros(1, CONTROL)
        control["mode"], control["reward"] = mode, REWARDS.index(options.reward)
        control["seat"], control["mixture"] = seat if opponents else EVERY_SEAT, len(opponents)
        self._work: Final = workspace_for(rules).work
        self._states: Final = np.zeros(games, engine_for(rules).dtype)
        self._deals: Final = np.zeros(games, DEAL)
        self._deals["target"], self._deals["watched"] = options.match_target or 0, is_watching(self._players)
        self._games: Final = np.zeros(games, GAME)
        self._actions: Final = np.zeros(games, np.int64)
        self.observations: Final[npt.NDArray[np.float32]] = np.zeros((games, self.layout.size), np.float32)
        self.final_observations: Final[npt.NDArray[np.float32]] = np.zeros_like(
            self.observations[: games if mode == SAME_STEP else 0]
        )
        self.masks: Final[npt.NDArray[np.int8]] = np.zeros((games, action_count(rules)), np.int8)
        control["observations"] = self.observations.ctypes.data
        control["final"], control["numbers"] = self.final_observations.ctypes.data, 4 * self.layout.size
        control["masks"], control["actions"] = self.masks.ctypes.data, action_count(rules)
        control["form"], control["ranks"] = form_for(rules, history), ranks_for(rules)
        self._control: Final = control
        self._records: Final = (self._work, control, self._states, self._deals, self._games)
        self._is_begun = False

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """What the side of the seat that made each move got by the latest step."""
        side = self._mover % self.rules.sides
        found: npt.NDArray[np.float32] = self._games["rewards"][np.arange(self.games), side]
        return found

    @property
    def rewards_by_side(self) -> npt.NDArray[np.float32]:
        """What each side got by the latest step."""
        found: npt.NDArray[np.float32] = self._games["rewards"][:, : self.rules.sides]
        return found

    @property
    def scores(self) -> npt.NDArray[np.int32]:
        """Points by side of the latest finished hand of each game."""
        found: npt.NDArray[np.int32] = self._games["points"][:, : self.rules.sides]
        return found

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """Whether the latest step ended the episode."""
        found: npt.NDArray[np.bool_] = self._games["done"] != 0
        return found

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """Whose decision it is; one's own seat where there are opponents."""
        found: npt.NDArray[np.int64] = self._games["seat"]
        return found

    def seed(self, seeds: int | Sequence[int]) -> None:
        """Let game ``i`` play the match of seed ``seeds + i``, or of ``seeds[i]``, from its first hand on."""
        row = list(range(seeds, seeds + self.games)) if isinstance(seeds, int) else list(seeds)
        if len(row) != self.games or not all(type(seed) is int and 0 <= seed <= MOST_SEED for seed in row):
            raise MilleBornesError(
                f"seed: needs whole numbers from 0 to {MOST_SEED}, one for each of {self.games} games"
            )
        self._games["seed"] = row
        self._games["key"] = [decision_seed(seed) for seed in row]
        self._games["hand"] = 0

    def reset(self, which: npt.NDArray[np.bool_] | None = None) -> None:
        """Begin new episodes, in all games or in those that ``which`` says."""
        chosen = np.ones(self.games, np.bool_) if which is None else np.ascontiguousarray(which, np.bool_)
        if chosen.shape != (self.games,):
            raise MilleBornesError(f"a mask of games needs the shape ({self.games},), not {chosen.shape}")
        begin_games(chosen, self._players, *self._records)
        self._is_begun = True
        self._mover = self._games["seat"]

    def step(self, actions: npt.ArrayLike) -> int:
        """Make a move in every game, and go on until one's own seat decides again; how many were illegal.

        An illegal one ends the episode with a reward of -1000 points, or -1 in matches. What is asked of a game whose
        episode has ended is not looked at. Raises `MilleBornesError` before the first `reset`.
        """
        if not self._is_begun:
            raise MilleBornesError("call reset() before step()")
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.games,):
            raise MilleBornesError(f"actions need the shape ({self.games},), not {chosen.shape}")
        self._mover = self._games["seat"].copy() if self._control["seat"][0] == EVERY_SEAT else self._games["seat"]
        return int(step_games(chosen, self._players, *self._records))

    def observe(self, game: int, seat: int) -> npt.NDArray[np.float32]:
        """What some seat observes of a game, whoever is to decide."""
        out = np.zeros(self.layout.size, np.float32)
        observe_seat(game, seat, out.ctypes.data, *self._records)
        return out

    def hand(self, game: int) -> Hand:
        """The hand of a game, all cards open; what led to it is not known to it."""
        engine = engine_for(self.rules)
        state = self._states[game].tobytes()
        return Hand(self.rules, Position(state, engine.words(state)))

    def is_over(self, game: int) -> bool:
        """Whether the latest hand of a game has ended."""
        return bool(self._states["phase"][game] == Phase.OVER)

    def totals(self, game: int) -> tuple[int, ...]:
        """Points by side before the hand."""
        return tuple(self._deals["totals"][game, : self.rules.sides].tolist())

    def hand_number(self, game: int) -> int:
        """The number of the hand, from 1, among those of the game's seed."""
        return int(self._games["hand"][game])
