"""Check equity tables in matches: are their chances right, and is each hand of a match like any other hand?"""

import dataclasses
from collections.abc import Callable, Sequence
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from millebornes.arena.statistics import plain
from millebornes.editions import Rules
from millebornes.policies.match_equity import Equity
from millebornes_research.lab.counts import Counts, Whole, mean, moments, pair_moments, ratio
from millebornes_research.lab.equity_matches import Course, play_course
from millebornes_research.lab.sheets import Column, Sheet
from millebornes_research.lab.study import Study

BINS: Final = 10
FINE: Final = 10_000
"""The number of parts into which differences of chances are divided for counting."""
Mask = npt.NDArray[np.bool_]
GROUPS: Final[dict[str, Callable[[Whole, Whole, int], Mask]]] = {
    "every hand": lambda own, others, target: np.ones(len(own), bool),
    "1500 or more ahead": lambda own, others, target: own - others >= 1500,
    "500 to 1475 ahead": lambda own, others, target: (own - others >= 500) & (own - others < 1500),
    "less than 500 apart": lambda own, others, target: abs(own - others) < 500,
    "500 to 1475 behind": lambda own, others, target: (others - own >= 500) & (others - own < 1500),
    "1500 or more behind": lambda own, others, target: others - own >= 1500,
    "another side within 1000 of the target": lambda own, others, target: target - others <= 1000,
    "oneself within 1000 of the target": lambda own, others, target: target - own <= 1000,
}
"""The situations in a match before a hand, by a side's total, the best total of the others, and the target."""


def _shares(course: Course) -> npt.NDArray[np.float64]:
    """Return each side's part of the win as an array ``[match, side]``."""
    end = course.totals[np.arange(len(course.hands)), course.hands]
    best = end == end.max(axis=1, keepdims=True)
    found: npt.NDArray[np.float64] = best / best.sum(axis=1, keepdims=True)
    return found


@dataclasses.dataclass(frozen=True, kw_only=True)
class Reached(Study):
    """Matches from 0 points in which the table is asked before every hand, to check its chances and the hands.

    ``times`` and ``told`` are counted by predicted chance. ``off`` contains the `pair_moments` of the part won minus
    the prediction. ``hands`` contains the `pair_moments` of a hand's points minus the average for its place, by the
    situations in `GROUPS`. The clusters are the matches. With two sides, only the side that begins is counted, and with
    more sides, all of them.
    """

    rules: Rules
    player: str
    deals: int
    seed: int
    equity: Equity
    means: tuple[float, ...]

    weight: ClassVar[float] = 4.0

    def count(self, deals: range) -> Counts:
        """Play these matches and return the counts."""
        course = play_course(self.rules, deals, self.equity.target, seed=self.seed, player=self.player)
        sides = self.rules.sides
        match, hand = np.nonzero(np.arange(course.totals.shape[1] - 1) < course.hands[:, None])
        totals, after = course.totals[match, hand], course.totals[match, hand + 1]
        first = (course.first[match] + hand) % self.rules.seats
        told, won = self.equity.chances(totals, first), _shares(course)[match]
        off = np.zeros((2, len(course.hands), BINS), np.int64)
        groups = np.zeros((2, len(course.hands), len(GROUPS)), np.int64)
        times, sums = np.zeros(BINS, np.int64), np.zeros(BINS, np.int64)
        for place in range(1 if sides == 2 else sides):
            side = (first + place) % sides
            rows = np.arange(len(match))
            own = totals[rows, side]
            others = np.where(np.arange(sides) == side[:, None], -1, totals).max(axis=1)
            predicted, share = told[rows, side], won[rows, side]
            inside = np.minimum((predicted * BINS).astype(np.int64), BINS - 1)
            np.add.at(off[0], (match, inside), np.rint(FINE * (share - predicted)).astype(np.int64))
            np.add.at(off[1], (match, inside), 1)
            np.add.at(times, inside, 1)
            np.add.at(sums, inside, np.rint(FINE * predicted).astype(np.int64))
            brought = np.rint(after[rows, side] - totals[rows, side] - self.means[place]).astype(np.int64)
            for n, state in enumerate(GROUPS.values()):
                where = state(own, others, self.equity.target)
                np.add.at(groups[0, :, n], match[where], brought[where])
                np.add.at(groups[1, :, n], match[where], 1)
        return {"times": times, "told": sums, "off": pair_moments(*off), "hands": pair_moments(*groups)}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Started(Study):
    """Matches from given totals, in which side 0 begins.

    The counts are the `moments` of its part of the win, in 840ths.
    """

    rules: Rules
    player: str
    deals: int
    seed: int
    target: int
    start: tuple[int, ...]

    weight: ClassVar[float] = 2.0

    def count(self, deals: range) -> Counts:
        """Play these matches and return the counts."""
        course = play_course(
            self.rules, deals, self.target, seed=self.seed, start=self.start, first=0, player=self.player
        )
        return {"won": moments(np.rint(840 * _shares(course)[:, 0]).astype(np.int64))}


