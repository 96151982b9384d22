"""Rollouts: simulate the rest of a hand from a position, as often as necessary to find the best move.

Simulations are numbered, and form blocks of `BLOCK` simulations. The results of a block depend only on the position,
the seed and the number of the block. The results don't depend on the process that runs the block or on the blocks it
has run before. So the results of a whole rollout can be cached.
"""

import contextlib
import dataclasses
import functools
import hashlib
import json
import math
import os
import random
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from millebornes._version import __version__
from millebornes.analysis.analyst import Analyst, Position, Stop, StopRules, legal_codes, searcher_for, seen_in, view_of
from millebornes.analysis.records import MoveEstimate
from millebornes.arena.executors import Workers, in_order, open_workers
from millebornes.editions import Rules
from millebornes.errors import MALFORMED, MilleBornesError, SaveError
from millebornes.game import Hand, InformationState, Move, View
from millebornes.kernels import store
from millebornes.players.kernel_parts import SEARCH
from millebornes.players.search_preparation import compile_first, ensure
from millebornes.policies.batch import KernelPlayer, KernelSeats
from millebornes.policies.dispatch import MAXIMS, NET
from millebornes.schema.exercises import Objective
from millebornes.search.evaluation import FIGURES, Evaluation, SampleMean, Sums, sums_of
from millebornes.search.rollouts import RolloutSeats
from millebornes.search.searcher import RolloutQuestion
from millebornes.storage.files import cache_folder, make_room, write_atomically

BLOCK: Final = 512
"""The number of simulations in a block. For each block, the opponents' hands are sampled again."""
HANDS_PER_CHAIN: Final = 1400.0
"""The approximate number of hands that a chain provides for a block of simulations."""
WORLDS_PER_SALT: Final = 16
"""In this many consecutive simulations, players of a level forget the same cards.

These cards also depend on which cards the players were dealt.
"""
WORLD_OFFSET: Final = 1_000_000_007
"""If each move has its own simulations, the numbers of these simulations differ by this amount from move to move."""
MAX_ERRORS_BEHIND: Final = 4.0
"""A move is dropped if it is this many standard errors behind the best move."""

FORMAT: Final = "millebornes-rollout/3"
"""The format of a cached result."""
MAX_CACHE: Final = 64 << 20
"""The maximum total size of all cached results, in bytes."""
MIN_SIZE: Final = 4096
"""Each file counts for at least this many bytes."""

Progress = Callable[["RolloutRun"], None]
"""A function that is called after each block."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rollout:
    """The results of all moves in a position, best first.

    ``worlds`` is the number of simulations of the best move. ``variance_ratio`` is how many times more simulations
    would be needed for the same precision between the two best moves, if there were no variance reduction and each move
    had its own simulations. If there is only one move or no difference at all, ``variance_ratio`` is None. ``stopped``
    is None if the rollout is still running or was interrupted.
    """

    position: Position
    objective: Objective
    player: str | None
    seed: str
    moves: tuple[MoveEstimate, ...]
    worlds: int
    variance_ratio: float | None
    stopped: Stop | None
    seconds: float

    @property
    def best(self) -> Move:
        """The move with the best result or, if one is proven, the proven best move."""
        return self.moves[0].move

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data, as ``millebornes rollout --json`` prints it (docs/rollouts.md)."""
        moves = [{**move._asdict(), "move": move.move.text} for move in self.moves]
        return {
            "moves": [
                {"n" if name == "worlds" else name: _rounded(value) for name, value in move.items()} for move in moves
            ],
            "worlds": self.worlds,
            "variance_ratio": _rounded(self.variance_ratio),
            "position": str(self.position),
            "objective": self.objective.value,
            "player": self.player,
            "seed": self.seed,
            "stopped": None if self.stopped is None else self.stopped.value,
            "seconds": round(self.seconds, 3),
        }


def _rounded(value: Any) -> Any:
    return round(value, 6) if isinstance(value, float) else value


