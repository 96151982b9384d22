"""Match equity between two players of different strength, for playing out moves of a baseline and a rival.

The stored tables (`millebornes.policies.match_equity`) are for equal players. If one player wins nearly all matches,
those tables would value points that decide nothing.
"""

import functools
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.batch import play_batch
from millebornes.policies.equity_tables import UNIT
from millebornes.policies.match_equity import Stakes, rounded_target, stakes_of
from millebornes_research.pool.strangers import Stranger, kernel_player

DECKS: Final = 5000
"""The number of decks from which a table is made. Each of them is played from both sides."""
LEVELS: Final = 100
"""The maximum number of levels of points needed in a table."""
SEED: Final = 5000
KEPT: Final = 256
"""The number of pairs whose stakes stay in memory (80 kB each), more than the rivals or tables that take turns."""

Numbers = npt.NDArray[np.float64]


class PairStakes(NamedTuple):
    """The stakes of one side, for when it ``begins`` the next hand, and for when it ``follows`` the other side."""

    begins: Stakes
    follows: Stakes


@functools.lru_cache(maxsize=KEPT)
def pair_stakes(rules: Rules, own: str, rival: str | Stranger, target: int) -> PairStakes:
    """Return the stakes of a side of player ``own`` against ``rival``, in a match to ``target`` points.

    If ``target`` is 0, single hands are played. At tables of two sides, the stakes come from hands between these two
    players. The hands are always the same, and take a few seconds. At all other tables, the stakes are those of equal
    players. Raises `PlayerError` if kernels can't run one of the players.
    """
    if not target or rules.sides != 2:
        stakes = stakes_of(rules, target)
        return PairStakes(stakes, stakes)
    players = [kernel_player(who, rules) for who in (own, rival)]
    lineups = [[(seat + side) % 2 for seat in range(rules.seats)] for side in range(2)]
    points = play_batch(rules, players, lineups, DECKS, seed=SEED, streams=False).points
    begins = np.arange(DECKS) % 2  # as in `play_games`, the seats take turns at beginning; so do two sides
    hands = [
        np.concatenate([points[begins == (side + n) % 2, side][:, [side, 1 - side]] for side in (0, 1)]) for n in (0, 1)
    ]
    goal = rounded_target(rules, target)
    step = UNIT * max(1, -(-goal // (UNIT * LEVELS)))
    levels = -(-goal // step)
    first, second = _chances([_joint(scores, step) for scores in hands], levels, _ties(rules, hands))
    return PairStakes(Stakes(_table(*first), step, goal), Stakes(_table(1 - second[0].T, 1 - second[1]), step, goal))


def _table(chances: Numbers, tie: float) -> npt.NDArray[np.float32]:
    """Return the chances of the side that begins, by the needs of both sides, in the format of `win_chance`."""
    table = np.zeros((1 + len(chances), len(chances)), np.float32)
    table[0, 0] = tie
    table[0, 1:2] = 1 - tie
    table[1:] = chances
    return table


def _joint(scores: npt.NDArray[np.int64], step: int) -> Numbers:
    """Return the probabilities with which hands give each number of steps to the two sides.

    Scores between two steps are divided between them, so that averages don't change.
    """
    place, rest = np.divmod(scores, step)
    upper = rest / step
    size = int(place.max()) + 2
    joint = np.zeros((size, size))
    for i in (0, 1):
        for j in (0, 1):
            share = (upper[:, 0] if i else 1 - upper[:, 0]) * (upper[:, 1] if j else 1 - upper[:, 1])
            np.add.at(joint, (place[:, 0] + i, place[:, 1] + j), share / len(scores))
    return joint


def _ties(rules: Rules, hands: list[npt.NDArray[np.int64]]) -> tuple[float, float]:
    """Return the first side's chances if the totals are equal and beyond the target (R8.2).

    The first chance is for a side that begins the next hand, and the second for one that doesn't.
    """
    if rules.tie != "play_on":
        return 0.5, 0.5
    (win, equal), (win_second, equal_second) = (
        ((scores[:, 0] > scores[:, 1]).mean(), (scores[:, 0] == scores[:, 1]).mean()) for scores in hands
    )
    first = float((win + equal * win_second) / (1 - equal * equal_second))
    return first, float(win_second + equal_second * first)


def _chances(joints: list[Numbers], levels: int, ties: tuple[float, float]) -> tuple[tuple[Numbers, float], ...]:
    """Return the first side's chances by the needs of both sides (in steps, from 1), and at a tie.

    The first result is for a side that begins, and the second for one that doesn't. ``joints`` contains the
    probabilities in the same order.
    """
    high = max(map(len, joints))
    reach = high + levels  # index 0 is a need of 1 - high, which is beyond the target
    need = np.arange(reach) + 1 - high
    ahead = np.where(need[:, None] < need[None, :], 1.0, 0.0)
    chances = [ahead + np.where(need[:, None] == need[None, :], tie, 0.0) for tie in ties]
    turned: list[Any] = [np.pad(joint, (0, high - len(joint)))[::-1, ::-1] for joint in joints]
    for i in range(high, reach):
        # the hands in which the first side gains something, for all needs of the other side at once
        rows = [np.lib.stride_tricks.sliding_window_view(each[i - high + 1 : i], high, axis=1) for each in chances]
        sure = [np.einsum("bjr,br->j", rows[1 - n], turned[n][:-1]) for n in (0, 1)]
        for j in range(high, reach):
            before = slice(j - high + 1, j)
            one, two = (sure[n][j - high + 1] + chances[1 - n][i, before] @ turned[n][-1, :-1] for n in (0, 1))
            nothing, nothing_second = turned[0][-1, -1], turned[1][-1, -1]
            # after hands in which neither side gains anything, the needs are the same and the other side begins
            chances[0][i, j] = (one + nothing * two) / max(1e-9, 1 - nothing * nothing_second)
            chances[1][i, j] = two + nothing_second * chances[0][i, j]
    return tuple((each[high:, high:], tie) for each, tie in zip(chances, ties, strict=True))
