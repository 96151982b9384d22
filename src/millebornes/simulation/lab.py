"""The strategy lab: experiments that measure, with intervals, what playing this way or that is worth.

An `Experiment` asks one question at one table. It consists of `Study` objects, which play deals and count; the counts
are sums of whole numbers, so a result depends neither on how the deals were shared out nor on interruptions.
"""

import dataclasses
import functools
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from millebornes.editions import EDITIONS, Rules, edition
from millebornes.errors import MALFORMED, SaveError
from millebornes.players.batch import KernelPlayer
from millebornes.simulation.executors import Workers, in_order
from millebornes.simulation.lab_counts import Counts, add
from millebornes.simulation.lab_tables import Sheet
from millebornes.simulation.seeds import seed_value
from millebornes.storage.atomic import write_atomically

__all__ = ["FORMAT", "Batch", "Experiment", "Lab", "Study", "about_rules", "count_batch"]

FORMAT: Final = "millebornes-lab/1"
SAVE_EVERY: Final = 5.0
"""Seconds between two writes of the file that a run can go on from."""


class Study(ABC):
    """So many ``deals`` of one kind. A frozen dataclass, so that it can be sent to workers."""

    deals: int

    @abstractmethod
    def count(self, deals: range) -> Counts:
        """Play these deals (numbers from 0) and count; equal deals are played alike in any batch."""

    @property
    @abstractmethod
    def weight(self) -> float:
        """About how many hands a deal takes: how far a run has come is told by it."""

    def key(self) -> dict[str, Any]:
        """All that decides the counts but the number of deals, as plain data."""
        found = {}
        for field in dataclasses.fields(self):  # type: ignore[arg-type] # every study is a dataclass
            value = getattr(self, field.name)
            if field.name != "deals":
                found[field.name] = value.settings() | {"table": value.table} if isinstance(value, Rules) else value
        return {"study": type(self).__name__, **found}


class Experiment(ABC):
    """One question at one table; ``player`` is the name of who plays, as elsewhere."""

    name: ClassVar[str]
    summary: ClassVar[str]
    plots: ClassVar[tuple[str, str]]
    """The sheet and the column that a plot shows, against the sheet's first column."""

    rules: Rules
    player: str
    studies: tuple[Study, ...]

    @abstractmethod
    def sheets(self, counts: Sequence[Counts]) -> list[Sheet]:
        """The results so far from the counts of all studies, which are empty where nothing was played yet."""

    @abstractmethod
    def line(self, counts: Sequence[Counts]) -> str:
        """The estimate so far in a few words."""

    @property
    def title(self) -> str:
        """The table in words, such as ``classic 2x2``."""
        return f"{self.rules.edition or 'own rules'} {self.rules.table}"


class Batch(NamedTuple):
    """What a worker hands back: what it counted, and the seconds that took."""

    counts: Counts
    seconds: float


def count_batch(study: Study, deals: range) -> Batch:
    """Play some deals of a study; what an executor runs."""
    start = time.perf_counter()
    counts = study.count(deals)
    return Batch(counts, time.perf_counter() - start)


