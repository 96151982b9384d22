"""Measure a player of any speed against strangers or at random tables in judged games, on average and at worst.

A judged game (`millebornes_research.pool.gains`) shows how much more the player's moves gain than those of a baseline
in its place, without most of the luck. A few games at each table are therefore enough, while `training.meetings` needs
hundreds.
"""

import dataclasses
import functools
import math
import statistics
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

from millebornes.arena.executors import Workers, in_order
from millebornes.arena.run import FileKind
from millebornes.arena.statistics import Estimate, mean_estimate, plain, ratio_estimate
from millebornes.editions import Rules
from millebornes.errors import MilleBornesError
from millebornes_research.pool.gains import GainPlan, JudgedRun, gains
from millebornes_research.pool.strangers import Stranger, kernel_player
from millebornes_research.training.meetings import WORST
from millebornes_research.training.strength import measure

KIND: Final = FileKind("millebornes-judged-meetings/1", "file of judged meetings")


class JudgedMeeting(NamedTuple):
    """The judged games of a player against one stranger, or at one table."""

    name: str
    plan: GainPlan

    def number(self, place: int, game: int) -> int:
        """Return the number that the plan gives to game ``game`` of the meeting at ``place`` in a list.

        Each game has its own decks, so all games are independent. The sides take turns from game to game and from place
        to place, so each side plays about equally often even if each meeting has only one game.
        """
        sides = self.plan.rules.sides
        return game * sides + (game + place) % sides

    def edge(self, decks: int, seed: int) -> float | None:
        """Return the baseline's share of games against a stranger minus an equal share, or None at random tables."""
        plan, (rival, *_) = self.plan, self.plan.rivals
        if not isinstance(rival, Stranger):
            return None
        own, other = (kernel_player(who, plan.rules) for who in (plan.baseline, rival))
        found = measure(plan.rules, own, other, decks, seed=seed, target=plan.match_target or 0)
        return found.share.value - 1 / plan.rules.sides


def judged_strangers(plan: GainPlan, strangers: Sequence[Stranger]) -> tuple[JudgedMeeting, ...]:
    """Return the meetings of a plan's player with each stranger, which takes the seats of the rivals."""
    return tuple(_meeting(plan, each.name, rivals=(each,)) for each in strangers)


def judged_tables(plan: GainPlan, tables: Sequence[Rules]) -> tuple[JudgedMeeting, ...]:
    """Return the meetings of a plan's player with the plan's rivals at each table, instead of the plan's own table."""
    return tuple(_meeting(plan, f"table {number}", rules=rules) for number, rules in enumerate(tables, 1))


def _meeting(plan: GainPlan, name: str, **changes: Any) -> JudgedMeeting:
    """Return a meeting with its own decks, so that luck in one result doesn't influence another."""
    return JudgedMeeting(name, dataclasses.replace(plan, seed=f"{plan.seed} {name}", **changes))


def judge_turns(meetings: Sequence[JudgedMeeting], turns: range) -> list[float]:
    """Play one game in each of these turns, and return their gains. The meetings are played in turn."""
    found = []
    for turn in turns:
        game, place = divmod(turn, len(meetings))
        meeting = meetings[place]
        found.append(next(gains(meeting.plan, meeting.number(place, game))))
    return found


