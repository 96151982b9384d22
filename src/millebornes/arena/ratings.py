"""Ratings: the players of an arena on one Elo scale, based on their results against each other."""

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.arena.statistics import CONFIDENCE, Estimate, t_quantile

SCALE: Final = 400 / math.log(10)
"""The number of Elo points in one unit of log odds."""
PRIOR_GAMES: Final = 0.5
"""For each pair of players that met, this many games are added to the wins and to the losses."""
STEPS: Final = 200
CLOSE: Final = 1e-11

Floats = npt.NDArray[np.float64]


class PairGames(NamedTuple):
    """The results of two players against each other, by cluster of games with the same deal.

    Each cluster has its number, the number of games and the first player's wins. A draw counts as half a win.
    """

    clusters: npt.NDArray[np.int64]
    games: Floats
    won: Floats


def ratings(count: int, met: Mapping[tuple[int, int], PairGames], anchor: int = 0) -> list[Estimate]:
    """Return the Elo ratings of ``count`` players on a scale where the anchor has 0, by the Bradley–Terry model.

    The ratings are the most likely ones in this model, in which a player rated d points higher is expected to score 1 /
    (1 + 10^(-d/400)). Each pair that met gets an extra half win and an extra half loss, so that all ratings are finite.
    The intervals are 95% intervals for the difference from the anchor. The intervals are estimated from the spread
    between clusters and not from the model, so they are right even if games on the same deal are related and strengths
    don't add up.

    If the games can't determine one end of an interval, that end is infinite: the upper end for a player that has lost
    nothing against players connected with the anchor, and the lower end for a player that has won nothing against them.
    If no chain of games connects a player with the anchor, its Elo is NaN.
    """
    games, won = np.zeros((count, count)), np.zeros((count, count))
    for (a, b), found in met.items():
        games[a, b] = games[b, a] = found.games.sum()
        won[a, b] = found.won.sum()
        won[b, a] = games[a, b] - won[a, b]
    connected = _reached(games, anchor)
    strength, inverse = _fit(games, won, connected, anchor)
    errors, clusters = _errors(strength, inverse, games, {pair: met[pair] for pair in met if connected[pair[0]]})
    reach = t_quantile(CONFIDENCE, max(1, clusters - 1))
    above, below = _reached(won, anchor), _reached(won.T, anchor)
    rated = []
    for player in range(count):
        if not connected[player]:
            rated.append(Estimate(math.nan, math.nan, -math.inf, math.inf))
            continue
        elo, error = SCALE * float(strength[player]), SCALE * float(errors[player])
        high = elo + reach * error if above[player] else math.inf
        low = elo - reach * error if below[player] else -math.inf
        rated.append(Estimate(elo, error, low, high))
    return rated


def _reached(links: Floats, start: int) -> npt.NDArray[np.bool_]:
    reached = np.zeros(len(links), bool)
    reached[start] = True
    todo = [start]
    while todo:
        for other in np.flatnonzero((links[todo.pop()] > 0) & ~reached):
            reached[other] = True
            todo.append(int(other))
    return reached


def _fit(games: Floats, won: Floats, known: npt.NDArray[np.bool_], anchor: int) -> tuple[Floats, Floats]:
    """Return the most likely strengths in log odds, by Newton's method, and the inverse of the information matrix.

    The anchor has the strength 0. The inverse matrix has zeros for the anchor and for players of unknown strength.
    """
    pairs = (games > 0).astype(float)
    played, scored = games + 2 * PRIOR_GAMES * pairs, won + PRIOR_GAMES * pairs
    strength = np.zeros(len(games))
    free = np.flatnonzero(known & (np.arange(len(games)) != anchor))
    inverse = np.zeros_like(games)
    if not len(free):
        return strength, inverse
    for _ in range(STEPS):
        share = _shares(strength)
        slope = (scored - played * share).sum(axis=1)
        weight = played * share * (1 - share)
        information = np.diag(weight.sum(axis=1)) - weight
        step = np.linalg.solve(information[np.ix_(free, free)], slope[free])
        largest = float(np.abs(step).max())
        strength[free] += step / max(1.0, largest)  # at most one unit: far away, Newton's steps are too long
        if largest < CLOSE:
            break
    inverse[np.ix_(free, free)] = np.linalg.inv(information[np.ix_(free, free)])
    return strength, inverse


def _shares(strength: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(strength[None, :] - strength[:, None])))


def _errors(
    strength: Floats, inverse: Floats, games: Floats, met: Mapping[tuple[int, int], PairGames]
) -> tuple[Floats, int]:
    """Return the standard errors of the strengths, estimated from the clusters, and the number of clusters."""
    share = _shares(strength)
    numbers = np.unique(np.concatenate([found.clusters for found in met.values()])) if met else np.zeros(0)
    slopes = np.zeros((len(numbers), len(games)))
    for (a, b), found in met.items():
        rest = found.won - found.games * share[a, b]
        places = np.searchsorted(numbers, found.clusters)
        slopes[places, a] += rest
        slopes[places, b] -= rest
    middle = slopes.T @ slopes * (len(numbers) / max(1, len(numbers) - 1))
    # The added half games count as observations too. If a player has won every game, nothing else shows the
    # uncertainty.
    for a, b in np.argwhere(np.triu(games) > 0):
        extra = PRIOR_GAMES**2 * (share[a, b] ** 2 + share[b, a] ** 2)
        middle[a, a] += extra
        middle[b, b] += extra
        middle[a, b] -= extra
        middle[b, a] -= extra
    return np.asarray(np.sqrt(np.diag(inverse @ middle @ inverse))), len(numbers)
