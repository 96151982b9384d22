"""Tuning weights by play: one weight at a time, each change tried on the same decks as what it would replace."""

import dataclasses
import functools
import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from millebornes.editions import Rules
from millebornes.errors import MALFORMED, MilleBornesError, PlayerError, SaveError
from millebornes.players.advice import Advice
from millebornes.players.batch import KernelPlayer
from millebornes.players.sayings import BASE, MAXIMS
from millebornes.simulation.executors import Workers, in_order
from millebornes.simulation.lab import about_rules, count_batch
from millebornes.simulation.lab_contrast import Contrast, edges_of, with_options
from millebornes.simulation.lab_counts import Counts, add, plain, seed_word
from millebornes.simulation.seeds import seed_value
from millebornes.simulation.statistics import Estimate
from millebornes.storage.atomic import write_atomically

__all__ = ["FORMAT", "Trial", "Tuner", "weights_of"]

FORMAT: Final = "millebornes-tune/1"
OBJECTIVES: Final = ("points", "match")
LEAST_STEP: Final = 1
HOPEFUL: Final = 1.0
"""A change must look better than nothing by so many standard errors on its first decks …"""
SURE: Final = 1.64
"""… and by so many on the first and as many fresh ones together."""


def weights_of(names: Sequence[str]) -> tuple[str, ...]:
    """The weights that maxims and weights name, each once. Raises `PlayerError` for a name that is neither."""
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
        raise PlayerError("match is no weight to tune: it says what is played for; use --objective")
    return tuple(found)


@dataclasses.dataclass(frozen=True)
class Trial:
    """One change that was tried: what a weight became, what that was worth, and whether it stayed."""

    weight: str
    value: int
    edge: Estimate
    kept: bool