def gain_at_worst(gains: Sequence[Sequence[float]], edges: Sequence[float] | None = None) -> Estimate:
    """Return the mean gain in the worst quarter of meetings, given the gains in the games of each meeting.

    If ``edges`` is given, the worst quarter consists of the meetings with the lowest edges. Otherwise, it consists of
    those with the lowest gains. If many gains are uncertain, the lowest are mostly those with bad luck. The quarter is
    therefore chosen by one half of the games and measured in the other half, in both directions. If a meeting has fewer
    than two games, nothing can be measured.
    """
    count = -(-len(gains) // WORST)
    if edges is not None:
        worst = sorted(range(len(gains)), key=edges.__getitem__)[:count]
        return mean_estimate([statistics.fmean(gains[place]) for place in worst])
    measured: list[list[float]] = [[] for _ in gains]
    if min(map(len, gains), default=0) > 1:
        for half in (0, 1):
            known = [statistics.fmean(each[half::2]) for each in gains]
            for place in sorted(range(len(gains)), key=known.__getitem__)[:count]:
                measured[place].append(statistics.fmean(gains[place][1 - half :: 2]))
    return ratio_estimate([math.fsum(each) for each in measured], [len(each) for each in measured])


class JudgedMeetings(JudgedRun):
    """A run with ``games`` judged games in each meeting.

    Every meeting has its first game before any meeting has its second. ``decks`` is the number of decks for
    `JudgedMeeting.edge`, and ``seed`` is the seed for these decks. ``edges`` contains the edges of the baseline in the
    first meetings.
    """

    kind: ClassVar[FileKind] = KIND

    def __init__(
        self, meetings: Sequence[JudgedMeeting], games: int, decks: int, *, seed: int, resume: Path | None = None
    ) -> None:
        """Raises `SaveError` if the file is damaged or of another run, and `MilleBornesError` for too few games."""
        super().__init__(len(meetings) * games, resume)
        if games < 1 or not meetings:
            raise MilleBornesError(f"{games} games in {len(meetings)} meetings are not allowed; play at least one")
        self.meetings: Final = tuple(meetings)
        self.decks: Final = decks
        self.seed: Final = seed
        self.edges: Final[list[float | None]] = []
        self.load()

    @property
    def progress(self) -> float:
        """The number of games played so far."""
        return len(self.gains)

    def line(self) -> str:
        """Return the mean gain so far, for a progress bar."""
        scale, unit = (100, "% of matches") if self.meetings[0].plan.match_target else (1, "points a hand")
        known = mean_estimate([statistics.fmean(each) for each in self.found()])
        return f"{scale * known.value:+.1f} ± {scale * (known.high - known.value):.1f} {unit}"

    def found(self) -> list[list[float]]:
        """Return the gains so far in the games of each meeting that has any."""
        count = min(len(self.gains), len(self.meetings))
        return [self.gains[place :: len(self.meetings)] for place in range(count)]

    def report(self) -> dict[str, Any]:
        """Return the results so far as plain data."""
        plan, found = self.meetings[0].plan, self.found()
        met = list(zip(self.meetings, found, self.edges, strict=False))
        edges = [edge for _, _, edge in met if edge is not None]
        return {
            "player": plan.player,
            "baseline": plan.baseline,
            "match_target": plan.match_target,
            "games": len(self.gains),
            "gain": plain(mean_estimate([statistics.fmean(each) for each in found])),
            "worst": plain(gain_at_worst(found, edges if len(edges) == len(found) else None)),
            "meetings": [
                {
                    "name": meeting.name,
                    "table": meeting.plan.rules.table,
                    "games": len(each),
                    "gain": plain(mean_estimate(each)),
                    "baseline_edge": edge,
                }
                for meeting, each, edge in met
            ],
            "complete": self.complete,
            "wall_s": round(self.seconds, 3),
        }

    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Play one batch of games after another, in order."""
        task = functools.partial(judge_turns, self.meetings)
        for _, batch in in_order(workers, task, len(self.gains), self.total):
            for gain in batch:
                if len(self.edges) < len(self.meetings):
                    self.edges.append(self.meetings[len(self.edges)].edge(self.decks, self.seed))
                self.gains.append(gain)
            yield

    def key(self) -> dict[str, Any]:
        """Return everything that determines the results, except for the number of games."""
        return {
            "meetings": [{"name": each.name, **each.plan.key()} for each in self.meetings],
            "decks": self.decks,
            "seed": self.seed,
        }

    def state(self) -> dict[str, Any]:
        """Return the gain in each game, and the edges of the baseline."""
        return {"gains": self.gains, "edges": self.edges}

    def restore(self, data: dict[str, Any]) -> None:
        """Restore the gains and edges. Raises `ValueError` or `TypeError` if the data is malformed."""
        super().restore(data)
        self.gains.extend(float(gain) for gain in data["gains"])
        self.edges.extend(None if edge is None else float(edge) for edge in data["edges"])
        if not all(map(math.isfinite, [*self.gains, *(edge for edge in self.edges if edge is not None)])):
            raise ValueError("a gain isn't a number")
        if len(self.edges) != min(len(self.gains), len(self.meetings)):
            raise ValueError("there must be an edge for each meeting that has a game")
