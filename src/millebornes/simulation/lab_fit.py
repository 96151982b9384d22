"""Fitting all weights at once: what moves brought when they were played out, by least squares.

`millebornes.simulation.lab_tune` tries one weight after the other and learns a number from a whole hand. Here every
move of a decision is played out, and what two moves brought is set against what the maxims made of both.
"""

import dataclasses
import functools
import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.errors import MALFORMED, PlayerError, SaveError
from millebornes.players.advice import CROWD, MATCH, PARTNERS, Advice, tuned
from millebornes.players.batch import KernelPlayer
from millebornes.simulation.executors import Workers, in_order
from millebornes.simulation.lab import Study, about_rules, count_batch
from millebornes.simulation.lab_contrast import Contrast, edges_of, with_options
from millebornes.simulation.lab_counts import Counts, add, plain, seed_word
from millebornes.simulation.lab_tune import weights_of
from millebornes.simulation.playouts import Playouts, sample_playouts, worths
from millebornes.simulation.seeds import seed_value
from millebornes.simulation.statistics import Estimate
from millebornes.storage.atomic import write_atomically

__all__ = ["FORMAT", "Fitter", "Pairs", "Step", "fitted_weights"]

FORMAT: Final = "millebornes-fit/1"
EVERY: Final = 15
"""One turn in so many is played out: turns of one hand have much in common."""
NEAR: Final = 50
"""Moves that seem worth so many points less than the one made are compared with it; about others nobody is in doubt."""
FAR: Final = 2500
"""Beyond so many points a worth is a command (a coup fourré, a win), not an opinion."""
SPREAD: Final = 1500
"""A difference in what two moves brought counts for at most so much: few such hands would outweigh all others."""
NUDGE: Final = 64
"""By so much a weight is changed to see what hangs on it; large, so that rounding does not hide a share of it."""
RIDGE: Final = 3000.0
"""So many pairs of a weight's own size speak for leaving it as it is."""
QUESTION_RIDGE: Final = 0.004
"""The same for the weights of the extension, as a share of the questions asked."""
STEPS: Final = (0.4, 0.8)
"""Parts of the fitted change that are tried; the whole of it goes too far, as other moves come close by then."""
MOST: Final = 10_000
UNFIT: Final = ("stake", "match", "delay", "keep_safety", "keep_owned", "keep_desperate", "finish")
"""How the names of weights begin that are no points added to a move, or about which single hands tell nothing."""


def fitted_weights(names: Sequence[str]) -> tuple[str, ...]:
    """Those weights that maxims and weights name (all, where none is named) which can be fitted.

    Raises `PlayerError` for a name that is neither, and where nothing is left.
    """
    found = tuple(name for name in weights_of(names) if not name.startswith(UNFIT))
    if not found:
        raise PlayerError(f"none of {', '.join(names)} can be fitted; tune searches for such weights")
    return found