def rollout(
    position: Position,
    stop: StopRules = StopRules(),  # noqa: B008
    *,
    objective: Objective | None = None,
    player: str | None = None,
    seed: int | str = 0,
    variance_reduction: bool = True,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Rollout:
    """Simulate the rest of the hand after each move in a position, with hidden cards that are consistent with it.

    If the position is a `millebornes.game.Hand`, all cards are known except the order of the draw pile. If it is a
    `millebornes.game.View`, all possible hands of the other players are equally likely. If it is an `InformationState`,
    the moves they have made so far make some hands more likely than others.

    ``objective`` defines which move is best. By default, it is the chance to win the match if the match has a target,
    and otherwise points. ``player`` makes all later moves in all seats, and must be a player with a kernel. If it is
    None, the later moves are made by the players that the champion assumes for people. Without ``variance_reduction``,
    each move has its own simulations and luck isn't subtracted, so the same precision takes many times longer.

    The same ``seed`` gives the same result with any number of ``jobs`` (processes), unless the time limit ends the
    rollout. Raises `PlayerError` if there is nothing to decide or the player doesn't exist, and `MilleBornesError` if a
    stop rule is invalid.

    >>> from millebornes import Match, make_rules
    >>> from millebornes.analysis.rollouts import StopRules, rollout
    >>> found = rollout(Match.start(make_rules("classic"), 7).view(0), StopRules(worlds=64))
    >>> found.best == found.moves[0].move, found.worlds
    (True, 64)
    """
    run = RolloutRun(
        position, stop, objective=objective, player=player, seed=seed, variance_reduction=variance_reduction
    )
    with open_workers(jobs) as workers:
        run.run(workers, progress)
    return run.current_result()


class RolloutRun(Analyst):
    """A rollout that you can watch and interrupt. After any block, `current_result` returns the result so far.

    The class takes the same arguments as `rollout` and raises the same exceptions.
    """

    def __init__(
        self,
        position: Position,
        stop: StopRules = StopRules(),  # noqa: B008
        *,
        objective: Objective | None = None,
        player: str | None = None,
        seed: int | str = 0,
        variance_reduction: bool = True,
    ) -> None:
        stop.check()
        super().__init__(position, objective)
        rules = self.view.rules
        if player is not None:
            KernelPlayer.named(player, rules)
        self.player: Final = player
        self.seed: Final = str(seed)
        self.stop: Final = stop
        self.variance_reduction: Final = variance_reduction
        self._task: Final = _Task(position, player, self.target, self.seed, stop.most, variance_reduction)
        # The hands in a block are similar if a seat's memory of earlier moves makes some of them more likely.
        hands = HANDS_PER_CHAIN if isinstance(position, InformationState) else None
        self.evaluation = Evaluation(
            len(self.moves), controls=variance_reduction, paired=variance_reduction, hands=hands
        )
        if player is None and len(self.moves) > 1 and not (isinstance(position, Hand) and self.view.draw_pile):
            ensure(rules, self.target)
            self.prove(searcher_for(rules, self.is_match, BLOCK), *seen_in(position, self.view))

    def run(self, workers: Workers, progress: Progress | None = None) -> None:
        """Run simulations until a stop rule applies, and call ``progress`` after each block.

        Raises any exception that a worker raises.
        """
        compile_first(self.view.rules, self.target, SEARCH)
        with contextlib.closing(self.follow(self._blocks(workers), self.stop)) as rounds:
            for _ in rounds:
                if progress is not None:
                    progress(self)

    def _blocks(self, workers: Workers) -> Generator[None, None, None]:
        """Add the blocks in order. Moves are dropped only after 1, 2, 4 … blocks, however many run at once."""
        blocks = math.ceil(self._task.worlds / BLOCK)
        begin, end = 0, 1
        while begin < blocks:
            play = functools.partial(_play_blocks, self._task, self.evaluation.left)
            with contextlib.closing(in_order(workers, play, begin, min(end, blocks))) as work:
                for numbers, blocks_played in work:
                    for number, sums in zip(numbers, blocks_played, strict=True):
                        self.evaluation.add(sums, number)
                        yield
            self._narrow()
            begin, end = end, 2 * end

    # ------------------------------------------------------------------ the result so far

    def losses(self) -> tuple[int, Mapping[int, SampleMean]]:
        """Return the index of the best move so far, and its lead over each other move."""
        left = self.evaluation.left
        best = max(left, key=lambda place: (self.evaluation.mean(place, self._field).value, -place))
        behind = self._behind(best)
        for _ in left:  # with paired simulations and reduced luck, another move may be slightly ahead
            ahead = min((place for place in left if place != best), key=lambda place: behind[place].value, default=best)
            if ahead == best or behind[ahead].value >= 0:
                break
            best, behind = ahead, self._behind(ahead)
        return best, behind

    def _behind(self, best: int) -> dict[int, SampleMean]:
        others = (place for place in range(len(self.moves)) if place != best)
        return {place: self.evaluation.difference(best, place, self._field) for place in others}

    def _narrow(self) -> None:
        best, behind = self.losses()
        margin = max(MAX_ERRORS_BEHIND, self.stop.sigmas or 0.0)
        left = [p for p in self.evaluation.left if p == best or behind[p].value <= margin * behind[p].stderr]
        if len(left) == 1 and len(self.evaluation.left) > 1:  # keep one rival, which shows how certain the best move is
            left.append(min((p for p in self.evaluation.left if p != best), key=lambda place: behind[place].value))
        self.evaluation.narrow(sorted(left))

    def current_result(self) -> Rollout:
        """Return the result so far. Raises `MilleBornesError` before the first block is done."""
        if not self.worlds:
            raise MilleBornesError("nothing has been played out yet")
        best, behind = self.losses()
        proven = self.proven
        losses = {best: SampleMean(0.0, 0.0, self.worlds), **behind}
        if proven is None:
            order = sorted(losses, key=lambda place: (losses[place].value, place))
        else:
            worth = proven.values
            order = sorted(losses, key=lambda place: (-worth[place], losses[place].value, place))
            losses = {place: SampleMean(float(worth[order[0]] - worth[place]), 0.0, self.worlds) for place in order}
        others = sorted(behind, key=lambda place: (behind[place].value, place))
        ratio = self.evaluation.variance_ratio(best, others[0], self._field) if others else None
        moves = tuple(self.estimate(place, best, losses[place]) for place in order)
        return self.result(
            moves=moves, worlds=self.worlds, variance_ratio=ratio, stopped=self.stopped, seconds=self.seconds
        )

    def result(self, **figures: Any) -> Rollout:
        """Return a `Rollout` of this position with these figures."""
        return Rollout(position=self.position, objective=self.objective, player=self.player, seed=self.seed, **figures)


# ---------------------------------------------------------------- the cache


class RolloutCache:
    """The cached results in a folder, which take up to ``room`` bytes. The default is the platform's cache folder.

    Each result is a file with a checksum. The name of the file is a hash of everything that affects the result. A
    damaged file counts as missing. If there is no room, the files that haven't been used for the longest time are
    deleted.

    The methods raise no errors, because a program works without a cache.
    """

    def __init__(self, folder: Path | None = None, room: int = MAX_CACHE) -> None:
        self.folder: Final = cache_folder() / "rollouts" if folder is None else folder
        self._room: Final = room

    def find(self, run: RolloutRun) -> Rollout | None:
        """Return the saved result of the same rollout, or None."""
        path = self._path(run)
        if path is None:
            return None
        try:
            checksum, _, body = path.read_bytes().partition(b"\n")
            if hashlib.sha256(body).hexdigest().encode() != checksum:
                return None
            data = json.loads(body)
            moves = tuple(MoveEstimate(Move.parse(row[0]), *row[1:]) for row in data["moves"])
            result = run.result(**{**data, "moves": moves, "stopped": Stop(data["stopped"])})
        except (OSError, *MALFORMED):
            return None
        with contextlib.suppress(OSError):  # the folder may be read-only, or another program may have removed the file
            os.utime(path)
        return result

    def keep(self, run: RolloutRun) -> None:
        """Save the result of a rollout.

        If it was interrupted or stopped by the clock, it can't be repeated and isn't saved.
        """
        path = self._path(run)
        if path is None or run.stopped in (None, Stop.TIME):
            return
        result = run.current_result()
        data = {
            "moves": [[move.move.text, *move[1:]] for move in result.moves],
            "worlds": result.worlds,
            "variance_ratio": result.variance_ratio,
            "stopped": run.stopped.value,
            "seconds": result.seconds,
        }
        body = json.dumps(data).encode()
        with contextlib.suppress(OSError, SaveError):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
            make_room(self.folder, self._room, smallest=MIN_SIZE)

    def _path(self, run: RolloutRun) -> Path | None:
        """Return the file for the result of a rollout, or None if it depends on a player from the user's own file."""
        if run.player is not None and ":" in run.player:
            return None
        decisive = [
            [FORMAT, __version__, store.cache_folder.name if store.cache_folder else ""],
            [type(run.position).__name__, str(run.position)],
            run.objective.value,
            run.player,
            run.seed,
            run.variance_reduction,
            run.stop._replace(worlds=run.stop.most, seconds=None),
        ]
        digest = hashlib.sha256(json.dumps(decisive).encode("utf-8", "surrogatepass")).hexdigest()
        return self.folder / f"{digest[:40]}.json"


# ---------------------------------------------------------------- blocks of simulations, in any process


class _Task(NamedTuple):
    """The work to do in a rollout, with at most ``worlds`` simulations.

    ``target`` is the target of the match, or 0 if moves are compared by points. ``player`` makes all later moves in all
    seats. If it is None, the later moves are made by the players that the champion's search assumes. Unless the moves
    are ``paired``, each move has its own simulations.
    """

    position: Position
    player: str | None
    target: int
    seed: str
    worlds: int
    paired: bool


def _play_blocks(task: _Task, places: tuple[int, ...], numbers: range) -> tuple[Sums, ...]:
    view = view_of(task.position)
    ensure(view.rules, task.target)
    return tuple(_play(task, view, places, number) for number in numbers)


def _play(task: _Task, view: View, places: tuple[int, ...], number: int) -> Sums:
    rules = view.rules
    seated = None if task.player is None else _seats_of(task.player, rules)
    is_level = seated is not None and seated.players[0].who not in (MAXIMS, NET)
    searcher = searcher_for(rules, task.target > 0, BLOCK, "all" if is_level else "search")
    rng = random.Random(f"{task.seed} rollout {number}")
    line = np.zeros((1, rules.seats), np.int64)
    seating = None if seated is None else RolloutSeats(seated.records, line, line, 0)
    seen, memory = seen_in(task.position, view)
    question = searcher.ask(seen, legal_codes(view), memory, rng, seating)
    if isinstance(task.position, Hand):
        question = _with_true_hands(question, task.position)
    salts = None if seated is None else np.random.default_rng(rng.getrandbits(64))
    pack = np.repeat(np.arange(len(rules.deck)), rules.deck)
    worlds = min(BLOCK, task.worlds - number * BLOCK)
    step = worlds if salts is None else WORLDS_PER_SALT
    chosen, parts = np.array(places), []
    for begin in range(0, worlds, step):
        size = min(step, worlds - begin)
        if salts is not None:
            searcher.set_pile(salts.permutation(pack))
        apart = [(chosen, begin)]
        if not task.paired:
            apart = [(chosen[n : n + 1], begin + place * WORLD_OFFSET) for n, place in enumerate(places)]
        outcomes = [searcher.roll_out(question, some, first, size, is_counted=True) for some, first in apart]
        parts.append(np.concatenate(outcomes, axis=1))
    return sums_of(np.concatenate(parts), question.simulations.known, rules, 0, FIGURES)


@functools.lru_cache(maxsize=16)
def _seats_of(player: str, rules: Rules) -> KernelSeats:
    return KernelSeats([KernelPlayer.named(player, rules)])


def _with_true_hands(question: RolloutQuestion, hand: Hand) -> RolloutQuestion:
    known = question.simulations.known
    words = [sum(1 << 3 * card.index for card in hand.cards(seat)) for seat in known.other_seats.tolist()]
    known = known._replace(hands=np.array([words], np.uint64))
    return question._replace(simulations=question.simulations._replace(known=known))
