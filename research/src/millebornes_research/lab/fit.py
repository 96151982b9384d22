"""Fit all weights at once by least squares, using the results of moves that were played out.

Every move of a decision is played out. The difference between the results of two moves is then compared with the
difference between the values that the maxims give them.
"""

import dataclasses
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from millebornes.arena.executors import Workers
from millebornes.arena.run import FileKind
from millebornes.arena.statistics import Estimate
from millebornes.editions import Rules
from millebornes.errors import PlayerError
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.maxim_weights import CROWD, MATCH, PARTNERS, Advice, tuned
from millebornes.policies.net import MAX_OPINION
from millebornes_research.lab.contrast import edges_of
from millebornes_research.lab.counts import Counts, plain
from millebornes_research.lab.playouts import Playouts, sample_playouts, worths
from millebornes_research.lab.search import MAX_WEIGHT, Search, SearchPlan, Weights, weights_of
from millebornes_research.lab.study import Study, summed
from millebornes_research.seeds import seed_word

__all__ = ["Fitter", "Fitting", "Pairs", "Step", "fitted_weights"]

TURNS_BETWEEN: Final = 15
"""One turn in this number is played out, because the turns of a hand have much in common."""
NEAR: Final = 50
"""A move is compared with the move made if its value is less than this number of points lower.

All other moves are clearly worse.
"""
SPREAD: Final = 1500
"""Differences between the results of two moves are limited to this number of points.

Otherwise, a few extreme hands would outweigh all others.
"""
FINITE_DIFFERENCE: Final = 64
"""The change of a weight that is used to measure its effect.

It is so large that rounding hides little of the effect.
"""
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
    found = tuple(name for name in weights_of(names) if not name.startswith(UNFIT))
    if not found:
        raise PlayerError(f"none of {', '.join(names)} can be fitted")
    return found


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pairs(Study):
    """Pairs of similar moves in a decision that were played out, as the sums for least squares.

    The counts have one row and one column for each of ``weights``. For turns, they are ``products``, the products of
    the effects of the weights (each multiplied by `FINITE_DIFFERENCE`); ``errors``, the products of the effects with
    the errors of the values, in points; and ``pairs``, the number of pairs. For questions about an extension, they are
    ``extend_products``, ``extend_errors`` and ``questions``. ``decisions`` is the number of decisions. All of them are
    integers, so they don't depend on how the deals were divided among workers.
    """

    rules: Rules
    player: str
    weights: tuple[str, ...]
    deals: int
    seed: int

    weight: ClassVar[float] = 20.0

    def count(self, deals: range) -> Counts:
        """Play these deals, play out some of their decisions, and return the counts."""
        advice = KernelPlayer.named(self.player, self.rules).advice
        samples = sample_playouts(self.rules, advice, deals, seed=self.seed, every=TURNS_BETWEEN)
        asked = samples.decisions["question"] == 1
        turns = self._sums(advice, samples, np.flatnonzero(~asked), NEAR, SPREAD)
        questions = self._sums(advice, samples, np.flatnonzero(asked), 2 * MAX_OPINION, 2 * MAX_OPINION)
        return {
            "products": turns[0],
            "errors": turns[1],
            "pairs": turns[2],
            "extend_products": questions[0],
            "extend_errors": questions[1],
            "questions": questions[2],
            "decisions": np.array([len(asked)], np.int64),
        }

    def _sums(
        self, advice: Advice, samples: Playouts, which: npt.NDArray[np.int64], near: int, spread: int
    ) -> list[npt.NDArray[np.int64]]:
        chosen = samples.decisions["chosen"]
        counts = samples.decisions["count"][which]
        rows = np.repeat(which, counts)
        places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        worth = worths(samples, rows, places, (advice,))[:, 0]
        best = worths(samples, rows, chosen[rows], (advice,))[:, 0]
        pair = (
            (places != chosen[rows])
            & (best - worth < near)
            & (np.abs(worth) < MAX_OPINION)
            & (np.abs(best) < MAX_OPINION)
        )
        rows, places, worth, best = rows[pair], places[pair], worth[pair], best[pair]
        changed = tuple(advice._replace(**{name: getattr(advice, name) + FINITE_DIFFERENCE}) for name in self.weights)
        effects = worths(samples, rows, places, changed) - worth[:, None]
        effects -= worths(samples, rows, chosen[rows], changed) - best[:, None]
        effects[np.abs(effects) > MAX_WEIGHT] = 0  # a command that appears or disappears
        brought = samples.decisions["values"][rows, places] - samples.decisions["values"][rows, chosen[rows]]
        missed = np.clip(brought, -spread, spread) - (worth - best)
        exact = effects.astype(np.float64)  # floats multiply faster, and integers below 2**53 are exact
        products, errors = exact.T @ exact, exact.T @ missed.astype(np.float64)
        return [products.astype(np.int64), errors.astype(np.int64), np.array([len(rows)], np.int64)]