@dataclasses.dataclass(frozen=True, kw_only=True)
class Pairs(Study):
    """Pairs of moves of one decision near to each other, played out: the sums that least squares are made of.

    Counts, with one row and column for each of ``weights``: of turns ``products`` of what hangs on the weights
    (`NUDGE` times too large each) and ``errors`` of it with what the worths missed by (points), ``pairs`` their
    number; of questions whether to extend ``extend_products``, ``extend_errors`` and ``questions``; ``decisions``.
    All are whole numbers, so they do not depend on how the deals were shared out.
    """

    rules: Rules
    player: str
    weights: tuple[str, ...]
    deals: int
    seed: int

    @property
    def weight(self) -> float:
        """About how many hands a deal takes."""
        return 20.0

    def count(self, deals: range) -> Counts:
        """Play these deals, and play out some of their decisions."""
        advice = KernelPlayer.named(self.player, self.rules).advice
        samples = sample_playouts(self.rules, advice, deals, seed=self.seed, every=EVERY)
        asked = samples.decisions["question"] == 1
        turns = self._sums(advice, samples, np.flatnonzero(~asked), NEAR, SPREAD)
        questions = self._sums(advice, samples, np.flatnonzero(asked), 2 * FAR, 2 * FAR)
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
        pair = (places != chosen[rows]) & (best - worth < near) & (np.abs(worth) < FAR) & (np.abs(best) < FAR)
        rows, places, worth, best = rows[pair], places[pair], worth[pair], best[pair]
        nudged = tuple(advice._replace(**{name: getattr(advice, name) + NUDGE}) for name in self.weights)
        hangs = worths(samples, rows, places, nudged) - worth[:, None]
        hangs -= worths(samples, rows, chosen[rows], nudged) - best[:, None]
        hangs[np.abs(hangs) > MOST] = 0  # a command given or taken back
        brought = samples.decisions["values"][rows, places] - samples.decisions["values"][rows, chosen[rows]]
        missed = np.clip(brought, -spread, spread) - (worth - best)
        exact = hangs.astype(np.float64)  # whole numbers far below 2**53: products are quicker so, and no less exact
        products, errors = exact.T @ exact, exact.T @ missed.astype(np.float64)
        return [products.astype(np.int64), errors.astype(np.int64), np.array([len(rows)], np.int64)]


def _solved(products: npt.NDArray[np.int64], errors: npt.NDArray[np.int64], count: int, ridge: float) -> list[float]:
    """By how much to change the weights; those on which nothing hung stay as they are."""
    change = np.zeros(len(errors))
    told = np.flatnonzero(np.diag(products))
    if len(told):
        size = np.sqrt(np.diag(products)[told] / count)  # each weight's own size, so that the ridge is alike for all
        scaled = products[np.ix_(told, told)] / np.outer(size, size) + ridge * np.eye(len(told))
        change[told] = np.linalg.solve(scaled, errors[told] / size) / size * NUDGE
    return [float(number) for number in change]


@dataclasses.dataclass(frozen=True)
class Step:
    """A part of a fitted change that was tried: its size, its edge over the weights before, and whether it stayed."""

    round: int
    size: float
    edge: Estimate
    kept: bool


