"""Compare goals of 1000 and 700 with and without the extension: how hands proceed, and how much skill is worth."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.policies.batch import KernelPlayer
from millebornes.rules.clauses import SCORE_LINES
from millebornes_research.lab.contrast import Contrast, edge_row, edges_of
from millebornes_research.lab.counts import Counts, Whole, mean, moments, pair_moments, plain, ratio
from millebornes_research.lab.experiment import Experiment
from millebornes_research.lab.instrumented import Instrumented
from millebornes_research.lab.sheets import Column, Sheet, describe_games, edge_columns
from millebornes_research.lab.study import InstrumentedHands, Study, leads_of
from millebornes_research.seeds import seed_word

__all__ = ["GOALS", "Goal", "HandsSeen"]

GOALS: Final = ((700, 1000), (700, None), (1000, None))
"""The goals to compare, each with its goal after an extension."""


class Figure(NamedTuple):
    """A figure that is computed for each hand: its column, its value, and its divisor.

    ``value`` computes the figure from the records and from the points by line and side. ``each`` returns the divisor of
    the average, given the number of sides. Figures that were summed over all sides are shown for one side.
    """

    column: Column
    value: Callable[[Instrumented, Whole], npt.NDArray[Any]]
    each: Callable[[int], int] = lambda sides: 1


def _bonus(line: str) -> Callable[[Instrumented, Whole], npt.NDArray[Any]]:
    place = SCORE_LINES.index(line)
    return lambda records, lines: np.any(lines[:, :, place] > 0, axis=1)


FIGURES: Final = (
    Figure(Column("turns", "turns a hand", "number"), lambda records, lines: records["turns"].sum(axis=1, dtype="i8")),
    Figure(Column("completed", "completed", "share"), lambda records, lines: records["completed"] >= 0),
    Figure(Column("extended", "extended", "share"), lambda records, lines: records["extended"]),
    Figure(Column("delayed", "delayed action", "share"), _bonus("delayed_action")),
    Figure(Column("safe", "safe trip", "share"), _bonus("safe_trip")),
    Figure(Column("shut_out", "shut-out", "share"), _bonus("shut_out")),
    Figure(
        Column("score", "points a side", "points"), lambda records, lines: lines.sum(axis=(1, 2)), lambda sides: sides
    ),
    Figure(
        Column("lead", "winner's lead", "points"),
        lambda records, lines: leads_of(lines.sum(axis=2)).max(axis=1),
        lambda sides: sides - 1,
    ),
    Figure(
        Column("miles", "distance a side", "points"),
        lambda records, lines: lines[:, :, SCORE_LINES.index("distance")].sum(axis=1),
        lambda sides: sides,
    ),
)
"""The figures of a hand, in the order in which they are counted. The sheet shows the distance before the score."""
SHOWN: Final = (*FIGURES[:6], FIGURES[8], *FIGURES[6:8])


class HandsSeen(InstrumentedHands):
    """Statistics of single hands.

    ``hand`` contains the `moments` of the `FIGURES`. ``winner`` contains `pair_moments`: the hands in which the winner
    completed the trip, among those with a single winner.
    """

    def measure(self, records: Instrumented, deals: range) -> Counts:
        """Return the counts of the figures over all hands."""
        lines = records["lines"][:, : self.rules.sides].astype(np.int64)
        points, completed = lines.sum(axis=2), records["completed"]
        won = (points == points.max(axis=1, keepdims=True)).sum(axis=1) == 1
        by_completion = won & (completed >= 0) & (points.argmax(axis=1) == completed)
        numbers = np.stack([figure.value(records, lines).astype(np.int64) for figure in FIGURES], axis=1)
        return {"hand": moments(numbers), "winner": pair_moments(by_completion, won)}


class Goal(Experiment):
    """How a trip of 1000 miles differs from one of 700, and how much skill is worth in each."""

    name: ClassVar[str] = "goal"
    plots: ClassVar[tuple[str, str]] = ("skill", "points")
    line_of: ClassVar[int] = 1

    def __init__(
        self,
        rules: Rules,
        player: str,
        *,
        rival: str = "basic",
        hands: int = 10_000,
        matches: int = 2_000,
        target: int = 5000,
        seed: str = "0",
    ) -> None:
        """Raises `PlayerError` if kernels can't run one of the players."""
        self.rules, self.player, self.rival, self.target, self.matches = rules, player, rival, target, matches
        KernelPlayer.named(rival, rules)
        word = seed_word(seed, self.name)
        studies: list[Study] = []
        for goal, further in GOALS:
            table = dataclasses.replace(rules, edition=None, goal=goal, extension_goal=further)
            KernelPlayer.named(player, table)
            studies.append(HandsSeen(rules=table, player=player, deals=hands, seed=word))
            contrast = Contrast(
                rules=table, base=rival, variants=(player,), deals=hands, match_target=None, seed=word ^ 1
            )
            studies.append(contrast)
            if matches:
                studies.append(dataclasses.replace(contrast, deals=matches, match_target=target, seed=word ^ 2))
        self.studies = tuple(studies)

    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """Return two sheets: how hands proceed, and how much skill is worth."""
        each = len(self.studies) // len(GOALS)
        shapes: list[dict[str, Any]] = []
        skills: list[dict[str, Any]] = []
        for n, (goal, further) in enumerate(GOALS):
            label = f"{goal}, extension to {further}" if further else f"{goal}, no extension"
            hands, *contrasts = counts[n * each : (n + 1) * each]
            shapes.append({"goal": label, **self._shape(hands), "hands": _hands_a_match(contrasts[1:])})
            skills.append({"goal": label, **edge_row(contrasts, self.rules)})
        decks, goal_column = self.studies[0].deals, Column("goal", "goal", "text")
        shape = Sheet(
            "hands",
            f"how hands go between equal players ({decks:,} hands each)",
            (
                goal_column,
                *(figure.column for figure in SHOWN),
                Column("winner", "winner completed it", "share"),
                *((Column("hands", "hands a match", "number"),) if self.matches else ()),
            ),
            shapes,
        )
        games = describe_games(decks, f"{self.matches:,} of matches to {self.target}" if self.matches else "")
        columns = (goal_column, *edge_columns(matches=bool(self.matches)))
        return [shape, Sheet("skill", f"{self.player} among {self.rival} ({games})", columns, skills, ("points",))]

    def _shape(self, counts: Counts) -> dict[str, Any]:
        found = counts or self.studies[0].count(range(0))
        row = {
            figure.column.key: plain(mean(found["hand"][:, i], 1 / figure.each(self.rules.sides)))
            for i, figure in enumerate(FIGURES)
        }
        return row | {"winner": plain(ratio(found["winner"]))}

    def estimate(self, counts: Sequence[Counts]) -> str:
        """Return a sentence about how much skill has been worth so far with the first goal."""
        edge = edges_of(counts[1], self.rules, 0)[0]
        return f"{self.player} {edge.value:+.1f} ± {(edge.high - edge.low) / 2:.1f} points a hand"


def _hands_a_match(matches: Sequence[Counts]) -> float | None:
    """Return the average number of hands in a match, or None if no match has been played."""
    if not matches or not matches[0] or not matches[0]["games"][1]:
        return None
    hands, games = (int(number) for number in matches[0]["games"])
    return hands / games
