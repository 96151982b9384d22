import math
import random

import pytest

from millebornes.arena.sprt import Sprt, log_likelihood_ratio
from millebornes.arena.statistics import (
    elo_of_share,
    mean_estimate,
    ratio_estimate,
    share_estimate,
    share_of_elo,
    t_quantile,
    variance,
)
from millebornes.errors import MilleBornesError


@pytest.mark.parametrize(
    ("probability", "freedom", "value"),
    [
        (0.975, 1, 12.706),
        (0.975, 2, 4.303),
        (0.975, 4, 2.776),
        (0.975, 10, 2.228),
        (0.975, 30, 2.042),
        (0.975, 120, 1.980),
        (0.95, 5, 2.015),
        (0.995, 20, 2.845),
        (0.975, 10_000_000, 1.960),
        (0.5, 7, 0.0),
    ],
)
def test_quantiles_of_students_t_are_those_of_the_tables(probability: float, freedom: int, value: float) -> None:
    assert t_quantile(probability, freedom) == pytest.approx(value, abs=6e-4)


def test_the_mean_of_equal_clusters_is_the_plain_mean_with_students_interval() -> None:
    values = [2.0, 4, 4, 4, 5, 5, 7, 9]
    assert variance(values) == pytest.approx(32 / 7)
    found = ratio_estimate(values, [1] * 8)
    assert found == mean_estimate(values)
    assert found.value == 5
    assert found.stderr == pytest.approx(math.sqrt(32 / 7 / 8))
    assert found.low == pytest.approx(5 - 2.3646 * 0.75593, abs=1e-3)
    assert found.high == pytest.approx(5 + 2.3646 * 0.75593, abs=1e-3)


def test_a_ratio_counts_items_not_clusters() -> None:
    found = ratio_estimate([10, 0, 30], [1, 0, 3])
    assert found.value == 10
    assert found.stderr == 0
    assert ratio_estimate([6, 4], [3, 1]).value == 2.5

    found = ratio_estimate([10], [2])  # one cluster tells nothing of the error
    assert (found.value, found.low, found.high) == (5, -math.inf, math.inf)
    assert math.isnan(ratio_estimate([], []).value)
    assert share_estimate([2], [2])[2:] == (0, 1)


def test_a_share_has_wilsons_interval() -> None:
    # 150 of 200: 0.6857 to 0.8049 in the textbooks (with 1.96 for t, and 200 for 199).
    found = share_estimate([1.0] * 150 + [0.0] * 50, [1] * 200)
    assert found.value == 0.75
    assert found.low == pytest.approx(0.6857, abs=1.5e-3)
    assert found.high == pytest.approx(0.8049, abs=1.5e-3)

    found = share_estimate([1.0] * 30, [1] * 30)  # all or nothing still has a width
    assert found.value == found.high == 1
    assert 0.85 < found.low < 0.9  # Wilson: 30 / (30 + 2.045 ** 2)


def test_elo_and_shares_are_each_others_inverse() -> None:
    assert share_of_elo(0) == 0.5
    assert share_of_elo(100) == pytest.approx(0.640065)
    assert share_of_elo(200) == pytest.approx(0.759747)
    assert share_of_elo(400) == pytest.approx(10 / 11)
    for elo in (-350.0, -10.0, 0.0, 75.5):
        assert elo_of_share(share_of_elo(elo)) == pytest.approx(elo)
    assert elo_of_share(1) == math.inf
    assert elo_of_share(0) == -math.inf


@pytest.mark.parametrize("clusters", [8, 40])
def test_intervals_hold_the_truth_95_times_in_100(clusters: int) -> None:
    rng = random.Random(clusters)
    means = shares = 0
    tries = 300
    for _ in range(tries):
        sums, sizes, won = [], [], []
        for _ in range(clusters):
            luck = rng.gauss(0, 5)
            size = rng.randrange(2, 9)
            sizes.append(size)
            sums.append(sum(7 + luck + rng.gauss(0, 3) for _ in range(size)))
            chance = rng.choice((0.3, 0.9))  # games of one deal are alike
            won.append(sum(rng.random() < chance for _ in range(4)))
        found = ratio_estimate(sums, sizes)
        means += found.low <= 7 <= found.high
        found = share_estimate(won, [4] * clusters)
        shares += found.low <= 0.6 <= found.high
    assert 0.9 < means / tries < 0.99
    assert 0.9 < shares / tries < 0.99


# ---------------------------------------------------------------- the sequential test


def test_of_two_results_the_ratio_is_that_of_coins() -> None:
    for won, lost, one, other in ((60, 40, 0.5, 0.55), (7, 13, 0.45, 0.52)):
        expected = won * math.log(other / one) + lost * math.log((1 - other) / (1 - one))
        assert log_likelihood_ratio({1.0: won, 0.0: lost}, one, other) == pytest.approx(expected)


def test_of_many_results_the_ratio_is_nearly_that_of_normal_means() -> None:
    counts = {0.0: 300, 0.25: 1500, 0.5: 4200, 0.75: 1700, 1.0: 350}
    total = sum(counts.values())
    mean = sum(value * count for value, count in counts.items()) / total
    spread = sum(count * (value - mean) ** 2 for value, count in counts.items()) / total
    one, other = share_of_elo(0), share_of_elo(5)
    expected = total * (other - one) * (2 * mean - one - other) / (2 * spread)
    assert log_likelihood_ratio(counts, one, other) == pytest.approx(expected, rel=0.02)


def test_the_other_player_sees_the_opposite() -> None:
    one, other = Sprt(0, 20), Sprt(-20, 0)
    for score in (0.0, 0.5, 0.5, 0.75, 1.0, 0.5, 0.25, 1.0, 0.75):
        one.add(score)
        other.add(1 - score)
    assert one.llr == pytest.approx(-other.llr)
    assert one.llr > 0

    assert Sprt(0, 5).bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)


@pytest.mark.parametrize(("elo", "decision"), [(0, "elo0"), (60, "elo1")])
def test_the_test_errs_about_one_time_in_twenty(elo: float, decision: str) -> None:
    rng = random.Random(f"sprt {elo}")
    share = share_of_elo(elo)
    right, tries = 0, 60
    for _ in range(tries):
        test = Sprt(0, 60)
        while test.decision is None:
            test.add(sum(rng.random() < share for _ in range(2)) / 2)
        right += test.decision == decision
    assert right / tries > 0.85


def test_a_test_of_nothing_is_refused() -> None:
    with pytest.raises(MilleBornesError, match="elo0 < elo1"):
        Sprt(5, 5)
    with pytest.raises(MilleBornesError, match="between -1000 and 1000"):
        Sprt(0, math.inf)
    assert Sprt(0, 5).decision is None
