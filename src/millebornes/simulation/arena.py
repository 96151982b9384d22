"""The arena: players against each other, over as many deals as it takes, and what can be said about them."""

import functools
import itertools
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from millebornes.editions import EDITIONS, edition
from millebornes.errors import MilleBornesError, SaveError
from millebornes.simulation.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from millebornes.simulation.columns import Columns
from millebornes.simulation.duplicate import Batch, play_batch
from millebornes.simulation.executors import Workers, in_order, open_workers
from millebornes.simulation.ladder import Ladder
from millebornes.simulation.outcome import Outcome
from millebornes.simulation.records import Records
from millebornes.simulation.results import Tally
from millebornes.simulation.schedule import Plan
from millebornes.simulation.seeds import seed_value
from millebornes.simulation.sprt import Sprt

__all__ = ["Arena", "run_arena"]

SAVE_EVERY: Final = 5.0
"""Seconds between two checkpoints, at least."""
SAVE_PART: Final = 20
"""The time between two checkpoints is so many times as long as it took to write the last one."""


class Arena:
    """A run of a plan. `run` plays; `tally` and `report` can be asked at any moment, also after an interruption.

    ``record`` says where the transcripts of all games go (`millebornes.simulation.records`); ``resume`` is a
    checkpoint, which is gone on from if it is there, and kept up to date. ``sprt`` ends the run once decided. Ratings
    are told above that of the player ``anchor``, by number.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        sprt: Sprt | None = None,
        record: Path | None = None,
        resume: Path | None = None,
        anchor: int = 0,
    ) -> None:
        """Raises `SaveError` for a checkpoint that is damaged or of another plan, `MilleBornesError` for a bad test."""
        if sprt is not None and (len(plan.players) != 2 or plan.rules.sides != 2):
            raise MilleBornesError("a sequential test compares two players at a table of two sides")
        self.plan: Final = plan
        self.sprt: Final = sprt
        self.tally: Final = Tally(plan)
        self.resume: Final = resume
        self.anchor: Final = anchor
        self.seconds = 0.0
        self.wall = 0.0
        self._decided = False
        self._records: Final = Records(record) if record is not None else None
        kept = read_checkpoint(resume, plan) if resume is not None else Checkpoint([])
        self._outcomes: Final = kept.outcomes
        self._joined: Final = list(kept.joined)
        self.seconds = kept.seconds
        if self._records is not None and kept.outcomes and not kept.recorded:
            raise SaveError(f"{resume}: the run that is gone on with kept no record; leave --record out")
        if plan.ladder and (not self._joined or self._joined[-1][1] < len(plan.players)):
            rounds = len({outcome.deal for outcome in kept.outcomes})
            self._joined[:] = [row for row in self._joined if row[0] < rounds]
            self._joined.append((rounds, len(plan.players)))
        self._ladder: Final = Ladder(plan, self._joined) if plan.ladder else None
        for deal, round_ in itertools.groupby(kept.outcomes, lambda outcome: outcome.deal):
            self._take_up(deal, list(round_))
        self._step()
        self.resumed: Final = self.tally.rounds
        """How many rounds came from the checkpoint."""
        if self._records is not None:
            self._records.games = len(kept.outcomes)

    @property
    def decided(self) -> bool:
        """Whether the sequential test, if there is one, has come to an end."""
        return self._decided

    @property
    def complete(self) -> bool:
        """Whether all has been played that was asked for."""
        done = self.tally.games >= self.plan.games if self.plan.ladder else self.tally.rounds >= self.plan.deals
        return self._decided or done

    def run(self, workers: Workers, on_round: Callable[["Arena"], None] | None = None) -> None:
        """Play all that is left; ``on_round`` is called after each batch of rounds.

        However it ends, the checkpoint then holds all that has been counted. Raises `MilleBornesError` when the work
        cannot be done, `SaveError` when a file cannot be written.
        """
        start = time.monotonic()
        due = start + SAVE_EVERY
        before = self.seconds
        try:
            while not self.complete:
                meetings, end = self._stage()
                task = functools.partial(_task, self.plan, self._records is not None, meetings)
                work = in_order(workers, task, self.tally.rounds, end)
                try:
                    for _, batch in work:
                        self._add(batch)
                        self.wall = time.monotonic() - start
                        self.seconds = before + self.wall
                        if self.resume is not None and time.monotonic() > due:
                            begun = time.monotonic()
                            self.save()
                            due = time.monotonic() + max(SAVE_EVERY, SAVE_PART * (time.monotonic() - begun))
                        if on_round is not None:
                            on_round(self)
                        if self.decided:
                            break
                finally:
                    work.close()
                self._step()
        finally:
            self.wall = time.monotonic() - start
            self.seconds = before + self.wall
            self.save()

    def save(self) -> None:
        """Bring the checkpoint, if there is to be one, up to date. Raises `SaveError`."""
        if self.resume is not None:
            state = Checkpoint(self._outcomes, self._records is not None, self.seconds, tuple(self._joined))
            write_checkpoint(self.resume, self.plan, state)

    def report(self) -> dict[str, Any]:
        """The results so far as plain data (docs/arena.md)."""
        found = self.tally.to_dict(self.anchor)
        if self.sprt is not None:
            found["sprt"] = self.sprt.to_dict()
        rules = self.plan.rules
        found["set"] = edition(rules.edition).differences(rules) if rules.edition in EDITIONS else rules.settings()
        found["seed"] = seed_value(self.plan.seed)
        found["complete"] = self.complete
        found["wall_s"] = round(self.seconds, 3)
        return found

    def _stage(self) -> tuple[tuple[tuple[int, ...], ...] | None, int]:
        """Who meets next (None: as the plan says), and before which deal that may change."""
        if self._ladder is None:
            return None, self.plan.deals
        meetings = self._ladder.meetings
        size = len(meetings) * self.plan.rules.sides * self.plan.turns
        left = math.ceil((self.plan.games - self.tally.games) / size)
        return meetings, min(self._ladder.end, self.tally.rounds + left)

    def _step(self) -> None:
        """Go on to the ladder's next stage where one has ended."""
        if self._ladder is not None and self.tally.rounds >= self._ladder.end:
            strengths = [estimate.value for estimate in self.tally.ratings()]
            self._ladder.advance(
                self.tally.rounds, strengths, [self.tally.games_of(who) for who in range(len(strengths))]
            )

    def _take_up(self, deal: int, outcomes: list[Outcome]) -> None:
        """Count a round of the checkpoint. Raises `SaveError` unless it is the one that comes next."""
        if self._decided:
            return
        if self.complete:
            found = f"this checkpoint holds {len(self._outcomes)} games already; ask for at least as many"
            raise SaveError(f"{self.resume}: {found}")
        self._step()
        meetings, _ = self._stage()
        games = self.plan.games_of(self.tally.rounds, meetings)
        if [outcome[:3] for outcome in outcomes] != list(games):
            found = "this checkpoint is damaged: its games are not those of this run, in their order"
            raise SaveError(f"{self.resume}: {found}")
        self._count(outcomes)

    def _add(self, batch: Batch) -> None:
        """Count all of a batch; with a sequential test, as long as it is not decided."""
        if isinstance(batch.played, Columns) and self.sprt is None and self.resume is None:
            self.tally.add_columns(batch.played)
            return
        for _, round_ in itertools.groupby(batch.outcomes, lambda outcome: outcome.deal):
            if not self._decided:
                outcomes = list(round_)
                if self._records is not None:
                    for outcome in outcomes:
                        self._records.add(outcome.lines)
                self._count(outcomes)
                if self.resume is not None:  # in one go: Ctrl-C must not leave half a round
                    self._outcomes.extend([outcome._replace(lines=()) for outcome in outcomes])

    def _count(self, outcomes: Sequence[Outcome]) -> None:
        self.tally.add(outcomes)
        if self.sprt is not None:
            for score in self.tally.score_of_round(outcomes):
                self.sprt.add(score)
            self._decided = self.sprt.decision is not None


def _task(plan: Plan, records: bool, meetings: tuple[tuple[int, ...], ...] | None, deals: range) -> Any:
    return play_batch(plan, deals, records, meetings)


def run_arena(
    plan: Plan,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    sprt: Sprt | None = None,
    record: Path | None = None,
    anchor: int = 0,
) -> dict[str, Any]:
    """Play a plan and report, in one call. Raises as `Arena` and `open_workers` do."""
    arena = Arena(plan, sprt=sprt, record=record, anchor=anchor)
    with open_workers(jobs, cluster) as workers:
        arena.run(workers)
    return arena.report()