def _solved(products: npt.NDArray[np.int64], errors: npt.NDArray[np.int64], count: int, ridge: float) -> list[float]:
    """Return the change of each weight. Weights without any effect don't change."""
    change = np.zeros(len(errors))
    told = np.flatnonzero(np.diag(products))
    if len(told):
        size = np.sqrt(np.diag(products)[told] / count)  # each weight's own size, so that the ridge is equal for all
        scaled = products[np.ix_(told, told)] / np.outer(size, size) + ridge * np.eye(len(told))
        change[told] = np.linalg.solve(scaled, errors[told] / size) / size * FINITE_DIFFERENCE
    return [float(number) for number in change]


@dataclasses.dataclass(frozen=True)
class Step:
    """Part of a fitted change that was tried: its size, its edge over the old weights, and whether it was kept."""

    round: int
    size: float
    edge: Estimate
    kept: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class Fitting(SearchPlan):
    """The settings of a fit: decisions in ``deals`` hands are played out, and ``trials`` decks measure each change."""

    weights: Sequence[str] = ()
    deals: int = 20_000
    final: int = 10_000
    rounds: int = 2
    trials: int = 5000


class Fitter(Search):
    """A fit of all weights at once, or of those of the given maxims.

    Each round plays out decisions and fits the weights to them. Two parts of the change (`STEPS`) play against the
    previous weights on new decks, and the better one is kept if it is a gain.

    The best result so far is written to ``output``. If this name ends in ``.toml``, the result is a section as in the
    file of built-in weights, and otherwise the name of a player.
    """

    kind: ClassVar[FileKind] = FileKind("millebornes-fit/1", "file of a fitting run")
    verb: ClassVar[str] = "fit"
    plan: Fitting

    def __init__(self, plan: Fitting, *, output: Path | None = None, resume: Path | None = None) -> None:
        """Raises `PlayerError` for an invalid player or weight, and `SaveError` if the file belongs to another run."""
        self.check_player(plan.player)
        super().__init__(plan, fitted_weights(plan.weights), output=output, resume=resume)
        self.steps: list[Step] = []
        self.within = 0.0
        """The part of the current round that has been done."""
        self.decisions = 0
        self.load()

    @property
    def steps_to_do(self) -> int:
        """The number of rounds."""
        return self.plan.rounds

    @property
    def progress(self) -> float:
        """The number of finished rounds, plus the part of the current round that has been done."""
        return super().progress + self.within

    def _step(self, workers: Workers) -> Generator[None, None, None]:
        """Carry out one round. If it is interrupted, the round starts again."""
        plan = self.plan
        pairs = Pairs(
            rules=plan.rules,
            player=self.name,
            weights=self.weights,
            deals=plan.deals,
            seed=seed_word(plan.seed, self.verb, self.place),
        )
        total: Counts = {}
        for done in summed(workers, pairs, total):
            self.within = 0.9 * done / plan.deals
            yield
        turns, asked = (int(total[name][0]) for name in ("pairs", "questions"))
        change = _solved(total["products"], total["errors"], turns, RIDGE)
        asking = _solved(total["extend_products"], total["extend_errors"], asked, QUESTION_RIDGE * asked)
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

    # ------------------------------------------------------------------ what is known

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

    def about_steps(self) -> dict[str, Any]:
        """Return the number of decisions that were played out, and the parts of changes that were tried."""
        rows = [
            {"round": step.round, "size": step.size, "edge": plain(step.edge), "kept": step.kept} for step in self.steps
        ]
        return {"decisions": self.decisions, "steps": rows}

    # ------------------------------------------------------------------ files

    def text(self) -> str:
        """Return the contents for `output`, which are all weights if it is a TOML file."""
        return self.toml() if self.output is not None and self.output.suffix == ".toml" else super().text()

    def key(self) -> dict[str, Any]:
        """Return the settings of the search, with the number of decks that measure a change."""
        return super().key() | {"trials": self.plan.trials}

    def state(self) -> dict[str, Any]:
        """Return the state of the search, with the parts that were tried and the number of decisions."""
        steps = [[step.round, step.size, list(step.edge), step.kept] for step in self.steps]
        return super().state() | {"steps": steps, "decisions": self.decisions}

    def restore(self, data: dict[str, Any]) -> None:
        """Continue after the last complete round."""
        super().restore(data)
        self.steps = [Step(int(n), float(s), Estimate(*map(float, e)), bool(k)) for n, s, e, k in data["steps"]]
        self.decisions = int(data["decisions"])
