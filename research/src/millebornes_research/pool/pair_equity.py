"""Match equity between two players that need not be equal: what play-outs with a baseline and a rival play for.

The stored tables (`millebornes.policies.match_equity`) are of equal players. Where one wins nearly all matches, they
would count points that decide nothing.
"""

import functools
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes.policies.equity_tables import UNIT
from millebornes.policies.match_equity import Stakes, rounded_target, stakes_of

__all__ = ["PairStakes", "pair_stakes"]

DECKS: Final = 5000
"""Decks of the hands that a table is made from, each played from both sides."""
LEVELS: Final = 100
"""Most levels of points needed in a table."""
SEED: Final = 5000

Numbers = npt.NDArray[np.float64]


class PairStakes(NamedTuple):
    """What one side plays for: where it ``begins`` the next hand, and where the other side does (``follows``)."""

    begins: Stakes
    follows: Stakes


@functools.lru_cache(maxsize=32)
def pair_stakes(rules: Rules, own: str, rival: str, target: int) -> PairStakes:
    """The stakes of a side of the player ``own`` in a match to so many points (0: single hands) against ``rival``.

    At tables of two sides they come from hands of these two, always the same ones, which takes some seconds; elsewhere
    they are those of equal players. Raises `PlayerError` for players that kernels cannot play.
    """
    if not target or rules.sides != 2:
        stakes = stakes_of(rules, target)
        return PairStakes(stakes, stakes)
    players = [KernelPlayer.named(name, rules) for name in (own, rival)]
    lineups = [[(seat + side) % 2 for seat in range(rules.seats)] for side in range(2)]
    points = play_batch(rules, players, lineups, DECKS, seed=SEED, streams=False).points
    begins = np.arange(DECKS) % 2  # as `play_games` lets the first seat go round; sides are seats by turns
    hands = [
        np.concatenate([points[begins == (side + n) % 2, side][:, [side, 1 - side]] for side in (0, 1)]) for n in (0, 1)
    ]
    goal = rounded_target(rules, target)
    step = UNIT * max(1, -(-goal // (UNIT * LEVELS)))
    levels = -(-goal // step)
    first, second = _chances([_joint(scores, step) for scores in hands], levels, _ties(rules, hands))
    return PairStakes(Stakes(_table(*first), step, goal), Stakes(_table(1 - second[0].T, 1 - second[1]), step, goal))


def _table(chances: Numbers, tie: float) -> npt.NDArray[np.float32]:
    """Chances of the side that begins by what it and the other need, as `win_chance` reads them."""
    table = np.zeros((1 + len(chances), len(chances)), np.float32)
    table[0, 0] = tie
    table[0, 1:2] = 1 - tie
    table[1:] = chances
    return table


def _joint(scores: npt.NDArray[np.int64], step: int) -> Numbers:
    """How likely hands are to bring the two sides so many steps; what lies between is shared so that means stay."""
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
    """The chance of the first side at equal totals beyond the target (R8.2), where it begins the next hand or not."""
    if rules.tie != "play_on":
        return 0.5, 0.5
    (win, equal), (win_second, equal_second) = (
        ((scores[:, 0] > scores[:, 1]).mean(), (scores[:, 0] == scores[:, 1]).mean()) for scores in hands
    )
    first = float((win + equal * win_second) / (1 - equal * equal_second))
    return first, float(win_second + equal_second * first)


def _chances(joints: list[Numbers], levels: int, ties: tuple[float, float]) -> tuple[tuple[Numbers, float], ...]:
    """The chance of the first side by what it and the other need (in steps, from 1 on), and at a tie.

    The first answer is for the side that begins, the second for one that does not; ``joints`` are by that too.
    """
    high = max(map(len, joints))
    reach = high + levels  # index 0 stands for a need of 1 - high: beyond the target
    need = np.arange(reach) + 1 - high
    ahead = np.where(need[:, None] < need[None, :], 1.0, 0.0)
    chances = [ahead + np.where(need[:, None] == need[None, :], tie, 0.0) for tie in ties]
    turned: list[Any] = [np.pad(joint, (0, high - len(joint)))[::-1, ::-1] for joint in joints]
    for i in range(high, reach):
        # what hands bring that bring the first side something, for all needs of the other at once
        rows = [np.lib.stride_tricks.sliding_window_view(each[i - high + 1 : i], high, axis=1) for each in chances]
        sure = [np.einsum("bjr,br->j", rows[1 - n], turned[n][:-1]) for n in (0, 1)]
        for j in range(high, reach):
            before = slice(j - high + 1, j)
            one, two = (sure[n][j - high + 1] + chances[1 - n][i, before] @ turned[n][-1, :-1] for n in (0, 1))
            nothing, nothing_second = turned[0][-1, -1], turned[1][-1, -1]
            # hands that bring nobody anything come back to the same needs, the other side beginning
            chances[0][i, j] = (one + nothing * two) / max(1e-9, 1 - nothing * nothing_second)
            chances[1][i, j] = two + nothing_second * chances[0][i, j]
    return tuple((each[high:, high:], tie) for each, tie in zip(chances, ties, strict=True))
