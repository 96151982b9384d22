"""Analyse one decision: simulate the rest of the hand after each move, and report what the simulations show."""

import math
import random
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.analysis.records import (
    Analysis,
    Comparison,
    MoveDifference,
    MoveEstimate,
    Objective,
    Topic,
    Trip,
    Trips,
)
from millebornes.editions import Rules
from millebornes.errors import PlayerError
from millebornes.game import Action, InformationState, Move, View
from millebornes.players.hint import maxim_for
from millebornes.players.history_player import remember_state
from millebornes.players.information_set import information_set_of
from millebornes.players.search_preparation import ensure
from millebornes.rules.clauses import SCORE_LINES, points_of
from millebornes.search.evaluation import Evaluation, SampleMean
from millebornes.search.information_set import InformationSet
from millebornes.search.memory import Memory
from millebornes.search.moments import Moments
from millebornes.search.searcher import RolloutQuestion, Searcher
from millebornes.search.settings import SearchSettings

__all__ = ["Analyst", "Proven", "Weighing", "chance_of", "expected_mean", "legal_codes", "prove"]

MIN_ERRORS_OF_REASONS: Final = 2.0
"""A difference that is smaller than this many standard errors isn't given as a reason."""
FIRST_WORLDS: Final = 32
"""The number of simulations in the first round. Each later round has twice as many …"""
MAX_WORLDS_OF_A_SAMPLE: Final = 512
"""… but no more than this number, after which the opponents' hands are sampled again."""
MAX_WORLDS_OF_FIRST_SAMPLES: Final = 256
"""The first samples are replaced sooner, after this many simulations.

Only a comparison of samples shows how accurate one sample is.
"""
MAX_ROUNDING: Final = 1e-9
"""Differences up to this size come from rounding."""
Numbers = npt.NDArray[np.float64]


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


def legal_codes(view: View) -> list[int]:
    """Return the codes that kernels use for all legal moves."""
    return [view.legal_moves.code(move) or 0 for move in view.legal_moves]


def prove(
    searcher: Searcher, seen: InformationSet, codes: Sequence[int], memory: Memory, is_match: bool
) -> Proven | None:
    """Return the values of the moves with these codes if no card is hidden and the search is quick, otherwise None."""
    solved = searcher.solve(seen, codes, memory, is_match) if len(codes) > 1 else None
    if solved is None:
        return None
    values = solved.estimate.lead + solved.estimate.value
    return Proven(values, searcher.solved_leads(seen, codes, memory, is_match) if is_match else values, is_match)


def chance_of(mean: float) -> float:
    """Return a mean chance limited to the range from 0 to 1, which control variates can leave slightly."""
    return min(1.0, max(0.0, mean))


def expected_mean(
    results: Evaluation | Moments, proven: Proven | None, place: int, best: int, field: str
) -> SampleMean:
    """Return the mean of a field over the outcomes of a move in all simulations, or its proven value without an error.

    If the move was dropped early, the mean is that of the best move minus its advantage in the simulations that both
    share, or the move's own mean if it never varies.
    """
    own, whole = results.mean(place, field), results.mean(best, field)
    exact = None if proven is None else proven.result(place, field)
    if exact is not None:
        return SampleMean(exact, 0.0, own.worlds)
    if own.worlds == whole.worlds or not own.stderr:
        return own
    less = results.difference(best, place, field)
    return SampleMean(whole.value - less.value, math.hypot(whole.stderr, less.stderr), own.worlds)


class Analyst:
    """Analyses decisions at one table.

    ``objective`` defines which move is best. If it is None, the objective is the chance to win the match if the match
    has a target, and otherwise points. ``worlds`` is the approximate number of simulations for a decision. ``worlds``
    also determines the length of the random walk that samples the opponents' hands.
    """

    def __init__(self, rules: Rules, *, objective: Objective | None = None, worlds: int = 2048) -> None:
        self.rules: Final = rules
        is_match = objective is not Objective.POINTS
        self._objective: Final = objective
        settings = SearchSettings(milliseconds=None, rollouts=2 * max(1, worlds), match=is_match)
        self._searcher: Final = Searcher(rules, settings)

    def get_ready(self, match_target: int | None) -> Objective:
        """Load or compile the code for a table with this match target, and return the objective.

        Raises `PlayerError` if the objective is the chance to win the match and there is no target.
        """
        objective = self._objective
        if objective is None:
            objective = Objective.POINTS if match_target is None else Objective.MATCH
        if objective is Objective.MATCH and match_target is None:
            raise PlayerError("objective: without a match target, it can only be points")
        ensure(self.rules, match_target or 0 if objective is Objective.MATCH else 0)
        return objective

    def weigh(
        self, seen: View | InformationState, seed: int | str = 0, *, always: Sequence[Move] = (), kept: int = 1
    ) -> "Weighing":
        """Start to analyse a seat's decision from its view or, for better results, from all it has seen in the hand.

        All simulations include the moves in ``always`` and the best ``kept`` moves. Raises `PlayerError` if the seat
        has nothing to decide, or if it follows other rules than this analyst. Raises `NotationError` if no hand could
        have led to this situation.
        """
        view = seen if isinstance(seen, View) else seen.view
        if view.rules != self.rules:
            raise PlayerError("the view's rules differ from the analyst's")
        if not view.legal_moves:
            raise PlayerError(f"seat {view.seat} has nothing to decide; an analysis needs a decision")
        objective = self.get_ready(view.match_target)
        rng = random.Random(f"{seed} {view}")
        return Weighing(self._searcher, seen, objective, rng, tuple(always), kept)


