"""Measure how much a side's chance changes if players know the totals of the match.

Hands are played over the same decks as single hands and as part of a match. Players who know the totals finish instead
of extending if this wins the match, and take more risks when they are behind. Near the target, this changes the winner
of up to 3 matches in 100. The change is measured for some needs (points to the target), and added to the tables that
`millebornes.policies.match_equity` makes from hands of players who don't know the totals.
"""

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.dispatch import MAXIMS, NET, RANDOM
from millebornes.policies.equity_matches import chances_of, play_course
from millebornes.policies.equity_tables import UNIT, Equity

__all__ = [
    "COARSE_KNOTS",
    "KNOTS",
    "ChangedHands",
    "Changes",
    "at_levels",
    "crowd_changes",
    "crowd_needs",
    "duel_changes",
    "duel_needs",
    "minds_totals",
    "play_twice",
]

KNOTS: Final = (
    *(25, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1025),
    *(1300, 1600, 2000, 2025, 2500, 3000, 4000, 5000),
)
"""The needs for which changes are measured for stored tables.

The play of the maxims changes at needs of 1000 and 2000.
"""
COARSE_KNOTS: Final = (100, 400, 1000, 1600, 2500, 4000)
"""The needs for tables that are made when they are needed."""
ROUNDS: Final = 4
"""The number of rounds, each of which measures the changes with the table that includes those of the round before.

After this many rounds, the table no longer changes.
"""

Numbers = npt.NDArray[np.float64]
Small = npt.NDArray[np.int16]


class Changes(NamedTuple):
    """How much the chance of the side that begins changes if players know the totals, for two sides.

    ``change[i, j]`` applies if this side needs ``knots[i]`` points and the other side needs ``knots[j]``.
    """

    knots: tuple[int, ...]
    change: Numbers


class ChangedHands(NamedTuple):
    """Hands that end differently if players know the totals: ``points[n, side]`` with this knowledge, and ``without``.

    ``needs`` contains the needs of the sides before the hand, which side 0 begins. ``hands`` is the number of all
    hands, including those that end in the same way.
    """

    needs: tuple[int, ...]
    points: Small
    without: Small
    hands: int


def minds_totals(rules: Rules, player: str) -> bool:
    """Return whether the moves of a player can depend on the totals of a match at this table."""
    seated = KernelPlayer.named(player, rules)
    if seated.who == NET:
        return True
    if seated.who == RANDOM or rules.extension_goal is None:
        return False
    return seated.who != MAXIMS or bool(seated.advice.match)


@functools.lru_cache(maxsize=4)
def _without(rules: Rules, player: str, seed: int, hands: range) -> npt.NDArray[np.int64]:
    """Return the points in hands of players who don't know the totals. Seat 0 begins."""
    return play_course(rules, hands, 0, seed=seed, first=0, player=player, most_hands=1).totals[:, 1]


def play_twice(rules: Rules, player: str, seed: int, hands: range, needs: tuple[int, ...]) -> ChangedHands:
    """Play these hands of a seed with these needs, and compare them with hands of players who don't know the totals."""
    target = max(needs)
    start = [target - need for need in needs]
    course = play_course(rules, hands, target, seed=seed, start=start, first=0, player=player, most_hands=1)
    points, without = course.totals[:, 1] - np.array(start), _without(rules, player, seed, hands)
    others = np.nonzero((points != without).any(axis=1))[0]
    return ChangedHands(needs, points[others].astype(np.int16), without[others].astype(np.int16), len(hands))


def _worth(played: ChangedHands, equity: Equity) -> Numbers:
    """Return how much the difference is worth to each side according to a table, on average over all hands."""
    if not len(played.points):
        return np.zeros(len(played.needs))
    before = equity.target - np.array(played.needs, np.int64)
    first = np.ones(len(played.points), np.int64)
    after, usual = (chances_of(equity, before + points, first) for points in (played.points, played.without))
    found: Numbers = (after - usual).sum(axis=0) / played.hands
    return found


# ---------------------------------------------------------------- two sides


def duel_needs(knots: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the pairs of needs for which `duel_changes` expects hands, in the same order."""
    return list(itertools.product(knots, repeat=2))


def duel_changes(played: Sequence[ChangedHands], knots: tuple[int, ...], solve: Callable[[Changes], Equity]) -> Changes:
    """Return the changes at the needs ``knots``, measured in hands played at `duel_needs`.

    ``solve`` returns the equity for given changes.
    """
    found = Changes(knots, np.zeros((len(knots), len(knots))))
    for _ in range(ROUNDS):
        equity = solve(found)
        change = np.array([_worth(one, equity)[0] for one in played])
        found = Changes(knots, change.reshape(len(knots), len(knots)))
    return found


def at_levels(changes: Changes, step: int, levels: int) -> Numbers:
    """Return the changes at all levels of a table (`millebornes.policies.equity_tables`) by interpolation."""
    needs = step * (1 + np.arange(levels))
    rows = np.array([np.interp(needs, changes.knots, row) for row in changes.change])
    return np.array([np.interp(needs, changes.knots, column) for column in rows.T]).T


# ---------------------------------------------------------------- more sides


def _states(sides: int, levels: int) -> list[tuple[int, ...]]:
    """Return the sorted levels for each row of a table of more than two sides, with the greatest need first."""
    return sorted(found[::-1] for found in itertools.combinations_with_replacement(range(levels), sides))


def crowd_needs(sides: int, step: int, levels: int) -> list[tuple[int, ...]]:
    """Return the needs for which `crowd_changes` expects hands: those of each row, in each order of the sides."""
    return [
        tuple(UNIT + step * level for level in order)
        for state in _states(sides, levels)
        for order in itertools.permutations(state)
    ]


def crowd_changes(played: Sequence[ChangedHands], equity: Equity, levels: int) -> Numbers:
    """Return the effect of knowing the totals on the chance of each place in each row of the table.

    ``played`` contains hands played at `crowd_needs`, and ``equity`` converts points to chances.
    """
    sides = equity.sides
    orders = list(itertools.permutations(range(sides)))
    found = np.zeros((len(_states(sides, levels)), sides))
    for n, one in enumerate(played):
        state, order = divmod(n, len(orders))
        found[state, list(orders[order])] += _worth(one, equity) / len(orders)
    return found
