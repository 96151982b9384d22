"""Train nets: they play, their decisions are played out, and they learn from the results and play again."""

import dataclasses
import hashlib
import io
import json
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from millebornes.editions import Rules
from millebornes.errors import MALFORMED, MilleBornesError, PlayerError, SaveError
from millebornes.policies.array_files import load_arrays
from millebornes.policies.batch import KernelPlayer
from millebornes.policies.dispatch import RANDOM
from millebornes.policies.net_files import Net, load_net
from millebornes.policies.shipped_nets import shipped_net
from millebornes.storage.files import write_atomically
from millebornes_research.pool.strangers import Stranger
from millebornes_research.seeds import seed_word
from millebornes_research.training.fitting import Fit
from millebornes_research.training.population import COMPANY, ITSELF, Population, lines_for, net_player
from millebornes_research.training.sampling import Company, Sampler, Samples, Settings

FORMAT: Final = "millebornes-training/3"
MAX_BYTES: Final = 1 << 30
"""The maximum size of the file of a training run."""
SAVE_EVERY: Final = 60.0
"""Seconds after which the net's progress is saved at the next opportunity."""
SETTINGS: Final = Settings()
RIVALS: Final = ("basic", "maxims")
WARM_UP: Final = 20
"""The rate grows over this number of first batches of hands, because Adam doesn't know the scale of gradients yet."""
AHEAD: Final = 4
"""The number of moves that the net makes in play-outs during the refining generations."""
MIN_RATE: Final = 0.03
"""The fraction of the learning rate that remains at the end."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Course:
    """The schedule of a training run. Equal schedules lead to equal nets.

    In each of the ``generations``, the current net plays ``chunks`` times ``hands`` hands, at each table in turn. Moves
    are played out by ``playouts``: `ITSELF`, the `COMPANY` at the table, or the name of a kernel player. If ``ahead``
    isn't 0, `ITSELF` and the `COMPANY` only play until the seat has made ``ahead`` more moves, and then the maxims take
    over. A fraction ``bootstrap`` of the result comes from the net's estimate at this point. In the last ``refine``
    generations, the net itself makes the seat's next `AHEAD` moves in play-outs. The size of the steps decreases from
    ``rate`` on, and again in those generations (with `ITSELF`, again in each generation). Each step uses ``batch``
    decisions, and the net learns from each decision ``passes`` times. If ``base`` is false, the net must learn
    everything. Otherwise, it adds to the value that the maxims give to moves. After each generation, the strength
    against each of the ``rivals`` is measured on ``decks`` decks.

    With a ``target``, the hands belong to matches to this number of points, and the net learns to win matches. The net
    has all seats in ``itself`` percent of the matches. In all other matches, it plays one side against its rivals and
    at most ``former`` earlier versions of itself (`millebornes_research.training.population`). ``strangers`` is the
    number of random players (`millebornes_research.pool.strangers`) that join for each chunk of hands. All these
    players are then drawn equally often. If there are any ``drawn`` tables, half of all hands are played at them, but
    the net isn't measured there.
    """

    rules: tuple[Rules, ...]
    seed: str
    generations: int
    chunks: int
    hands: int = 1000
    base: float = 1.0
    playouts: str = "maxims"
    ahead: int = 0
    bootstrap: float = 0.0
    rate: float = 1e-3
    batch: int = 1024
    refine: int = 0
    passes: int = 2
    decks: int = 2000
    settings: Settings = SETTINGS
    rivals: tuple[str, ...] = RIVALS
    target: int = 0
    itself: int = 100
    former: int = 0
    strangers: int = 0
    drawn: tuple[Rules, ...] = ()

    def table(self, place: int) -> Rules:
        """Return the table for a chunk: one of ``rules`` or of ``drawn``, in turn."""
        if not self.drawn:
            return self.rules[place % len(self.rules)]
        tables = self.drawn if place % 2 else self.rules
        return tables[place // 2 % len(tables)]

    @property
    def total(self) -> int:
        """The number of chunks in all generations."""
        return self.generations * self.chunks

    @property
    def first(self) -> int:
        """The number of chunks before the refining generations."""
        return (self.generations - self.refine) * self.chunks

    def key(self) -> dict[str, Any]:
        """Return everything on which the result depends as plain data."""
        found = dataclasses.asdict(self)
        for name, tables in (("rules", self.rules), ("drawn", self.drawn)):
            found[name] = [{**rules.settings(), "table": rules.table} for rules in tables]
        found["settings"] = list(self.settings)
        found["rivals"] = [[name, _digest(name)] for name in self.rivals]
        return json.loads(json.dumps(found))  # type: ignore[no-any-return]

    def word(self, *names: object) -> int:
        """Return a 64-bit number derived from the seed and the names of its purpose."""
        return seed_word("train", self.seed, *names)


class _OwnSampler(threading.local):
    """The latest sampler of each thread. Samplers are large, so each thread keeps only one."""

    latest: Sampler | None = None


class Trainer:
    """A course of training, either from its start or from the file of a previous run.

    The same course always leads to the same net. The hands are played by ``jobs`` threads. The file ``resume`` stores
    everything that is needed to continue, and the net is written to ``output`` after each generation. ``start`` is the
    initial net, which is untrained by default. Raises `SaveError` if the file belongs to another course, and
    `MilleBornesError` if torch isn't installed.
    """

    def __init__(
        self,
        course: Course,
        *,
        start: Net | None = None,
        jobs: int = 1,
        output: Path | None = None,
        resume: Path | None = None,
    ) -> None:
        self.course: Final = course
        self.jobs: Final = jobs
        self.output: Final = output
        self.resume: Final = resume
        begun = Net.random(course.word("net") % 2**32, base=course.base) if start is None else start
        self._key: Final = {**course.key(), "start": hashlib.sha256(begun.to_bytes()).hexdigest()}
        self.fit: Final = Fit(begun)
        self.policy = begun
        self.population: Final = Population(course.rules, course.rivals, course.former)
        self.place = 0
        """The number of chunks from which the net has learned."""
        self.decisions = 0
        self.history: list[dict[str, Any]] = []
        """The results of each generation, as plain data."""
        self.seconds = 0.0
        self._sums = np.zeros(4)
        self._learning = False
        if resume is not None:
            self._read(resume)

    @property
    def net(self) -> Net:
        """The current net."""
        return self.fit.net()

    def line(self) -> str:
        """Return the progress in a few words."""
        parts = [f"generation {min(self.place // self.course.chunks + 1, self.course.generations)}"]
        parts.append(f"{self.decisions:,} decisions")
        if self.history:
            strength = self.history[-1]["strength"][0]
            for rival in self.course.rivals:
                points = strength[rival]["points"]
                reach = (points["ci95"][1] - points["ci95"][0]) / 2
                parts.append(f"{rival} {points['value']:+.0f} ± {reach:.0f} points a hand")
        return ", ".join(parts)

    def run(self, on_chunk: "Callable[[Trainer], None] | None" = None) -> None:
        """Train to the end of the course. ``on_chunk`` is called after every chunk of hands.

        The state is saved at the end and after an interruption, unless the interruption came while learning from a
        chunk.
        """
        begun, before, saved = time.monotonic(), self.seconds, time.monotonic()
        try:
            if self.course.itself < 100 and not self.population.leads:
                self._meet()
            if self.place == self.course.chunks * (len(self.history) + 1):
                self._end_generation()  # a previous run was stopped before this
            for samples in self._samples():
                self._learn(samples)
                self.seconds = before + time.monotonic() - begun
                if self.place % self.course.chunks == 0:
                    self._end_generation()
                    self.seconds = before + time.monotonic() - begun
                    self.save()
                    saved = time.monotonic()
                elif time.monotonic() - saved > SAVE_EVERY:
                    self.save()
                    saved = time.monotonic()
                if on_chunk is not None:
                    on_chunk(self)
        finally:
            self.seconds = before + time.monotonic() - begun
            if not self._learning:
                self.save()

    # ------------------------------------------------------------------ playing and learning

    def _samples(self) -> Iterator[Samples]:
        """Yield the samples of all remaining chunks, in order.

        Each generation is played by the net as it was at its start.
        """
        course = self.course
        own = _OwnSampler()

        def play(place: int, company: Company, rules: Rules) -> Samples:
            sampler = own.latest
            if sampler is None or sampler.rules != rules:
                sampler = own.latest = Sampler(rules, course.hands, course.target)
            settings = course.settings._replace(ahead=course.ahead, bootstrap=course.bootstrap)
            if place >= course.first:
                settings = settings._replace(ahead=AHEAD)
            if company.others[0].who == RANDOM:
                settings = settings._replace(near=1_000_000, times=1)  # all moves are used, so each of them only once
            return sampler.sample(company, 0, course.hands, seed=course.word("chunk", place), settings=settings)

        with ThreadPoolExecutor(self.jobs) as pool:
            while self.place < course.total:
                end = (self.place // course.chunks + 1) * course.chunks
                ahead: deque[Future[Samples]] = deque()
                following = self.place
                try:
                    while self.place < end:
                        while following < end and len(ahead) < self.jobs + 1:
                            rules = course.table(following)
                            ahead.append(pool.submit(play, following, self._company(following, rules), rules))
                            following += 1
                        yield ahead.popleft().result()
                finally:
                    for waiting in ahead:
                        waiting.cancel()

    def _company(self, place: int, rules: Rules) -> Company:
        """Return the players for the hands of a chunk and for its play-outs."""
        course = self.course
        net = plays = net_player(self.policy, rules)
        if course.base == 0 and self.place < course.chunks and not self.policy.arrays["out_rows"].any():
            plays = KernelPlayer(RANDOM)  # an untrained net would always choose the lowest code
        plays_out = KernelPlayer.named("maxims" if course.playouts in (ITSELF, COMPANY) else course.playouts, rules)
        members: dict[str, KernelPlayer] = {}
        weights: list[float] = []
        if course.itself < 100:
            members = self.population.members(rules)
            if course.strangers:
                for number in range(course.strangers * place, course.strangers * (place + 1)):
                    stranger = Stranger("learn", number)
                    members[stranger.name] = stranger.player(rules)
            if course.strangers or rules not in course.rules:  # no one has measured these players here
                weights = [1 / len(members)] * len(members)
            else:
                by_name = self.population.weights(course.rules.index(rules))
                weights = [by_name[name] for name in members]
        seed, near = course.word("company", place), course.ahead > 0
        lines = lines_for(rules, course.hands, weights, course.itself, course.playouts, near=near, seed=seed)
        return Company(net, (plays, plays_out, *members.values()), lines)

    def _learn(self, samples: Samples) -> None:
        course = self.course
        # The net's own play-outs are new in each generation. Play-outs by other players remain the same, and a league
        # continues.
        begin, end = (0, course.first) if self.place < course.first else (course.first, course.total)
        length = course.chunks if course.playouts == ITSELF and course.itself == 100 else end - begin
        within = ((self.place - begin) % length) / length
        rate = course.rate * (MIN_RATE + (1 - MIN_RATE) * 0.5 * (1 + math.cos(math.pi * within)))
        rate *= min(1.0, (self.place + 1) / WARM_UP)
        rules = course.table(self.place)
        self._learning = True  # it isn't possible to continue from half of a chunk
        for n in range(course.passes):
            seed = course.word("order", self.place, n)
            fitted = self.fit.learn(rules, samples, rate=rate, batch=course.batch, seed=seed)
            if n == 0:  # later passes have already seen these decisions
                self._sums += [fitted.plain**2, fitted.moves**2, fitted.value**2, 1]
        self.decisions += samples.decisions
        self.place += 1
        self._learning = False

    def _end_generation(self) -> None:
        self.policy = self.fit.net()
        generation = self.place // self.course.chunks
        met = self._meet()
        self.population.grow(f"generation {generation}", self.policy)
        plain, moves, value = (self._sums[:3] / self._sums[3]) ** 0.5
        self.history.append(
            {
                "generation": generation,
                "decisions": self.decisions,
                "seconds": round(self.seconds, 1),
                "spread": round(float(plain), 3),
                "missed": round(float(moves), 3),
                "missed_value": round(float(value), 1),
                **met,
            }
        )
        self._sums = np.zeros(4)
        if self.output is not None:
            write_atomically(self.output, self.policy.to_bytes())

    def _meet(self) -> dict[str, Any]:
        """Return the strength against rivals and, in a league, against earlier versions, as plain data by table."""
        course = self.course
        met = self.population.meet(self.policy, course.decks, seed=course.word("strength"), target=course.target)
        rivals = [
            {"edition": rules.edition, "table": rules.table} | {name: table[name].plain() for name in course.rivals}
            for rules, table in zip(course.rules, met, strict=True)
        ]
        if not course.former:
            return {"strength": rivals}
        former = [{name: table[name].plain() for name in self.population.former} for table in met]
        return {"strength": rivals, "former": former}

    # ------------------------------------------------------------------ files

    def save(self) -> None:
        """Save everything that is needed to continue, if a file was given. Raises `SaveError`."""
        if self.resume is None:
            return
        about = {
            "format": FORMAT,
            "key": self._key,
            "place": self.place,
            "decisions": self.decisions,
            "history": self.history,
            "seconds": round(self.seconds, 3),
            "leads": self.population.leads,
        }
        arrays: dict[str, npt.NDArray[Any]] = {"about": np.array(json.dumps(about)), "sums": self._sums}
        arrays |= {f"policy/{name}": array for name, array in self.policy.arrays.items()}
        arrays |= {f"former/{name}": array for name, array in self.population.to_arrays().items()}
        arrays |= {f"fit/{name}": array for name, array in self.fit.to_arrays().items()}
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]
        write_atomically(self.resume, buffer.getvalue())

    def _read(self, path: Path) -> None:
        if not path.exists():
            return
        try:
            arrays = load_arrays(path, "a file of a training run", MAX_BYTES)
        except MilleBornesError as error:
            raise SaveError(str(error)) from None
        try:
            about = json.loads(str(arrays["about"]))
            if about["format"] != FORMAT:
                raise SaveError(f'{path}: the format of this file must be "{FORMAT}", not {about["format"]!r}')
            for name, value in self._key.items():
                if name != "generations" and about["key"][name] != value:
                    raise SaveError(f"{path}: this file belongs to another run: its {name} differs")
            if about["place"] > self.course.total:
                raise SaveError(f"{path}: this file already contains more generations; ask for at least as many")
            parts: dict[str, dict[str, npt.NDArray[Any]]] = {"policy": {}, "fit": {}, "former": {}}
            for name, array in arrays.items():
                part, slash, rest = name.partition("/")
                if slash:
                    parts[part][rest] = array
            self.policy = Net(parts["policy"])
            self.fit.from_arrays(parts["fit"])
            self.population.from_arrays(parts["former"], about["leads"])
            self._sums = arrays["sums"].astype(np.float64).reshape(4)
            self.place, self.decisions = int(about["place"]), int(about["decisions"])
            self.history, self.seconds = list(about["history"]), float(about["seconds"])
        except (*MALFORMED, RuntimeError, PlayerError):
            raise SaveError(f"{path}: this file is damaged") from None


def _digest(name: str) -> str:
    """Return a digest of a net, because its file or the program may change while the name stays the same."""
    kind, _, options = name.partition(":")
    if kind != "instant":
        return ""
    net = load_net(Path(options)) if options else shipped_net()
    return hashlib.sha256(net.to_bytes()).hexdigest()
