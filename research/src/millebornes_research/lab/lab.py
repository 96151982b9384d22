"""Run experiments of the strategy lab, which measure how much a way of playing is worth, with confidence intervals."""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from millebornes.arena.executors import Workers
from millebornes.arena.run import FileKind, Run
from millebornes.arena.schedule import seed_value
from millebornes.errors import SaveError
from millebornes.policies.batch import KernelPlayer
from millebornes_research.lab.counts import Counts, add
from millebornes_research.lab.experiment import Experiment, about_rules
from millebornes_research.lab.sheets import Sheet
from millebornes_research.lab.study import counted

PARTS: Final = {
    "experiment": "experiment",
    "player": "player",
    "advice": "advice, the weights of maxims,",
    "studies": "table, or what is compared,",
}
"""The parts of each experiment in the key of a file, and the words for them in messages about differences."""


class Lab(Run):
    """A run that carries out one experiment after another."""

    kind: ClassVar[FileKind] = FileKind("millebornes-lab/1", "file of the strategy lab")

    def __init__(self, experiments: Sequence[Experiment], seed: str, *, resume: Path | None = None) -> None:
        """Raises `SaveError` if the file is damaged or belongs to another run."""
        super().__init__(resume)
        self.experiments: Final = tuple(experiments)
        self.seed: Final = seed
        self.counts: Final[list[list[Counts]]] = [[{} for _ in entry.studies] for entry in self.experiments]
        self.done: Final[list[list[int]]] = [[0 for _ in entry.studies] for entry in self.experiments]
        self.current = 0
        self.load()

    @property
    def complete(self) -> bool:
        """Whether all deals have been played."""
        return self.progress >= self.total

    @property
    def total(self) -> float:
        """The approximate number of hands to play."""
        return sum(study.deals * study.weight for entry in self.experiments for study in entry.studies)

    @property
    def progress(self) -> float:
        """The approximate number of hands played so far."""
        return sum(
            done * study.weight
            for entry, played in zip(self.experiments, self.done, strict=True)
            for study, done in zip(entry.studies, played, strict=True)
        )

    def line(self) -> str:
        """Return the estimate so far in the current experiment, as a sentence."""
        entry = self.experiments[self.current]
        return f"{entry.name}, {entry.title}: {entry.line(self.counts[self.current])}"

    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Play the deals of one experiment after another."""
        for i, entry in enumerate(self.experiments):
            self.current = i
            for j, study in enumerate(entry.studies):
                for done, counts in counted(workers, study, self.done[i][j]):
                    self.counts[i][j], self.done[i][j] = add(self.counts[i][j], counts), done
                    yield

    def report(self) -> dict[str, Any]:
        """Return the results so far as plain data: the settings, and the rows of sheets by name (notebook/lab.md)."""
        entries = [
            {
                "experiment": entry.name,
                **about_rules(entry.rules),
                "player": entry.player,
                "deals": list(done),
                "tables": {sheet.name: sheet.rows for sheet in sheets},
            }
            for (entry, sheets), done in zip(self.sheets(), self.done, strict=True)
        ]
        return {
            "experiments": entries,
            "seed": seed_value(self.seed),
            "complete": self.complete,
            "wall_s": round(self.seconds, 3),
        }

    def sheets(self) -> list[tuple[Experiment, list[Sheet]]]:
        """Return the results so far as sheets, for each experiment."""
        return [(entry, entry.sheets(counts)) for entry, counts in zip(self.experiments, self.counts, strict=True)]

    # ------------------------------------------------------------------ the file

    def key(self) -> list[Any]:
        """Return the seed and everything else that determines the counts."""
        keys = [
            {
                "experiment": entry.name,
                "player": entry.player,
                "advice": list(KernelPlayer.named(entry.player, entry.rules).advice),
                "studies": [study.key() for study in entry.studies],
            }
            for entry in self.experiments
        ]
        return [self.seed, keys]

    def difference(self, kept: Any, wanted: Any) -> str | None:
        """Return the difference between two keys in words: the seed, or a part of one of the experiments."""
        if kept[0] != wanted[0]:
            return "its seed differs"
        for name, words in PARTS.items():
            if [entry[name] for entry in kept[1]] != [entry[name] for entry in wanted[1]]:
                return f"its {words} differs"
        return None

    def state(self) -> dict[str, Any]:
        """Return the number of deals that each study has played, and the counts."""
        counts = [[{name: sums.tolist() for name, sums in found.items()} for found in entry] for entry in self.counts]
        return {"done": self.done, "counts": counts}

    def restore(self, data: dict[str, Any]) -> None:
        """Restore the counts. Raises `SaveError` if the file contains more deals than were requested."""
        super().restore(data)
        for i, entry in enumerate(self.experiments):
            for j, study in enumerate(entry.studies):
                done = int(data["done"][i][j])
                if done > study.deals:
                    raise SaveError(
                        f"{self.resume}: this file already contains {done} deals; ask for at least that many"
                    )
                self.done[i][j] = done
                self.counts[i][j] = {name: np.array(sums, np.int64) for name, sums in data["counts"][i][j].items()}
                expected = {name: sums.shape for name, sums in study.count(range(0)).items()}
                if done and expected != {name: sums.shape for name, sums in self.counts[i][j].items()}:
                    raise ValueError(study)
