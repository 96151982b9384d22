"""The arena: players against each other, over as many deals as it takes, and what can be said about them."""

import functools
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

from millebornes.editions import EDITIONS, edition
from millebornes.errors import MilleBornesError, SaveError
from millebornes.simulation.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from millebornes.simulation.duplicate import Outcome, play_batch
from millebornes.simulation.executors import Workers, in_order, open_workers
from millebornes.simulation.results import Tally
from millebornes.simulation.schedule import Plan
from millebornes.simulation.sprt import Sprt

__all__ = ["Arena", "run_arena"]

SAVE_EVERY: Final = 5.0
"""Seconds between two checkpoints."""


class Arena:
    """A run of a plan. `run` plays; `tally` and `report` can be asked at any moment, also after an interruption.

    ``record`` is a file for the transcripts of all games one after the other, or a folder for a file each; ``resume``
    a checkpoint, which is gone on from if it is there, and kept up to date. ``sprt`` ends the run once decided.
    """

    def __init__(
        self, plan: Plan, *, sprt: Sprt | None = None, record: Path | None = None, resume: Path | None = None
    ) -> None:
        """Raises `SaveError` for a checkpoint that is damaged or of another plan, `MilleBornesError` for a bad test."""
        if sprt is not None and (len(plan.players) != 2 or plan.rules.sides != 2):
            raise MilleBornesError("a sequential test compares two players at a table of two sides")
        self.plan: Final = plan
        self.sprt: Final = sprt
        self.tally: Final = Tally(plan)
        self.resume: Final = resume
        self.seconds = 0.0
        self.wall = 0.0
        self._decided = False
        self._record = _Record(record) if record is not None else None
        kept = read_checkpoint(resume, plan) if resume is not None else Checkpoint([])
        self._outcomes: Final = kept.outcomes
        size = plan.games_a_round
        for start in range(0, len(kept.outcomes), size):
            if not self.decided:
                self._count(kept.outcomes[start : start + size])
        self.seconds = kept.seconds
        self.resumed: Final = self.tally.rounds
        """How many rounds came from the checkpoint."""
        if self._record is not None:
            self._record.open(kept.recorded, len(kept.outcomes))

    @property
    def decided(self) -> bool:
        """Whether the sequential test, if there is one, has come to an end."""
        return self._decided

    def run(self, workers: Workers, on_round: Callable[["Arena"], None] | None = None) -> None:
        """Play all that is left; ``on_round`` is called after each batch of rounds.

        However it ends, the checkpoint then holds all that has been counted. Raises `MilleBornesError` when the work
        cannot be done, `SaveError` when a file cannot be written.
        """
        start = last = time.monotonic()
        before = self.seconds
        task = functools.partial(_task, self.plan, self._record is not None)
        left = self.tally.rounds if self.decided else self.plan.deals
        work = in_order(workers, task, self.tally.rounds, left)
        size = self.plan.games_a_round
        try:
            for _, batch in work:
                for first in range(0, len(batch.outcomes), size):
                    if not self.decided:
                        outcomes = batch.outcomes[first : first + size]
                        self._count(outcomes)
                        self._keep(outcomes)
                self.wall = time.monotonic() - start
                self.seconds = before + self.wall
                if self.resume is not None and time.monotonic() - last > SAVE_EVERY:
                    self.save()
                    last = time.monotonic()
                if on_round is not None:
                    on_round(self)
                if self.decided:
                    break
        finally:
            work.close()
            self.wall = time.monotonic() - start
            self.seconds = before + self.wall
            self.save()
            if self._record is not None:
                self._record.close()

    def save(self) -> None:
        """Bring the checkpoint, if there is to be one, up to date. Raises `SaveError`."""
        if self.resume is None:
            return
        recorded = self._record.flush() if self._record is not None else 0
        write_checkpoint(self.resume, self.plan, Checkpoint(self._outcomes, recorded, self.seconds))

    def report(self) -> dict[str, Any]:
        """The results so far as plain data (docs/arena.md)."""
        found = self.tally.to_dict()
        if self.sprt is not None:
            found["sprt"] = self.sprt.to_dict()
        seed = self.plan.seed
        rules = self.plan.rules
        found["set"] = edition(rules.edition).differences(rules) if rules.edition in EDITIONS else rules.settings()
        found["seed"] = int(seed) if seed.isascii() and seed.isdigit() and str(int(seed)) == seed else seed
        found["complete"] = self.decided or self.tally.rounds >= self.plan.deals
        found["wall_s"] = round(self.seconds, 3)
        return found

    def _count(self, outcomes: Sequence[Outcome]) -> None:
        self.tally.add(outcomes)
        if self.sprt is not None:
            for score in self.tally.score_of_round(outcomes):
                self.sprt.add(score)
            self._decided = self.sprt.decision is not None

    def _keep(self, outcomes: Sequence[Outcome]) -> None:
        for outcome in outcomes:
            if self._record is not None:
                self._record.add(outcome.lines)
            if self.resume is not None:
                self._outcomes.append(outcome._replace(lines=()))


def _task(plan: Plan, records: bool, deals: range) -> Any:
    return play_batch(plan, deals, records)


class _Record:
    """Transcripts of all games in order: in one file, one after the other, or in a folder, in a file each."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self.folder: Final = path.is_dir()
        self.games = 0
        self._file: BinaryIO | None = None

    def open(self, size: int, games: int) -> None:
        """Go on after ``size`` bytes, which hold so many games."""
        self.games = games
        if self.folder:
            return
        if games and not size:
            raise SaveError(f"{self.path}: the run that is gone on with kept no record; leave --record out")
        try:
            if size and (not self.path.exists() or self.path.stat().st_size < size):
                raise SaveError(f"{self.path}: the record that this run goes on with is missing or too short")
            self._file = self.path.open("r+b" if size else "wb")
            self._file.truncate(size)
            self._file.seek(size)
        except OSError as error:
            raise SaveError(f"{self.path}: cannot be written ({error.strerror or error})") from None

    def add(self, lines: Sequence[str]) -> None:
        self.games += 1
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            if self._file is not None:
                self._file.write(data)
            else:
                (self.path / f"game-{self.games:06}.jsonl").write_bytes(data)
        except OSError as error:
            raise SaveError(f"{self.path}: cannot be written ({error.strerror or error})") from None

    def flush(self) -> int:
        """See all on its way to the disk; how many bytes there are."""
        if self._file is None:
            return 0
        self._file.flush()
        return self._file.tell()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def run_arena(
    plan: Plan, *, jobs: int = 1, cluster: str | None = None, sprt: Sprt | None = None, record: Path | None = None
) -> dict[str, Any]:
    """Play a plan and report, in one call. Raises as `Arena` and `open_workers` do."""
    arena = Arena(plan, sprt=sprt, record=record)
    with open_workers(jobs, cluster) as workers:
        arena.run(workers)
    return arena.report()
