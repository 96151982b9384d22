"""The common parts of searches for better weights: their settings, their results, and the final measurement."""

import dataclasses
from abc import abstractmethod
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from millebornes.arena.executors import Workers
from millebornes.arena.run import Run
from millebornes.arena.schedule import seed_value
from millebornes.editions import Rules
from millebornes.errors import PlayerError, SaveError
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.maxim_catalogue import BASE, MAXIMS
from millebornes.policies.maxim_weights import Advice
from millebornes.storage.files import write_atomically
from millebornes_research.lab.contrast import Contrast, edges_of, with_options
from millebornes_research.lab.counts import Counts, add, plain
from millebornes_research.lab.experiment import about_rules
from millebornes_research.lab.study import counted
from millebornes_research.seeds import seed_word

__all__ = ["MAX_WEIGHT", "Search", "SearchPlan", "Weights", "weights_of"]

Weights = dict[str, int]

MAX_WEIGHT: Final = 10_000
"""The limit of a weight, in points. A weight beyond it would be a command rather than an estimate."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class SearchPlan:
    """The settings of a search that starts from the weights of ``player``.

    It changes ``weights`` in ``rounds`` rounds. Each step uses ``deals`` hands or decks. ``final`` is the number of
    decks that measure the result.
    """

    rules: Rules
    player: str
    weights: Sequence[str]
    deals: int
    final: int
    rounds: int
    seed: str = "0"


def weights_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return the weights for ``names`` (of maxims or weights) without repetition, or all weights if it is empty.

    Raises `PlayerError` if a name is unknown.
    """
    found: dict[str, None] = {}
    for name in names:
        if name in MAXIMS:
            found.update(dict.fromkeys(MAXIMS[name].weights))
        elif name in Advice._fields:
            found[name] = None
        else:
            raise PlayerError(f"there is no maxim and no weight {name!r}; the maxims are {', '.join(MAXIMS)}")
    if not found:
        found = dict.fromkeys(name for maxim in MAXIMS.values() for name in maxim.weights if name != "match")
        found.update(dict.fromkeys(BASE))
    if "match" in found:
        raise PlayerError("match isn't a weight; it sets the objective")
    return tuple(found)


