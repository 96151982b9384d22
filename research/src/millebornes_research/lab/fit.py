"""Fit all weights at once by least squares, using the results of moves that were played out (see `Pairs`)."""

import dataclasses
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from millebornes.arena.executors import Workers
from millebornes.arena.run import FileKind, Run
from millebornes.arena.schedule import seed_value
from millebornes.arena.statistics import Estimate, plain
from millebornes.editions import Rules
from millebornes.errors import PlayerError, SaveError
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.maxim_catalogue import BASE, MAXIMS
from millebornes.policies.maxim_weights import CROWD, MATCH, PARTNERS, Advice, tuned
from millebornes.storage.files import write_atomically
from millebornes_research.lab.contrast import Contrast, edges_of, with_options
from millebornes_research.lab.counts import Counts, add
from millebornes_research.lab.experiment import about_rules
from millebornes_research.lab.pairs import MAX_WEIGHT, Pairs, solved
from millebornes_research.lab.study import counted, summed
from millebornes_research.seeds import seed_word

Weights = dict[str, int]

RIDGE: Final = 3000.0
"""The penalty for changing a weight by its own size, in pairs of moves."""
QUESTION_RIDGE: Final = 0.004
"""The same penalty for the weights of the extension, as a share of the questions asked."""
STEPS: Final = (0.4, 0.8)
"""The parts of the fitted change to try. The whole change would go too far, because other moves then become close."""
UNFIT: Final = ("stake", "match", "delay", "keep_safety", "keep_owned", "keep_desperate", "finish")
"""The prefixes of weights that aren't points added to a move, or about which single hands contain no information."""


def fitted_weights(names: Sequence[str]) -> tuple[str, ...]:
    """Return the weights named by ``names`` that can be fitted.

    Each name is a maxim or a weight, and no names mean all weights. Raises `PlayerError` if a name is unknown, or if no
    weights are left.
    """
    named: list[str] = []
    for name in names:
        if name not in MAXIMS and name not in Advice._fields:
            raise PlayerError(f"there is no maxim and no weight {name!r}; the maxims are {', '.join(MAXIMS)}")
        named += MAXIMS[name].weights if name in MAXIMS else [name]
    if "match" in named:
        raise PlayerError("match isn't a weight; it sets the objective")
    if not names:
        named = [*(name for maxim in MAXIMS.values() for name in maxim.weights), *BASE]
    found = tuple(name for name in dict.fromkeys(named) if not name.startswith(UNFIT))
    if not found:
        raise PlayerError(f"none of {', '.join(names)} can be fitted")
    return found


@dataclasses.dataclass(frozen=True)
class Step:
    """Part of a fitted change that was tried: its size, its edge over the old weights, and whether it was kept."""

    round: int
    size: float
    edge: Estimate
    kept: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class Fitting:
    """The settings of a fit that starts from the weights of ``player``.

    It changes ``weights`` in ``rounds`` rounds. In each of them, decisions in ``deals`` hands are played out, and
    ``trials`` decks measure the change. ``final`` is the number of decks that measure the result.
    """

    rules: Rules
    player: str
    weights: Sequence[str] = ()
    deals: int = 20_000
    final: int = 10_000
    rounds: int = 2
    trials: int = 5000
    seed: str = "0"


