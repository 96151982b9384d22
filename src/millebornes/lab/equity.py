"""Match equity tables: made from hands between equal players, and held against matches that these play.

`EquityRun` does both for one table of seats; docs/equity.md tells what came out.
"""

import dataclasses
import math
import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.lab.counts import Counts, add, mean, moments, pair_moments, plain, ratio, seed_word
from millebornes.lab.equity_matches import Course, chances_of, play_course
from millebornes.lab.experiment import about_rules
from millebornes.lab.sheets import Column, Sheet
from millebornes.players.batch import KernelPlayer
from millebornes.players.equity import (
    DEFAULT_TARGET,
    Equity,
    Scores,
    crowd_equity,
    crowd_step,
    duel_equity,
    file_name,
    pack_equity,
    pack_scores,
    race_equity,
    rounded_target,
    sample_scores,
)
from millebornes.players.equity_tables import RACE_SIDES
from millebornes.simulation.executors import Workers, in_order

__all__ = ["EquityRun", "Reached", "Started", "starts_for"]

BINS: Final = 10
FINE: Final = 10_000
"""Differences of chances are counted in so many parts."""
CROWD_WORK: Final = 60_000_000
"""Sorted needs times hands that go into a table of more than two sides; further hands tell what seats are worth."""
CROWD_STATES: Final = 10_000
GROUPS: Final = (
    "every hand",
    "1500 or more ahead",
    "500 to 1475 ahead",
    "less than 500 apart",
    "500 to 1475 behind",
    "1500 or more behind",
    "another side within 1000 of the target",
    "oneself within 1000 of the target",
)
Whole = npt.NDArray[np.int64]


class _Sampled(NamedTuple):
    scores: Scores
    seconds: float


class _Counted(NamedTuple):
    counts: Counts
    seconds: float


@dataclasses.dataclass(frozen=True)
class _Sampling:
    """Plays hands where an executor runs it."""

    rules: Rules
    player: str
    seed: int

    def __call__(self, deals: range) -> _Sampled:
        start = time.perf_counter()
        found = sample_scores(self.rules, len(deals), self.seed, begin=deals.start, player=self.player)
        return _Sampled(found, time.perf_counter() - start)


def _shares(course: Course) -> npt.NDArray[np.float64]:
    """Each side's part of the win: ``[match, side]``."""
    end = course.totals[np.arange(len(course.hands)), course.hands]
    best = end == end.max(axis=1, keepdims=True)
    found: npt.NDArray[np.float64] = best / best.sum(axis=1, keepdims=True)
    return found


@dataclasses.dataclass(frozen=True)
class Reached:
    """Matches from 0, each hand of which asks the table: was the chance right, and was the hand as all are?

    Counts: ``times`` and ``told`` by predicted chance, ``off`` the `pair_moments` of what was won less what was
    predicted; ``hands``, `pair_moments` of a hand's points less the mean of its place, by the states of `GROUPS`.
    Matches are the clusters. Of two sides that one is counted that begins, of more all.
    """

    rules: Rules
    player: str
    seed: int
    equity: Equity
    means: tuple[float, ...]

    def __call__(self, matches: range) -> _Counted:
        """Play these matches."""
        start = time.perf_counter()
        course = play_course(self.rules, matches, self.equity.target, seed=self.seed, player=self.player)
        return _Counted(self._count(course), time.perf_counter() - start)

    def _count(self, course: Course) -> Counts:
        sides = self.rules.sides
        match, hand = np.nonzero(np.arange(course.totals.shape[1] - 1) < course.hands[:, None])
        totals, after = course.totals[match, hand], course.totals[match, hand + 1]
        first = (course.first[match] + hand) % self.rules.seats
        told, won = chances_of(self.equity, totals, first), _shares(course)[match]
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
            for n, where in enumerate(_groups(own, others, self.equity.target)):
                np.add.at(groups[0, :, n], match[where], brought[where])
                np.add.at(groups[1, :, n], match[where], 1)
        return {"times": times, "told": sums, "off": pair_moments(*off), "hands": pair_moments(*groups)}


def _groups(own: Whole, others: Whole, target: int) -> list[npt.NDArray[np.bool_]]:
    lead = own - others
    return [
        np.ones(len(own), bool),
        lead >= 1500,
        (lead >= 500) & (lead < 1500),
        abs(lead) < 500,
        (lead <= -500) & (lead > -1500),
        lead <= -1500,
        target - others <= 1000,
        target - own <= 1000,
    ]


