"""The strength of a net in training: hands or matches against kernel players, over the same decks in every seat."""

from typing import Any, NamedTuple

import numpy as np

from millebornes.arena.statistics import Estimate, mean_estimate
from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer, play_batch

__all__ = ["Strength", "measure"]


class Strength(NamedTuple):
    """A side's lead over the average of the others in points a hand, and the share of hands or matches that it won.

    A draw counts as part of a win. Both have 95% intervals that treat decks as the random sample.
    """

    points: Estimate
    share: Estimate

    def plain(self) -> dict[str, Any]:
        """Return plain data: values and intervals."""
        return {
            name: {"value": round(e.value, 4), "ci95": [round(e.low, 4), round(e.high, 4)]}
            for name, e in self._asdict().items()
        }


def measure(
    rules: Rules, net: KernelPlayer, rival: KernelPlayer, decks: int, *, seed: int, target: int = 0
) -> Strength:
    """Play a side of nets against sides of rivals, each deck once with the net on each side.

    With a ``target``, matches to that many points are played, each over the same decks, and the share is the share of
    matches.
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
