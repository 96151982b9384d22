"""Make match equity tables from hands between equal players, and check them in matches between the same players.

`EquityRun` does both for one table. research/notebook/equity.md contains the results.
"""

import contextlib
import dataclasses
import functools
import math
from collections.abc import Generator, Sequence
from typing import Any, ClassVar, Final

import numpy as np

from millebornes.arena.executors import Workers, in_order
from millebornes.arena.run import Run
from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.equity_changes import (
    ChangedHands,
    Changes,
    depends_on_totals,
    duel_changes,
    duel_needs,
    play_twice,
)
from millebornes.policies.equity_tables import RACE_SIDES, levels_of
from millebornes.policies.match_equity import (
    DEFAULT_TARGET,
    Equity,
    HandScores,
    crowd_equity,
    crowd_step,
    duel_equity,
    file_name,
    race_equity,
    rounded_target,
    sample_scores,
)
from millebornes_research.lab.counts import Counts, Whole
from millebornes_research.lab.equity_checks import (
    Reached,
    Started,
    hands_sheet,
    reached_sheet,
    started_sheet,
    starts_for,
)
from millebornes_research.lab.equity_data import KNOTS, crowd_changes, crowd_needs, pack_equity, pack_scores
from millebornes_research.lab.experiment import about_rules, title_of
from millebornes_research.lab.sheets import Column, Sheet
from millebornes_research.lab.study import summed
from millebornes_research.seeds import seed_word

CROWD_WORK: Final = 240_000_000
"""The maximum amount of work for more than two sides, as sorted needs times hands.

Additional hands are only used to measure how much each seat is worth.
"""
CROWD_STATES: Final = 10_000
DUEL_PART: Final = 10
"""At each pair of needs, 1/`DUEL_PART` of the hands are played again by players who know the totals …"""
CROWD_ROUNDS: Final = 3
"""The number of rounds, each of which computes the changes of chances with the table that includes them.

After this many rounds, the table is stable.
"""
CROWD_PART: Final = 50
"""… and 1/`CROWD_PART` of the hands if there are more than two sides."""


def _sample(rules: Rules, player: str, seed: int, deals: range) -> HandScores:
    """Play hands in a worker process."""
    return sample_scores(rules, len(deals), seed, begin=deals.start, player=player)