class Fitter:
    """A fit of all ``weights`` of `maxims` (or those of some maxims) at once, starting from those of ``player``.

    In each of ``rounds`` decisions of ``deals`` hands are played out and the weights fitted to them. Two parts of the
    change (`STEPS`) meet the weights before on ``trials`` fresh decks; the better one stays if it gains. In the end
    the result meets what the fit began with on ``final`` decks more.

    ``output`` takes the best so far: a section as in the file of the shipped weights where it ends in ``.toml``, else
    a player's name. ``resume`` takes what is needed to go on after the last full round.
    """

    def __init__(
        self,
        rules: Rules,
        player: str,
        weights: Sequence[str] = (),
        *,
        deals: int = 20_000,
        trials: int = 5000,
        final: int = 10_000,
        rounds: int = 2,
        seed: str = "0",
        output: Path | None = None,
        resume: Path | None = None,
    ) -> None:
        """Raises `PlayerError` for a wrong player or weight, `SaveError` for a file of another run."""
        if player.partition(":")[0] != "maxims":
            raise PlayerError(f"{player!r} has no weights to fit; the player must be maxims, with any options")
        self.rules: Final = rules
        self.player: Final = player
        self.weights: Final = fitted_weights(weights)
        self.deals: Final = deals
        self.trials: Final = trials
        self.final: Final = final
        self.rounds: Final = rounds
        self.seed: Final = seed
        self.output: Final = output
        self.resume: Final = resume
        self.advice: Final = KernelPlayer.named(player, rules).advice
        self.start: Final = {name: int(getattr(self.advice, name)) for name in self.weights}
        self.best: dict[str, int] = dict(self.start)
        self.steps: list[Step] = []
        self.place = 0
        self.within = 0.0
        self.decisions = 0
        self.found: Counts = {}
        self.checked = 0
        self.seconds = 0.0
        if resume is not None:
            self._read(resume)

    # ------------------------------------------------------------------ the fit

    @property
    def complete(self) -> bool:
        """Whether all rounds are done and the result is measured."""
        return self.place >= self.rounds and (self.checked >= self.final or self.best == self.start)

    @property
    def progress(self) -> float:
        """Rounds done, with the part of the one that is under way; the measurement at the end counts as one."""
        return self.place + self.within + (self.checked / self.final if self.final else 0.0)

    @property
    def name(self) -> str:
        """The best player found so far, as it may be named anywhere."""
        return self._named(self.best)

    def run(self, workers: Workers, on_batch: Callable[["Fitter"], None] | None = None) -> None:
        """Fit to the end, then measure the result on fresh decks; ``on_batch`` is called as the work goes on.

        However it ends, the files then hold the last full round. Raises as `millebornes.simulation.lab.Lab.run` does.
        """
        begun, before = time.monotonic(), self.seconds
        tell = on_batch or (lambda fitter: None)
        try:
            while self.place < self.rounds:
                self._round(workers, tell)
                self.seconds = before + time.monotonic() - begun
                self.save()
                tell(self)
            if self.best != self.start:
                study = self._contest((self.best,), self.start, "final", self.final)
                for done, counts in self._counted(workers, study, self.checked):
                    self.found = add(self.found, counts)
                    self.checked = done
                    tell(self)
        finally:
            self.seconds = before + time.monotonic() - begun
            self.save()

    def _round(self, workers: Workers, tell: Callable[["Fitter"], None]) -> None:
        pairs = Pairs(
            rules=self.rules,
            player=self.name,
            weights=self.weights,
            deals=self.deals,
            seed=seed_word(self.seed, "fit", self.place),
        )
        total: Counts = {}
        for done, counts in self._counted(workers, pairs, 0):
            total = add(total, counts)
            self.within = 0.9 * done / self.deals
            tell(self)
        turns, asked = (int(total[name][0]) for name in ("pairs", "questions"))
        change = _solved(total["products"], total["errors"], turns, RIDGE)
        asking = _solved(total["extend_products"], total["extend_errors"], asked, QUESTION_RIDGE * asked)
        tried = [self._changed_by(change, asking, size) for size in STEPS]
        study = self._contest(tried, self.best, f"trial {self.place}", self.trials)
        found: Counts = {}
        for done, counts in self._counted(workers, study, 0):
            found = add(found, counts)
            self.within = 0.9 + 0.1 * done / self.trials
            tell(self)
        edges = [edges_of(found, self.rules, i)[0] for i in range(len(STEPS))]
        better = max(range(len(STEPS)), key=lambda i: edges[i].value)
        gains = edges[better].value > 0
        self.steps += [Step(self.place, size, edges[i], gains and i == better) for i, size in enumerate(STEPS)]
        if gains:
            self.best = tried[better]
        self.decisions += int(total["decisions"][0])
        self.place, self.within = self.place + 1, 0.0

    def _changed_by(self, change: Sequence[float], asking: Sequence[float], size: float) -> dict[str, int]:
        """The weights after a part of the change; those of the extension take all of theirs, as two moves are all."""
        changed = {}
        for i, name in enumerate(self.weights):
            by = asking[i] if name.startswith("extend") else size * change[i]
            changed[name] = max(-MOST, min(MOST, round(self.best[name] + by)))
        return changed

    def _contest(self, tried: Sequence[dict[str, int]], base: dict[str, int], label: str, deals: int) -> Contrast:
        return Contrast(
            rules=self.rules,
            base=self._named(base),
            variants=tuple(self._named(values) for values in tried),
            deals=deals,
            match_target=None,
            seed=seed_word(self.seed, "fit", label),
        )

    @staticmethod
    def _counted(workers: Workers, study: Study, first: int) -> Iterator[tuple[int, Counts]]:
        work = in_order(workers, functools.partial(count_batch, study), first, study.deals)
        try:
            for deals, batch in work:
                yield deals.stop, batch.counts
        finally:
            work.close()

    def _named(self, values: dict[str, int]) -> str:
        changed = [f"{name}={value}" for name, value in values.items() if value != self.start[name]]
        return with_options(self.player, *changed)

    # ------------------------------------------------------------------ what is known

    def line(self) -> str:
        """How far it has come, in a few words."""
        told = f"round {min(self.place + 1, self.rounds)} of {self.rounds}"
        if not self.steps:
            return told
        last = max(self.steps[-len(STEPS) :], key=lambda step: step.edge.value)
        return f"{told}; the last gained {last.edge.value:+.1f} ± {2 * last.edge.stderr:.1f} points a hand"

    def toml(self) -> str:
        """All weights as a section of the file of the shipped ones, named as the set for such a table."""
        tables = {MATCH: "match", PARTNERS: "partners", CROWD: "crowd"}
        advice = self.advice._replace(**self.best)
        lines = [f"{name} = {value}" for name, value in advice._asdict().items()]
        return "\n".join([f"[{tables.get(tuned(self.rules), 'stack')}]", *lines, ""])

    def report(self) -> dict[str, Any]:
        """What was found, as plain data; ``gain`` is measured on decks that the fit never saw."""
        points, share = edges_of(self.found, self.rules, 0)
        changed = {name: value for name, value in self.best.items() if value != self.start[name]}
        return {
            **about_rules(self.rules),
            "start": self.player,
            "best": self.name,
            "changed": {name: [self.start[name], value] for name, value in changed.items()},
            "points": plain(points),
            "share": plain(share),
            "deals": self.checked,
            "decisions": self.decisions,
            "steps": [
                {"round": step.round, "size": step.size, "edge": plain(step.edge), "kept": step.kept}
                for step in self.steps
            ],
            "seed": seed_value(self.seed),
            "complete": self.complete,
            "wall_s": round(self.seconds, 3),
        }

    # ------------------------------------------------------------------ files

    def save(self) -> None:
        """Bring both files, where they were asked for, up to date. Raises `SaveError`."""
        if self.output is not None:
            text = self.toml() if self.output.suffix == ".toml" else f"{self.name}\n"
            write_atomically(self.output, text.encode())
        if self.resume is None:
            return
        data = {
            "format": FORMAT,
            "key": self._key(),
            "best": self.best,
            "place": self.place,
            "steps": [[step.round, step.size, list(step.edge), step.kept] for step in self.steps],
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
        }
        write_atomically(self.resume, json.dumps(data, separators=(",", ":")).encode() + b"\n")

    def _key(self) -> dict[str, Any]:
        return {
            "rules": {**self.rules.settings(), "table": self.rules.table},
            "player": self.player,
            "weights": self.start,
            "deals": self.deals,
            "trials": self.trials,
            "seed": self.seed,
        }

    def _read(self, path: Path) -> None:
        try:
            data = json.loads(path.read_bytes())
        except FileNotFoundError:
            return
        except OSError as error:
            raise SaveError(f"{path}: cannot be read ({error.strerror or error})") from None
        except MALFORMED:
            raise SaveError(f"{path}: this is no file of a fitting run") from None
        try:
            if data["format"] != FORMAT:
                raise SaveError(f'{path}: the format of such a file is "{FORMAT}", not {data["format"]!r}')
            for name, value in self._key().items():
                if data["key"][name] != value:
                    raise SaveError(f"{path}: this file belongs to another run: its {name} differs")
            if data["place"] > self.rounds:
                raise SaveError(f"{path}: this file holds more rounds already; ask for at least as many")
            self.best = {name: int(data["best"][name]) for name in self.weights}
            self.steps = [Step(int(n), float(s), Estimate(*map(float, e)), bool(k)) for n, s, e, k in data["steps"]]
            self.place, self.decisions = int(data["place"]), int(data["decisions"])
            self.seconds = float(data["seconds"])
        except MALFORMED:
            raise SaveError(f"{path}: this file is damaged") from None
