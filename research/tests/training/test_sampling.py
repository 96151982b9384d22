"""Decisions that are played out for nets."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from millebornes.editions import Rules, make_rules
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.deal import DEAL
from millebornes.policies.maxim_weights import tuned
from millebornes.policies.net import IN_NEEDS, INPUTS, MAX_OPINION, OUTPUTS, VALUE
from millebornes.policies.net_files import Net
from millebornes.rules.shuffling import GENERATOR
from millebornes_research.lab.playouts import sample_playouts
from millebornes_research.training.population import lines_for, net_player
from millebornes_research.training.sampling import Company, Sampler, Samples, Settings, shuffle_rest

pytestmark = pytest.mark.slow  # the kernels take long to compile

TABLES = [("classic", 2, 2), ("house", 3, 3), ("mille2", 4, 2)]
ALL = Settings(every=1, near=10_000, far=1_000_000, stray=0, times=1)


def by_maxims(rules: Rules, hands: int) -> Company:
    """Maxims play, and play out."""
    maxims = KernelPlayer.named("maxims", rules)
    lines = lines_for(rules, hands, [], 100, "maxims", near=False, seed=1)
    return Company(net_player(Net.random(1, base=1.0), rules), (maxims, maxims), lines)


def sampled(rules: Rules, hands: int, settings: Settings, target: int = 0, **changes: Any) -> Samples:
    asked: dict[str, Any] = {"begin": 0, "seed": 4} | changes
    return Sampler(rules, hands, target).sample(by_maxims(rules, hands), hands=hands, settings=settings, **asked)


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
    found = Sampler(rules, 1).sample(by_maxims(rules, 30), 0, 30, seed=4, settings=ALL)
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


@pytest.mark.once
def test_more_playouts_leave_less_to_luck() -> None:
    def spread(times: int) -> float:
        entries = sampled(make_rules(), 60, Settings(times=times)).entries
        means = np.bincount(entries["decision"], entries["points"]) / np.bincount(entries["decision"])
        return float((entries["points"] - means[entries["decision"]]).std())

    assert spread(8) < 0.7 * spread(1)


@pytest.mark.parametrize("target", [0, 2000])
def test_what_the_net_expects_may_stand_for_the_rest_of_a_hand(target: int) -> None:
    rules = make_rules()
    points, rows = {}, []
    for part in (0.25, 0.5, 1.0):
        found = sampled(rules, 12, Settings(ahead=3, bootstrap=part), target)
        points[part] = found.entries["points"]
        rows.append(found.rows.tobytes())
    assert len(set(rows)) == 1
    np.testing.assert_allclose(points[0.5], (2 * points[0.25] + points[1.0]) / 3, atol=1e-4)
    assert abs(points[1.0] - points[0.25]).max() > 1
    # To the end of the hand nothing is left to expect.
    none, all_ = (Settings(ahead=1000, bootstrap=part) for part in (0.0, 1.0))
    ends = [sampled(rules, 12, settings, target).entries["points"] for settings in (none, all_)]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-4)


def test_what_the_net_expects_counts_from_where_it_looks() -> None:
    # A net whose value is a constant: it expects so much more than the score at that turn, if there is one.
    def brought(expected: float) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]:
        rules = make_rules()
        arrays = {**Net.random(1, base=1.0).arrays}
        arrays["out"] = np.where(np.arange(OUTPUTS) == VALUE, expected, 0).astype(np.float32)
        company = by_maxims(rules, 12)._replace(net=net_player(Net(arrays), rules))
        settings = Settings(ahead=1, bootstrap=1.0)
        found = Sampler(rules, 12).sample(company, 0, 12, seed=4, settings=settings).entries
        return found["points"], found["decision"]

    (nothing, _), (much, decisions) = brought(0), brought(8)
    added = much - nothing
    assert added.min() > -1e-4
    assert added.max() < 8 + 1e-4
    assert (abs(added - 8) < 1e-4).mean() > 0.6  # elsewhere some of the play-outs had ended
    assert decisions[-1] > 20


# ------------------------------------------------------------------ matches


def test_in_a_match_moves_bring_chances_to_win_it() -> None:
    rules = make_rules()
    hands, matches = (sampled(rules, 6, ALL, target) for target in (0, 1_000_000))
    # Far from the target a point is worth the same everywhere, so points are what is told.
    found = matches.entries[: len(hands.entries)]
    first = found["decision"] < 20  # of the first hand, whose cards are the same
    assert (found["code"][first] == hands.entries["code"][first]).all()
    brought = hands.entries["points"][first]
    np.testing.assert_allclose(found["points"][first], brought, atol=0.4 + 0.1 * abs(brought).max())


def test_totals_count_in_a_match() -> None:
    rules = make_rules()
    near, far = (sampled(rules, 40, Settings(), target) for target in (2000, 1_000_000))
    filled = [(samples.rows >= IN_NEEDS) & (samples.rows < INPUTS) for samples in (near, far)]
    assert all((some.sum(axis=1) == 3).all() for some in filled)
    single = sampled(rules, 10, Settings()).rows
    assert single[single < INPUTS].max() < IN_NEEDS
    needs = [samples.rows[some].reshape(-1, 3) for samples, some in zip((near, far), filled, strict=True)]
    assert len(np.unique(needs[0][:, 0])) > 8  # all through the match
    assert len(np.unique(needs[1][:, 0])) == 1  # always many


def test_what_is_beyond_weighing_is_not_learned_from() -> None:
    # Where the match hangs on it, the maxims say so by thousands of points: no net could come near to that.
    found = sampled(make_rules(), 150, Settings(every=1, far=1_000_000, times=1), 1500)
    assert abs(found.entries["worth"]).max() < MAX_OPINION / 100


# ------------------------------------------------------------------ company


def test_who_sits_where() -> None:
    rules = make_rules("classic", 4, 2)
    lines = lines_for(rules, 5000, [0.8, 0.2], 50, "company", near=True, seed=3)
    alone = (lines.plays == 1).all(axis=1)
    assert alone.mean() == pytest.approx(0.5, abs=0.06)
    assert (lines.learns == (lines.plays == 1)).all()
    assert (lines.plays[:, :2] == lines.plays[:, 2:]).all()  # partners are of one kind
    others = lines.plays[~alone][:, :2]
    assert ((others == 1).sum(axis=1) == 1).all()
    assert (others == 3).sum() / (others >= 3).sum() == pytest.approx(0.8, abs=0.05)
    assert (lines.near == lines.plays).all()
    assert (lines.rest == 2).all()
    to_the_end = lines_for(rules, 50, [1.0], 50, "company", near=False, seed=3)
    assert (to_the_end.rest == to_the_end.plays).all()
    assert (lines_for(rules, 50, [1.0], 50, "itself", near=False, seed=3).rest == 1).all()


def test_only_the_seats_of_the_net_are_learned_from() -> None:
    rules = make_rules()
    chance, maxims = (KernelPlayer.named(name, rules) for name in ("random", "maxims"))
    lines = lines_for(rules, 20, [1.0], 0, "company", near=False, seed=1)
    company = Company(net_player(Net.random(1, base=1.0), rules), (maxims, maxims, chance), lines)
    found = Sampler(rules, 20).sample(company, 0, 20, seed=4, settings=Settings())
    both = sampled(rules, 20, Settings())
    assert 0.2 * both.decisions < found.decisions < 0.8 * both.decisions
    # Against players by chance its side ends far ahead, whichever side that is.
    assert found.entries["points"][found.entries["best"] == 1].mean() > 4
