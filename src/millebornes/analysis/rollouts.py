"""Rollouts: simulate the rest of a hand from a position, as often as necessary to find the best move.

Simulations are numbered, and form blocks of `BLOCK` simulations. The results of a block depend only on the position,
the seed and the number of the block. The results don't depend on the process that runs the block or on the blocks it
has run before.
"""

import contextlib
import dataclasses
import enum
import functools
import math
import random
import threading
import time
from collections.abc import Callable, Generator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.analysis.analyst import Proven, chance_of, expected_mean, legal_codes, prove
from millebornes.analysis.records import Objective
from millebornes.arena.executors import Workers, in_order, open_workers
from millebornes.editions import Rules
from millebornes.errors import MilleBornesError, NotationError, PlayerError
from millebornes.game import Hand, InformationState, Move, View
from millebornes.players.history_player import remember_state
from millebornes.players.information_set import information_set_of
from millebornes.players.kernel_parts import SEARCH
from millebornes.players.search_preparation import compile_first, ensure
from millebornes.policies.batch import KernelPlayer, KernelSeats
from millebornes.policies.dispatch import MAXIMS, NET, is_watching, workspace_for
from millebornes.search.evaluation import SampleMean, hand_worths
from millebornes.search.information_set import InformationSet
from millebornes.search.memory import Memory
from millebornes.search.moments import Moments, Sums, sums_of
from millebornes.search.outcomes import OUTCOME, follow_up
from millebornes.search.rollouts import RolloutSeats
from millebornes.search.searcher import RolloutQuestion, Searcher
from millebornes.search.settings import SearchSettings

__all__ = [
    "Position",
    "RolledMove",
    "Rollout",
    "RolloutRun",
    "Stop",
    "StopRules",
    "read_position",
    "rollout",
    "view_of",
]

BLOCK: Final = 512
"""The number of simulations in a block. For each block, the opponents' hands are sampled again."""
WORLDS_PER_SALT: Final = 16
"""In this many consecutive simulations, players of a level forget the same cards.

These cards also depend on which cards the players were dealt.
"""
FIELD_COUNTS: Final[dict[int, type[Hand] | type[View] | type[InformationState]]] = {
    9: Hand,
    12: View,
    7: InformationState,
}
WORLD_OFFSET: Final = 1_000_000_007
"""If each move has its own simulations, the numbers of these simulations differ by this amount from move to move."""

Position = Hand | View | InformationState
"""A position in which all cards are known, a seat's view, or everything that a seat has seen in the hand."""

DEFAULT_WORLDS: Final = 8192
"""The number of simulations if there is no stop rule."""
MAX_WORLDS: Final = 1_000_000
"""Every rollout ends after this many simulations."""
MAX_ERRORS_BEHIND: Final = 4.0
"""A move is dropped if it is this many standard errors behind the best move."""
PERCENT: Final = 100.0

Progress = Callable[["RolloutRun"], None]
"""A function that is called after each block."""


class Stop(enum.Enum):
    """The reason why a rollout stopped."""

    WORLDS = "worlds"
    ERROR = "error"
    SIGMAS = "sigmas"
    TIME = "time"


