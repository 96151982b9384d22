"""The analyst: simulate the rest of a hand after each move of a decision, estimate the moves, and stop in time.

An `Analyst` samples the hidden cards with the champion's searcher, has the moves played out, adds up the outcomes,
recognizes solved endgames and obeys `StopRules`. Two kinds of analyst differ in what they try and what they believe:

* A hint (`millebornes.analysis.hints`) must be useful after a few dozen simulations and give reasons. It begins with
  what the net expects of each move (Bayes' rule), tries moves less the worse they look, and records every line of the
  score sheet. Reviews and exercises use it too.
* A rollout (`millebornes.analysis.rollouts`) is the independent check: plain averages without expectations. Its
  simulations form numbered blocks, so that any number of processes get the same result.
"""

import contextlib
import enum
import functools
import math
import threading
import time
from collections.abc import Generator, Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.analysis.records import MoveEstimate
from millebornes.editions import Rules
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game import Hand, InformationState, View
from millebornes.players.history_player import remember_state
from millebornes.players.information_set import information_set_of
from millebornes.schema.exercises import Objective
from millebornes.search.evaluation import Evaluation, SampleMean
from millebornes.search.information_set import InformationSet
from millebornes.search.memory import Memory
from millebornes.search.searcher import Searcher
from millebornes.search.settings import SearchSettings

Position = Hand | View | InformationState
"""A position in which all cards are known, a seat's view, or everything that a seat has seen in the hand."""
DEFAULT_WORLDS: Final = 8192
"""The number of simulations if there is no stop rule."""
MAX_WORLDS: Final = 1_000_000
"""Every analysis ends after this many simulations."""
PERCENT: Final = 100.0
Numbers = npt.NDArray[np.float64]


class Stop(enum.Enum):
    """The reason why an analysis stopped."""

    WORLDS = "worlds"
    ERROR = "error"
    SIGMAS = "sigmas"
    TIME = "time"


class StopRules(NamedTuple):
    """The conditions that end an analysis. It ends after the first round that meets any condition.

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


class Proven(NamedTuple):
    """The ``values`` of all moves if both sides play perfectly, in points or, with ``is_match``, in chances to win it.

    ``leads`` contains the resulting leads in points, or None if they are unknown.
    """

    values: Numbers
    leads: Numbers | None
    is_match: bool

    def result(self, place: int, field: str) -> float | None:
        """Return the lead, whether the hand is won, or the chance after a move. Return None if it is unknown."""
        if self.leads is None:
            return None
        lead = float(self.leads[place])
        chance = float(self.values[place]) if self.is_match else 0.0
        return {"lead": lead, "won": 0.5 + 0.5 * float(np.sign(lead)), "chance": chance}[field]


class Analyst:
    """The analysis of one decision, in progress.

    ``objective`` defines which move is best. If it is None, the objective is the chance to win the match if the match
    has a target, and otherwise points. Raises `PlayerError` if there is nothing to decide or no target to play for.
    """

    evaluation: Evaluation
    """The results of the simulations so far."""

    def __init__(self, position: Position, objective: Objective | None) -> None:
        self.position: Final = position
        self.view: Final = view_of(position)
        self.moves: Final = tuple(self.view.legal_moves)
        self.objective: Final = objective_for(self.view.match_target, objective)
        self.is_match: Final = self.objective is Objective.MATCH
        self.target: Final = self.view.match_target or 0 if self.is_match else 0
        self.stopped: Stop | None = None
        self.seconds = 0.0
        """The time that the analysis has taken so far."""
        self.proven: Proven | None = None
        self._field: Final = "chance" if self.is_match else "lead"

    @property
    def worlds(self) -> int:
        """The number of simulations of each move that hasn't been dropped."""
        return self.evaluation.worlds

    def prove(self, searcher: Searcher, seen: InformationSet, memory: Memory) -> None:
        """Set ``proven`` if no card is hidden and a search to the end of the hand is quick."""
        codes = legal_codes(self.view)
        solved = searcher.solve(seen, codes, memory, self.is_match) if len(codes) > 1 else None
        if solved is not None:
            values = solved.estimate.lead + solved.estimate.value
            leads = searcher.solved_leads(seen, codes, memory, self.is_match) if self.is_match else values
            self.proven = Proven(values, leads, self.is_match)

    def follow(self, rounds: Generator[None, None, None], stop: StopRules) -> Generator[None, None, None]:
        """Yield after each of the ``rounds`` of simulations, until a stop rule applies."""
        begin = time.perf_counter() - self.seconds
        with contextlib.closing(rounds):
            for _ in rounds:
                self.seconds = time.perf_counter() - begin
                self.stopped = self._reason(stop)
                yield
                if self.stopped is not None:
                    return

    def _reason(self, stop: StopRules) -> Stop | None:
        if self.worlds >= stop.most:
            return Stop.WORLDS
        if stop.sigmas is not None or stop.error is not None:
            best, behind = self.losses()
            if stop.sigmas is not None and all(
                one.value >= stop.sigmas * one.stderr and (one.value > 0 or one.stderr == 0) for one in behind.values()
            ):
                return Stop.SIGMAS
            next_best = min(behind, key=lambda place: behind[place].value, default=None)
            mean = self.evaluation.mean(best, self._field) if next_best is None else behind[next_best]
            if stop.error is not None and mean.stderr <= stop.error / (PERCENT if self.is_match else 1.0):
                return Stop.ERROR
        return Stop.TIME if stop.seconds is not None and self.seconds >= stop.seconds else None

    def losses(self) -> tuple[int, Mapping[int, SampleMean]]:
        """Return the index of the best move so far, and how much each other move loses, in the objective's unit."""
        raise NotImplementedError

    def estimate(self, place: int, best: int, loss: SampleMean) -> MoveEstimate:
        """Return the results of the move with this index, given the index of the best move and the loss."""
        lead, won, chance = (self._mean(place, best, field) for field in ("lead", "won", "chance"))
        return MoveEstimate(
            move=self.moves[place],
            value=lead.value,
            stderr=lead.stderr,
            win_hand=chance_of(won.value),
            win_match=chance_of(chance.value) if self.is_match else None,
            loss=loss.value,
            loss_stderr=loss.stderr,
            worlds=self.evaluation.worlds_of(place),
            win_hand_stderr=won.stderr,
            win_match_stderr=chance.stderr if self.is_match else None,
            proven=None if self.proven is None else float(self.proven.values[place]),
        )

    def _mean(self, place: int, best: int, field: str) -> SampleMean:
        """Return the mean of a field after a move in all simulations, or its proven value without an error.

        If the move was dropped early, the mean is that of the best move minus its advantage in the simulations that
        both share, or the move's own mean if it never varies.
        """
        own, whole = self.evaluation.mean(place, field), self.evaluation.mean(best, field)
        exact = None if self.proven is None else self.proven.result(place, field)
        if exact is not None:
            return SampleMean(exact, 0.0, own.worlds)
        if own.worlds == whole.worlds or not own.stderr:
            return own
        less = self.evaluation.difference(best, place, field)
        return SampleMean(whole.value - less.value, math.hypot(whole.stderr, less.stderr), own.worlds)


