import math
import random
from collections import defaultdict

import numpy as np
import pytest

from millebornes.arena.ratings import PairGames, ratings
from millebornes.arena.statistics import Estimate, elo_of_share, share_of_elo

Rows = list[tuple[int, float, float]]


def met(rows: Rows) -> PairGames:
    """Results as (cluster, games, won)."""
    clusters, games, won = zip(*rows, strict=True)
    return PairGames(np.array(clusters), np.array(games, float), np.array(won, float))


def games(won: float, of: int, start: int = 0) -> PairGames:
    """So many games in a cluster each, so many won."""
    return met([(start + n, 1.0, 1.0 if n < won else 0.0) for n in range(of)])


def rounded(found: list[Estimate]) -> list[float]:
    return [round(estimate.value, 6) for estimate in found]


def test_of_two_players_it_is_the_elo_of_their_share() -> None:
    one, other = ratings(2, {(0, 1): games(750, 1000)})
    assert tuple(one) == (0, 0, 0, 0)
    share = 750.5 / 1001  # with half a game more won, and half a game more lost
    assert other.value == pytest.approx(-elo_of_share(share))
    # The error of a share of 1000 games, by the slope of the logistic curve.
    assert other.stderr == pytest.approx(400 / math.log(10) / math.sqrt(1000 * 0.75 * 0.25), rel=2e-3)
    assert other.low < other.value < other.high
    assert other.high - other.value == pytest.approx(1.9623 * other.stderr, rel=1e-3)


def test_results_that_fit_the_model_are_found_exactly_and_the_anchor_moves_all_alike() -> None:
    strengths = [0.0, 120.0, -300.0, 40.0]
    table = {
        (a, b): met([(0, 4001.0 - 1, 4001 * share_of_elo(strengths[a] - strengths[b]) - 0.5), (1, 0.0, 0.0)])
        for a in range(4)
        for b in range(a + 1, 4)
    }
    assert rounded(ratings(4, table)) == pytest.approx(strengths)
    assert rounded(ratings(4, table, anchor=2)) == pytest.approx([300, 420, 0, 340])


def test_players_who_never_met_are_compared_by_others() -> None:
    found = ratings(3, {(0, 1): games(640, 1000), (1, 2): games(640, 1000, 1000)})
    assert found[1].value == pytest.approx(-100, abs=1)
    assert found[2].value == pytest.approx(2 * found[1].value)
    assert found[2].stderr == pytest.approx(math.sqrt(2) * found[1].stderr, rel=1e-2)


def test_what_games_cannot_tell_is_infinite() -> None:
    one, two, three, four, five = ratings(
        5, {(0, 1): games(50, 100), (0, 2): games(100, 100, 100), (2, 3): games(50, 100, 200)}
    )
    assert math.isfinite(two.low + two.high)
    for low in (three, four):  # won nothing against the rest, so there is no telling how weak they are
        assert low.low == -math.inf
        assert math.isfinite(low.value)
        assert low.value < low.high < -400  # 1 of 100 would be -800
    assert one.value == 0
    assert math.isnan(five.value)
    assert (five.low, five.high) == (-math.inf, math.inf)
    best = ratings(2, {(0, 1): games(0, 40)})[1]
    assert (best.high, 0 < best.low < best.value) == (math.inf, True)


def test_games_of_one_cluster_are_one_observation() -> None:
    alone = ratings(2, {(0, 1): games(60, 100)})[1]
    tied = ratings(2, {(0, 1): met([(n, 4.0, 4.0 if n < 60 else 0.0) for n in range(100)])})[1]
    assert tied.stderr == pytest.approx(alone.stderr, rel=0.02)
    paired = ratings(2, {(0, 1): met([(n, 2.0, 1.2) for n in range(50)])})[1]
    assert paired.stderr < alone.stderr / 2  # nothing varies but what was added


def test_intervals_hold_the_truth_95_times_in_100() -> None:
    """Games of a deal depend on each other, and the pairs that met change from deal to deal, as on a ladder."""
    rng = random.Random(5)
    truth = [0.0, 90.0, 160.0, -150.0]
    tries, held = 150, [0, 0, 0, 0]
    for _ in range(tries):
        rows: defaultdict[tuple[int, int], Rows] = defaultdict(list)
        for deal in range(60):
            luck = rng.gauss(0, 60)
            for pair in rng.sample([(0, 1), (1, 2), (2, 3), (0, 3), (1, 3)], 3):
                share = share_of_elo(truth[pair[0]] - truth[pair[1]])
                won = sum(rng.random() < min(1, max(0, share + sign * luck / 600)) for sign in (1, -1))
                rows[pair].append((deal, 2.0, float(won)))
        found = ratings(4, {pair: met(results) for pair, results in rows.items()})
        for player in range(4):
            held[player] += found[player].low <= truth[player] <= found[player].high
    assert held[0] == tries
    assert all(0.89 < count / tries < 0.99 for count in held[1:])
