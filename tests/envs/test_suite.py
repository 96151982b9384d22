"""The fixed tasks, and policies measured on them."""

import json

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest

from millebornes.cli import main
from millebornes.envs import TASKS, evaluate
from millebornes.errors import MilleBornesError


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
    assert evaluate("random", name, hands=1).hands >= 1


def test_wrong_names_say_what_there_is() -> None:
    with pytest.raises(MilleBornesError, match="Classic2-v1"):
        evaluate("basic", "Chess-v1")
    with pytest.raises(MilleBornesError, match="hands"):
        evaluate("basic", "Classic2-v1", hands=0)
    for wrong in (None, 5, ["basic"]):
        with pytest.raises(MilleBornesError, match="it must be the name of a player, or a function"):
            evaluate(wrong, "Classic2-v1", hands=1)  # type: ignore[arg-type]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "basic", "--task", "Classic2-v1", "--hands", "40", "--seed", "5"]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == evaluate("basic", "Classic2-v1", hands=40, seed="5").to_dict()
    assert main(words) == 0
    assert "lead per hand" in capsys.readouterr().out
    assert main(["evaluate", "basic", "--task", "Chess"]) == 2
    assert "Classic2-v1" in capsys.readouterr().err
    assert main(["evaluate", "nobody", "--task", "Classic2-v1"]) == 2
    assert "nobody" in capsys.readouterr().err