def view_of(position: Position) -> View:
    """Return the view of the player who has to decide. Raises `PlayerError` if there is nothing to decide."""
    if isinstance(position, Hand):
        if position.seat is None:
            raise PlayerError("the hand is over, so there is nothing left to decide")
        return position.view(position.seat)
    view = position if isinstance(position, View) else position.view
    if not view.legal_moves:
        raise PlayerError(f"seat {view.seat} has nothing to decide here; an analysis needs a decision")
    return view


def seen_in(position: Position, view: View) -> tuple[InformationSet, Memory]:
    """Return what the seat to decide can see, and what it remembers of the hand."""
    memory = remember_state(position) if isinstance(position, InformationState) else Memory(view.rules)
    return information_set_of(view), memory


def legal_codes(view: View) -> list[int]:
    """Return the codes that kernels use for all legal moves."""
    return [view.legal_moves.code(move) or 0 for move in view.legal_moves]


def objective_for(match_target: int | None, objective: Objective | None) -> Objective:
    """Return the objective at a table. Raises `PlayerError` if it is to win a match that has no target."""
    if objective is Objective.MATCH and match_target is None:
        raise PlayerError("objective: without a match target, it can only be points")
    return objective or (Objective.POINTS if match_target is None else Objective.MATCH)


def new_searcher(rules: Rules, is_match: bool, worlds: int, deciders: str = "search") -> Searcher:
    """Return a searcher for about this many simulations of a decision. ``worlds`` also sets the length of its chains.

    ``deciders`` are the players of `millebornes.policies.dispatch.workspace_for`.
    """
    settings = SearchSettings(milliseconds=None, rollouts=2 * max(1, worlds), match=is_match)
    return Searcher(rules, settings, deciders)


def searcher_for(rules: Rules, is_match: bool, worlds: int, deciders: str = "search") -> Searcher:
    """Return a searcher that all decisions in this thread share, because one takes long to create."""
    return _shared_searcher(threading.get_ident(), rules, is_match, worlds, deciders)


@functools.lru_cache(maxsize=16)
def _shared_searcher(_thread: int, rules: Rules, is_match: bool, worlds: int, deciders: str) -> Searcher:
    return new_searcher(rules, is_match, worlds, deciders)


def chance_of(mean: float) -> float:
    """Return a mean chance limited to the range from 0 to 1, which control variates can leave slightly."""
    return min(1.0, max(0.0, mean))