@dataclasses.dataclass(frozen=True)
class Started:
    """Matches from given totals, side 0 beginning: counts the `moments` of its part of the win, in 840ths."""

    rules: Rules
    player: str
    seed: int
    target: int
    start: tuple[int, ...]

    def __call__(self, matches: range) -> _Counted:
        """Play these matches."""
        start = time.perf_counter()
        course = play_course(
            self.rules, matches, self.target, seed=self.seed, start=self.start, first=0, player=self.player
        )
        found = moments(np.rint(840 * _shares(course)[:, 0]).astype(np.int64))
        return _Counted({"won": found}, time.perf_counter() - start)


def starts_for(sides: int, target: int) -> list[tuple[int, ...]]:
    """Totals to begin matches from, in tenths of the target: level, ahead and behind, early and late."""
    leads = [(0, 0), (2, 0), (0, 2), (5, 4), (7, 5), (5, 7), (9, 6), (6, 9), (9, 9), (8, 9), (9, 8)]
    scale = target / 10
    return [
        tuple(int(scale * (own if side == 0 else other)) // 25 * 25 for side in range(sides)) for own, other in leads
    ]


class EquityRun:
    """Makes the equity table of one table of seats from ``hands`` hands, and checks it by ``matches`` matches.

    ``target`` is what matches are played to; what is stored serves all of them.
    """

    name: ClassVar[str] = "equity"
    summary: ClassVar[str] = "the chance to win a match from any totals"
    plots: ClassVar[tuple[str, str]] = ("reached", "off")

    def __init__(
        self, rules: Rules, player: str, *, hands: int = 200_000, matches: int = 5_000, target: int, seed: str = "0"
    ) -> None:
        """Raises `PlayerError` for a player that has to be asked from outside."""
        KernelPlayer.named(player, rules)
        self.rules, self.player, self.seed = rules, player, seed
        self.hands, self.matches = hands, matches
        self.target = rounded_target(rules, target)
        self.starts = starts_for(rules.sides, self.target) if matches else []
        self.equity: Equity | None = None
        self.data = b""
        self.means: tuple[float, ...] = ()
        self.reached: Counts = {}
        self.started: list[Counts] = []
        self.done = 0

    @property
    def title(self) -> str:
        """The table in words, such as ``classic 2x2``."""
        return f"{self.rules.edition or 'own rules'} {self.rules.table}"

    @property
    def file_name(self) -> str:
        """What the file is called that `data` belongs into."""
        return file_name(self.rules)

    @property
    def total(self) -> int:
        """About how many hands there are to play."""
        return self.hands + self.matches * (4 + 2 * len(self.starts))

    def run(self, workers: Workers, on_batch: Callable[["EquityRun"], None] | None = None) -> None:
        """Play it all; ``on_batch`` is called after each batch. Raises `MilleBornesError` when that cannot be done."""

        def played(hands: int) -> None:
            self.done += hands
            if on_batch is not None:
                on_batch(self)

        rules = self.rules
        step = crowd_step(rules.sides, max(self.target, DEFAULT_TARGET), CROWD_STATES)
        kept = self.hands
        if 2 < rules.sides < RACE_SIDES:
            levels = math.ceil(max(self.target, DEFAULT_TARGET) / step) + 1
            kept = min(kept, CROWD_WORK // (math.comb(levels + rules.sides - 1, rules.sides) * rules.sides))
        sampling = _Sampling(rules, self.player, seed_word(self.seed, self.name, str(rules)))
        parts: list[Scores] = []
        sums = np.zeros(rules.sides, np.int64)
        for begin, end in ((0, kept), (kept, self.hands)):
            for batch, sampled in in_order(workers, sampling, begin, end):
                sums += sampled.scores.counts @ sampled.scores.points
                if begin == 0:
                    parts.append(sampled.scores)
                played(len(batch))
        scores = _merged(parts)
        self.means = tuple(float(points) for points in sums / self.hands)
        if rules.sides == 2:
            self.equity = duel_equity(scores, self.target, plays_on=rules.tie == "play_on")
            self.data = pack_scores(scores)
        elif rules.sides >= RACE_SIDES:
            self.equity = race_equity(scores, self.target)
            self.data = pack_scores(scores)
        else:
            made = crowd_equity(scores, max(self.target, DEFAULT_TARGET), step, means=np.array(self.means))
            self.equity = dataclasses.replace(made, target=self.target)
            self.data = pack_equity(made)
        if not self.matches:
            return
        word = seed_word(self.seed, self.name, "matches")
        reached = Reached(rules, self.player, word, self.equity, self.means)
        for batch, found in in_order(workers, reached, 0, self.matches):
            self.reached = add(self.reached, found.counts)
            played(4 * len(batch))
        for n, totals in enumerate(self.starts):
            word = seed_word(self.seed, self.name, "from", n)
            self.started.append({})
            for batch, found in in_order(
                workers, Started(rules, self.player, word, self.target, totals), 0, self.matches
            ):
                self.started[n] = add(self.started[n], found.counts)
                played(2 * len(batch))

    def line(self) -> str:
        """How far it is, in a few words."""
        return f"{self.title}: " + ("hands" if self.equity is None else "matches")

    def sheets(self) -> list[Sheet]:
        """The tables: chances by totals, what points are worth, and how true it all is in matches."""
        if self.equity is None:
            return []
        found = [_chances(self.equity), _worth(self.equity)]
        if self.matches:
            found += [self._reached(), self._started(), self._hands()]
        return found

    def report(self) -> dict[str, Any]:
        """The results as plain data."""
        return {
            "experiment": self.name,
            **about_rules(self.rules),
            "player": self.player,
            "match_target": self.target,
            "hands": self.hands,
            "matches": self.matches,
            "means": [round(points, 3) for points in self.means],
            "bytes": len(self.data),
            "tables": {sheet.name: sheet.rows for sheet in self.sheets()},
        }

    def _reached(self) -> Sheet:
        rows = []
        for n in range(BINS):
            times = int(self.reached["times"][n])
            if times:
                told = int(self.reached["told"][n]) / FINE / times
                off = ratio(self.reached["off"][:, n], 1 / FINE)
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
        title = f"chances told during {self.matches:,} matches to {self.target}, and what was won"
        return Sheet("reached", title, columns, rows, ("off",))

    def _started(self) -> Sheet:
        assert self.equity is not None
        rows = []
        for totals, found in zip(self.starts, self.started, strict=True):
            won = mean(found["won"], 1 / 840)
            told = self.equity.chance(totals, 0)
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
        title = f"{self.matches:,} matches to {self.target} from given totals, beginning"
        return Sheet("started", title, columns, rows, ("off",))

    def _hands(self) -> Sheet:
        rows = [
            {
                "state": label,
                "times": int(self.reached["hands"][2, n]),
                "points": plain(ratio(self.reached["hands"][:, n])),
            }
            for n, label in enumerate(GROUPS)
        ]
        columns = (
            Column("state", "before the hand", "text"),
            Column("times", "times", "count"),
            Column("points", "points over the mean", "gain"),
        )
        return Sheet("hands", f"hands of {self.matches:,} matches, by totals", columns, rows, ("points",))


def _merged(parts: Sequence[Scores]) -> Scores:
    points, place = np.unique(np.concatenate([part.points for part in parts]), axis=0, return_inverse=True)
    counts = np.zeros(len(points), np.int64)
    np.add.at(counts, place.reshape(-1), np.concatenate([part.counts for part in parts]))
    return Scores(points, counts)


def _chances(equity: Equity) -> Sheet:
    """Chances of who begins, by its own total (rows) and that of the others (columns), in tenths of the target."""
    marks = [equity.target * n // 10 // 25 * 25 for n in range(10)]
    rows = [
        {"own": f"{own:,}", **{str(other): equity.chance(_spread(equity, own, other), 0) for other in marks}}
        for own in marks
    ]
    other_side = "the other's" if equity.sides == 2 else "all others'"
    columns = (
        Column("own", f"own total \\ {other_side}", "text"),
        *(Column(str(mark), f"{mark:,}", "share") for mark in marks),
    )
    return Sheet("chances", f"chance to win the match to {equity.target}, beginning the hand", columns, rows)


def _worth(equity: Equity) -> Sheet:
    rows = []
    for total in (equity.target * n // 10 // 25 * 25 for n in (0, 2, 4, 6, 8, 9)):
        totals = _spread(equity, total, total)
        rows.append(
            {
                "totals": f"{total:,}",
                "begins": equity.chance(totals, 0) - 1 / equity.sides,
                "points": 100 * equity.slope(totals, 0),
            }
        )
    columns = (
        Column("totals", "all totals", "text"),
        Column("begins", "going first", "edge"),
        Column("points", "100 points of lead", "edge"),
    )
    return Sheet("worth", "worth in chance of the match", columns, rows)


def _spread(equity: Equity, own: int, other: int) -> tuple[int, ...]:
    return (own, *[other] * (equity.sides - 1))
