"""Match equity of two players that are not equal, against matches that they play."""

import numpy as np
import pytest

from millebornes.editions import make_rules
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes.policies.equity_tables import win_chance
from millebornes.policies.match_equity import equity_for
from millebornes_research.pool import pair_equity
from millebornes_research.pool.pair_equity import pair_stakes

pytestmark = pytest.mark.slow  # the kernels take long to compile


def chance(own: str, rival: str, totals: tuple[int, int], *, begins: bool) -> float:
    stakes = pair_stakes(make_rules(), own, rival, 5000)
    table, step, goal = stakes.begins if begins else stakes.follows
    return float(win_chance(table, 2, step, goal, np.array(totals), 0, 0 if begins else 1))


@pytest.mark.parametrize("totals", [(0, 0), (3000, 1000), (4900, 4900), (1000, 4500)])
@pytest.mark.parametrize("begins", [True, False])
def test_equal_players_have_the_chances_of_the_stored_table(totals: tuple[int, int], *, begins: bool) -> None:
    stored = equity_for(make_rules(), 5000).chance(totals, 0, 0 if begins else 1)
    assert chance("maxims", "maxims", totals, begins=begins) == pytest.approx(stored, abs=0.02)


@pytest.mark.parametrize(("own", "rival"), [("maxims", "casual"), ("basic", "instant"), ("random", "basic")])
def test_unequal_players_win_as_often_as_the_table_says(own: str, rival: str) -> None:
    rules = make_rules()
    players = [KernelPlayer.named(name, rules) for name in (own, rival)]
    points = play_batch(rules, players, [[0, 1], [1, 0]], 1000, seed=8, match_target=5000).points
    wins = np.concatenate([points[:, 0, 0] > points[:, 0, 1], points[:, 1, 1] > points[:, 1, 0]]).mean()
    told = [chance(own, rival, (0, 0), begins=begins) for begins in (True, False)]
    assert wins == pytest.approx(sum(told) / 2, abs=0.04)
    assert told[0] == pytest.approx(told[1], abs=0.08)


def test_who_has_won_has_won() -> None:
    for begins in (True, False):
        assert chance("maxims", "casual", (5000, 4975), begins=begins) == 1
        assert chance("maxims", "casual", (4975, 5000), begins=begins) == 0
        assert chance("maxims", "casual", (5100, 5100), begins=begins) == 0.5


def test_where_equal_totals_play_on_the_stronger_one_is_ahead() -> None:
    stakes = pair_stakes(make_rules("classic", settings={"tie": "play_on"}), "maxims", "random", 5000)
    for table, step, goal in stakes:
        begins = 0 if table is stakes.begins.table else 1
        assert win_chance(table, 2, step, goal, np.array((5100, 5100)), 0, begins) > 0.8


def test_ways_of_counting_agree() -> None:
    # small enough to go through all hands: each brings 1 to one side or the other, who begins somewhat more often
    joints = [np.array([[0.1, 0.3], [0.6, 0.0]]), np.array([[0.2, 0.5], [0.3, 0.0]])]
    (first, _), (second, _) = pair_equity._chances(joints, 2, (0.5, 0.5))

    def exact(mine: int, other: int, turn: int, hands: int) -> float:
        if mine <= 0 or other <= 0:
            return float(mine <= 0)
        if hands == 0:
            return 0.5
        joint = joints[turn]
        return sum(
            float(joint[b, r]) * exact(mine - b, other - r, 1 - turn, hands - 1)
            for b, r in ((0, 0), (0, 1), (1, 0))
            if joint[b, r]
        )

    for mine in (1, 2):
        for other in (1, 2):
            assert first[mine - 1, other - 1] == pytest.approx(exact(mine, other, 0, 8), abs=1e-3)
            assert second[mine - 1, other - 1] == pytest.approx(exact(mine, other, 1, 8), abs=1e-3)
