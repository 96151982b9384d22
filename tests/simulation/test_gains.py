"""Gains without luck: zero for the yardstick itself, and what whole hands tell for others."""

import itertools

import pytest

from millebornes.editions import make_rules
from millebornes.policies.batch import KernelPlayer
from millebornes.simulation.gains import gains
from millebornes.simulation.statistics import mean_estimate
from millebornes.training.strength import measure

pytestmark = pytest.mark.slow  # the kernels take long to compile


def test_the_yardstick_gains_nothing() -> None:
    assert list(itertools.islice(gains(make_rules(), "maxims"), 3)) == [0, 0, 0]


@pytest.mark.parametrize(("seats", "sides"), [(2, 2), (3, 3), (4, 2)])
def test_gains_are_what_whole_hands_tell(seats: int, sides: int) -> None:
    rules = make_rules("classic", seats, sides)
    known = mean_estimate(list(itertools.islice(gains(rules, "basic", worlds=200, seed=1), 60)))
    basic, maxims = (KernelPlayer.named(name, rules) for name in ("basic", "maxims"))
    told = measure(rules, basic, maxims, 2000, seed=1).points
    assert known.low < told.high
    assert told.low < known.high
    assert known.stderr < 100  # of whole hands it would be some 150


def test_in_matches_it_is_chances_that_are_gained() -> None:
    rules = make_rules()
    known = mean_estimate(list(itertools.islice(gains(rules, "basic", match_target=5000, worlds=100, seed=3), 20)))
    assert known.low < -0.02  # it wins some 45 %
    assert known.value > -0.3


def test_the_same_seed_gives_the_same() -> None:
    rules = make_rules("bsd")
    first, again = (list(itertools.islice(gains(rules, "basic", worlds=20, seed=5), 2)) for _ in range(2))
    assert first == again
    assert list(itertools.islice(gains(rules, "basic", worlds=20, seed=5, begin=1), 1)) == first[1:]
