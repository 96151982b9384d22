"""Trajectories: every decision in many hands between players with kernels, as arrays for training."""

import dataclasses
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.envs.actions import EACH, action_count
from millebornes.envs.arguments import brief
from millebornes.envs.fields import layout_for
from millebornes.envs.recording import record_hands, write_observations
from millebornes.envs.seen import SEEN, form_for
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.dispatch import workspace_for
from millebornes.policies.random_play import LANES, ranks_for
from millebornes.rules.clauses import targets_in_reach
from millebornes.rules.replay import most_moves

WORD: Final = (1 << 64) - 1


@dataclasses.dataclass(frozen=True)
class Trajectories:
    """The decisions in a number of hands, with one row per decision.

    ``seen`` contains `millebornes.envs.seen.SEEN` records of what the player saw. ``legal`` (rows, words) contains the
    mask of legal actions, ``actions`` (rows) the action that the player chose, and ``games`` (rows) the number of the
    game. The rows of a game are in order, but rows of other games come between them. ``points`` (games, sides) contains
    the results of the hands, starting with the game number ``begin``.
    """

    rules: Rules
    """The rules that all hands follow."""
    seen: npt.NDArray[np.void]
    legal: npt.NDArray[np.uint64]
    actions: npt.NDArray[np.int16]
    games: npt.NDArray[np.int32]
    points: npt.NDArray[np.int64]
    begin: int
    _room: tuple[Any, ...] = dataclasses.field(default=(), repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def seats(self) -> npt.NDArray[np.uint8]:
        """The seat that decided in each row."""
        return np.asarray(self.seen["seat"])

    def returns(self, reward: str = "points") -> npt.NDArray[np.float32]:
        """Return the reward of the side that decided, for each row. The reward is ``points`` or ``lead``.

        The lead is relative to the average of the other sides. Raises `MilleBornesError` for any other reward.
        """
        if not (type(reward) is str and reward in ("points", "lead")):
            raise MilleBornesError(
                f"reward: {brief(reward)} is not allowed for single hands; it must be points or lead"
            )
        worth = self.points.astype(np.float64)
        if reward == "lead":
            sides = self.rules.sides
            worth -= (worth.sum(1, keepdims=True) - worth) / (sides - 1)
        return np.asarray(worth[self.games - self.begin, self.seats % self.rules.sides], np.float32)

    def batch(self, rows: npt.ArrayLike | None = None) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
        """Return the observations (n, numbers) and action masks (n, actions) for the given rows, or for all rows.

        `millebornes.envs.observation_fields` describes the numbers. Raises `IndexError` if a row doesn't exist,
        and `MilleBornesError` if the arrays don't fit the rules.
        """
        picks = np.arange(len(self)) if rows is None else np.asarray(rows, np.int64)
        if picks.ndim != 1 or (len(picks) and not -len(self) <= picks.min() <= picks.max() < len(self)):
            raise IndexError(f"rows: out of range; there are {len(self)} rows")
        numbers, size = layout_for(self.rules).size, action_count(self.rules)
        observations = np.empty((len(picks), numbers), np.float32)
        masks = np.empty((len(picks), size), np.int8)
        form = form_for(self.rules).copy()
        if not len(self) == len(self.seen) == len(self.legal) or EACH * self.legal.shape[1] != size:
            raise MilleBornesError("these trajectories do not fit the table that their rules describe")
        write_observations(picks % max(1, len(self)), self.seen, self.legal, form, observations, masks)
        return observations, masks


def play_trajectories(
    rules: Rules,
    players: Sequence[str | KernelPlayer],
    games: int,
    *,
    seed: int,
    begin: int = 0,
    into: Trajectories | None = None,
) -> Trajectories:
    """Play single hands between players with kernels, one player per seat, and record every decision.

    The hands are the same as those of `millebornes.policies.batch.play_batch` with these arguments and one line-up. To
    save time, you can pass earlier trajectories as ``into``, and their arrays will be overwritten. Those trajectories
    must be from the same table and have the same number of games. Raises `PlayerError` if a player has no kernel or the
    number of players is wrong.
    """
    if len(players) != rules.seats:
        raise PlayerError(f"{len(players)} players for {rules.seats} seats; each seat needs one")
    if type(games) is not int or games < 0:
        raise MilleBornesError(f"games: {brief(games)} is not allowed; it must be a whole number of at least 0")
    seated = [KernelPlayer.named(who, rules) if isinstance(who, str) else who for who in players]
    most = max(1, games * most_moves(rules))
    if into is None or into.rules != rules or not into._room or len(into._room[0]) < most:
        room: tuple[Any, ...] = (
            np.empty(most, SEEN),
            np.empty((most, targets_in_reach(rules)), np.uint64),
            np.empty(most, np.int16),
            np.empty(most, np.int32),
        )
    else:
        room = into._room
    points = np.zeros((games, rules.sides), np.int64)
    workspace = workspace_for(rules, LANES)
    line = np.arange(rules.seats)
    arguments: tuple[Any, ...] = (np.uint64(seed & WORD), begin, room, points)
    count = int(record_hands(workspace, ranks_for(rules), seats_of(seated), line, *arguments)) if games else 0
    seen, legal, actions, numbers = (part[:count] for part in room)
    return Trajectories(rules, seen, legal, actions, numbers, points, begin, room)
