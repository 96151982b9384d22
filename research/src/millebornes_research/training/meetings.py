"""Measure a player against strangers at one table, or against one player at random tables, on average and at worst."""

import statistics
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from millebornes.arena.statistics import Estimate, mean_estimate
from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer
from millebornes_research.pool.strangers import Stranger
from millebornes_research.training.strength import Strength, measure

WORST: Final = 4
"""The worst part consists of one in this number of opponents or tables."""


class Meeting(NamedTuple):
    """The games of a player at one table against one opponent, who plays all other sides.

    ``strength`` is the result of the player, and ``baseline`` is the result of another player on the same decks, or
    None.
    """

    name: str
    rules: Rules
    strength: Strength
    baseline: Strength | None = None

    def edge(self, *, of_baseline: bool = False) -> float:
        """Return the share of hands or matches minus an equal share."""
        found = self.baseline if of_baseline else self.strength
        assert found is not None
        return found.share.value - 1 / self.rules.sides

    def plain(self) -> dict[str, Any]:
        """Return the meeting as plain data."""
        found = {"name": self.name, "table": self.rules.table, **self.strength.plain()}
        return found if self.baseline is None else found | {"baseline": self.baseline.plain()}


class Summary(NamedTuple):
    """The edges in several meetings: their mean, which treats meetings as the random sample, and their worst quarter.

    ``points`` is the mean lead in points per hand.
    """

    edge: Estimate
    worst: float
    points: Estimate


def strangers_met(
    rules: Rules, player: str, baseline: str, strangers: Sequence[Stranger], decks: int, *, seed: int, target: int = 0
) -> Iterator[Meeting]:
    """Yield a player's games against each stranger at a table, and the games of a baseline on the same decks.

    If ``target`` isn't 0, matches to this number of points are played. Raises `PlayerError` if kernels can't run one of
    the players.
    """
    players = [KernelPlayer.named(name, rules) for name in (player, baseline)]
    for stranger in strangers:
        other = stranger.player(rules)
        found = [measure(rules, who, other, decks, seed=seed, target=target) for who in players]
        yield Meeting(stranger.name, rules, *found)


def tables_met(
    tables: Sequence[Rules], player: str, opponent: str, decks: int, *, seed: int, target: int = 0
) -> Iterator[Meeting]:
    """Yield a player's games against an opponent at each of several tables.

    Raises `PlayerError` if kernels can't run one of the players.
    """
    for number, rules in enumerate(tables, 1):
        own, other = (KernelPlayer.named(name, rules) for name in (player, opponent))
        yield Meeting(f"table {number}", rules, measure(rules, own, other, decks, seed=seed, target=target))


def summary_of(meetings: Sequence[Meeting], *, of_baseline: bool = False) -> Summary:
    """Return the mean and the worst quarter of several meetings. Raises `ValueError` if there are none."""
    edges = sorted(meeting.edge(of_baseline=of_baseline) for meeting in meetings)
    if not edges:
        raise ValueError("there are no meetings")
    found = [meeting.baseline if of_baseline else meeting.strength for meeting in meetings]
    points = [strength.points.value for strength in found if strength is not None]
    return Summary(mean_estimate(edges), statistics.mean(edges[: -(-len(edges) // WORST)]), mean_estimate(points))
