"""The arena, in which players play each other on many deals, and which reports the results."""

import contextlib
import functools
import itertools
import math
from collections.abc import Generator
from pathlib import Path
from typing import Any, ClassVar, Final

from millebornes.arena.duplicate import PlayedRounds, play_rounds
from millebornes.arena.executors import Workers, in_order, open_workers
from millebornes.arena.ladder import Ladder
from millebornes.arena.outcome import Columns, GameOutcome, read_outcome
from millebornes.arena.records import Records
from millebornes.arena.report import ArenaResults
from millebornes.arena.results import Tally
from millebornes.arena.run import FileKind, Run
from millebornes.arena.schedule import Plan, seed_value
from millebornes.arena.sprt import Sprt
from millebornes.errors import MilleBornesError, SaveError

__all__ = ["Arena", "run_arena"]

KIND: Final = FileKind("millebornes-arena/1", "checkpoint of an arena", "checkpoint", "plan")


class Arena(Run):
    """A tournament that plays the games of a plan. You can read `tally` and `report` at any time.

    ``record`` is where the transcripts of all games are written (`millebornes.arena.records`). ``sprt`` is a test that
    ends the tournament once it is decided. Ratings are relative to the player whose number is ``anchor``.
    """

    kind: ClassVar[FileKind] = KIND

    def __init__(
        self,
        plan: Plan,
        *,
        sprt: Sprt | None = None,
        record: Path | None = None,
        resume: Path | None = None,
        anchor: int = 0,
    ) -> None:
        """Raises `SaveError` for a damaged checkpoint or one of another plan, and `MilleBornesError` for a bad test."""
        if sprt is not None and (len(plan.players) != 2 or plan.rules.sides != 2):
            raise MilleBornesError("a sequential test compares two players at a table with two sides")
        super().__init__(resume)
        self.plan: Final = plan
        self.sprt: Final = sprt
        self.tally: Final = Tally(plan)
        self.anchor: Final = anchor
        self._decided = False
        self._records: Final = Records(record) if record is not None else None
        self._outcomes: Final[list[GameOutcome]] = []
        self._joined: Final[list[tuple[int, int]]] = []
        self.load()
        resumed = list(self._outcomes)
        if plan.ladder and (not self._joined or self._joined[-1][1] < len(plan.players)):
            rounds = len({outcome.deal for outcome in resumed})
            self._joined[:] = [row for row in self._joined if row[0] < rounds]
            self._joined.append((rounds, len(plan.players)))
        self._ladder: Final = Ladder(plan, self._joined) if plan.ladder else None
        for _deal, round_ in itertools.groupby(resumed, lambda outcome: outcome.deal):
            self._count_resumed(list(round_))
        self._advance_ladder()
        if self._records is not None:
            self._records.games = len(resumed)

    @property
    def decided(self) -> bool:
        """Whether the run has a sequential test and the test is decided."""
        return self._decided

    @property
    def complete(self) -> bool:
        """Whether every game in the plan has been played, or the test is decided."""
        done = self.tally.games >= self.plan.games if self.plan.ladder else self.tally.rounds >= self.plan.deals
        return self._decided or done

    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Play batches of deals in order."""
        while not self.complete:
            meetings, end = self._next_meetings()
            task = functools.partial(play_rounds, self.plan, records=self._records is not None, meetings=meetings)
            with contextlib.closing(in_order(workers, task, self.tally.rounds, end)) as work:
                for _, batch in work:
                    self._add(batch)
                    yield
                    if self.decided:
                        break
            self._advance_ladder()

    def key(self) -> dict[str, Any]:
        """Return the plan as plain data, without the number of games. On a ladder, you may add players at the end."""
        return self.plan.key()

    def difference(self, kept: Any, wanted: Any) -> str | None:
        """Return the first difference between two plans, with both values."""
        if self.plan.ladder:
            wanted["players"] = wanted["players"][: len(kept["players"])]
        return self.first_difference(kept, wanted)

    def state(self) -> dict[str, Any]:
        """Return the rounds played so far, up to the first gap.

        ``recorded`` is true if their transcripts have been written. ``joined`` maps a deal to the number of players
        from that deal on (`millebornes.arena.ladder`), and ``called`` contains the names that players give themselves.
        """
        return {
            "recorded": self._records is not None,
            "joined": [list(row) for row in self._joined],
            "called": self.tally.given_names,
            "outcomes": [outcome[:9] for outcome in self._outcomes],
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Load rounds from a checkpoint, without checking whether they belong to the plan."""
        super().restore(data)
        self.tally.given_names.update({str(name): str(own_name) for name, own_name in data.get("called", {}).items()})
        self._outcomes.extend([read_outcome(self.plan, row) for row in data["outcomes"]])
        before = 0
        for deal, count in data["joined"]:
            least = max(before + 1, self.plan.rules.sides)
            if not least <= count <= len(data["plan"]["players"]) or deal < 0 or (before == 0) != (deal == 0):
                raise ValueError(data["joined"])
            self._joined.append((int(deal), int(count)))
            before = count
        if self.plan.ladder and self._outcomes and not self._joined:
            raise ValueError(data["joined"])
        if self._records is not None and self._outcomes and not data["recorded"]:
            raise SaveError(f"{self.resume}: the run to continue kept no record; leave out --record")

    def results(self) -> ArenaResults:
        """Return the results of the games played so far."""
        plan, tally, rules = self.plan, self.tally, self.plan.rules
        ratings = tally.rated(self.anchor)
        return ArenaResults(
            players=plan.names,
            edition=rules.edition_name,
            seats=rules.seats,
            sides=rules.sides,
            match_target=plan.match_target,
            duplicate=plan.duplicate,
            ladder=plan.ladder,
            matches=tally.games,
            hands=tally.hands,
            deals=tally.rounds,
            results=tally.players(),
            pairs=tally.pairs(),
            ratings=ratings,
            anchor=None if ratings is None else plan.names[self.anchor],
            sees_everything=plan.full_information or None,
            sprt=None if self.sprt is None else self.sprt.result(),
            set=plan.changed_settings,
            seed=seed_value(plan.seed),
            complete=self.complete,
            wall_s=round(self.seconds, 3),
        )

    def report(self) -> dict[str, Any]:
        """Return the results as plain data."""
        return self.results().to_dict()

    def _next_meetings(self) -> tuple[tuple[tuple[int, ...], ...] | None, int]:
        """Return the next groups of players to meet (None: the plan's), and the deal before which they may change."""
        if self._ladder is None:
            return None, self.plan.deals
        meetings = self._ladder.meetings
        size = len(meetings) * self.plan.rules.sides * self.plan.turns
        left = math.ceil((self.plan.games - self.tally.games) / size)
        return meetings, min(self._ladder.end, self.tally.rounds + left)

    def _advance_ladder(self) -> None:
        if self._ladder is not None and self.tally.rounds >= self._ladder.end:
            strengths = [estimate.value for estimate in self.tally.ratings()]
            self._ladder.advance(
                self.tally.rounds, strengths, [self.tally.games_of(who) for who in range(len(strengths))]
            )

    def _count_resumed(self, outcomes: list[GameOutcome]) -> None:
        if self._decided:
            return
        if self.complete:
            problem = f"this checkpoint already contains {len(self._outcomes)} games; ask for at least that many"
            raise SaveError(f"{self.resume}: {problem}")
        self._advance_ladder()
        meetings, _ = self._next_meetings()
        games = self.plan.games_of(self.tally.rounds, meetings)
        if [outcome[:3] for outcome in outcomes] != list(games):
            problem = "this checkpoint is damaged: its games don't match those of this run"
            raise SaveError(f"{self.resume}: {problem}")
        self.tally.add(self._until_decided(outcomes))

    def _add(self, batch: PlayedRounds) -> None:
        self.tally.given_names.update(batch.names)
        if isinstance(batch.played, Columns) and self.sprt is None and self.resume is None:
            self.tally.add(batch.played)
            return
        outcomes = self._until_decided(batch.outcomes)
        if self._records is not None:
            for outcome in outcomes:
                self._records.add(outcome.lines)
        self.tally.add(outcomes)
        if self.resume is not None:  # done in one step, so that Ctrl-C never leaves half a round
            self._outcomes.extend([outcome._replace(lines=()) for outcome in outcomes])

    def _until_decided(self, outcomes: list[GameOutcome]) -> list[GameOutcome]:
        """Add rounds to the sequential test, if there is one, and return those before it was decided."""
        if self.sprt is None:
            return outcomes
        counted: list[GameOutcome] = []
        for _, games in itertools.groupby(outcomes, lambda outcome: outcome.deal):
            if not self._decided:
                counted += (round_ := list(games))
                for score in self.tally.score_of_round(round_):
                    self.sprt.add(score)
                self._decided = self.sprt.decision is not None
        return counted


def run_arena(
    plan: Plan,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    sprt: Sprt | None = None,
    record: Path | None = None,
    anchor: int = 0,
) -> ArenaResults:
    """Play all games of a plan and return the results. Raises the same errors as `Arena` and `open_workers`."""
    arena = Arena(plan, sprt=sprt, record=record, anchor=anchor)
    with open_workers(jobs, cluster) as workers:
        arena.run(workers)
    return arena.results()