def starts_for(sides: int, target: int) -> list[tuple[int, ...]]:
    """Return the totals from which matches start, in tenths of the target: level, ahead and behind, early and late."""
    early = [(0.0, 0.0), (2, 0), (0, 2), (5, 4), (7, 5), (5, 7), (9, 6), (6, 9), (9, 9), (8, 9), (9, 8)]
    late = [(9.8, 8), (8, 9.8), (9.8, 9), (9, 9.8), (9.8, 6), (9.4, 7), (7, 9.4), (9.8, 9.8)]
    scale = target / 10
    return [
        tuple(round(scale * (own if side == 0 else other)) // 25 * 25 for side in range(sides))
        for own, other in early + late
    ]


def reached_sheet(reached: Counts, matches: int, target: int) -> Sheet:
    """Return a sheet with the chances predicted during matches and the wins that followed."""
    rows = []
    for n in range(BINS):
        times = int(reached["times"][n])
        if times:
            told = int(reached["told"][n]) / FINE / times
            off = ratio(reached["off"][:, n], 1 / FINE)
            rows.append(
                {
                    "chance": f"{n * 100 // BINS}-{(n + 1) * 100 // BINS} %",
                    "times": times,
                    "told": told,
                    "won": told + off.value,
                    "off": plain(off),
                }
            )
    columns = (
        Column("chance", "chance by the table", "text"),
        Column("times", "times", "count"),
        Column("told", "mean", "share"),
        Column("won", "won", "share"),
        Column("off", "won less told", "edge"),
    )
    title = f"chances told during {matches:,} matches to {target}, and what was won"
    return Sheet("reached", title, columns, rows, ("off",))


def started_sheet(equity: Equity, starts: Sequence[tuple[int, ...]], started: Sequence[Counts], matches: int) -> Sheet:
    """Return a sheet of matches from given totals, with the chances in the equity table for these totals."""
    rows = []
    for totals, found in zip(starts, started, strict=True):
        won = mean(found["won"], 1 / 840)
        told = equity.chance(totals, 0)
        off = won._replace(value=won.value - told, low=won.low - told, high=won.high - told)
        rows.append(
            {"totals": f"{totals[0]} : {totals[1]}", "told": told, "won": plain(won), "off": plain(off)},
        )
    columns = (
        Column("totals", "own : each other's", "text"),
        Column("told", "by the table", "share"),
        Column("won", "won", "share"),
        Column("off", "won less told", "edge"),
    )
    title = f"{matches:,} matches to {equity.target} from given totals, beginning"
    return Sheet("started", title, columns, rows, ("off",))


def hands_sheet(reached: Counts, matches: int) -> Sheet:
    """Return a sheet of points per hand by the situation in the match."""
    rows = [
        {
            "state": label,
            "times": int(reached["hands"][2, n]),
            "points": plain(ratio(reached["hands"][:, n])),
        }
        for n, label in enumerate(GROUPS)
    ]
    columns = (
        Column("state", "before the hand", "text"),
        Column("times", "times", "count"),
        Column("points", "points over the mean", "gain"),
    )
    return Sheet("hands", f"hands of {matches:,} matches, by totals", columns, rows, ("points",))
