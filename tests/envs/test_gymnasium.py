"""The Gymnasium environments: by Gymnasium's own checkers, and the single and the vector one against each other."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from millebornes.envs import HAND
from millebornes.envs.single import HandEnv
from millebornes.envs.vector import HandVectorEnv
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game import Hand


def lowest(masks: npt.NDArray[np.int8], salt: int) -> npt.NDArray[np.int64]:
    """A legal action for each row, another one at each step."""
    order = (np.arange(masks.shape[1]) * 37 + salt * 11) % 101
    found: npt.NDArray[np.int64] = np.where(masks == 1, order, 1000).argmin(1)
    return found


def made(count: int, **options: Any) -> HandVectorEnv:
    envs = gymnasium.make_vec(HAND, num_envs=count, vectorization_mode="vector_entry_point", **options)
    assert isinstance(envs, HandVectorEnv)
    return envs


@pytest.mark.parametrize("options", [{}, {"edition": "house", "seats": 4, "opponent": ["random", "basic"]}], ids=str)
def test_gymnasium_finds_nothing_wrong(options: dict[str, Any]) -> None:
    # Its checker picks any action, legal or not.
    env = gymnasium.make(HAND, render_mode="ansi", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*infinity.*|.*no upper bound.*")
        check_env(env.unwrapped)
    env.close()


def test_a_vector_of_one_seed_is_the_single_environment() -> None:
    # Game i of the vector plays what a single environment plays with seed + i, opponents and rewards included.
    tables: list[dict[str, Any]] = [
        {"opponent": "random", "seat": 1},
        {"opponent": "basic", "edition": "house", "seats": 4, "reward": "lead", "history": 3},
        {"opponent": "maxims", "match_target": 1000, "reward": "match"},
        {"opponent": "basic", "match_target": 1000, "reward": "points"},
    ]
    for options in tables:
        envs = made(3, autoreset_mode=AutoresetMode.DISABLED, **options)
        singles = [HandEnv(**options) for _ in range(3)]
        seen, infos = envs.reset(seed=40)
        masks = infos["action_mask"]
        for game, single in enumerate(singles):
            one, info = single.reset(seed=40 + game)
            assert (one == seen[game]).all()
            assert (info["action_mask"] == masks[game]).all()
        over = np.zeros(3, np.bool_)
        for step in range(2000):
            chosen = lowest(masks, step)
            seen, rewards, ended, _, infos = envs.step(chosen)
            masks = infos["action_mask"]
            for game, single in enumerate(singles):
                if over[game]:
                    continue
                one, reward, terminated, _, info = single.step(chosen[game])
                assert (one == seen[game]).all()
                assert reward == rewards[game]
                assert terminated == ended[game]
                assert (info["action_mask"] == masks[game]).all()
            over |= ended
            if over.all():
                break
        assert over.all()


def test_a_seed_deals_the_hands_of_the_match() -> None:
    envs = made(4, opponent=None)
    envs.reset(seed=7)
    for game in range(4):
        assert envs.batch.hand(game).hands == Hand.deal(envs.rules, 7 + game).hands
    envs.reset()
    assert envs.batch.hand(2).hands == Hand.deal(envs.rules, 9, 1, 2).hands


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_autoreset_modes(mode: AutoresetMode) -> None:
    envs = made(32, opponent="random", autoreset_mode=mode, copy=False)
    seen, infos = envs.reset(seed=1)
    assert seen is envs.batch.observations
    ended = np.zeros(32, np.bool_)
    hands = [envs.batch.hand_number(game) for game in range(32)]
    finished = 0
    for step in range(150):
        before = ended.copy()
        actions = lowest(infos["action_mask"], step)
        seen, rewards, ended, truncated, infos = envs.step(actions)
        ended = ended.copy()
        assert not truncated.any()
        assert envs.observation_space.contains(seen)
        finished += int(ended.sum())
        for game in np.flatnonzero(ended & ~before):
            hands[game] += mode is AutoresetMode.SAME_STEP
            assert rewards[game] == infos["scores"][game, 0]
            if mode is AutoresetMode.SAME_STEP:
                assert infos["_final_obs"][game]
                assert infos["final_obs"][game, 38 + 50 : 38 + 56].tolist() == [0, 0, 0, 0, 0, 1]  # over
                assert infos["action_mask"][game].any()
            else:
                assert not infos["action_mask"][game].any()
        if mode is AutoresetMode.NEXT_STEP:
            for game in np.flatnonzero(before):
                hands[game] += 1
                assert rewards[game] == 0
                assert not ended[game]
        if mode is AutoresetMode.DISABLED:
            assert (ended >= before).all()
            if ended.sum() > 8:
                seen, infos = envs.reset(options={"reset_mask": ended})
                for game in np.flatnonzero(ended):
                    hands[game] += 1
                ended[:] = False
        assert [envs.batch.hand_number(game) for game in range(32)] == hands
    assert finished > 20


def test_illegal_actions_end_the_episode() -> None:
    envs, single = made(2, opponent="random"), HandEnv(opponent="random")
    _, infos = envs.reset(seed=1)
    single.reset(seed=1)
    wrong = int(np.flatnonzero(infos["action_mask"][0] == 0)[0])
    _, rewards, ended, _, _ = envs.step(np.array([wrong, -5]))
    assert rewards.tolist() == [-1000.0, -1000.0]
    assert ended.all()
    _, reward, terminated, _, info = single.step(wrong)
    assert (reward, terminated, info["illegal"]) == (-1000.0, True, True)
    _, infos = single.reset()
    assert infos["hand_number"] == 2


def test_every_seat_in_turn() -> None:
    envs = made(16, opponent=None, seats=4, reward="lead", autoreset_mode="SameStep")
    _, infos = envs.reset(seed=5)
    total, finished = np.zeros(2), 0
    for step in range(400):
        _, _, ended, _, infos = envs.step(lowest(infos["action_mask"], step))
        total += infos["rewards"].sum(0)
        finished += int(ended.sum())
        assert (infos["seat"] < 4).all()
    assert finished
    assert total[0] == -total[1]  # what one side leads by, the other lacks


def test_pictures() -> None:
    single = HandEnv(render_mode="rgb_array", opponent="random")
    single.reset(seed=3)
    pixels = single.render()
    assert pixels.shape[1:] == (940, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20
    text = HandEnv(render_mode="ansi", opponent="random")
    text.reset(seed=3)
    assert "Side 2: 0 of 700 miles, not moving." in text.render()
    assert "Seat 1" not in text.render()  # a hidden hand
    envs = made(2, opponent="random", render_mode="ansi")
    envs.reset(seed=3)
    shown = envs.render()
    assert shown is not None
    assert len(shown) == 2


def test_who_cannot_play_is_told() -> None:
    with pytest.raises(PlayerError, match="cannot play inside kernels"):
        made(2, opponent="champion")
    with pytest.raises(PlayerError, match="nobody"):
        HandEnv(opponent="nobody")
    with pytest.raises(MilleBornesError, match="render_mode: 'film' is none"):
        HandEnv(render_mode="film")
