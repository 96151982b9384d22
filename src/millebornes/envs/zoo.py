"""The PettingZoo environments, in which every seat is an agent."""

from collections.abc import Mapping
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

from millebornes.envs.arguments import brief, checked_seed, whole
from millebornes.envs.batch import HandBatch
from millebornes.envs.pictures import RENDER_MODES, check_render_mode, render
from millebornes.envs.spaces import observation_space
from millebornes.envs.stepping import DISABLED
from millebornes.envs.table import DRAWN_SEEDS, options_of
from millebornes.errors import MilleBornesError
from millebornes.game import Hand

Observation = dict[str, npt.NDArray[Any]]
Last = tuple[Observation | None, float, bool, bool, dict[str, Any]]
"""What an agent needs for its decision: the observation, the reward, whether its episode has ended, and infos."""


class RawEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A hand or a match in which each seat is an agent, from ``seat_0`` on. See `env`."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(RENDER_MODES),
        "name": "millebornes_v0",
        "is_parallelizable": True,
        "render_fps": 2,
    }

    def __init__(
        self,
        edition: str = "classic",
        seats: int = 2,
        sides: int | None = None,
        *,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        _check_cycles(max_cycles)
        self.render_mode = render_mode
        self.options = options_of(type(self), edition=edition, seats=seats, sides=sides, **options)
        self._batch = HandBatch(self.options, 1, mode=DISABLED)
        self.rules = self._batch.rules
        self.possible_agents = [f"seat_{seat}" for seat in range(self.rules.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        size = self._batch.masks.shape[1]
        numbers = observation_space(self.rules, self.options.history)
        mask = spaces.Box(0, 1, (size,), np.int8)
        self._observation_spaces = {
            agent: spaces.Dict({"observation": numbers, "action_mask": mask}) for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self.state_space = observation_space(self.rules, self.options.history, self.rules.seats)
        self.most_decisions = None if max_cycles is None else max_cycles * self.rules.seats
        self._decisions = 0
        self._chance = np.random.default_rng()
        self._is_seeded = False
        self.is_parallel = False
        self._no_moves, self._any_move = np.zeros(size, np.int8), np.ones(size, np.int8)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations, which consist of numbers and a mask of legal actions."""
        return self._observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self._action_spaces[self._known(agent)]

    def _known(self, agent: str) -> str:
        if str(agent) not in self.possible_agents:
            names = ", ".join(self.possible_agents)
            raise MilleBornesError(f"there is no agent {brief(agent)}; the agents are {names}")
        return str(agent)

    def check_action(self, action: Any) -> None:
        """Raise `MilleBornesError` unless this is the number of an action, or None if the agent's episode is over."""
        size = len(self._any_move)
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            if action is not None:
                raise MilleBornesError("the episode of this agent is over, so its action must be None")
        elif (number := whole(action)) is None or not 0 <= number < size:
            raise MilleBornesError(f"an action must be a whole number from 0 to {size - 1}, not {brief(action)}")

    def check_begun(self) -> None:
        """Raise `MilleBornesError` before the first `reset`."""
        if not self._is_seeded:
            raise MilleBornesError("call reset() first")

    @property
    def hand(self) -> Hand:
        """The current hand, with all cards face up."""
        return self._batch.hand(0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode: the first hand of a new seed or, without a seed, the next hand of the same seed."""
        if seed is not None:
            self._batch.seed(checked_seed(seed))
            self._chance = np.random.default_rng(checked_seed(seed))
        elif not self._is_seeded:
            self._batch.seed(int(self._chance.integers(DRAWN_SEEDS)))
        self._is_seeded = True
        self._batch.reset()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._decisions = 0
        self.agent_selection = self.possible_agents[int(self._batch.seats[0])]

    def last(self, observe: bool = True) -> Last:
        """Return what the current agent needs for its decision. Raises `MilleBornesError` before the first `reset`."""
        self.check_begun()
        return cast(Last, super().last(observe))

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation. The mask is all zeros unless it is the agent's turn to decide (R5.5).

        In a parallel environment, the mask is all ones for an agent whose action will be ignored, unless it has just
        tried an illegal action.
        """
        self.check_begun()
        seat = self._seat_of[self._known(agent)]
        batch = self._batch
        is_mover = seat == batch.seats[0]
        seen = batch.observations[0].copy() if is_mover else batch.observe(0, seat)
        if is_mover and not batch.ended[0]:
            mask = batch.masks[0]
        else:
            mask = self._any_move if self.is_parallel and not (is_mover and batch.illegal[0]) else self._no_moves
        return {"observation": seen, "action_mask": mask.copy()}

    def state(self) -> npt.NDArray[np.float32]:
        """Return the observations of all seats together, in seat order, for a centralised critic."""
        self.check_begun()
        return np.concatenate([self._batch.observe(0, seat) for seat in range(self.rules.seats)])

    def step(self, action: int | None) -> None:
        """Make a move for the current agent. An illegal move ends the episode with -1000 points for the agent's side.

        If the reward is ``match``, this is -1 instead. The agent's info then contains ``illegal`` and the ``reason``.
        Raises `MilleBornesError` before the first `reset`, and for anything that isn't a whole number.
        """
        self.check_begun()
        if not self.agents:
            raise MilleBornesError("the episode is over; call reset()")
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            if action is not None:
                raise MilleBornesError("the episode of this agent is over, so its action must be None")
            self._was_dead_step(action)
            return
        number = whole(action)
        if number is None:
            raise MilleBornesError(f"an action must be a whole number, not {brief(action)}")
        agents, batch = self.agents, self._batch
        self._cumulative_rewards[self.agent_selection] = 0
        illegal = batch.step([number if 0 <= number < len(self._any_move) else -1])
        by_side = batch.rewards_by_side[0].tolist()
        sides = self.rules.sides
        self.rewards = {agent: by_side[seat % sides] for seat, agent in enumerate(agents)}
        self._decisions += 1
        if batch.terminated[0]:
            self.terminations = dict.fromkeys(agents, True)
            if batch.is_over(0):
                scores = batch.scores[0].tolist()
                self.infos = {agent: {"scores": scores} for agent in agents}
            if illegal:
                self.infos[self.agent_selection] = {"illegal": True, "reason": batch.why_illegal(0, number)}
        elif self._decisions == self.most_decisions:
            self.truncations = dict.fromkeys(agents, True)
        self.agent_selection = agents[int(batch.seats[0])]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """Print the table with all cards face up, or return it as text or pixels, depending on the render mode."""
        shown = render(self.render_mode, [self.hand]) if self.render_mode else None
        return shown and shown[0]

    def close(self) -> None:
        """Do nothing, because the environment holds no resources."""


class _CheckedEnv(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's checks of the order of calls, after ours, which raise `MilleBornesError` with a sentence."""

    def step(self, action: int | None) -> None:
        self.unwrapped.check_begun()
        if self.unwrapped.agents:  # otherwise, PettingZoo warns
            self.unwrapped.check_action(action)
        super().step(action)

    def last(self, observe: bool = True) -> Last:
        self.unwrapped.check_begun()
        return cast(Last, super().last(observe))

    def state(self) -> npt.NDArray[np.float32]:
        return cast(npt.NDArray[np.float32], self.unwrapped.state())

    def render(self) -> Any:
        return self.unwrapped.render()

    def observe(self, agent: str) -> Observation:
        return cast(Observation, self.unwrapped.observe(agent))


class _CheckedParallelEnv(turn_based_aec_to_parallel_wrapper):  # type: ignore[misc]
    """PettingZoo's parallel environment, with our checks of the actions."""

    def step(self, actions: Any) -> Any:
        raw: RawEnv = self.unwrapped
        raw.check_begun()
        if not isinstance(actions, Mapping):
            raise MilleBornesError(f"actions: {brief(actions)} is not allowed; it must be a dictionary with agents")
        if raw.agents and raw.agent_selection not in actions:
            raise MilleBornesError(f"actions: there is no action for {raw.agent_selection}, whose turn it is")
        return super().step(actions)


def _check_cycles(max_cycles: Any) -> None:
    if max_cycles is not None and (type(max_cycles) is not int or max_cycles < 1):
        raise MilleBornesError(
            f"max_cycles: {brief(max_cycles)} is not allowed; it must be a whole number of at least 1, or None"
        )


def env(
    edition: str = "classic",
    seats: int = 2,
    sides: int | None = None,
    *,
    settings: dict[str, Any] | None = None,
    match_target: int | None = None,
    reward: str = "points",
    render_mode: str | None = None,
    **options: Any,
) -> Any:
    """Return a table as a PettingZoo AEC environment, with the wrappers that check how you use it.

    The agents are ``seat_0``, ``seat_1`` and so on. Their observations are ``{"observation": float32 (n,),
    "action_mask": int8 (m,)}`` (see `millebornes.envs.observation_fields` and `millebornes.envs.actions`). ``state()``
    returns the observations of all seats, for centralised critics. `millebornes.envs.table.TableOptions` describes the
    options, including ``history``. ``max_cycles`` truncates an episode after that many decisions per seat on average. A
    seed is the seed of a match, whose hands the episodes play. Raises `MilleBornesError`.
    """
    options |= {"settings": settings, "match_target": match_target, "reward": reward}
    raw = RawEnv(edition, seats, sides, render_mode=render_mode, **options)
    return _CheckedEnv(raw)


def parallel_env(*, max_cycles: int | None = None, **options: Any) -> Any:
    """Return the same table as a parallel environment, in which each step uses only the current seat's action.

    The masks of the other agents are all ones, so you can pass any action for them. Here, ``max_cycles`` counts steps.
    Raises the same errors as `env`.
    """
    _check_cycles(max_cycles)
    raw = RawEnv(**options)
    raw.is_parallel, raw.most_decisions = True, max_cycles
    return _CheckedParallelEnv(raw)
