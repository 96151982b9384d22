"""Environments are copied and pickled at any moment, also into another process: all play on alike and by themselves."""

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from millebornes import make_rules
from millebornes.envs import HAND, HandBatch, TableOptions, env, parallel_env, raw_env
from millebornes.envs.single import HandEnv
from millebornes.game import Match
from millebornes.players import player

STEPS = 90
OTHER = """
import pickle, sys
sys.path.insert(0, sys.argv[1])
from test_copies import play
found = [play(one) for one in pickle.load(sys.stdin.buffer)]
sys.stdout.buffer.write(pickle.dumps(found))
"""


def pick(mask: Any, salt: int) -> int:
    """Some legal action, another one at each step."""
    legal = np.flatnonzero(mask)
    return int(legal[salt * 7 % len(legal)])


def play(one: Any, steps: int = STEPS) -> list[bytes]:
    """Play an environment on for so many steps, from wherever it is; all that it says."""
    inner = one.unwrapped if hasattr(one, "unwrapped") else one
    if isinstance(one, HandBatch):
        return [_play_batch(one, n) for n in range(steps)]
    if isinstance(inner, gymnasium.vector.VectorEnv):
        return [_play_vector(one, n) for n in range(steps)]
    if isinstance(inner, gymnasium.Env):
        return [_play_single(one, n) for n in range(steps)]
    return [_play_zoo(one, n) for n in range(steps)]


def _play_batch(one: HandBatch, n: int) -> bytes:
    one.step([pick(mask, n + i) for i, mask in enumerate(one.masks)])
    return one.observations.tobytes() + one.masks.tobytes() + one.rewards.tobytes()


def _play_vector(one: Any, n: int) -> bytes:
    masks = one.get_wrapper_attr("action_masks")() if hasattr(one, "get_wrapper_attr") else one.action_masks()
    seen, rewards, ended, _, infos = one.step(np.array([pick(mask, n + i) for i, mask in enumerate(masks)]))
    return bytes(seen.tobytes() + rewards.tobytes() + ended.tobytes() + infos["action_mask"].tobytes())


def _play_single(one: Any, n: int) -> bytes:
    if one.unwrapped._is_begun and not one.unwrapped._table.is_over:
        seen, reward, ended, _, info = one.step(pick(one.get_wrapper_attr("action_masks")(), n))
    else:
        seen, info = one.reset(seed=None if one.unwrapped._is_begun else 3)
        reward = ended = 0
    return bytes(seen.tobytes() + repr((float(reward), bool(ended))).encode() + info["action_mask"].tobytes())


def _play_zoo(one: Any, n: int) -> bytes:
    if not getattr(one, "agents", None):
        one.reset(seed=3 if n == 0 else None)
    raw = one.unwrapped
    mover = raw.agent_selection
    action = None if raw.terminations[mover] else pick(raw.observe(mover)["action_mask"], n)
    one.step(dict.fromkeys(one.agents, action) if hasattr(one, "aec_env") else action)
    seen = [raw.observe(agent)["observation"].tobytes() for agent in raw.possible_agents]
    return b"".join([*seen, raw.state().tobytes()])


MAKERS: dict[str, Callable[[], Any]] = {
    "raw_env": lambda: raw_env(seats=4),
    "env": lambda: env(match_target=700),
    "parallel_env": lambda: parallel_env(edition="house", seats=3),
    "made": lambda: gymnasium.make(HAND, opponent="instant", match_target=900),
    "drawn": lambda: HandEnv(seats=4, opponent=["casual", "instant", "maxims"], history=3),
    "asked": lambda: HandEnv(opponent="py:" + str(Path(__file__).parents[1] / "data" / "bots" / "remembers.py")),
    "batch": lambda: HandBatch(TableOptions(), 5, ("instant", "beginner")),
    "every_seat": lambda: HandBatch(TableOptions(seats=6, sides=3), 3),
    "vector": lambda: _vector("NEXT_STEP", copy=False),
    "same_step": lambda: _vector("SAME_STEP", copy=True),
}


