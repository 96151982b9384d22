"""The budget goes to the moves that may be best, and is kept."""

import math
import time

import numpy as np
import numpy.typing as npt
import pytest

from millebornes.search.sequential_halving import INLIER_PROBABILITY, OUTLIER_SCALE, Budget, Numbers, Prior, halve


class Bandit:
    """Moves of known worth, tried in common worlds: most of the noise of a world falls on all moves alike."""

    def __init__(self, worths: list[float], seed: int, *, noise: float = 30.0) -> None:
        self.worths = np.array(worths)
        self.rng = np.random.default_rng(seed)
        self.noise = noise
        self.tried: list[tuple[tuple[int, ...], int]] = []

    def __call__(self, places: npt.NDArray[np.int64], worlds: int) -> Numbers:
        self.tried.append((tuple(places.tolist()), worlds))
        luck = self.rng.normal(0, 1400, (worlds, 1))
        return self.worths[places] + luck + self.rng.normal(0, self.noise, (worlds, len(places)))

    @property
    def spent(self) -> int:
        return sum(len(places) * worlds for places, worlds in self.tried)


@pytest.mark.parametrize("best", [0, 3, 5])
def test_finds_the_best_move(best: int) -> None:
    worths = [0.0, -5.0, 3.0, -40.0, 1.0, -100.0]
    worths[best] = 20.0
    found = [halve(6, 0, Bandit(worths, seed), Budget(1200, None)) for seed in range(20)]
    assert sum(int(np.argmax(estimate.lead)) == best for estimate in found) >= 19


@pytest.mark.parametrize(("rollouts", "moves"), [(1, 5), (7, 9), (100, 2), (1000, 9), (12345, 5)])
def test_spends_no_more_rollouts_than_allowed_and_most_of_them(rollouts: int, moves: int) -> None:
    bandit = Bandit([0.0] * moves, 1)
    halve(moves, moves - 1, bandit, Budget(rollouts, None))
    assert bandit.spent <= rollouts
    assert bandit.spent > rollouts - moves


def test_the_better_half_gets_the_rest() -> None:
    bandit = Bandit([0.0, 5.0, -500.0, -600.0, 1.0, 2.0], 1)
    estimate = halve(6, 0, bandit, Budget(6000, None))
    assert estimate.worlds[2] == estimate.worlds[3] == 16  # so much worse that the first round shows it
    assert estimate.worlds[0] == estimate.worlds.max()  # what the others are measured against stays
    assert estimate.worlds[1] > 1000


def test_errors_are_those_of_paired_differences() -> None:
    bandit = Bandit([0.0, 10.0], 3, noise=30.0)
    estimate = halve(2, 0, bandit, Budget(2000, None))
    assert estimate.worlds.tolist() == [1000, 1000]
    assert estimate.error[1] == pytest.approx(30 * 2**0.5 / 1000**0.5, rel=0.15)
    assert abs(estimate.lead[1] - 10) < 5 * estimate.error[1]
    assert estimate.lead[0] == estimate.error[0] == 0.0


def test_what_is_expected_follows_bayes_rule() -> None:
    prior = Prior(np.array([0.0, -20.0, -20.0]), np.array([0.0, 10.0, 1e6]))
    estimate = halve(3, 0, Bandit([0.0, 10.0, 10.0], 3), Budget(3000, None), prior)
    leads = np.linspace(-2000, 2000, 400_001)
    likely = np.exp(-(((leads - estimate.lead[1]) / estimate.error[1]) ** 2) / 2) * sum(
        share / spread * np.exp(-(((leads + 20) / spread) ** 2) / 2)
        for share, spread in ((INLIER_PROBABILITY, 10), (1 - INLIER_PROBABILITY, 10 * OUTLIER_SCALE))
    )
    mean = np.average(leads, weights=likely)
    assert estimate.expected[0] == estimate.doubt[0] == 0.0
    assert estimate.expected[1] == pytest.approx(mean)
    assert estimate.doubt[1] == pytest.approx(np.sqrt(np.average((leads - mean) ** 2, weights=likely)))
    assert estimate.expected[2] == pytest.approx(estimate.lead[2])  # nothing was known of it


def test_what_was_not_tried_is_as_good_as_expected() -> None:
    prior = Prior(np.array([0.0, -20.0]), np.array([0.0, 10.0]))
    estimate = halve(2, 0, Bandit([0.0, 50.0], 3), Budget(1, None), prior)
    assert estimate.worlds.tolist() == [0, 0]
    assert estimate.expected.tolist() == [0.0, pytest.approx(-20.0)]
    assert estimate.doubt[1] == pytest.approx(
        10 * math.sqrt(INLIER_PROBABILITY + (1 - INLIER_PROBABILITY) * OUTLIER_SCALE**2)
    )


def test_few_worlds_do_not_beat_what_is_known() -> None:
    prior = Prior(np.array([0.0, -50.0]), np.array([0.0, 5.0]))
    found = [halve(2, 0, Bandit([0.0, -50.0], seed, noise=500.0), Budget(64, None), prior) for seed in range(50)]
    assert sum(estimate.lead[1] > 0 for estimate in found) > 5
    assert all(estimate.expected[1] < 0 for estimate in found)


@pytest.mark.parametrize("rollouts", [100, 300, 1000])
def test_looking_ahead_does_no_harm_where_expectations_are_true(rollouts: int) -> None:
    rng = np.random.default_rng(rollouts)
    brought = []
    for seed in range(200):
        gaps = np.append(0.0, rng.exponential(40, 7))
        spread = np.append(0.0, 5 + 0.2 * gaps[1:])
        wide = np.where(rng.random(8) < INLIER_PROBABILITY, 1.0, OUTLIER_SCALE)
        worths = -0.3 * gaps + spread * wide * rng.normal(size=8)
        bandit = Bandit(worths.tolist(), seed, noise=300 / 2**0.5)
        found = halve(8, 0, bandit, Budget(rollouts, None), Prior(-0.3 * gaps, spread, 300.0))
        brought.append(worths[int(np.argmax(found.expected))])
    assert np.mean(brought) > 2 * np.std(brought) / 200**0.5  # to stay with the first choice brings nothing


def test_stops_when_its_time_is_over() -> None:
    def slow(places: npt.NDArray[np.int64], worlds: int) -> Numbers:
        time.sleep(0.0001 * worlds)
        return np.zeros((worlds, len(places)))

    rounds = halve(3, 0, slow, Budget(None, time.perf_counter() + 0.05))
    assert 0 < rounds.worlds[0] < 5000


def test_no_time_at_all_still_answers() -> None:
    estimate = halve(3, 1, Bandit([0.0, 0.0, 0.0], 1), Budget(None, time.perf_counter() - 1))
    assert estimate.worlds.tolist() == [16, 16, 16]
