"""Decisions that are played out for nets."""

from typing import Any

import numpy as np
import pytest

from millebornes.editions import Rules, make_rules
from millebornes.lab.playouts import sample_playouts
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.choosing import NET
from millebornes.policies.deal import DEAL
from millebornes.policies.maxims.weights import tuned
from millebornes.policies.net import INPUTS
from millebornes.policies.net_files import Net
from millebornes.rules.playout import GENERATOR
from millebornes.training.sampling import Sampler, Samples, Settings, shuffle_rest

pytestmark = pytest.mark.slow  # the kernels take long to compile

TABLES = [("classic", 2, 2), ("house", 3, 3), ("mille2", 4, 2)]
ALL = Settings(every=1, near=10_000, far=1_000_000, stray=0, times=1)


def sampled(rules: Rules, hands: int, settings: Settings, **changes: Any) -> Samples:
    net = KernelPlayer(NET, advice=tuned(rules), net=Net.random(1, base=1.0).ready(rules))
    maxims = KernelPlayer.named("maxims", rules)
    asked: dict[str, Any] = {"begin": 0, "seed": 4} | changes
    return Sampler(rules, hands).sample(net, maxims, maxims, hands=hands, settings=settings, **asked)


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_moves_bring_what_the_laboratory_finds(name: str, seats: int, sides: int) -> None:
    rules = make_rules(name, seats, sides)
    known = sample_playouts(rules, tuned(rules), range(6), seed=4, every=1).decisions
    decisions = iter(known)
    found = sampled(rules, 6, ALL)
    assert 100 < found.decisions <= len(known)
    for number in range(found.decisions):
        some = found.entries[found.entries["decision"] == number]
        # The same hands in the same order; left out are decisions where the best move is beyond all weighing.
        for decision in decisions:
            codes = decision["codes"][: decision["count"]]
            if len(some) == len(codes) and (codes % 64 == some["code"]).all():
                break
        else:
            raise AssertionError(f"decision {number} is not among those of the laboratory")
        brought = 100 * (some["points"] - some["points"][0])
        values = decision["values"][: len(some)] - decision["values"][0]
        np.testing.assert_allclose(brought, values, atol=1.01 if sides > 2 else 0.01)  # rounded down there


@pytest.mark.parametrize(("name", "seats", "sides"), TABLES)
def test_what_samples_are_made_of(name: str, seats: int, sides: int) -> None:
    rules = make_rules(name, seats, sides)
    found = sampled(rules, 40, Settings())
    entries = found.entries
    assert entries["row"].max() == len(found.rows) - 1
    assert (np.bincount(entries["decision"]) > 1).all()
    assert (np.bincount(entries["decision"], entries["best"]) == 1).all()
    assert (np.diff(entries["decision"]) >= 0).all()
    filled = found.rows < INPUTS
    assert (filled.sum(axis=1) > 30).all()
    assert (filled[:, :-1] >= filled[:, 1:]).all()
    assert (len(found.rows) > found.decisions) == (sides > 2)


def test_equal_hands_give_equal_samples() -> None:
    rules = make_rules()
    one, two = (sampled(rules, 30, Settings()) for _ in range(2))
    assert one.rows.tobytes() == two.rows.tobytes()
    assert one.entries.tobytes() == two.entries.tobytes()
    other = sampled(rules, 30, Settings(), begin=30)
    assert other.entries.tobytes() != one.entries.tobytes()


def test_where_there_is_no_more_room_samples_end() -> None:
    rules = make_rules()
    net = KernelPlayer(NET, advice=tuned(rules), net=Net.random(1, base=1.0).ready(rules))
    found = Sampler(rules, 1).sample(net, net, net, 0, 30, seed=4, settings=ALL)
    assert 0 < found.decisions < 60
    assert found.entries["row"].max() == len(found.rows) - 1


def test_only_what_nobody_has_drawn_is_shuffled() -> None:
    deal, generator = np.zeros(1, DEAL)[0], np.zeros(1, GENERATOR)[0]
    deal["order"][:40] = np.arange(40)
    deal["taken"][[0, 3, 4, 20, 38, 39]] = 1
    gone = deal["taken"][:40] == 1
    came = np.zeros((40, 40))
    for _ in range(3400):
        shuffle_rest(deal, 40, generator)
        order = deal["order"][:40]
        assert (order[gone] == np.arange(40)[gone]).all()
        assert sorted(order) == list(range(40))
        came[np.arange(40), order] += 1
    assert abs(came[~gone][:, ~gone] - 100).max() < 50  # each as often as any other, with a standard error of 10


def test_more_playouts_leave_less_to_luck() -> None:
    def spread(times: int) -> float:
        entries = sampled(make_rules(), 60, Settings(times=times)).entries
        means = np.bincount(entries["decision"], entries["points"]) / np.bincount(entries["decision"])
        return float((entries["points"] - means[entries["decision"]]).std())

    assert spread(8) < 0.7 * spread(1)