class StopRules(NamedTuple):
    """The conditions that end a rollout. A rollout ends after the first block that meets any condition.

    ``worlds`` is the number of simulations. ``error`` is the largest allowed standard error of the difference between
    the two best moves, in points or, with `Objective.MATCH`, in hundredths of a match. ``sigmas`` is how far the best
    move must lead every other move, in standard errors of the difference. ``seconds`` is the time. A condition of None
    is ignored.
    """

    worlds: int | None = None
    error: float | None = None
    sigmas: float | None = None
    seconds: float | None = None

    @property
    def most(self) -> int:
        """The maximum number of simulations that these conditions allow."""
        if self.worlds is not None:
            return self.worlds
        return DEFAULT_WORLDS if self == StopRules() else MAX_WORLDS

    def check(self) -> None:
        """Raise `MilleBornesError` if a limit is invalid."""
        if self.worlds is not None and not 1 <= self.worlds <= MAX_WORLDS:
            raise MilleBornesError(
                f"worlds: {self.worlds} is not allowed; it must be a whole number from 1 to {MAX_WORLDS}"
            )
        for name in ("error", "sigmas", "seconds"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise MilleBornesError(f"{name}: {value} is not allowed; it must be a number above 0")


class RolledMove(NamedTuple):
    """The result of one move after ``n`` simulations.

    ``value`` is the expected lead in the hand: the side's points minus the average of the other sides. ``win_hand`` and
    ``win_match`` are chances from 0 to 1, and ``win_match`` is None outside a match. Each of these has a standard
    error. ``loss`` is how much worse the move is than the best move, in points or, with `Objective.MATCH`, in the
    chance to win the match, and ``loss_stderr`` is its standard error. If nothing is hidden any more, ``proven`` is the
    value of the move with perfect play, in the unit of ``loss``; otherwise it is None.
    """

    move: Move
    value: float
    stderr: float
    win_hand: float
    win_hand_stderr: float
    win_match: float | None
    win_match_stderr: float | None
    loss: float
    loss_stderr: float
    n: int
    proven: float | None = None


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
    moves: tuple[RolledMove, ...]
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
            "moves": [{name: _rounded(value) for name, value in move.items()} for move in moves],
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
    return run.found()


class RolloutRun:
    """A rollout that you can watch and interrupt. After any block, `found` returns the result so far.

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
        view = view_of(position)
        if objective is Objective.MATCH and view.match_target is None:
            raise PlayerError("objective: the position has no match target, so it can only be points")
        if player is not None:
            KernelPlayer.named(player, view.rules)
        is_match = view.match_target is not None and objective is not Objective.POINTS
        self.objective: Final = Objective.MATCH if is_match else Objective.POINTS
        self.position: Final = position
        self.player: Final = player
        self.seed: Final = str(seed)
        self.stop: Final = stop
        self.variance_reduction: Final = variance_reduction
        self.moves: Final = tuple(view.legal_moves)
        self.stopped: Stop | None = None
        self.seconds = 0.0
        self._rules: Final = view.rules
        self._target: Final = view.match_target or 0 if is_match else 0
        self._task: Final = _Task(position, player, is_match, self.seed, stop.most, variance_reduction)
        self._moments: Final = Moments(
            len(self.moves),
            controls=variance_reduction,
            paired=variance_reduction,
            chained=isinstance(position, InformationState),
        )
        self._proven: Final = _solve(position, is_match) if player is None else None
        self._field: Final = "chance" if is_match else "lead"

    @property
    def worlds(self) -> int:
        """The number of simulations of each move that hasn't been dropped."""
        return self._moments.worlds

    def run(self, workers: Workers, progress: Progress | None = None) -> None:
        """Run simulations until a stop rule applies, and call ``progress`` after each block.

        Raises any exception that a worker raises.
        """
        compile_first(self._rules, self._target, SEARCH)
        start = time.perf_counter()
        with contextlib.closing(self._blocks(workers)) as blocks:
            for sums in blocks:
                self._moments.add(sums)
                self.seconds = time.perf_counter() - start
                self.stopped = self._reason()
                if progress is not None:
                    progress(self)
                if self.stopped is not None:
                    return

    def _blocks(self, workers: Workers) -> Generator[Sums, None, None]:
        """Yield the blocks in order. Moves are dropped only after 1, 2, 4 … blocks, however many run at once."""
        blocks = math.ceil(self._task.worlds / BLOCK)
        begin, end = 0, 1
        while begin < blocks:
            left = self._moments.left
            work = in_order(workers, functools.partial(_play_blocks, self._task, left), begin, min(end, blocks))
            with contextlib.closing(work):
                for _, blocks_played in work:
                    yield from blocks_played
            self._narrow()
            begin, end = end, 2 * end

    # ------------------------------------------------------------------ the result so far

    def _losses(self) -> tuple[int, dict[int, SampleMean]]:
        """Return the index of the best move so far, and its lead over each other move."""
        left = self._moments.left
        best = max(left, key=lambda place: (self._moments.mean(place, self._field).value, -place))
        behind = self._behind(best)
        for _ in left:  # with paired simulations and reduced luck, another move may be slightly ahead
            ahead = min((place for place in left if place != best), key=lambda place: behind[place].value, default=best)
            if ahead == best or behind[ahead].value >= 0:
                break
            best, behind = ahead, self._behind(ahead)
        return best, behind

    def _behind(self, best: int) -> dict[int, SampleMean]:
        others = (place for place in range(len(self.moves)) if place != best)
        return {place: self._moments.difference(best, place, self._field) for place in others}

    def _narrow(self) -> None:
        best, behind = self._losses()
        margin = max(MAX_ERRORS_BEHIND, self.stop.sigmas or 0.0)
        left = [p for p in self._moments.left if p == best or behind[p].value <= margin * behind[p].stderr]
        if len(left) == 1 and len(self._moments.left) > 1:  # keep one rival, which shows how certain the best move is
            left.append(min((p for p in self._moments.left if p != best), key=lambda place: behind[place].value))
        self._moments.narrow(sorted(left))

    def _reason(self) -> Stop | None:
        stop = self.stop
        best, behind = self._losses()
        if self.worlds >= self._task.worlds:
            return Stop.WORLDS
        if stop.sigmas is not None and all(
            one.value >= stop.sigmas * one.stderr and (one.value > 0 or one.stderr == 0) for one in behind.values()
        ):
            return Stop.SIGMAS
        if stop.error is not None:
            next_best = min(behind, key=lambda place: behind[place].value, default=None)
            mean = self._moments.mean(best, self._field) if next_best is None else behind[next_best]
            if mean.stderr <= stop.error / (PERCENT if self._task.is_match else 1.0):
                return Stop.ERROR
        if stop.seconds is not None and self.seconds >= stop.seconds:
            return Stop.TIME
        return None

    def found(self) -> Rollout:
        """Return the result so far. Raises `MilleBornesError` before the first block is done."""
        if not self.worlds:
            raise MilleBornesError("nothing has been played out yet")
        best, behind = self._losses()
        proven = self._proven
        losses = {best: SampleMean(0.0, 0.0, self.worlds), **behind}
        if proven is None:
            order = sorted(losses, key=lambda place: (losses[place].value, place))
        else:
            worth = proven.values
            order = sorted(losses, key=lambda place: (-worth[place], losses[place].value, place))
            losses = {place: SampleMean(float(worth[order[0]] - worth[place]), 0.0, self.worlds) for place in order}
        others = sorted(behind, key=lambda place: (behind[place].value, place))
        ratio = self._moments.variance_ratio(best, others[0], self._field) if others else None
        moves = tuple(self._rolled(place, best, losses[place]) for place in order)
        return self.result(
            moves=moves, worlds=self.worlds, variance_ratio=ratio, stopped=self.stopped, seconds=self.seconds
        )

    def result(self, **figures: Any) -> Rollout:
        """Return a `Rollout` of this position with these figures."""
        return Rollout(position=self.position, objective=self.objective, player=self.player, seed=self.seed, **figures)

    def _rolled(self, place: int, best: int, loss: SampleMean) -> RolledMove:
        lead, won, chance = (
            expected_mean(self._moments, self._proven, place, best, field) for field in ("lead", "won", "chance")
        )
        is_match = self._task.is_match
        return RolledMove(
            move=self.moves[place],
            value=lead.value,
            stderr=lead.stderr,
            win_hand=chance_of(won.value),
            win_hand_stderr=won.stderr,
            win_match=chance_of(chance.value) if is_match else None,
            win_match_stderr=chance.stderr if is_match else None,
            loss=loss.value,
            loss_stderr=loss.stderr,
            n=self._moments.worlds_of(place),
            proven=None if self._proven is None else float(self._proven.values[place]),
        )


# ---------------------------------------------------------------- positions


def read_position(text: str) -> Position:
    """Return the position in a text, which may be a hand, a view or an information state (docs/positions.md).

    Raises `NotationError`.
    """
    text = text.strip()
    parts = len(text.split(" "))
    kind = FIELD_COUNTS.get(parts)
    if kind is None:
        raise NotationError(
            "a position is one line of fields separated by single spaces: 9 for a hand, 12 for a view, 7 for what a "
            f"seat has seen; this has {parts}"
        )
    return kind.parse(text)


def view_of(position: Position) -> View:
    """Return the view of the player who has to decide. Raises `PlayerError` if there is nothing to decide."""
    if isinstance(position, Hand):
        if position.seat is None:
            raise PlayerError("the hand is over, so there is nothing left to decide")
        return position.view(position.seat)
    view = position if isinstance(position, View) else position.view
    if not view.legal_moves:
        raise PlayerError(f"seat {view.seat} has nothing to decide here; a rollout needs a decision")
    return view


# ---------------------------------------------------------------- blocks of simulations, in any process


class _Task(NamedTuple):
    """The work to do in a rollout, with at most ``worlds`` simulations.

    ``player`` makes all later moves in all seats. If it is None, the later moves are made by the players that the
    champion's search assumes. Unless the moves are ``paired``, each move has its own simulations.
    """

    position: Position
    player: str | None
    is_match: bool
    seed: str
    worlds: int
    paired: bool


class _Stage:
    """The working memory for simulations at one table, in one thread, because kernels write to it."""

    def __init__(self, rules: Rules, player: str | None, is_match: bool) -> None:
        settings = SearchSettings(milliseconds=None, rollouts=2 * BLOCK, match=is_match)
        self.searcher: Final = Searcher(rules, settings)
        named = None if player is None else KernelPlayer.named(player, rules)
        deciders = "search" if named is None or named.who in (MAXIMS, NET) else "all"
        self.workspace: Final = workspace_for(rules, 2, deciders)
        self.players: Final = None if named is None else KernelSeats([named])


@functools.lru_cache(maxsize=16)
def _stage_of(thread: int, rules: Rules, player: str | None, is_match: bool) -> _Stage:
    return _Stage(rules, player, is_match)


def _seen_of(position: Position) -> tuple[InformationSet, Memory]:
    view = view_of(position)
    memory = remember_state(position) if isinstance(position, InformationState) else Memory(view.rules)
    return information_set_of(view), memory


def _solve(position: Position, is_match: bool) -> Proven | None:
    view = view_of(position)
    if len(view.legal_moves) < 2 or (isinstance(position, Hand) and view.draw_pile):
        return None
    ensure(view.rules, view.match_target or 0 if is_match else 0)
    searcher = _stage_of(threading.get_ident(), view.rules, None, is_match).searcher
    seen, memory = _seen_of(position)
    return prove(searcher, seen, legal_codes(view), memory, is_match)


def _play_blocks(task: _Task, places: tuple[int, ...], numbers: range) -> tuple[Sums, ...]:
    """Simulate the moves at these indices in the blocks with these numbers."""
    view = view_of(task.position)
    ensure(view.rules, view.match_target or 0 if task.is_match else 0)
    return tuple(_play(task, view, places, number) for number in numbers)


def _play(task: _Task, view: View, places: tuple[int, ...], number: int) -> Sums:
    stage = _stage_of(threading.get_ident(), view.rules, task.player, task.is_match)
    rng = random.Random(f"{task.seed} rollout {number}")
    seen, memory = _seen_of(task.position)
    question = stage.searcher.ask(seen, legal_codes(view), memory, rng)
    if isinstance(task.position, Hand):
        question = question._replace(known=question.known._replace(hands=_true_hands(task.position, question)))
    if stage.players is not None:
        line = np.zeros((1, view.rules.seats), np.int64)
        question = question._replace(seating=RolloutSeats(stage.players.records, line, line, 0))
    deal = stage.workspace.deals[0]
    deal["totals"][: len(view.totals)] = view.totals
    deal["target"], deal["opponents"] = question.stakes.goal, memory.opponents
    deal["watched"] = (
        is_watching(question.seating.players) if stage.players is not None else question.seating.net_plies > 0
    )
    worlds = min(BLOCK, task.worlds - number * BLOCK)
    out = np.zeros((worlds, len(places)), OUTCOME)
    codes = question.codes[list(places)]
    salts = None if stage.players is None else np.random.default_rng(rng.getrandbits(64))
    for begin in range(0, worlds, worlds if salts is None else WORLDS_PER_SALT):
        part = out[begin:] if salts is None else out[begin : begin + WORLDS_PER_SALT]
        if salts is not None:
            pack = np.repeat(np.arange(len(view.rules.deck)), view.rules.deck)
            deal["pile"][: len(pack)] = salts.permutation(pack)
        if task.paired:
            _follow(stage, question, begin, codes, part)
            continue
        for column, place in enumerate(places):
            one = np.zeros((len(part), 1), OUTCOME)
            _follow(stage, question, begin + place * WORLD_OFFSET, codes[column : column + 1], one)
            part[:, column] = one[:, 0]
    worth = hand_worths(question, view.rules)
    return sums_of(out, (worth - worth.mean())[np.arange(worlds) % len(worth)])


def _follow(stage: _Stage, question: RolloutQuestion, begin: int, codes: Any, out: Any) -> None:
    known, seating, stakes = question.known, question.seating, question.stakes
    follow_up(stage.workspace, known, seating, stakes, begin, question.seed, codes, out)


def _true_hands(hand: Hand, question: RolloutQuestion) -> npt.NDArray[np.uint64]:
    """Return the other players' real hands as the only sample."""
    words = [sum(1 << 3 * card.index for card in hand.cards(seat)) for seat in question.known.other_seats.tolist()]
    return np.array([words], np.uint64)