class Lab:
    """A run of experiments one after the other. `report` can be asked at any moment, also after an interruption.

    ``resume`` is a file with the counts so far, gone on from if it is there, and kept up to date.
    """

    def __init__(self, experiments: Sequence[Experiment], seed: str, *, resume: Path | None = None) -> None:
        """Raises `SaveError` for a file that is damaged or of another run."""
        self.experiments: Final = tuple(experiments)
        self.seed: Final = seed
        self.resume: Final = resume
        self.counts: Final[list[list[Counts]]] = [[{} for _ in entry.studies] for entry in self.experiments]
        self.done: Final[list[list[int]]] = [[0 for _ in entry.studies] for entry in self.experiments]
        self.seconds = 0.0
        self.current = 0
        if resume is not None:
            self._read(resume)

    @property
    def complete(self) -> bool:
        """Whether all deals have been played."""
        return self.progress >= self.total

    @property
    def total(self) -> float:
        """About how many hands there are to play."""
        return sum(study.deals * study.weight for entry in self.experiments for study in entry.studies)

    @property
    def progress(self) -> float:
        """About how many hands have been played."""
        return sum(
            done * study.weight
            for entry, played in zip(self.experiments, self.done, strict=True)
            for study, done in zip(entry.studies, played, strict=True)
        )

    def line(self) -> str:
        """The estimate so far of the experiment that is running."""
        entry = self.experiments[self.current]
        return f"{entry.name}, {entry.title}: {entry.line(self.counts[self.current])}"

    def run(self, workers: Workers, on_batch: Callable[["Lab"], None] | None = None) -> None:
        """Play all that is left; ``on_batch`` is called after each batch.

        However it ends, the file then holds all that has been counted. Raises `MilleBornesError` when the work cannot
        be done, `SaveError` when the file cannot be written.
        """
        start = last = time.monotonic()
        before = self.seconds
        try:
            for i, entry in enumerate(self.experiments):
                self.current = i
                for j, study in enumerate(entry.studies):
                    work = in_order(workers, functools.partial(count_batch, study), self.done[i][j], study.deals)
                    try:
                        for batch, found in work:
                            self.counts[i][j] = add(self.counts[i][j], found.counts)
                            self.done[i][j] = batch.stop
                            self.seconds = before + time.monotonic() - start
                            if time.monotonic() - last > SAVE_EVERY:
                                self.save()
                                last = time.monotonic()
                            if on_batch is not None:
                                on_batch(self)
                    finally:
                        work.close()
        finally:
            self.seconds = before + time.monotonic() - start
            self.save()

    def report(self) -> dict[str, Any]:
        """The results so far as plain data: what was run, and the rows of all sheets by their names (docs/lab.md)."""
        entries = []
        for entry, counts, done in zip(self.experiments, self.counts, self.done, strict=True):
            entries.append(
                {
                    "experiment": entry.name,
                    **about_rules(entry.rules),
                    "player": entry.player,
                    "deals": list(done),
                    "tables": {sheet.name: sheet.rows for sheet in entry.sheets(counts)},
                }
            )
        return {
            "experiments": entries,
            "seed": seed_value(self.seed),
            "complete": self.complete,
            "wall_s": round(self.seconds, 3),
        }

    def sheets(self) -> list[tuple[Experiment, list[Sheet]]]:
        """The results so far as tables."""
        return [(entry, entry.sheets(counts)) for entry, counts in zip(self.experiments, self.counts, strict=True)]

    # ------------------------------------------------------------------ the file

    def save(self) -> None:
        """Bring the file, if there is to be one, up to date. Raises `SaveError`."""
        if self.resume is None:
            return
        data = {
            "format": FORMAT,
            "key": self._key(),
            "seconds": round(self.seconds, 3),
            "done": self.done,
            "counts": [[{k: v.tolist() for k, v in c.items()} for c in entry] for entry in self.counts],
        }
        write_atomically(self.resume, json.dumps(data, separators=(",", ":")).encode() + b"\n")

    def _key(self) -> list[Any]:
        keys = [
            {
                "experiment": entry.name,
                "player": entry.player,
                "advice": list(KernelPlayer.named(entry.player, entry.rules).advice),
                "studies": [study.key() for study in entry.studies],
            }
            for entry in self.experiments
        ]
        found: list[Any] = json.loads(json.dumps([self.seed, keys]))
        return found

    def _read(self, path: Path) -> None:
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise SaveError(f"{path}: cannot be read ({error.strerror or error})") from None
        try:
            data = json.loads(text)
            found = data["format"]
        except MALFORMED:
            raise SaveError(f"{path}: this is no file of the strategy lab") from None
        if found != FORMAT:
            raise SaveError(f'{path}: the format of such a file is "{FORMAT}", not {found!r}')
        try:
            other = next((name for name, a, b in _pairs(data["key"], self._key()) if a != b), None)
            if other is not None:
                raise SaveError(f"{path}: this file belongs to another run: its {other} differs")
            for i, entry in enumerate(self.experiments):
                for j, study in enumerate(entry.studies):
                    done = int(data["done"][i][j])
                    if done > study.deals:
                        raise SaveError(f"{path}: this file holds {done} deals already; ask for at least as many")
                    self.done[i][j] = done
                    self.counts[i][j] = {k: np.array(v, np.int64) for k, v in data["counts"][i][j].items()}
                    expected = {k: v.shape for k, v in study.count(range(0)).items()}
                    if done and expected != {k: v.shape for k, v in self.counts[i][j].items()}:
                        raise ValueError(study)
            self.seconds = float(data["seconds"])
        except MALFORMED:
            raise SaveError(f"{path}: this file is damaged") from None


def _pairs(kept: list[Any], wanted: list[Any]) -> list[tuple[str, Any, Any]]:
    found = [("seed", kept[0], wanted[0])]
    for name in ("experiment", "player"):
        found.append((name, [entry[name] for entry in kept[1]], [entry[name] for entry in wanted[1]]))
    for name, words in (("advice", "advice, the weights of maxims,"), ("studies", "table, or what is compared,")):
        found.append((words, [entry[name] for entry in kept[1]], [entry[name] for entry in wanted[1]]))
    return found


def about_rules(rules: Rules) -> dict[str, Any]:
    """An edition and its table as the fields of a report."""
    known = rules.edition in EDITIONS
    changed = edition(str(rules.edition)).differences(rules) if known else rules.settings()
    return {"edition": rules.edition, "seats": rules.seats, "sides": rules.sides, "set": changed}
