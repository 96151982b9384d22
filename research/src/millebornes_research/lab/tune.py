"""Tune weights by play: one weight at a time, comparing each change with the current value on the same decks."""

import collections
import dataclasses
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from millebornes.arena.executors import Workers
from millebornes.arena.run import FileKind
from millebornes.arena.statistics import Estimate
from millebornes.errors import MilleBornesError
from millebornes_research.lab.contrast import Contrast, edges_of
from millebornes_research.lab.counts import Counts, add, plain
from millebornes_research.lab.search import MAX_WEIGHT, Search, SearchPlan, Weights, weights_of
from millebornes_research.lab.study import summed

__all__ = ["Trial", "Tuner", "Tuning"]

OBJECTIVES: Final = ("points", "match")
MIN_STEP: Final = 1
PROMISING: Final = 1.0
"""The number of standard errors by which a change must be a gain on its first decks …"""
MIN_ERRORS: Final = 1.64
"""… and on these decks and the same number of new decks together."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Tuning(SearchPlan):
    """The settings of a tuning run, in which each change is measured on ``deals`` decks.

    ``objective`` is ``points`` (per hand, or per match if there is a ``match_target``) or ``match`` (the share of
    matches).
    """

    weights: Sequence[str] = ()
    deals: int = 2000
    final: int = 20_000
    rounds: int = 2
    objective: str = "points"
    match_target: int | None = None


@dataclasses.dataclass(frozen=True)
class Trial:
    """A change that was tried: the new value of the weight, its edge, and whether it was kept."""

    weight: str
    value: int
    edge: Estimate
    kept: bool


class Tuner(Search):
    """A search for better weights that changes one weight at a time.

    In each round, every weight in turn is tried one step higher and one step lower, against the best weights so far, in
    all seats. A change that seems better is tried again on the same number of new decks, and is kept if all results
    together confirm it. The first step is a third of the weight. Steps grow after a success, and are halved if neither
    direction was better.
    """

    kind: ClassVar[FileKind] = FileKind("millebornes-tune/1", "file of a tuning run")
    verb: ClassVar[str] = "tune"
    plan: Tuning

    def __init__(self, plan: Tuning, *, output: Path | None = None, resume: Path | None = None) -> None:
        """Raises `PlayerError` for an invalid player or weight, and `SaveError` if the file belongs to another run."""
        if plan.objective not in OBJECTIVES:
            raise MilleBornesError(f"the objective must be {' or '.join(OBJECTIVES)}, not {plan.objective!r}")
        self.check_player(plan.player)
        if plan.objective == "match" and plan.match_target is None:
            raise MilleBornesError("a share of matches needs a match target")
        super().__init__(plan, weights_of(plan.weights), output=output, resume=resume)
        self.steps = {name: max(2, abs(value) // 3) for name, value in self.start.items()}
        self.trials: list[Trial] = []
        self.load()

    @property
    def steps_to_do(self) -> int:
        """The number of weights to try in all rounds."""
        return self.plan.rounds * len(self.weights)

    def _step(self, workers: Workers) -> Generator[None, None, None]:
        """Try the next weight one step higher and one step lower. If this is interrupted, the step starts again."""
        weight = self.weights[self.place % len(self.weights)]
        step, best, after = self.steps[weight], self.best, max(MIN_STEP, self.steps[weight] // 2)
        trials: list[Trial] = []
        for value in (best[weight] + step, best[weight] - step):
            if abs(value) > MAX_WEIGHT:
                continue
            changed = best | {weight: value}
            label = f"{self.place} {value}"
            found = self._compare(workers, changed, label, 0, self.plan.deals)
            edge = self._edge(found)
            kept = False
            if edge.value > PROMISING * edge.stderr:
                again = self._compare(workers, changed, label, self.plan.deals, 2 * self.plan.deals)
                edge = self._edge(add(found, again))
                kept = edge.value > MIN_ERRORS * edge.stderr
            trials.append(Trial(weight, value, edge, kept))
            if kept:
                best, after = changed, step + step // 2
                break
        self.best, self.steps[weight] = best, after
        self.trials += trials
        self.place += 1
        yield from ()

    def _compare(self, workers: Workers, values: Weights, label: str, first: int, end: int) -> Counts:
        total: Counts = {}
        collections.deque(summed(workers, self.contest((values,), self.best, label, end), total, first), maxlen=0)
        return total

    def contest(self, tried: Sequence[Weights], base: Weights, label: str, deals: int) -> Contrast:
        """Return a comparison of weights as in every search, but in matches if there is a match target."""
        return dataclasses.replace(super().contest(tried, base, label, deals), match_target=self.plan.match_target)

    def _edge(self, counts: Counts) -> Estimate:
        points, share = edges_of(counts, self.plan.rules, 0)
        return share if self.plan.objective == "match" else points

    # ------------------------------------------------------------------ what is known

    def line(self) -> str:
        """Return the progress in a few words."""
        found = f"{len(self.trials)} changes tried, {sum(trial.kept for trial in self.trials)} kept"
        if not self.trials:
            return found
        last = self.trials[-1]
        scale, unit = (100, " %") if self.plan.objective == "match" else (1, " points")
        edge, reach = scale * last.edge.value, scale * 2 * last.edge.stderr
        return f"{found}; {last.weight}={last.value}: {edge:+.2f} ± {reach:.2f}{unit}"

    def about_plan(self) -> dict[str, Any]:
        """Return the objective."""
        return {"objective": self.plan.objective, "match_target": self.plan.match_target}

    def about_steps(self) -> dict[str, Any]:
        """Return all trials."""
        rows = [
            {"weight": trial.weight, "value": trial.value, "edge": plain(trial.edge), "kept": trial.kept}
            for trial in self.trials
        ]
        return {"trials": rows}

    def state(self) -> dict[str, Any]:
        """Return the state of the search, with the sizes of the steps by weight, and the trials."""
        trials = [[t.weight, t.value, list(t.edge), t.kept] for t in self.trials]
        return super().state() | {"steps": self.steps, "trials": trials}

    def restore(self, data: dict[str, Any]) -> None:
        """Continue with the next weight."""
        super().restore(data)
        self.steps = {name: int(data["steps"][name]) for name in self.weights}
        self.trials = [Trial(str(w), int(v), Estimate(*map(float, e)), bool(k)) for w, v, e, k in data["trials"]]