class Fitter(Run):
    """A fit of all weights at once, or of those of the given maxims.

    Each round plays out decisions and fits the weights to them. Two parts of the change (`STEPS`) play against the
    previous weights on new decks, and the better one is kept if it is a gain. At the end, the result plays against the
    player from which the fit started, on new decks.

    The best result so far is written to ``output``. If this name ends in ``.toml``, the result is a section as in the
    file of built-in weights, and otherwise the name of a player.
    """

    kind: ClassVar[FileKind] = FileKind("millebornes-fit/1", "file of a fitting run")

    def __init__(self, plan: Fitting, *, output: Path | None = None, resume: Path | None = None) -> None:
        """Raises `PlayerError` for an invalid player or weight, and `SaveError` if the file belongs to another run."""
        super().__init__(resume)
        if plan.player.partition(":")[0] != "maxims":
            raise PlayerError(f"{plan.player!r} has no weights to fit; the player must be maxims, with any options")
        self.plan: Final = plan
        self.weights: Final = fitted_weights(plan.weights)
        self.output: Final = output
        self.advice: Final = KernelPlayer.named(plan.player, plan.rules).advice
        self.start: Final[Weights] = {name: int(getattr(self.advice, name)) for name in self.weights}
        self.best: Weights = dict(self.start)
        self.place = 0
        """The number of finished rounds."""
        self.within = 0.0
        """The part of the current round that has been done."""
        self.steps: list[Step] = []
        self.decisions = 0
        self.found: Counts = {}
        self.checked = 0
        self.load()

    @property
    def total(self) -> int:
        """The number of rounds, plus one for the final measurement."""
        return self.plan.rounds + 1

    @property
    def progress(self) -> float:
        """The number of rounds done, including the part of the current one. The final measurement counts as a round."""
        return self.place + self.within + (self.checked / self.plan.final if self.plan.final else 0.0)

    @property
    def complete(self) -> bool:
        """Whether the fit is finished and its result has been measured."""
        return self.place >= self.plan.rounds and (self.checked >= self.plan.final or self.best == self.start)

    @property
    def name(self) -> str:
        """The best player found so far, as a name that can be used anywhere."""
        return self.named(self.best)

    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Carry out one round after another, and measure the result."""
        while self.place < self.plan.rounds:
            yield from self._round(workers)
            yield
        if self.best != self.start:
            study = self.contest((self.best,), self.start, "final", self.plan.final)
            for done, counts in counted(workers, study, self.checked):
                self.found, self.checked = add(self.found, counts), done
                yield

    def _round(self, workers: Workers) -> Generator[None, None, None]:
        """Carry out one round. If it is interrupted, the round starts again."""
        plan = self.plan
        pairs = Pairs(
            rules=plan.rules,
            player=self.name,
            weights=self.weights,
            deals=plan.deals,
            seed=seed_word(plan.seed, "fit", self.place),
        )
        total: Counts = {}
        for done in summed(workers, pairs, total):
            self.within = 0.9 * done / plan.deals
            yield
        turns, asked = (int(total[name][0]) for name in ("pairs", "questions"))
        change = solved(total["products"], total["errors"], turns, RIDGE)
        asking = solved(total["extend_products"], total["extend_errors"], asked, QUESTION_RIDGE * asked)
        tried = [self._changed_by(change, asking, size) for size in STEPS]
        found: Counts = {}
        contest = self.contest(tried, self.best, f"trial {self.place}", plan.trials)
        for done in summed(workers, contest, found):
            self.within = 0.9 + 0.1 * done / plan.trials
            yield
        edges = [edges_of(found, plan.rules, i)[0] for i in range(len(STEPS))]
        better = max(range(len(STEPS)), key=lambda i: edges[i].value)
        gains = edges[better].value > 0
        self.steps += [Step(self.place, size, edges[i], gains and i == better) for i, size in enumerate(STEPS)]
        if gains:
            self.best = tried[better]
        self.decisions += int(total["decisions"][0])
        self.place, self.within = self.place + 1, 0.0

    def _changed_by(self, change: Sequence[float], asking: Sequence[float], size: float) -> Weights:
        """Return the weights after part of the change.

        The weights of the extension are changed completely, because there are only two moves to choose from.
        """
        changed = {}
        for i, name in enumerate(self.weights):
            by = asking[i] if name.startswith("extend") else size * change[i]
            changed[name] = max(-MAX_WEIGHT, min(MAX_WEIGHT, round(self.best[name] + by)))
        return changed

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
            seed=seed_word(self.plan.seed, "fit", label),
        )

    def line(self) -> str:
        """Return the progress in a few words."""
        told = f"round {min(self.place + 1, self.plan.rounds)} of {self.plan.rounds}"
        if not self.steps:
            return told
        last = max(self.steps[-len(STEPS) :], key=lambda step: step.edge.value)
        return f"{told}; the last gained {last.edge.value:+.1f} ± {2 * last.edge.stderr:.1f} points a hand"

    def toml(self) -> str:
        """Return all weights as a TOML section named after their set, which is a column of maxims.toml."""
        tables = {MATCH: "match", PARTNERS: "partners", CROWD: "crowd"}
        advice = self.advice._replace(**self.best)
        lines = [f"{name} = {value}" for name, value in advice._asdict().items()]
        return "\n".join([f"[{tables.get(tuned(self.plan.rules), 'stack')}]", *lines, ""])

    def report(self) -> dict[str, Any]:
        """Return the results as plain data; ``points`` and ``share`` come from decks that the fit didn't use."""
        points, share = edges_of(self.found, self.plan.rules, 0)
        changed = {name: [self.start[name], new] for name, new in self.best.items() if new != self.start[name]}
        return {
            **about_rules(self.plan.rules),
            "start": self.plan.player,
            "best": self.name,
            "changed": changed,
            "points": plain(points),
            "share": plain(share),
            "deals": self.checked,
            "decisions": self.decisions,
            "steps": [
                {"round": step.round, "size": step.size, "edge": plain(step.edge), "kept": step.kept}
                for step in self.steps
            ],
            "seed": seed_value(self.plan.seed),
            "complete": self.complete,
            "wall_s": round(self.seconds, 3),
        }

    # ------------------------------------------------------------------ files

    def save(self) -> None:
        """Update both files, if they were requested. Raises `SaveError`."""
        if self.output is not None:
            text = self.toml() if self.output.suffix == ".toml" else f"{self.name}\n"
            write_atomically(self.output, text.encode())
        super().save()

    def key(self) -> dict[str, Any]:
        """Return the settings of the fit."""
        rules = self.plan.rules
        return {
            "rules": {**rules.settings(), "table": rules.table},
            "player": self.plan.player,
            "weights": self.start,
            "deals": self.plan.deals,
            "seed": self.plan.seed,
            "trials": self.plan.trials,
        }

    def state(self) -> dict[str, Any]:
        """Return the best weights, the rounds done with the parts that were tried, and the final measurement."""
        return {
            "best": self.best,
            "place": self.place,
            "checked": self.checked,
            "found": {name: value.tolist() for name, value in self.found.items()},
            "steps": [[step.round, step.size, list(step.edge), step.kept] for step in self.steps],
            "decisions": self.decisions,
        }

    def restore(self, data: dict[str, Any]) -> None:
        """Continue after the last complete round. Raises `SaveError` if the file has more rounds than requested."""
        super().restore(data)
        if data["place"] > self.plan.rounds:
            raise SaveError(f"{self.resume}: this file already contains more rounds; ask for at least as many")
        self.best = {name: int(data["best"][name]) for name in self.weights}
        self.place = int(data["place"])
        self.steps = [Step(int(n), float(s), Estimate(*map(float, e)), bool(k)) for n, s, e, k in data["steps"]]
        self.decisions = int(data["decisions"])
        if self.place >= self.plan.rounds and "checked" in data:  # additional rounds need a new measurement
            self.checked = int(data["checked"])
            self.found = {name: np.array(value, np.int64) for name, value in data["found"].items()}