class Tuner:
    """A search for better weights of `maxims`, starting from those of ``player``.

    In each of ``rounds`` every weight in turn is tried a step higher and a step lower, against the best so far, on
    ``deals`` decks in all seats. What looks better is tried again on as many fresh decks, and stays if both together
    say so. Steps begin at a third of the weight, grow where that was better, and are halved where neither way was.

    ``objective`` is ``points`` (a hand, or a match where ``match_target`` is given) or ``match`` (the share of
    matches). ``output`` takes the best found so far as a player's name; ``resume`` all that is needed to go on.
    """

    def __init__(
        self,
        rules: Rules,
        player: str,
        weights: Sequence[str],
        *,
        objective: str = "points",
        deals: int = 2000,
        final: int = 20_000,
        rounds: int = 2,
        match_target: int | None = None,
        seed: str = "0",
        output: Path | None = None,
        resume: Path | None = None,
    ) -> None:
        """Raises `PlayerError` for a wrong player or weight, `SaveError` for a file of another run."""
        if objective not in OBJECTIVES:
            raise MilleBornesError(f"the objective is {' or '.join(OBJECTIVES)}, not {objective!r}")
        if player.partition(":")[0] != "maxims":
            raise PlayerError(f"{player!r} has no weights to tune; the player must be maxims, with any options")
        if objective == "match" and match_target is None:
            raise MilleBornesError("a share of matches needs a match target")
        self.rules: Final = rules
        self.player: Final = player
        self.weights: Final = weights_of(weights)
        self.objective: Final = objective
        self.deals: Final = deals
        self.final: Final = final
        self.rounds: Final = rounds
        self.match_target: Final = match_target
        self.seed: Final = seed
        self.output: Final = output
        self.resume: Final = resume
        start = KernelPlayer.named(player, rules).advice
        self.start: Final = {name: int(getattr(start, name)) for name in self.weights}
        self.best: dict[str, int] = dict(self.start)
        self.steps: dict[str, int] = {name: max(2, abs(value) // 3) for name, value in self.start.items()}
        self.place = 0
        self.trials: list[Trial] = []
        self.found: Counts = {}
        self.checked = 0
        self.seconds = 0.0
        if resume is not None:
            self._read(resume)

    # ------------------------------------------------------------------ the search

    @property
    def total(self) -> int:
        """Weights to be tried, in all rounds."""
        return self.rounds * len(self.weights)

    @property
    def complete(self) -> bool:
        """Whether the search is done and its result measured."""
        return self.place >= self.total and (self.checked >= self.final or self.best == self.start)

    @property
    def name(self) -> str:
        """The best player found so far, as it may be named anywhere."""
        return self._named(self.best)

    def run(self, workers: Workers, on_trial: Callable[["Tuner"], None] | None = None) -> None:
        """Search to the end, then measure the result on fresh decks; ``on_trial`` is called after every step.

        However it ends, the files then hold what was found. Raises as `millebornes.simulation.lab.Lab.run` does.
        """
        begun, before = time.monotonic(), self.seconds
        try:
            while self.place < self.total:
                self._try(workers, self.weights[self.place % len(self.weights)])
                self.place += 1
                self.seconds = before + time.monotonic() - begun
                self.save()
                if on_trial is not None:
                    on_trial(self)
            if self.best != self.start:
                for deals, counts in self._play(workers, self.best, self.start, "final", self.checked, self.final):
                    self.found = add(self.found, counts)
                    self.checked = deals.stop
                    if on_trial is not None:
                        on_trial(self)
        finally:
            self.seconds = before + time.monotonic() - begun
            self.save()

    def _try(self, workers: Workers, weight: str) -> None:
        step = self.steps[weight]
        for value in (self.best[weight] + step, self.best[weight] - step):
            if abs(value) > 10_000:
                continue
            changed = self.best | {weight: value}
            label = f"{self.place} {value}"
            found = self._compare(workers, changed, label, 0, self.deals)
            edge = self._edge(found)
            kept = False
            if edge.value > HOPEFUL * edge.stderr:
                edge = self._edge(add(found, self._compare(workers, changed, label, self.deals, 2 * self.deals)))
                kept = edge.value > SURE * edge.stderr
            self.trials.append(Trial(weight, value, edge, kept))
            if kept:
                self.best = changed
                self.steps[weight] = step + step // 2
                return
        self.steps[weight] = max(LEAST_STEP, step // 2)

    def _compare(self, workers: Workers, values: dict[str, int], label: str, first: int, end: int) -> Counts:
        total: Counts = {}
        for _, counts in self._play(workers, values, self.best, label, first, end):
            total = add(total, counts)
        return total

    def _play(
        self, workers: Workers, values: dict[str, int], against: dict[str, int], label: str, first: int, end: int
    ) -> Iterator[tuple[range, Counts]]:
        study = Contrast(
            rules=self.rules,
            base=self._named(against),
            variants=(self._named(values),),
            deals=end,
            match_target=self.match_target,
            seed=seed_word(self.seed, "tune", label),
        )
        work = in_order(workers, functools.partial(count_batch, study), first, end)
        try:
            for deals, batch in work:
                yield deals, batch.counts
        finally:
            work.close()

    def _edge(self, counts: Counts) -> Estimate:
        points, share = edges_of(counts, self.rules, 0)
        return share if self.objective == "match" else points

    def _named(self, values: dict[str, int]) -> str:
        changed = [f"{name}={value}" for name, value in values.items() if value != self.start[name]]
        return with_options(self.player, *changed)

    # ------------------------------------------------------------------ what is known

    def line(self) -> str:
        """How far it has come, in a few words."""
        kept = sum(trial.kept for trial in self.trials)
        told = f"{len(self.trials)} changes tried, {kept} kept"
        if not self.trials:
            return told
        last = self.trials[-1]
        scale, unit = (100, " %") if self.objective == "match" else (1, " points")
        edge, reach = scale * last.edge.value, scale * 2 * last.edge.stderr
        return f"{told}; {last.weight}={last.value}: {edge:+.2f} ± {reach:.2f}{unit}"

    def report(self) -> dict[str, Any]:
        """What was found, as plain data; ``gain`` is measured on decks that the search never saw."""
        points, share = edges_of(self.found, self.rules, 0)
        return {
            **about_rules(self.rules),
            "start": self.player,
            "best": self.name,
            "objective": self.objective,
            "match_target": self.match_target,
            "changed": {name: [self.start[name], value] for name, value in self._changed().items()},
            "points": plain(points),
            "share": plain(share),
            "deals": self.checked,
            "trials": [
                {"weight": trial.weight, "value": trial.value, "edge": plain(trial.edge), "kept": trial.kept}
                for trial in self.trials
            ],
            "seed": seed_value(self.seed),
            "complete": self.complete,
            "wall_s": round(self.seconds, 3),
        }

    def _changed(self) -> dict[str, int]:
        return {name: value for name, value in self.best.items() if value != self.start[name]}

    # ------------------------------------------------------------------ files

    def save(self) -> None:
        """Bring both files, where they were asked for, up to date. Raises `SaveError`."""
        if self.output is not None:
            write_atomically(self.output, f"{self.name}\n".encode())
        if self.resume is None:
            return
        data = {
            "format": FORMAT,
            "key": self._key(),
            "best": self.best,
            "steps": self.steps,
            "place": self.place,
            "trials": [[t.weight, t.value, list(t.edge), t.kept] for t in self.trials],
            "checked": self.checked,
            "found": {name: value.tolist() for name, value in self.found.items()},
            "seconds": round(self.seconds, 3),
        }
        write_atomically(self.resume, json.dumps(data, separators=(",", ":")).encode() + b"\n")

    def _key(self) -> dict[str, Any]:
        return {
            "rules": {**self.rules.settings(), "table": self.rules.table},
            "player": self.player,
            "weights": self.start,
            "objective": self.objective,
            "match_target": self.match_target,
            "deals": self.deals,
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
            raise SaveError(f"{path}: this is no file of a tuning run") from None
        try:
            if data["format"] != FORMAT:
                raise SaveError(f'{path}: the format of such a file is "{FORMAT}", not {data["format"]!r}')
            for name, value in self._key().items():
                if data["key"][name] != value:
                    raise SaveError(f"{path}: this file belongs to another run: its {name} differs")
            best = {name: int(data["best"][name]) for name in self.weights}
            if data["place"] > self.total:
                raise SaveError(f"{path}: this file holds more rounds already; ask for at least as many")
            self.best = best
            self.steps = {name: int(data["steps"][name]) for name in self.weights}
            self.trials = [Trial(str(w), int(v), Estimate(*map(float, e)), bool(k)) for w, v, e, k in data["trials"]]
            self.place, self.seconds = int(data["place"]), float(data["seconds"])
            if self.place >= self.total:  # further rounds ask for a new measurement
                self.checked = int(data["checked"])
                self.found = {name: np.array(value, np.int64) for name, value in data["found"].items()}
        except MALFORMED:
            raise SaveError(f"{path}: this file is damaged") from None
