"""A goal of 1000 against one of 700, with and without the extension: how hands go, and what skill is worth."""

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np

from millebornes.editions import Rules
from millebornes.lab.contrast import Contrast, edges_of
from millebornes.lab.counts import Counts, mean, moments, pair_moments, plain, ratio, seed_word
from millebornes.lab.deal import leads_of, observed
from millebornes.lab.experiment import Experiment, Study
from millebornes.lab.sheets import Column, Sheet
from millebornes.players.batch import KernelPlayer
from millebornes.rules.state import SCORE_LINES

__all__ = ["GOALS", "Goal", "HandsSeen"]

GOALS: Final = ((700, 1000), (700, None), (1000, None))
"""Goals and extension goals that are compared."""
DISTANCE, COMPLETED, DELAYED, SAFE, SHUT = (
    SCORE_LINES.index(name) for name in ("distance", "trip_completed", "delayed_action", "safe_trip", "shut_out")
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class HandsSeen(Study):
    """Single hands as they go. Counts: `moments` of some numbers of a hand, and `pair_moments` of wins.

    ``hand``: turns, 1 where a trip was completed, extended, delayed, safe or a shut-out, points of a side (sum over
    sides), coups, and the winner's lead. ``winner``: among hands that one side won, those that it completed.
    """

    rules: Rules
    player: str
    deals: int
    seed: int

    @property
    def weight(self) -> float:
        """About how many hands a deal takes."""
        return 3.0

    def count(self, deals: range) -> Counts:
        """Play these deals."""
        sides = self.rules.sides
        seen = observed(self.rules, self.player, deals, self.seed)[:, 0]
        lines = seen["lines"][:, :sides].astype(np.int64)
        points = lines.sum(axis=2)
        best = points == points.max(axis=1, keepdims=True)
        won = best.sum(axis=1) == 1
        completed = seen["completed"].astype(np.int64)
        by_completion = won & (completed >= 0) & (points.argmax(axis=1) == completed)
        leads = leads_of(points)
        hand = np.stack(
            [
                seen["turns"].sum(axis=1, dtype=np.int64),
                completed >= 0,
                seen["extended"].astype(np.int64),
                *((lines[:, :, line] > 0).any(axis=1) for line in (DELAYED, SAFE, SHUT)),
                points.sum(axis=1),
                leads.max(axis=1),
                lines[:, :, DISTANCE].sum(axis=1),
            ],
            axis=1,
        )
        return {"hand": moments(hand), "winner": pair_moments(by_completion, won)}


class Goal(Experiment):
    """What changes when the trip is 1000 rather than 700, and what skill is worth in each."""

    name: ClassVar[str] = "goal"
    summary: ClassVar[str] = "a goal of 1000 against one of 700: lengths, scores, who wins how, the worth of skill"
    plots: ClassVar[tuple[str, str]] = ("skill", "points")

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
        """Raises `PlayerError` for players that have to be asked from outside."""
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
        """Two tables: how hands go, and what skill is worth."""
        each = len(self.studies) // len(GOALS)
        shapes, skills = [], []
        for n, (goal, further) in enumerate(GOALS):
            label = f"{goal}, extension to {further}" if further else f"{goal}, no extension"
            hands, contrast, *matches = counts[n * each : (n + 1) * each]
            shapes.append({"goal": label, **self._shape(hands), "hands": self._hands(matches)})
            edge, share = edges_of(contrast, self.rules, 0)
            row: dict[str, Any] = {"goal": label, "points": plain(edge), "hand_share": plain(share)}
            if matches:
                match_edge, match_share = edges_of(matches[0], self.rules, 0)
                row |= {"match_points": plain(match_edge), "match_share": plain(match_share)}
            skills.append(row)
        decks = self.studies[0].deals
        shape = Sheet(
            "hands",
            f"how hands go between equal players ({decks:,} hands each)",
            (
                Column("goal", "goal", "text"),
                Column("turns", "turns a hand", "number"),
                Column("completed", "completed", "share"),
                Column("extended", "extended", "share"),
                Column("delayed", "delayed action", "share"),
                Column("safe", "safe trip", "share"),
                Column("shut_out", "shut-out", "share"),
                Column("miles", "distance a side", "points"),
                Column("score", "points a side", "points"),
                Column("lead", "winner's lead", "points"),
                Column("winner", "winner completed it", "share"),
                *((Column("hands", "hands a match", "number"),) if self.matches else ()),
            ),
            shapes,
        )
        columns = [
            Column("goal", "goal", "text"),
            Column("points", "points a hand", "gain"),
            Column("hand_share", "share of hands", "edge"),
        ]
        games = f"{decks:,} decks of hands"
        if self.matches:
            games += f" and {self.matches:,} of matches to {self.target}"
            columns += [
                Column("match_points", "points a match", "gain"),
                Column("match_share", "share of matches", "edge"),
            ]
        skill = Sheet("skill", f"{self.player} among {self.rival} ({games})", tuple(columns), skills, ("points",))
        return [shape, skill]

    def _shape(self, found: Counts) -> dict[str, Any]:
        sides = self.rules.sides
        hand = found["hand"] if found else np.zeros((3, 9), np.int64)
        scales = {
            "turns": 1.0,
            "completed": 1.0,
            "extended": 1.0,
            "delayed": 1.0,
            "safe": 1.0,
            "shut_out": 1.0,
            "score": 1 / sides,
            "lead": 1 / (sides - 1),
            "miles": 1 / sides,
        }
        row = {name: plain(mean(hand[:, i], scale)) for i, (name, scale) in enumerate(scales.items())}
        return row | {"winner": plain(ratio(found["winner"] if found else np.zeros(6, np.int64)))}

    def _hands(self, matches: Sequence[Counts]) -> float | None:
        if not matches or not matches[0] or not matches[0]["games"][1]:
            return None
        hands, games = (int(number) for number in matches[0]["games"])
        return hands / games

    def line(self, counts: Sequence[Counts]) -> str:
        """The worth of skill so far, with the first goal."""
        if not counts[1]:
            return "getting ready …"
        edge = edges_of(counts[1], self.rules, 0)[0]
        return f"{self.player} {edge.value:+.1f} ± {(edge.high - edge.low) / 2:.1f} points a hand"
