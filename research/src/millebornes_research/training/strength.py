"""Measure the strength of a net in training, in hands or matches over the same decks in every seat."""

from typing import Any, NamedTuple

import numpy as np

from millebornes.arena.statistics import Estimate, mean_estimate
from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer, play_batch


class Strength(NamedTuple):
    """A side's lead over the average of the others in points per hand, and its share of hands or matches.

    A draw counts as part of a win. Both numbers have 95% intervals that treat decks as the random sample.
    """

    points: Estimate
    share: Estimate

    def plain(self) -> dict[str, Any]:
        """Return the values and intervals as plain data."""
        return {
            name: {"value": round(e.value, 4), "ci95": [round(e.low, 4), round(e.high, 4)]}
            for name, e in self._asdict().items()
        }


def measure(
    rules: Rules, net: KernelPlayer, rival: KernelPlayer, decks: int, *, seed: int, target: int = 0
) -> Strength:
    """Return the strength of a side of nets against sides of rivals. Each deck is used once with the net on each side.

    With a ``target``, matches to this number of points are played, each of them over the same decks, and the share is
    that of matches.
    """
    lineups = [[0 if seat % rules.sides == side else 1 for seat in range(rules.seats)] for side in range(rules.sides)]
    batch = play_batch(rules, [net, rival], lineups, decks, seed=seed, match_target=target or None)
    points = batch.points
    sides = np.arange(rules.sides)
    own = points[:, sides, sides].astype(np.float64)
    lead = (own - (points.sum(axis=2) - own) / (rules.sides - 1)).mean(axis=1) * (decks * rules.sides / batch.hands)
    best = points.max(axis=2)
    won = ((own == best) / (points == best[:, :, None]).sum(axis=2)).mean(axis=1)
    return Strength(mean_estimate(lead.tolist()), mean_estimate(won.tolist()))