def _play_twice(
    rules: Rules, player: str, seed: int, hands: int, needs: Sequence[tuple[int, ...]], numbers: range
) -> list[ChangedHands]:
    """Play hands with given needs in a worker process, both with and without knowledge of the needs."""
    orders = math.factorial(rules.sides) if rules.sides > 2 else 1
    size = max(1, hands // orders)
    played = []
    for n in numbers:
        begin = n % orders * size  # each order of the sides is played in separate hands
        played.append(play_twice(rules, player, seed, range(begin, begin + size), needs[n]))
    return played


class EquityRun(Run):
    """Makes the equity table for one table from ``hands`` hands, and checks it in ``matches`` matches.

    ``target`` is the target of the matches. The stored table can be used for all targets.
    """

    name: ClassVar[str] = "equity"
    plots: ClassVar[tuple[str, str]] = ("reached", "off")

    def __init__(
        self, rules: Rules, player: str, *, hands: int = 200_000, matches: int = 5_000, target: int, seed: str = "0"
    ) -> None:
        """Raises `PlayerError` if kernels can't run the player."""
        super().__init__()
        KernelPlayer.named(player, rules)
        self.rules, self.player, self.seed = rules, player, seed
        self.hands, self.matches = hands, matches
        self.target = rounded_target(rules, target)
        self.starts = starts_for(rules.sides, self.target) if matches else []
        self.depends_on_totals = rules.sides < RACE_SIDES and depends_on_totals(rules, player)
        self.equity: Equity | None = None
        self.data = b""
        self.means: tuple[float, ...] = ()
        self.reached: Counts = {}
        self.started: list[Counts] = []
        self.progress = 0
        """The approximate number of hands played so far."""

    @property
    def title(self) -> str:
        """The table in words, such as ``classic 2x2``."""
        return title_of(self.rules)

    @property
    def file_name(self) -> str:
        """The name of the file for `data`."""
        return file_name(self.rules)

    @property
    def total(self) -> int:
        """The approximate number of hands to play."""
        return self.hands + self.matches * (4 + 2 * len(self.starts))

    @property
    def complete(self) -> bool:
        """Whether everything has been played and the table has been made."""
        return self.equity is not None and self.progress >= self.total

    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Make the table, and then play the matches that check it, if any."""
        yield from self._make(workers)
        if self.matches:
            yield from self._check(workers)

    def _make(self, workers: Workers) -> Generator[None, None, None]:
        """Make the table from single hands."""
        rules = self.rules
        step = crowd_step(rules.sides, max(self.target, DEFAULT_TARGET), CROWD_STATES)
        kept = self.hands
        if 2 < rules.sides < RACE_SIDES:
            levels = math.ceil(max(self.target, DEFAULT_TARGET) / step) + 1
            kept = min(kept, CROWD_WORK // (math.comb(levels + rules.sides - 1, rules.sides) * rules.sides))
        seed = seed_word(self.seed, self.name, str(rules))
        sampling = functools.partial(_sample, rules, self.player, seed)
        parts: list[HandScores] = []
        sums: Whole = np.zeros(rules.sides, np.int64)
        for begin, end in ((0, kept), (kept, self.hands)):
            with contextlib.closing(in_order(workers, sampling, begin, end)) as work:
                for batch, sampled in work:
                    sums += sampled.counts @ sampled.points
                    if begin == 0:
                        parts.append(sampled)
                    self.progress += len(batch)
                    yield
        scores = _merged(parts)
        self.means = tuple(float(points) for points in sums / self.hands)
        if rules.sides == 2:
            plays_on = rules.tie == "play_on"
            changes: Changes | None = None
            if self.depends_on_totals:
                twice = yield from self._played_twice(workers, duel_needs(KNOTS), self.hands // DUEL_PART)
                changes = duel_changes(
                    twice, KNOTS, lambda found: duel_equity(scores, DEFAULT_TARGET, plays_on=plays_on, changes=found)
                )
            self.equity = duel_equity(scores, self.target, plays_on=plays_on, changes=changes)
            self.data = pack_scores(rules, scores, changes)
        elif rules.sides >= RACE_SIDES:
            self.equity = race_equity(scores, self.target)
            self.data = pack_scores(rules, scores)
        else:
            reach, means = max(self.target, DEFAULT_TARGET), np.array(self.means)
            made = crowd_equity(scores, reach, step, means=means)
            if self.depends_on_totals:
                levels = levels_of(rules.sides, step, reach)
                twice = yield from self._played_twice(
                    workers, crowd_needs(rules.sides, step, levels), self.hands // CROWD_PART
                )
                for _ in range(CROWD_ROUNDS):
                    changed = crowd_changes(twice, made, levels)
                    made = crowd_equity(scores, reach, step, means=means, changes=changed)
            self.equity = dataclasses.replace(made, target=self.target)
            self.data = pack_equity(rules, made)

    def _played_twice(
        self, workers: Workers, needs: Sequence[tuple[int, ...]], hands: int
    ) -> Generator[None, None, list[ChangedHands]]:
        """Play hands with given needs, both with and without knowledge of the needs."""
        seed = seed_word(self.seed, self.name, "twice")
        twice = functools.partial(_play_twice, self.rules, self.player, seed, max(1, hands), needs)
        found: list[ChangedHands] = []
        with contextlib.closing(in_order(workers, twice, 0, len(needs))) as work:
            for _, played in work:
                found += played
                yield
        return found

    def _check(self, workers: Workers) -> Generator[None, None, None]:
        """Compare the table with matches."""
        assert self.equity is not None
        self.started = [{} for _ in self.starts]
        reached = Reached(
            rules=self.rules,
            player=self.player,
            deals=self.matches,
            seed=seed_word(self.seed, self.name, "matches"),
            equity=self.equity,
            means=self.means,
        )
        before = self.progress
        for done in summed(workers, reached, self.reached):
            self.progress = before + int(reached.weight) * done
            yield
        for n, totals in enumerate(self.starts):
            started = Started(
                rules=self.rules,
                player=self.player,
                deals=self.matches,
                seed=seed_word(self.seed, self.name, "from", n),
                target=self.target,
                start=totals,
            )
            before = self.progress
            for done in summed(workers, started, self.started[n]):
                self.progress = before + int(started.weight) * done
                yield

    def line(self) -> str:
        """Return the progress in a few words."""
        return f"{self.title}: " + ("hands" if self.equity is None else "matches")

    def sheets(self) -> list[Sheet]:
        """Return the sheets: chances by totals, the value of points, and how well these agree with matches."""
        if self.equity is None:
            return []
        found = [_chances(self.equity), _worth(self.equity)]
        if self.matches:
            found += [
                reached_sheet(self.reached, self.matches, self.target),
                started_sheet(self.equity, self.starts, self.started, self.matches),
                hands_sheet(self.reached, self.matches),
            ]
        return found

    def report(self) -> dict[str, Any]:
        """Return the results as plain data."""
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


def _merged(parts: Sequence[HandScores]) -> HandScores:
    points, place = np.unique(np.concatenate([part.points for part in parts]), axis=0, return_inverse=True)
    counts = np.zeros(len(points), np.int64)
    np.add.at(counts, place.reshape(-1), np.concatenate([part.counts for part in parts]))
    return HandScores(points, counts)


def _chances(equity: Equity) -> Sheet:
    """Return the chances of the side that begins.

    The rows are its total and the columns are the total of the others, both in tenths of the target.
    """
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
