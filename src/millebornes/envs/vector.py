"""Thousands of hands stepped at once: the vector environment of `millebornes/Hand-v0`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from millebornes.envs.batch import HandBatch
from millebornes.envs.pictures import RENDER_MODES, check_render_mode, pixels_of, text_of
from millebornes.envs.spaces import action_space, observation_space
from millebornes.envs.stepping import DISABLED, NEXT_STEP, SAME_STEP
from millebornes.envs.table import TableOptions, opponents_of
from millebornes.errors import MilleBornesError

__all__ = ["HandVectorEnv"]

Observations = npt.NDArray[np.float32]
MODES = {
    AutoresetMode.NEXT_STEP: NEXT_STEP,
    AutoresetMode.SAME_STEP: SAME_STEP,
    AutoresetMode.DISABLED: DISABLED,
}
MOST_SEED = 1 << 31


class HandVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many hands, or matches, played by kernels: see `millebornes.envs.batch.HandBatch`.

    ``opponent`` names a player that has a kernel, or several to draw from in each hand; None lets the actions be those
    of every seat in turn (``infos["seat"]`` tells whose, and rewards are those of its side). Seed ``s`` gives game i
    the seed ``s + i``. ``infos["action_mask"]`` (n, actions) tells which actions are legal.

    With ``copy=False`` what `reset` and `step` return are views into arrays that the next step writes anew. Raises
    `MilleBornesError`, or `PlayerError` for opponents without kernels.
    """

    def __init__(
        self,
        num_envs: int = 1,
        opponent: str | Sequence[str] | None = "basic",
        render_mode: str | None = None,
        *,
        seat: int = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode)
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2, "autoreset_mode": mode}
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.options = TableOptions(**options)
        self.batch = HandBatch(self.options, num_envs, opponents_of(opponent), seat=seat, mode=MODES[mode])
        rules = self.rules = self.batch.rules
        self.single_observation_space = observation_space(rules, self.options.history)
        self.single_action_space = action_space(rules)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mode, self._copy = mode, copy
        self._side = None if opponent is None else rules.side_of(seat)
        self._rewards = np.zeros(num_envs, np.float32)
        self._terminated = np.zeros(num_envs, np.bool_)
        self._truncated = np.zeros(num_envs, np.bool_)
        self._is_seeded = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin new episodes everywhere, or where ``options["reset_mask"]`` says so; a seed begins with its first hand.

        ``seed`` may also be a list of one for each game.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        if isinstance(seed, list):
            given = [one for one in seed if one is not None]
            if len(given) != self.num_envs:
                raise MilleBornesError(f"seed: a list needs {self.num_envs} whole numbers, not {len(given)}")
            self.batch.seed(given)
        elif seed is not None or not self._is_seeded:
            self.batch.seed(int(self.np_random.integers(MOST_SEED)) if seed is None else seed)
        self._is_seeded = True
        self.batch.reset((options or {}).get("reset_mask"))
        return self._shown(self.batch.observations), self._infos()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observations, npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Make a move everywhere; illegal ones end the episode with -1000 points (-1 for the reward ``match``)."""
        self.batch.step(actions)
        if self._side is None:
            self._rewards[:] = self.batch.rewards
        else:
            self._rewards[:] = self.batch.rewards_by_side[:, self._side]
        self._terminated[:] = self.batch.terminated
        infos = self._infos()
        if self._terminated.any():
            infos["scores"], infos["_scores"] = self.batch.scores.copy(), self._terminated.copy()
            if self._mode is AutoresetMode.SAME_STEP:
                infos["final_obs"] = self._shown(self.batch.final_observations)
                infos["_final_obs"] = self._terminated.copy()
        return (
            self._shown(self.batch.observations),
            self._shown(self._rewards),
            self._shown(self._terminated),
            self._shown(self._truncated),
            infos,
        )

    def render(self) -> tuple[Any, ...] | None:
        """A picture of every table, all cards open."""
        if self.render_mode is None:
            return None
        hands = [self.batch.hand(game) for game in range(self.num_envs)]
        if self.render_mode == "rgb_array":
            return tuple(pixels_of(hand) for hand in hands)
        texts = tuple(text_of(hand) for hand in hands)
        if self.render_mode == "ansi":
            return texts
        print("\n\n".join(texts))
        return None

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {"action_mask": self._shown(self.batch.masks)}
        if self._side is None:
            infos["seat"] = self.batch.seats.copy()
            infos["rewards"] = self.batch.rewards_by_side.copy()
        return infos

    def _shown(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copy else array
