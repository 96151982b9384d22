"""The fixed tasks, and policies measured on them."""

import hashlib
import json
from typing import NamedTuple

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest

from millebornes.arena.duplicate import play_game
from millebornes.arena.outcome import GameOutcome
from millebornes.arena.schedule import Game, Plan
from millebornes.cli import main
from millebornes.envs import TASKS, evaluate, suite
from millebornes.errors import MilleBornesError
from millebornes.players import Player
from millebornes.policies.maxim_weights import tuned


def first(observation: npt.NDArray[np.float32], mask: npt.NDArray[np.int8]) -> int:
    return int(np.flatnonzero(mask)[0])


def never(observation: npt.NDArray[np.float32], mask: npt.NDArray[np.int8]) -> int:
    return int(np.flatnonzero(mask == 0)[0])


def test_a_player_is_measured_by_name() -> None:
    strong = evaluate("maxims", "millebornes/Classic2-v1", hands=200, seed=3)
    assert strong.hands >= 200
    assert strong.match_share == pytest.approx(0.5)  # against itself, with every deal in both rotations
    assert strong.mean_lead == pytest.approx(0)
    weak = evaluate("random", "Classic2-v1", hands=200, seed=3)
    assert weak.mean_lead is not None
    assert weak.mean_lead < -1000
    assert weak == evaluate("random", "Classic2-v1", hands=200, seed=3)


def test_a_function_is_measured_and_pays_for_its_errors() -> None:
    found = evaluate(first, "Classic2-v1", hands=10)
    assert (found.policy, found.forfeits, found.forfeit_reasons) == ("first", 0, {})
    assert found.mean_lead is not None
    assert found.mean_lead < -500
    wrong = evaluate(never, "Classic2-v1", hands=10)
    assert wrong.forfeits == wrong.matches > 0
    assert sum(wrong.forfeit_reasons.values()) == wrong.forfeits
    assert wrong.match_share == 0


@pytest.mark.parametrize("name", TASKS)
def test_each_task_is_an_environment_too(name: str) -> None:
    env = gymnasium.make(name)
    _, info = env.reset(seed=1)
    assert info["action_mask"].any()
    assert env.get_wrapper_attr("rules") == TASKS[name].rules()


def test_wrong_names_say_what_there_is() -> None:
    with pytest.raises(MilleBornesError, match="Classic2-v1"):
        evaluate("basic", "Chess-v1")
    with pytest.raises(MilleBornesError, match="hands"):
        evaluate("basic", "Classic2-v1", hands=0)
    for wrong in (None, 5, ["basic"]):
        with pytest.raises(MilleBornesError, match="it must be the name of a player, or a function"):
            evaluate(wrong, "Classic2-v1", hands=1)  # type: ignore[arg-type]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "basic", "--task", "Classic2-v1", "--hands", "10", "--seed", "5"]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == evaluate("basic", "Classic2-v1", hands=10, seed="5").to_dict()
    assert main(words) == 0
    assert "lead per hand" in capsys.readouterr().out
    assert main(["evaluate", "basic", "--task", "Chess"]) == 2
    assert "Classic2-v1" in capsys.readouterr().err
    assert main(["evaluate", "nobody", "--task", "Classic2-v1"]) == 2
    assert "nobody" in capsys.readouterr().err


# ---------------------------------------------------------------- tasks never change


class Golden(NamedTuple):
    """What a task gave when it was added."""

    hands: int
    matches: int
    mean_lead: float
    moves: str
    """A hash of all decks, moves and scores."""
    weights: str
    """A hash of the weights by which the opponents play, because most of them decide few moves."""
    environment: str
    """A hash of the observations, masks and rewards in the task's environment."""


GOLDEN = {
    "millebornes/Classic2-v1": Golden(25, 8, -1967.0, "b8752cc4a9882e00", "0f3cfacf70ee9e5f", "3175fdab09ea81cc"),
    "millebornes/Classic3-v1": Golden(30, 6, -780.833333, "c1ec1bb4a65ed2fb", "f51f1425663418cb", "2d384ee565d25a44"),
    "millebornes/Classic4-v1": Golden(43, 4, -283.72093, "c7b534c87be27b83", "f51f1425663418cb", "fe8a2e49e60071ee"),
    "millebornes/ClassicTeams4-v1": Golden(
        23, 8, -2002.173913, "ab14dee9a59af9d0", "b491f42c709844e9", "4a91e563b1e1c220"
    ),
    "millebornes/ClassicTeams6-v1": Golden(25, 6, -996.5, "f371e82355024ffc", "f51f1425663418cb", "119d6bf958b6a166"),
    "millebornes/Bsd2-v1": Golden(23, 8, -1876.086957, "398ea792376cfa56", "0f3cfacf70ee9e5f", "77861f308a28a6bf"),
}


def varied(observation: npt.NDArray[np.float32], mask: npt.NDArray[np.int8]) -> int:
    """A policy that depends on nothing but this line, and plays all kinds of moves."""
    places = np.flatnonzero(mask)
    return int(places[int(places.sum() + 7 * observation[:40].astype(bool).sum()) % len(places)])


def result_of(name: str, monkeypatch: pytest.MonkeyPatch) -> Golden:
    """Measure the policy on a few matches, and play it in the environment."""
    digest, weights, environment = (hashlib.sha256() for _ in range(3))

    def recorded(plan: Plan, game: Game, players: list[Player]) -> GameOutcome:
        outcome = play_game(plan, game, players, records=True)
        for line in outcome.lines[1:]:
            hand = json.loads(line)
            digest.update(json.dumps([hand.get(key) for key in ("deck", "moves", "scores")]).encode())
        return outcome

    monkeypatch.setattr(suite, "play_game", recorded)
    report = evaluate(varied, name, hands=20, seed="golden")
    assert (report.forfeits, report.match_target) == (0, 5000)
    assert report.mean_lead is not None
    weights.update(repr([report.opponent, *tuned(TASKS[name].rules())]).encode())
    env = gymnasium.make(name)
    seen, info = env.reset(seed=11)
    for _ in range(150):
        seen, reward, terminated, truncated, info = env.step(varied(seen, info["action_mask"]))
        environment.update(np.ascontiguousarray(seen).tobytes() + info["action_mask"].tobytes() + repr(reward).encode())
        if terminated or truncated:
            seen, info = env.reset()
    hashes = (one.hexdigest()[:16] for one in (digest, weights, environment))
    return Golden(report.hands, report.matches, report.mean_lead, *hashes)


@pytest.mark.parametrize("name", TASKS)
def test_a_task_never_changes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = result_of(name, monkeypatch)
    assert found == GOLDEN.get(name), (
        f"The task {name} has changed: it gave {GOLDEN.get(name)}, and now {found}. Results of different versions of "
        "the package can't be compared any more. Take the change back, or keep it from this task: an opponent "
        "keeps its old weights as 'maxims:NAME=NUMBER,...'. If that isn't possible, remove the task and add one with "
        "a new version, such as -v2. A new task needs an entry in GOLDEN."
    )