class Search(Run):
    """A search for better weights of `maxims`.

    At the end, the result plays against the player from which the search started, on new decks. The best result so far
    is written to ``output`` as the name of a player.
    """

    plan: SearchPlan
    verb: ClassVar[str]
    """What the search does with weights, as a verb for error messages and for the seeds of the decks."""

    def __init__(
        self, plan: SearchPlan, weights: Sequence[str], *, output: Path | None = None, resume: Path | None = None
    ) -> None:
        """Raises `PlayerError` if the player is invalid."""
        super().__init__(resume)
        self.plan = plan
        self.weights: Final = tuple(weights)
        self.output: Final = output
        self.advice: Final = KernelPlayer.named(plan.player, plan.rules).advice
        self.start: Final[Weights] = {name: int(getattr(self.advice, name)) for name in self.weights}
        self.best: Weights = dict(self.start)
        self.place = 0
        """The number of finished steps."""
        self.found: Counts = {}
        self.checked = 0

    @classmethod
    def check_player(cls, player: str) -> None:
        """Raise `PlayerError` if the player has no weights."""
        if player.partition(":")[0] != "maxims":
            raise PlayerError(f"{player!r} has no weights to {cls.verb}; the player must be maxims, with any options")

    @property
    @abstractmethod
    def steps_to_do(self) -> int:
        """The number of steps in the whole search."""

    @property
    def total(self) -> int:
        """The number of steps, plus one for the final measurement."""
        return self.steps_to_do + 1

    @property
    def progress(self) -> float:
        """The number of steps done. The final measurement counts as one step."""
        return self.place + (self.checked / self.plan.final if self.plan.final else 0.0)

    @property
    def complete(self) -> bool:
        """Whether the search is finished and its result has been measured."""
        return self.place >= self.steps_to_do and (self.checked >= self.plan.final or self.best == self.start)

    @property
    def name(self) -> str:
        """The best player found so far, as a name that can be used anywhere."""
        return self.named(self.best)

    @property
    def changed(self) -> dict[str, list[int]]:
        """Return the old and the new value of each weight that has changed."""
        return {name: [self.start[name], value] for name, value in self.best.items() if value != self.start[name]}

    @abstractmethod
    def line(self) -> str:
        """Return the progress in a few words."""

    @abstractmethod
    def _step(self, workers: Workers) -> Generator[None, None, None]:
        """Carry out the next step.

        The method may yield during the step, but it updates the state all at once at the end.
        """

    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Carry out one step of the search after another."""
        while self.place < self.steps_to_do:
            yield from self._step(workers)
            yield
        if self.best != self.start:
            study = self.contest((self.best,), self.start, "final", self.plan.final)
            for done, counts in counted(workers, study, self.checked):
                self.found, self.checked = add(self.found, counts), done
                yield

    def named(self, values: Weights) -> str:
        """Return the name of the player with these weights."""
        changed = [f"{name}={value}" for name, value in values.items() if value != self.start[name]]
        return with_options(self.plan.player, *changed)

    def contest(self, tried: Sequence[Weights], base: Weights, label: str, deals: int) -> Contrast:
        """Return a comparison of weights in single hands. Each ``label`` has its own decks."""
        return Contrast(
            rules=self.plan.rules,
            base=self.named(base),
            variants=tuple(self.named(values) for values in tried),
            deals=deals,
            match_target=None,
            seed=seed_word(self.plan.seed, self.verb, label),
        )

    def report(self) -> dict[str, Any]:
        """Return the results as plain data; ``points`` and ``share`` come from decks that the search didn't use."""
        points, share = edges_of(self.found, self.plan.rules, 0)
        return {
            **about_rules(self.plan.rules),
            "start": self.plan.player,
            "best": self.name,
            **self.about_plan(),
            "changed": self.changed,
            "points": plain(points),
            "share": plain(share),
            "deals": self.checked,
            **self.about_steps(),
            "seed": seed_value(self.plan.seed),
            "complete": self.complete,
            "wall_s": round(self.seconds, 3),
        }

    def about_plan(self) -> dict[str, Any]:
        """Return additional settings as fields of a report."""
        return {}

    @abstractmethod
    def about_steps(self) -> dict[str, Any]:
        """Return the steps as fields of a report."""

    # ------------------------------------------------------------------ files

    def text(self) -> str:
        """Return the contents for `output`."""
        return f"{self.name}\n"

    def save(self) -> None:
        """Update both files, if they were requested. Raises `SaveError`."""
        if self.output is not None:
            write_atomically(self.output, self.text().encode())
        super().save()

    def key(self) -> dict[str, Any]:
        """Return the settings of the search."""
        rules = self.plan.rules
        return {
            "rules": {**rules.settings(), "table": rules.table},
            "player": self.plan.player,
            "weights": self.start,
            **self.about_plan(),
            "deals": self.plan.deals,
            "seed": self.plan.seed,
        }

    def state(self) -> dict[str, Any]:
        """Return the best weights, the number of steps done, and the final measurement."""
        return {
            "best": self.best,
            "place": self.place,
            "checked": self.checked,
            "found": {name: value.tolist() for name, value in self.found.items()},
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Continue after the last step. Raises `SaveError` if the file contains more rounds than were requested."""
        super().restore(data)
        if data["place"] > self.steps_to_do:
            raise SaveError(f"{self.resume}: this file already contains more rounds; ask for at least as many")
        self.best = {name: int(data["best"][name]) for name in self.weights}
        self.place = int(data["place"])
        if self.place >= self.steps_to_do and "checked" in data:  # additional rounds need a new measurement
            self.checked = int(data["checked"])
            self.found = {name: np.array(value, np.int64) for name, value in data["found"].items()}
