"""A ladder: players in the order of their strength as far as it is known, each of whom meets only its neighbours.

It is played in stages. In a stage every run of neighbours (two of them at a table of two sides) meets on the same
deals; after it, all are rated anew and step up or down. A challenger comes in at the bottom and climbs to its place
within a few short stages, in which only it and its neighbours play.
"""

import math
from collections.abc import Sequence
from typing import Final

from millebornes.arena.schedule import Plan

__all__ = ["Ladder"]

FIRST_STAGE: Final = 8
"""Deals of the first stage; each one after it is half as long again."""


class Ladder:
    """The order of a plan's players, and which of them meet on the next deals.

    ``order`` holds players by number, the strongest first; at the start it is that of the plan. ``end`` is the deal
    before which the present stage ends. ``joined`` says how many players there are from which deal on: those who come
    in later are the last of the plan.
    """

    def __init__(self, plan: Plan, joined: Sequence[tuple[int, int]]) -> None:
        """``joined`` must have an entry for deal 0."""
        self.plan: Final = plan
        self.order: tuple[int, ...] = ()
        self.end = 0
        self._joined: Final = dict(joined)
        self._length = FIRST_STAGE
        self._new: frozenset[int] = frozenset()
        self._join(0, self._joined[0])

    @property
    def meetings(self) -> tuple[tuple[int, ...], ...]:
        """Who meets in this stage: neighbours; where there are challengers, only theirs."""
        sides = self.plan.rules.sides
        runs = tuple(self.order[place : place + sides] for place in range(len(self.order) - sides + 1))
        return tuple(run for run in runs if self._new.intersection(run)) if self._new else runs

    def advance(self, rounds: int, strengths: Sequence[float], games: Sequence[int]) -> None:
        """Go on to the next stage, all before deal ``rounds`` being played.

        ``strengths`` are those of all players so far (NaN where none is known), ``games`` how many each has played.
        """
        # Rounded, so that the same games give the same order on every machine; equal players stay as they are.
        found = {who: -math.inf if math.isnan(strengths[who]) else round(strengths[who], 3) for who in self.order}
        self.order = tuple(sorted(self.order, key=lambda who: -found[who]))
        self._length += self._length // 2
        if (count := self._joined.get(rounds, 0)) > len(self.order):
            self._join(rounds, count)
        # Whoever stands at an end meets fewer others, but never that few.
        few = max(games) / (self.plan.rules.sides + 1)
        self._new = frozenset(who for who in self.order if games[who] < few)
        self.end = min([rounds + self._length, *(deal for deal in self._joined if deal > rounds)])

    def _join(self, deal: int, count: int) -> None:
        self.order += tuple(range(len(self.order), count))
        self._length = FIRST_STAGE
        self.end = min([deal + self._length, *(other for other in self._joined if other > deal)])
