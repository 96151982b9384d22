"""Arguments of other types, and calls in another order: environments answer with a sentence."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from millebornes.envs.batch import HandBatch
from millebornes.envs.single import HandEnv
from millebornes.envs.table import TableOptions
from millebornes.envs.vector import HandVectorEnv
from millebornes.envs.zoo import RawEnv, env, parallel_env
from millebornes.errors import MilleBornesError
from tests.damage import complaint

ODD: list[Any] = [None, "5", 2.5, float("nan"), np.float64(3), True, [], [[1], [1, 2]], np.zeros((2, 2), int)]
ODD += [np.array(["a", "b"]), np.array([None, 2.5]), object(), {}, b"x", 3j]


def begun(made: Any) -> Any:
    made.reset(seed=1)
    return made


@pytest.mark.parametrize("value", ODD, ids=lambda value: type(value).__name__)
def test_other_types_are_refused(value: Any) -> None:
    batch = HandBatch(TableOptions(), 2, ("basic",))
    batch.seed(1)
    batch.reset()
    vector, zoo, raw = begun(HandVectorEnv(2)), begun(env()), begun(RawEnv())
    mask = {"reset_mask": np.array([True, False])}
    calls: list[Callable[[], Any]] = [
        lambda: batch.step(value),
        lambda: batch.observe(value, 0),
        lambda: batch.observe(0, value),
        lambda: batch.hand(value),
        lambda: batch.totals(value),
        lambda: vector.step(value),
        lambda: begun(HandEnv()).step(value),
        lambda: zoo.step(value),
        lambda: raw.step(value),
        lambda: zoo.observe(value),
        lambda: begun(parallel_env()).step(value),
    ]
    if value is not None:
        calls += [
            lambda: vector.reset(seed=value),
            lambda: vector.reset(seed=value, options=mask),
            lambda: vector.reset(options={"reset_mask": value}),
        ]
    for call in calls:
        assert complaint(call) is not None


@pytest.mark.parametrize("seeds", [[1], [1, 2, 3]])
def test_seeds_of_a_wrong_length(seeds: list[int]) -> None:
    with pytest.raises(MilleBornesError, match="seeds for 2 games"):
        HandVectorEnv(2).reset(seed=seeds, options={"reset_mask": np.array([True, False])})


def test_calls_before_the_first_reset() -> None:
    for made in (RawEnv(), env()):
        for call in (lambda made=made: made.step(0), lambda made=made: made.observe("seat_0"), made.last, made.state):
            assert complaint(call) == "call reset() first"
    assert complaint(lambda: parallel_env().step({"seat_0": 0})) == "call reset() first"
