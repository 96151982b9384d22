"""The Gymnasium environments: by Gymnasium's own checkers, and the single and the vector one against each other."""

import decimal
import warnings
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from millebornes import make_rules
from millebornes.envs import HAND, action_of, observation_of, seeding
from millebornes.envs.single import HandEnv, _KernelTable, _PlayerTable
from millebornes.envs.vector import HandVectorEnv
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game import Hand, Match


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
        check_env(env.unwrapped)
    env.close()


def test_numbers_of_an_observation_have_finite_bounds() -> None:
    # Matches so long, and so tied, that points go beyond what observations tell; and the largest table.
    tables: list[dict[str, Any]] = [{"match_target": 10**9}, {"seats": 8, "sides": 8, "match_target": 5000}]
    for options in tables:
        envs = made(8, opponent="basic", autoreset_mode="SAME_STEP", **options)
        space: Any = envs.observation_space
        assert np.isfinite(space.low).all()
        assert np.isfinite(space.high).all()
        seen, infos = envs.reset(seed=1)
        envs.batch._deals["totals"][:] = 999_950
        greatest = 0.0
        for step in range(80):
            seen, _, _, _, infos = envs.step(lowest(infos["action_mask"], step))
            assert space.contains(seen)
            greatest = max(greatest, seen.max())
        assert greatest == 200 or options["match_target"] == 5000
    view = Match.start(make_rules(), 1).hand.view(0, (10**7, 0))  # as single hands without end add up
    assert observation_of(view)[-3] == 200


def test_a_vector_of_one_seed_is_the_single_environment() -> None:
    # Game i of the vector plays what a single environment plays with seed + i, opponents and rewards included; and so
    # does the one that asks the players in Python.
    tables: list[dict[str, Any]] = [
        {"opponent": "random", "seat": 1},
        {"opponent": "basic", "edition": "house", "seats": 4, "reward": "lead", "history": 3},
        {"opponent": "maxims", "match_target": 1000, "reward": "match"},
        {"opponent": "basic", "match_target": 1000, "reward": "points"},
        {"opponent": ["random", "instant", "casual"], "seats": 3, "match_target": 1000},
    ]
    for options in tables:
        envs = made(3, autoreset_mode=AutoresetMode.DISABLED, **options)
        singles = [HandEnv(**options) for _ in range(3)]
        one = singles[2]
        assert isinstance(singles[0]._table, _KernelTable)
        one._table = _PlayerTable(one.options, one.opponents, one.seat)
        seen, infos = envs.reset(seed=40)
        masks = infos["action_mask"]
        for game, single in enumerate(singles):
            row, info = single.reset(seed=40 + game)
            assert (row == seen[game]).all()
            assert (info["action_mask"] == masks[game]).all()
        over = np.zeros(3, np.bool_)
        for step in range(2000):
            chosen = lowest(masks, step)
            seen, rewards, ended, _, infos = envs.step(chosen)
            masks = infos["action_mask"]
            for game, single in enumerate(singles):
                if over[game]:
                    continue
                row, reward, terminated, _, info = single.step(chosen[game])
                assert (row == seen[game]).all()
                assert reward == rewards[game]
                assert terminated == ended[game]
                assert (info["action_mask"] == masks[game]).all()
            over |= ended
            if over.all():
                break
        assert over.all()


def test_decks_do_not_depend_on_the_precision_that_a_program_sets() -> None:
    with decimal.localcontext(prec=5):
        assert (seeding._root_bits(3, 64) == seeding.ROUNDS).all()


def test_a_seed_deals_the_hands_of_the_match() -> None:
    envs = made(4, opponent=None)
    envs.reset(seed=7)
    for game in range(4):
        assert envs.batch.hand(game).hands == Hand.deal(envs.rules, 7 + game).hands
    envs.reset()
    assert envs.batch.hand(2).hands == Hand.deal(envs.rules, 9, 1, 2).hands


