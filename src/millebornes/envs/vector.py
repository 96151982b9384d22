"""The vector environment of `millebornes/Hand-v0`, which steps thousands of hands at once."""

from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from millebornes.envs.actions import action_count
from millebornes.envs.arguments import brief, checked_mask, checked_seed, checked_seeds
from millebornes.envs.batch import HandBatch
from millebornes.envs.pictures import RENDER_MODES, check_render_mode, render
from millebornes.envs.spaces import observation_space
from millebornes.envs.stepping import DISABLED, NEXT_STEP, SAME_STEP
from millebornes.envs.table import DRAWN_SEEDS, opponents_of, options_of
from millebornes.errors import MilleBornesError

Observations = npt.NDArray[np.float32]
MODES = {
    AutoresetMode.NEXT_STEP: NEXT_STEP,
    AutoresetMode.SAME_STEP: SAME_STEP,
    AutoresetMode.DISABLED: DISABLED,
}


def mode_of(mode: AutoresetMode | str) -> AutoresetMode:
    """Return an autoreset mode, given the mode, its value or its name. Raises `MilleBornesError` for anything else."""
    for candidate in AutoresetMode:
        if mode is candidate or (isinstance(mode, str) and mode in (candidate.value, candidate.name)):
            return candidate
    names = ", ".join(candidate.name for candidate in AutoresetMode)
    raise MilleBornesError(f"autoreset_mode: {brief(mode)} is not allowed; it must be one of {names}")


class HandVectorEnv(VectorEnv[Observations, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many hands or matches, played by kernels. `millebornes.envs.batch.HandBatch` describes the details.

    ``opponent`` is a player that has a kernel, or a list of such players, one of which is drawn for each seat and hand.
    If it is None, your actions are the moves of every seat in turn. In that case, ``infos["seat"]`` contains the
    current seat, and rewards are for the side of that seat. With the seed ``s``, game i gets the seed ``s + i``.
    ``autoreset_mode`` is one of Gymnasium's modes, its value or its name.

    ``infos["action_mask"]`` (n, actions) contains 1 for each legal action, and `action_masks` returns the same array.
    If the next step ignores the action in a row, because it begins an episode or waits for `reset`, that row is all
    ones. Illegal actions are reported in ``infos["illegal"]`` and ``infos["reason"]``. With ``SAME_STEP``,
    ``infos["final_obs"]`` and ``infos["final_info"]`` have the same layout as in Gymnasium's own vector environments.

    With ``copy=False``, `reset` and `step` return views of arrays that the next step overwrites. You can copy or pickle
    an environment at any time. Raises `MilleBornesError`, or `PlayerError` for opponents without kernels.
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
        mode = mode_of(autoreset_mode)
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2, "autoreset_mode": mode}
        self.render_mode = render_mode
        self.num_envs = num_envs
        self.options = options_of(type(self), **options)
        self.batch = HandBatch(self.options, num_envs, opponents_of(opponent), seat=seat, mode=MODES[mode])
        rules = self.rules = self.batch.rules
        self.single_observation_space = observation_space(rules, self.options.history)
        self.single_action_space = spaces.Discrete(action_count(rules))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mode, self._copy = mode, copy
        self._side = None if opponent is None else rules.side_of(seat)
        self._rewards = np.zeros(num_envs, np.float32)
        self._terminated = np.zeros(num_envs, np.bool_)
        self._truncated = np.zeros(num_envs, np.bool_)
        self._everywhere = np.ones(num_envs, np.bool_)
        self._everywhere.flags.writeable = False
        self._is_seeded = False
        _ = self.np_random  # create the generator now, so that copies have the same one

    def reset(
        self,
        *,
        seed: SupportsIndex | Sequence[int | None] | npt.NDArray[Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin new episodes in all games, or where ``options["reset_mask"]`` is true.

        A new seed starts at its first hand.

        ``seed`` can be a list with one seed per game. A game whose seed is None continues with its next hand.
        """
        if options is not None and not isinstance(options, Mapping):
            raise MilleBornesError(f"options: {brief(options)} is not allowed; it must be a dictionary, or None")
        mask = (options or {}).get("reset_mask")
        which = None if mask is None else checked_mask(mask, self.num_envs)
        row = checked_seeds(seed, self.num_envs)
        one = None if seed is None or row is not None else checked_seed(seed)
        super().reset(seed=one)
        if not self._is_seeded:
            self.batch.seed(int(self.np_random.integers(DRAWN_SEEDS)) if one is None else one)
        if one is not None:
            row = list(range(one, one + self.num_envs))
        if row is not None:
            if which is not None:
                row = [row[game] if chosen else None for game, chosen in enumerate(which)]
            self.batch.seed(row)
        self._is_seeded = True
        self.batch.reset(which)
        return self._shown(self.batch.observations), self._infos()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observations, npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Make a move in every game. An illegal move ends its episode with -1000 points (-1 if you reward matches)."""
        illegal = self.batch.step(actions)
        if self._side is None:
            self._rewards[:] = self.batch.rewards
        else:
            self._rewards[:] = self.batch.rewards_by_side[:, self._side]
        self._terminated[:] = self.batch.terminated
        infos = self._infos()
        if self._terminated.any():
            ends = self._ends(actions if illegal else None)
            infos |= ends
            if self._mode is AutoresetMode.SAME_STEP:
                infos |= self._final(ends)
        return (
            self._shown(self.batch.observations),
            self._shown(self._rewards),
            self._shown(self._terminated),
            self._shown(self._truncated),
            infos,
        )

    def action_masks(self) -> npt.NDArray[np.int8]:
        """Return the action masks in the form that sb3-contrib expects: 1 for each legal action of each game."""
        return self._shown(self.batch.masks)

    def render(self) -> tuple[Any, ...] | None:
        """Print all tables with their cards face up, or return them as text or pixels, depending on the render mode."""
        hands = [self.batch.hand(game) for game in range(self.num_envs)]
        return render(self.render_mode, hands) if self.render_mode else None

    def _infos(self) -> dict[str, Any]:
        infos: dict[str, Any] = {"action_mask": self._shown(self.batch.masks)}
        infos["_action_mask"] = self._everywhere
        if self._side is None:
            infos["seat"], infos["_seat"] = self.batch.seats.copy(), self._everywhere
            infos["rewards"], infos["_rewards"] = self.batch.rewards_by_side.copy(), self._everywhere
        return infos

    def _ends(self, actions: npt.NDArray[np.int64] | None) -> dict[str, Any]:
        """Return which episodes have ended and why. Pass ``actions`` if any of them were illegal."""
        over = self._terminated.copy()
        if actions is None:
            return {"scores": self.batch.scores.astype(np.int64), "_scores": over}
        illegal = self.batch.illegal
        reasons = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(illegal):
            reasons[game] = self.batch.why_illegal(int(game), int(actions[game]))
        infos = {"scores": self.batch.scores.astype(np.int64), "_scores": over & ~illegal}
        return infos | {"illegal": illegal, "_illegal": illegal.copy(), "reason": reasons, "_reason": illegal.copy()}

    def _final(self, ends: dict[str, Any]) -> dict[str, Any]:
        over = self._terminated
        observations = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(over):
            observations[game] = self._shown(self.batch.final_observations[game])
        masks = np.zeros_like(self.batch.masks)
        masks[over] = 1
        info = {"action_mask": masks, "_action_mask": over.copy(), **{name: part.copy() for name, part in ends.items()}}
        return {
            "final_obs": observations,
            "_final_obs": over.copy(),
            "final_info": info,
            "_final_info": over.copy(),
        }

    def _shown(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copy else array