def _vector(mode: str, **options: Any) -> Any:
    opponent = ["instant", "skilled", "random"]
    return gymnasium.make_vec(
        HAND, num_envs=4, vectorization_mode="vector_entry_point", opponent=opponent, autoreset_mode=mode, **options
    )


def begun(name: str, steps: int) -> Any:
    """One of these environments after so many steps."""
    one = MAKERS[name]()
    if isinstance(one, HandBatch):
        one.seed(5)
        one.reset()
    else:
        one.reset(seed=5)
    play(one, steps)
    return one


def test_copies_play_on_alike_and_by_themselves() -> None:
    # At the beginning, in the middle of a hand, or further on, when hands have ended: a deep copy, one by pickling, and
    # one in another process play on as the original does, which they leave as it was.
    moments = [(name, (0, 4, 61)[n % 3]) for n, name in enumerate(MAKERS)] + [("made", 61), ("vector", 0)]
    originals = [begun(*moment) for moment in moments]
    packed = pickle.dumps(originals)
    command = [sys.executable, "-c", OTHER, str(Path(__file__).parent)]
    elsewhere = subprocess.run(command, input=packed, capture_output=True, timeout=600)
    assert elsewhere.returncode == 0, elsewhere.stderr.decode()
    there = pickle.loads(elsewhere.stdout)
    here = pickle.loads(packed)
    for moment, original, unpickled, traced in zip(moments, originals, here, there, strict=True):
        copied = copy.deepcopy(original)
        of_copies = play(copied), play(unpickled)
        of_copies_of_copies = play(copy.deepcopy(copied), 5), play(copied, 5)
        assert play(original) == of_copies[0] == of_copies[1] == traced, moment
        assert of_copies_of_copies[0] == of_copies_of_copies[1]


@pytest.mark.parametrize("name", ["raw_env", "made", "asked", "vector", "parallel_env"])
def test_copies_of_what_was_never_seeded_and_after_an_illegal_action(name: str) -> None:
    one = MAKERS[name]()
    copied, unpickled = copy.deepcopy(one), pickle.loads(pickle.dumps(one))
    for each in (one, copied, unpickled):
        each.reset()
    assert play(copied, 30) == play(unpickled, 30) == play(one, 30)
    one = begun(name, 0)
    if name == "vector":
        one.step(np.full(4, -1))
    elif name == "parallel_env":
        one.step(dict.fromkeys(one.agents, 63))
    else:
        one.step(63)
    copied = copy.deepcopy(one)
    unpickled = pickle.loads(pickle.dumps(one))
    assert play(copied, 20) == play(unpickled, 20) == play(one, 20)


@pytest.mark.once
def test_a_copied_champion_remembers_the_match() -> None:
    # What it has learned of the others in earlier hands goes with it; its search is made anew.
    one = HandEnv(opponent="champion:rollouts=40", match_target=2000)
    one.reset(seed=4)
    play(one, 25)
    copied, unpickled = copy.deepcopy(one), pickle.loads(pickle.dumps(one))
    assert play(one, 12) == play(copied, 12) == play(unpickled, 12)


@pytest.mark.parametrize("name", ["instant", "casual", "maxims", "basic", "random"])
def test_players_and_matches_can_be_copied(name: str) -> None:
    match = Match.start(make_rules(), 3)
    one = player(name)
    one.match_started(0, match.rules, (), None)
    one.hand_started(1, 0, (0, 0), match.hand.cards(0))
    view = match.view(0)
    chosen = one.choose(view, view.legal_moves, random.Random(1))
    for copied in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert copied.choose(view, view.legal_moves, random.Random(1)) == chosen
    assert pickle.loads(pickle.dumps(view)) == view
    assert copy.deepcopy(match) == match