def test_illegal_actions_end_the_episode() -> None:
    envs, single = made(2, opponent="random"), HandEnv(opponent="random")
    _, infos = envs.reset(seed=1)
    single.reset(seed=1)
    wrong = action_of(envs.rules, 0, "75")
    _, rewards, ended, _, infos = envs.step(np.array([wrong, -5]))
    assert rewards.tolist() == [-1000.0, -1000.0]
    assert ended.all()
    _, reward, terminated, _, info = single.step(wrong)
    assert (reward, terminated, info["illegal"]) == (-1000.0, True, True)
    assert info["reason"] == infos["reason"][0]
    assert "is not legal: " in info["reason"]
    assert "(R4.1); legal: " in info["reason"]
    assert "-5 isn't a move" in infos["reason"][1]
    assert info["action_mask"].all()
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


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_infos_are_laid_out_as_those_of_stock_vector_environments(mode: AutoresetMode) -> None:
    # Gymnasium's own vector of single environments beside ours, with illegal actions now and then: the same infos.
    options: dict[str, Any] = {"opponent": "random"}
    ours = made(3, autoreset_mode=mode, **options)
    stock = gymnasium.make_vec(
        HAND, num_envs=3, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **options
    )
    rows = ours.reset(seed=9), stock.reset(seed=9)
    kept = set()
    for step in range(110):
        _same(*(infos for _, infos in rows))
        _same({"obs": rows[0][0]}, {"obs": rows[1][0]})
        actions = lowest(rows[0][1]["action_mask"], step)
        if step % 50 == 20:
            actions[1] = 63
        (seen, rewards, ended, _, infos), (stock_seen, stock_rewards, stock_ended, _, stock_infos) = (
            envs.step(actions) for envs in (ours, stock)
        )
        assert (rewards == stock_rewards).all()
        assert (ended == stock_ended).all()
        kept |= set(infos)
        rows = (seen, infos), (stock_seen, stock_infos)
        if mode is AutoresetMode.DISABLED and ended.any():
            rows = (ours.reset(options={"reset_mask": ended.copy()}), stock.reset(options={"reset_mask": ended.copy()}))
    assert {"illegal", "reason"} <= kept
    assert ({"final_obs", "final_info"} <= kept) == (mode is AutoresetMode.SAME_STEP)


def _same(ours: dict[str, Any], stock: dict[str, Any]) -> None:
    """What stock infos hold, ours hold too: the same masks, and equal values where these say that there are some."""
    for name, values in stock.items():
        if name.startswith("_") or name == "hand_number":
            continue
        there = stock.get(f"_{name}", np.ones(len(values), np.bool_))
        if f"_{name}" in stock:
            assert (ours[f"_{name}"] >= there).all(), name
        if isinstance(values, dict):
            _same(ours[name], values)
            continue
        assert ours[name].dtype == values.dtype, name
        for game in np.flatnonzero(there):
            assert np.array_equal(ours[name][game], values[game]), name


def test_masks_alone() -> None:
    # As sb3-contrib asks for them: by a method of this name, through wrappers too.
    env, envs = gymnasium.make(HAND, opponent="random"), made(3, opponent="random")
    _, info = env.reset(seed=1)
    _, infos = envs.reset(seed=1)
    assert (env.get_wrapper_attr("action_masks")() == info["action_mask"]).all()
    assert (envs.action_masks() == infos["action_mask"]).all()
    assert env.action_space.sample(mask=env.get_wrapper_attr("action_masks")()) < 64


def test_seeds_and_modes_in_all_their_forms() -> None:
    first = HandEnv(opponent="random").reset(seed=7)[0]
    for seed in (np.int64(7), np.uint8(7)):
        assert (HandEnv(opponent="random").reset(seed=seed)[0] == first).all()
        assert (made(1, opponent="random").reset(seed=seed)[0][0] == first).all()
    for row in ([7, 8], np.array([7, 8])):
        assert (made(2, opponent="random").reset(seed=row)[0][0] == first).all()
    for wrong in (-1, 7.0, True, "7", 1 << 64):
        with pytest.raises(MilleBornesError, match="seed"):
            HandEnv(opponent="random").reset(seed=wrong)  # type: ignore[arg-type]
    for mode in (AutoresetMode.SAME_STEP, "SameStep", "SAME_STEP"):
        assert made(1, autoreset_mode=mode).metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    with pytest.raises(MilleBornesError, match="NEXT_STEP, SAME_STEP, DISABLED"):
        HandVectorEnv(1, autoreset_mode="never")
    with pytest.raises(MilleBornesError, match="whole numbers"):
        made(1).batch.__class__.step(_begun(), [0.5])


def _begun() -> Any:
    envs = made(1)
    envs.reset(seed=1)
    return envs.batch


def test_games_of_a_vector_are_seeded_where_they_are_reset() -> None:
    envs = made(3, opponent=None)
    envs.reset(seed=1)
    which = np.array([False, True, False])
    envs.reset(seed=50, options={"reset_mask": which})
    envs.reset(seed=[None, None, 9])
    hands = [envs.batch.hand(game).hands for game in range(3)]
    expected = [Hand.deal(envs.rules, *seeded) for seeded in ((1, 1, 2), (51, 1, 2), (9,))]
    assert hands == [hand.hands for hand in expected]


def test_who_cannot_play_is_told() -> None:
    with pytest.raises(PlayerError, match="cannot play inside kernels"):
        made(2, opponent="champion")
    with pytest.raises(PlayerError, match="nobody"):
        HandEnv(opponent="nobody")
    with pytest.raises(MilleBornesError, match="'opponents' isn't an option; the options are edition, seats, opponent"):
        gymnasium.make("millebornes/Hand-v0", opponents="basic")
    for wrong in (5, 1.5, [], ["basic", 5], b"basic"):
        with pytest.raises(MilleBornesError, match="it must be the name of a player, or several names"):
            HandEnv(opponent=wrong)  # type: ignore[arg-type]
    with pytest.raises(MilleBornesError, match="render_mode: 'film' is not allowed"):
        HandEnv(render_mode="film")
