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
from millebornes.policies.batch import KernelPlayer, seats_of
from millebornes.policies.dispatch import MAXIMS, NET, RANDOM, workspace_for
from millebornes.policies.equity_tables import Equity
from millebornes.policies.games import Games, play_games

COARSE_KNOTS: Final = (100, 400, 1000, 1600, 2500, 4000)
"""The needs for tables that are made when they are needed."""
ROUNDS: Final = 4
"""The number of rounds that measure the changes with those of the round before. More don't change the table."""

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


def depends_on_totals(rules: Rules, player: str) -> bool:
    """Return whether the moves of a player can depend on the totals of a match at this table."""
    seated = KernelPlayer.named(player, rules)
    if seated.who == NET:
        return True
    if seated.who == RANDOM or rules.extension_goal is None:
        return False
    return seated.who != MAXIMS or bool(seated.advice.match)


def _points(rules: Rules, player: str, seed: int, hands: range, start: Sequence[int], target: int) -> Small:
    """Return the points in hands that begin with the totals ``start``. Seat 0 begins."""
    workspace, totals = workspace_for(rules), np.array(start, np.int64)
    workspace.deals["target"] = target
    out, lines = np.zeros((len(hands), 1, rules.sides), np.int64), np.zeros((1, rules.seats), np.int64)
    games = Games(np.uint64(seed), hands.start, 0, totals, 1)
    play_games(workspace, seats_of([KernelPlayer.named(player, rules)]), lines, games, out, np.zeros(2, np.int64))
    return (out[:, 0] - totals).astype(np.int16)


@functools.lru_cache(maxsize=4)
def _without(rules: Rules, player: str, seed: int, hands: range) -> Small:
    """Return the points in hands of players who don't know the totals."""
    return _points(rules, player, seed, hands, [0] * rules.sides, 0)


def play_twice(rules: Rules, player: str, seed: int, hands: range, needs: tuple[int, ...]) -> ChangedHands:
    """Play these hands of a seed with these needs, and compare them with hands of players who don't know the totals."""
    target = max(needs)
    points = _points(rules, player, seed, hands, [target - need for need in needs], target)
    without = _without(rules, player, seed, hands)
    others = np.nonzero((points != without).any(axis=1))[0]
    return ChangedHands(needs, points[others], without[others], len(hands))


def mean_gains(played: ChangedHands, equity: Equity) -> Numbers:
    """Return how much the difference is worth to each side according to a table, on average over all hands."""
    if not len(played.points):
        return np.zeros(len(played.needs))
    before = equity.target - np.array(played.needs, np.int64)
    first = np.ones(len(played.points), np.int64)
    after, usual = (equity.chances(before + points, first) for points in (played.points, played.without))
    return np.asarray((after - usual).sum(axis=0) / played.hands)


def duel_needs(knots: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the pairs of needs for which `duel_changes` expects hands, in the same order."""
    return list(itertools.product(knots, repeat=2))


def duel_changes(played: Sequence[ChangedHands], knots: tuple[int, ...], solve: Callable[[Changes], Equity]) -> Changes:
    """Return the changes measured in hands played at `duel_needs`. ``solve`` returns the equity for given changes."""
    changes = Changes(knots, np.zeros((len(knots), len(knots))))
    for _ in range(ROUNDS):
        equity = solve(changes)
        change = np.array([mean_gains(one, equity)[0] for one in played])
        changes = Changes(knots, change.reshape(len(knots), len(knots)))
    return changes


def at_levels(changes: Changes, step: int, levels: int) -> Numbers:
    """Return the changes at all levels of a table (`millebornes.policies.equity_tables`) by interpolation."""
    needs = step * (1 + np.arange(levels))
    rows = np.array([np.interp(needs, changes.knots, row) for row in changes.change])
    return np.array([np.interp(needs, changes.knots, column) for column in rows.T]).T
