"""The ladder: players are ordered by their estimated strength, and each plays only its neighbours.

A tournament on a ladder is played in stages. In each stage, neighbouring players meet on the same deals, in groups of
as many players as there are sides. Then all players are rated again and move up or down. A new player starts at the
bottom and climbs to its place in a few short stages, in which only the new player and its neighbours play.
"""

import math
from collections.abc import Sequence
from typing import Final

from millebornes.arena.schedule import Plan

FIRST_STAGE: Final = 8
"""The number of deals in the first stage. Each stage is half as long again as the previous one."""


class Ladder:
    """The order of a plan's players, and the groups of players who meet on the next deals.

    ``order`` lists the numbers of the players, the strongest first. At the start, it is the order in the plan. ``end``
    is the deal before which the current stage ends. ``joined`` maps a deal to the number of players from that deal on.
    Players who join later come last in the plan.
    """

    def __init__(self, plan: Plan, joined: Sequence[tuple[int, int]]) -> None:
        """Start the first stage. ``joined`` must have an entry for deal 0."""
        self.plan: Final = plan
        self.order: tuple[int, ...] = ()
        self.end = 0
        self._joined: Final = dict(joined)
        self._length = FIRST_STAGE
        self._new: frozenset[int] = frozenset()
        self._join(0, self._joined[0])

    @property
    def meetings(self) -> tuple[tuple[int, ...], ...]:
        """The groups of players who meet in this stage. If there are new players, each group has one of them."""
        sides = self.plan.rules.sides
        runs = tuple(self.order[place : place + sides] for place in range(len(self.order) - sides + 1))
        return tuple(run for run in runs if self._new.intersection(run)) if self._new else runs

    def advance(self, rounds: int, strengths: Sequence[float], games: Sequence[int]) -> None:
        """Start the next stage once all deals before ``rounds`` have been played.

        ``strengths`` contains each player's estimated strength (NaN if unknown), and ``games`` contains the number of
        games that the player has played.
        """
        # The strengths are rounded, so that the same games lead to the same order on every machine. Equal players keep
        # their order.
        rounded = {who: -math.inf if math.isnan(strengths[who]) else round(strengths[who], 3) for who in self.order}
        self.order = tuple(sorted(self.order, key=lambda who: -rounded[who]))
        self._length += self._length // 2
        if (count := self._joined.get(rounds, 0)) > len(self.order):
            self._join(rounds, count)
        # A player at either end of the ladder has fewer neighbours, but still plays more games than this.
        few = max(games) / (self.plan.rules.sides + 1)
        self._new = frozenset(who for who in self.order if games[who] < few)
        self.end = min([rounds + self._length, *(deal for deal in self._joined if deal > rounds)])

    def _join(self, deal: int, count: int) -> None:
        self.order += tuple(range(len(self.order), count))
        self._length = FIRST_STAGE
        self.end = min([deal + self._length, *(other for other in self._joined if other > deal)])