class Weighing:
    """An analysis in progress. Call `refine` as often as you like, and `analysis` to get the result so far."""

    def __init__(
        self,
        searcher: Searcher,
        seen: View | InformationState,
        objective: Objective,
        rng: random.Random,
        always: tuple[Move, ...],
        kept: int,
    ) -> None:
        self.state: Final = None if isinstance(seen, View) else seen
        self.view: Final = seen if isinstance(seen, View) else seen.view
        self.moves: Final = tuple(self.view.legal_moves)
        self.objective: Final = objective
        self._field: Final = "chance" if objective is Objective.MATCH else "lead"
        memory = Memory(searcher.rules) if self.state is None else remember_state(self.state)
        cards, codes = information_set_of(self.view), legal_codes(self.view)
        self._proven: Final = prove(searcher, cards, codes, memory, objective is Objective.MATCH)
        before = memory.fork()

        def ask_again() -> RolloutQuestion:
            return searcher.ask(cards, codes, before.fork(), rng)

        self._ask_again: Final = ask_again
        self._renewed = 0
        self.next_worlds = FIRST_WORLDS
        """The number of simulations in the next round, unless you ask for another number."""
        self.evaluation: Final = Evaluation(
            searcher,
            searcher.ask(cards, codes, memory, rng),
            objective=self._field,
            always=tuple(self.moves.index(move) for move in always),
            kept=kept,
        )

    @property
    def is_proven(self) -> bool:
        """Whether the rest of the hand is solved."""
        return self._proven is not None

    def refine(self, worlds: int | None = None) -> None:
        """Run more simulations of those moves that may still be the best."""
        left = self.next_worlds if worlds is None else worlds
        self.next_worlds = min(MAX_WORLDS_OF_A_SAMPLE, 2 * self.next_worlds)
        while left > 0:
            done = self.evaluation.worlds
            most = MAX_WORLDS_OF_FIRST_SAMPLES if done < MAX_WORLDS_OF_A_SAMPLE else MAX_WORLDS_OF_A_SAMPLE
            if done - self._renewed >= most:
                self.evaluation.renew(self._ask_again())
                self._renewed = done
            size = min(left, most - (done - self._renewed))
            self.evaluation.add(size)
            left -= size

    def order(self) -> list[int]:
        """Return the indices of the moves, best first.

        Among moves that are proven equal, plays come before discards.
        """
        expected = self._expected()
        rounded, discards = np.round(expected, 12), [move.action is Action.DISCARD for move in self.moves]
        leads = [self.evaluation.mean(place, "lead").value for place in range(len(self.moves))]
        return sorted(
            range(len(self.moves)), key=lambda place: (-rounded[place], discards[place], -leads[place], place)
        )

    def _expected(self) -> Numbers:
        """Return what each move is worth, in the objective's unit. Only differences between moves mean something."""
        return self.evaluation.expected()[0] if self._proven is None else self._proven.values

    def loss(self, move: Move) -> tuple[float, float]:
        """Return how much a move loses compared with the best one, with its standard error, in the objective's unit."""
        place, expected = self.moves.index(move), self._expected()
        best = int(np.argmax(expected))
        lost = max(0.0, float(expected[best] - expected[place]))
        if self.is_proven or place == best:
            return lost, 0.0
        return lost, self.evaluation.difference(best, place, self._field).stderr

    def behind(self, move: Move) -> tuple[float, float]:
        """Return how far a move is behind the best of the other moves that are still being tried, and its error.

        Both are in the unit of the objective. For the best move, the result is negative. If no other move is being
        tried, it is zero.
        """
        place = self.moves.index(move)
        if self.is_proven:
            return self.loss(move)
        expected = self._expected()
        others = [other for other in self.evaluation.left.tolist() if other != place]
        if not others:
            return 0.0, 0.0
        best = max(others, key=lambda other: float(expected[other]))
        stderr = self.evaluation.difference(best, place, self._field).stderr
        return float(expected[best] - expected[place]), stderr

    def compare(self, one: Move, other: Move) -> Comparison:
        """Compare two legal moves line by line of the score sheet, using the simulations that include both moves."""
        places = self.moves.index(one), self.moves.index(other)
        outcomes = [self.evaluation.outcomes(place) for place in places]
        worlds = min(map(len, outcomes))
        leads = [part["lines"][:worlds, 0].mean(axis=0) - part["lines"][:worlds, 1].mean(axis=0) for part in outcomes]
        lines = tuple((name, float(leads[0][n]), float(leads[1][n])) for n, name in enumerate(SCORE_LINES))
        best = self.order()[0]
        a, b = (self._estimate(place, best) for place in places)
        return Comparison(
            moves=(one, other),
            lines=lines,
            win_hand=(a.win_hand, b.win_hand),
            win_match=None if a.win_match is None or b.win_match is None else (a.win_match, b.win_match),
        )

    def analysis(self, against: Move | None = None, seconds: float = 0.0) -> Analysis:
        """Return the results so far.

        The reasons in ``why`` compare the best move with ``against`` or, if that is None, with the next best move. The
        next best move is chosen from the moves with the most simulations, because less is known about moves that were
        dropped early.
        """
        order = self.order()
        tried = [0 if self.is_proven else len(self.evaluation.outcomes(place)) for place in order]
        other = max(range(1, len(order)), key=lambda rank: (tried[rank], -rank), default=None)
        other = None if other is None else order[other]
        if against is not None and self.moves.index(against) != order[0]:
            other = self.moves.index(against)
        return Analysis(
            state=self.state,
            objective=self.objective,
            moves=tuple(self._estimate(place, order[0]) for place in order),
            why=() if other is None else self._differences(order[0], other),
            maxim=None if other is None else self._maxim(order[0], other),
            is_proven=self.is_proven,
            history=self.state is not None,
            rollouts=self.evaluation.rollouts,
            seconds=seconds,
            against=None if other is None else self.moves[other],
            trips=None if other is None or self.is_proven else self._trips(order[0], other),
        )

    def _trips(self, best: int, other: int) -> Trips:
        more = self.evaluation.difference(best, other, "lead")
        return Trips(self._trip(best), self._trip(other), more.value, more.stderr)

    def _trip(self, place: int) -> Trip:
        outcomes = self.evaluation.outcomes(place)
        line = Topic.EXTENSION if self.moves[place].action is Action.EXTEND else Topic.TRIP_COMPLETED
        completed = outcomes["lines"][:, 0, SCORE_LINES.index(line.value)] > 0
        parts = (outcomes["lead"][completed], outcomes["lead"][~completed])
        then, else_ = (float(part.mean()) if len(part) else None for part in parts)
        return Trip(float(completed.mean()), then, else_)

    def _maxim(self, best: int, other: int) -> str | None:
        if self.is_proven and not self.loss(self.moves[other])[0]:
            return None  # the moves are equal
        return maxim_for(self.view, self.moves[best], self.moves[other])

    def _estimate(self, place: int, best: int) -> MoveEstimate:
        lead, won, chance = (
            expected_mean(self.evaluation, self._proven, place, best, field) for field in ("lead", "won", "chance")
        )
        loss, loss_stderr = self.loss(self.moves[place])
        return MoveEstimate(
            move=self.moves[place],
            value=lead.value,
            stderr=lead.stderr,
            win_hand=chance_of(won.value),
            win_match=chance_of(chance.value) if self.objective is Objective.MATCH else None,
            loss=loss,
            loss_stderr=loss_stderr,
            worlds=len(self.evaluation.outcomes(place)),
        )

    def _differences(self, best: int, other: int) -> tuple[MoveDifference, ...]:
        """Return the statistically significant differences between the results of two moves, the largest first."""
        evaluation = self.evaluation
        first, second = evaluation.outcomes(best), evaluation.outcomes(other)
        worlds = min(len(first), len(second))
        found = []
        for line, (name, each) in enumerate(zip(SCORE_LINES, points_of(self.view.rules), strict=True)):
            topic = Topic(name)
            for who, sign in ((0, 1), (1, -1)):
                more = evaluation.difference(best, other, "lines", who, line)
                if _is_doubtful(more):
                    continue
                unit = each or 1  # under some rules, a line scores nothing (R9)
                means = [float(part["lines"][:worlds, who, line].mean()) / unit for part in (first, second)]
                held_up = suffered = None
                if topic is Topic.DISTANCE:
                    held_up, suffered = (self._counts(best, other, field, who) for field in ("held_up", "suffered"))
                points = sign * more.value
                found.append(
                    MoveDifference(topic, who == 0, points, more.stderr, means[0], means[1], held_up, suffered)
                )
        if self.objective is Objective.MATCH:
            more = evaluation.difference(best, other, "chance")
            if not _is_doubtful(more):
                lead = evaluation.difference(best, other, "lead")
                chance = evaluation.mean(best, "chance").value
                chances = chance_of(chance), chance_of(chance - more.value)  # consistent with the difference above
                found.append(MoveDifference(Topic.LATER, True, lead.value, lead.stderr, *chances))
        return tuple(sorted(found, key=lambda one: (one.topic is Topic.LATER, -abs(one.points))))

    def _counts(self, best: int, other: int, field: str, who: int) -> tuple[float, float] | None:
        """Return how often something happened after each of two moves, or None if the difference isn't significant."""
        told = self.evaluation.difference(best, other, field, who)
        if _is_doubtful(told):
            return None
        parts = [self.evaluation.outcomes(place)[: told.worlds] for place in (best, other)]
        return float(parts[0][field][:, who].mean()), float(parts[1][field][:, who].mean())


def _is_doubtful(found: SampleMean) -> bool:
    return abs(found.value) < max(MIN_ERRORS_OF_REASONS * found.stderr, MAX_ROUNDING)
