"""The PettingZoo environments, by PettingZoo's own tests."""

import contextlib
import io
import types
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils import BaseParallelWrapper, BaseWrapper

from millebornes.envs import env, parallel_env, raw_env
from millebornes.game import Hand

NO_SAFETIES = {"deck": {"25": 20, "50": 20, "100": 20, "roll": 20, "stop": 10}, "extension_goal": None, "goal": 1000}


@pytest.mark.parametrize("table", [{}, {"edition": "house", "seats": 4, "history": 4}, {"match_target": 500}], ids=str)
def test_pettingzoo_finds_nothing_wrong(table: dict[str, Any]) -> None:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        # An observation is a dictionary of numbers and a mask, as in PettingZoo's own card games.
        warnings.filterwarnings("ignore", "Observation (space for each agent probably should be|is not a NumPy array)")
        api_test(env(**table), num_cycles=100)
        api_test(raw_env(**table), num_cycles=100)
        state_test(LegalTurns(env(**table)), Legal(parallel_env(**table)), num_cycles=60)
        seed_test(lambda: env(**table), num_cycles=100)


def test_parallel_environments() -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        parallel_api_test(Legal(parallel_env()), num_cycles=200)


class Legal(BaseParallelWrapper):  # type: ignore[misc]  # PettingZoo has no types
    """Replaces illegal actions, for testers that pick any."""

    def step(self, actions: dict[str, Any]) -> Any:
        raw = self.env.aec_env
        mover = raw.agent_selection
        mask = raw.observe(mover)["action_mask"]
        if mover in actions and not mask[actions[mover]]:
            actions = actions | {mover: int(mask.argmax())}
        return self.env.step(actions)


class LegalTurns(BaseWrapper):  # type: ignore[misc]
    """The same for AEC environments."""

    def step(self, action: int | None) -> None:
        mask = self.env.observe(self.agent_selection)["action_mask"]
        super().step(int(mask.argmax()) if action is not None and not mask[action] else action)


def test_episodes_can_be_cut_short() -> None:
    # The test wants every agent to move as often as the others, so there are no safeties, which give further turns.
    module = types.SimpleNamespace(
        env=lambda max_cycles: LegalTurns(env(settings=NO_SAFETIES, max_cycles=max_cycles)),
        parallel_env=lambda max_cycles: Legal(parallel_env(settings=NO_SAFETIES, max_cycles=max_cycles)),
    )
    max_cycles_test(module)


def test_pictures() -> None:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        render_test(env)
    assert "Side 1" in printed.getvalue()


def test_agents_are_seats_and_rewards_those_of_their_sides() -> None:
    game = env(seats=4, reward="lead")
    assert game.possible_agents == ["seat_0", "seat_1", "seat_2", "seat_3"]
    game.reset(seed=12)
    assert game.unwrapped.hand.hands == Hand.deal(game.unwrapped.rules, 12).hands
    chance = np.random.default_rng(0)
    for agent in game.agent_iter():
        seen, _, over, _, info = game.last()
        assert not any(game.observe(other)["action_mask"].any() for other in game.agents if other != agent)
        if over:
            rewards = dict(game.unwrapped._cumulative_rewards)
            assert rewards["seat_0"] == rewards["seat_2"] == -rewards["seat_1"] == -rewards["seat_3"]
            assert rewards["seat_0"] == info["scores"][0] - info["scores"][1]
            break
        game.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))


def test_an_illegal_action_loses() -> None:
    game, both = env(), parallel_env()
    game.reset(seed=np.int64(1))
    both.reset(seed=1)
    wrong = int((game.observe("seat_0")["action_mask"] == 0).argmax())
    game.step(wrong)
    assert game.terminations == {"seat_0": True, "seat_1": True}
    assert game.rewards == {"seat_0": -1000.0, "seat_1": 0.0}
    assert not game.observe("seat_0")["action_mask"].any()
    assert game.infos["seat_0"]["illegal"] is True
    assert "legal: -" in game.infos["seat_0"]["reason"]
    assert game.infos["seat_1"] == {}
    seen, _, _, _, infos = both.step({"seat_0": wrong, "seat_1": 0})
    assert infos["seat_0"] == game.infos["seat_0"]
    assert [bool(one["action_mask"].any()) for one in seen.values()] == [False, True]


def test_idle_agents_of_a_parallel_environment_may_do_anything() -> None:
    # Their masks are all ones, also at the end, so that sampling by them always works.
    game = parallel_env(seats=3)
    seen, _ = game.reset(seed=4)
    for _ in range(400):
        mover = game.unwrapped.agent_selection
        assert [agent for agent, one in seen.items() if not one["action_mask"].all()] == [mover]
        chosen = {agent: game.action_space(agent).sample(mask=one["action_mask"]) for agent, one in seen.items()}
        seen, _, over, _, infos = game.step(chosen)
        if all(over.values()):
            break
    assert all(one["action_mask"].all() for one in seen.values())
    assert all("scores" in info for info in infos.values())


def test_the_state_is_what_all_seats_see() -> None:
    game = env(seats=4, history=2)
    game.reset(seed=2)
    rows = [game.observe(agent)["observation"] for agent in game.possible_agents]
    assert (game.state() == np.concatenate(rows)).all()
    assert game.state_space.shape == game.state().shape
