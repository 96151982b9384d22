"""Analyse one decision: simulate the rest of the hand after each move, and report what the simulations show."""

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
from millebornes.players.information_set import information_set_of
from millebornes.players.search_preparation import ensure
from millebornes.rules.clauses import SCORE_LINES, points_of
from millebornes.search.evaluation import Evaluation, SampleMean
from millebornes.search.information_set import InformationSet
from millebornes.search.memory import Memory
from millebornes.search.moments import chance_of, expected_mean
from millebornes.search.searcher import RolloutQuestion, Searcher
from millebornes.search.settings import SearchSettings

__all__ = ["Analyst", "Weighing"]

MIN_ERRORS_OF_REASONS: Final = 2.0
"""A difference that is smaller than this many standard errors isn't given as a reason."""
MAX_WORLDS_OF_A_SAMPLE: Final = 512
"""The opponents' hands are sampled again after this many simulations."""
MAX_WORLDS_OF_FIRST_SAMPLES: Final = 256
"""The first samples are replaced sooner, after this many simulations.

Only a comparison of samples shows how accurate one sample is.
"""
MAX_ROUNDING: Final = 1e-9
"""Differences up to this size are ignored, because they come from rounding."""
Numbers = npt.NDArray[np.float64]


class _Figure(NamedTuple):
    value: float
    stderr: float


class Analyst:
    """Analyses decisions at one table.

    ``objective`` defines which move is best. If it is None, the objective is the chance to win the match if the match
    has a target, and otherwise points. ``worlds`` is the approximate number of simulations for a decision. ``worlds``
    also determines the length of the random walk that samples the opponents' hands. ``threads`` is the number of
    threads that share the simulations. The number of threads doesn't change the results.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        objective: Objective | None = None,
        worlds: int = 2048,
        threads: int = 1,
    ) -> None:
        self.rules: Final = rules
        is_match = objective is not Objective.POINTS
        self._objective: Final = objective
        settings = SearchSettings(milliseconds=None, rollouts=2 * max(1, worlds), match=is_match, threads=threads)
        self._searcher: Final = Searcher(rules, settings)

    def close(self) -> None:
        """Stop the threads."""
        self._searcher.close()

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
        self, view: View, memory: Memory | None, seed: int | str = 0, *, always: Sequence[Move] = (), kept: int = 1
    ) -> "Weighing":
        """Start to analyse the decision in a seat's view. ``memory`` contains what the seat remembers of the hand.

        ``memory`` is None if the earlier moves of the hand are unknown. All simulations include the moves in ``always``
        and the best ``kept`` moves. Raises `PlayerError` if the seat has nothing to decide, or if the view follows
        other rules than this analyst.
        """
        if view.rules != self.rules:
            raise PlayerError("the view's rules differ from the analyst's")
        if not view.legal_moves:
            raise PlayerError(f"seat {view.seat} has nothing to decide; an analysis needs a decision")
        objective = self.get_ready(view.match_target)
        return Weighing(self._searcher, view, memory, objective, random.Random(f"{seed} {view}"), (tuple(always), kept))


class Weighing:
    """An analysis in progress. Call `refine` as often as you like, and `analysis` to get the result so far."""

    def __init__(
        self,
        searcher: Searcher,
        view: View,
        memory: Memory | None,
        objective: Objective,
        rng: random.Random,
        tried: tuple[tuple[Move, ...], int],
    ) -> None:
        """``tried`` contains the moves to try in all simulations, and how many of the best moves to add to them."""
        self.view: Final = view
        self.moves: Final = tuple(view.legal_moves)
        self.objective: Final = objective
        self.history: Final = memory is not None
        memory = Memory(searcher.rules) if memory is None else memory
        seen = information_set_of(view)
        codes = [view.legal_moves.code(move) or 0 for move in self.moves]
        is_match = objective is Objective.MATCH
        solved = searcher.solve(seen, codes, memory, is_match) if len(codes) > 1 else None
        self._proven: Final = None if solved is None else solved.estimate.lead + solved.estimate.value
        self._solved: Final = None if self._proven is None else self._outcomes(searcher, seen, codes, memory, is_match)
        before = memory.fork()

        def ask_again() -> RolloutQuestion:
            return searcher.ask(seen, codes, before.fork(), rng)

        self._ask_again: Final = ask_again
        self._renewed = 0
        self.evaluation: Final = Evaluation(
            searcher,
            searcher.ask(seen, codes, memory, rng),
            objective="chance" if is_match else "lead",
            always=tuple(self.moves.index(move) for move in tried[0]),
            kept=tried[1],
        )

    def _outcomes(
        self, searcher: Searcher, seen: InformationSet, codes: list[int], memory: Memory, is_match: bool
    ) -> tuple[Numbers, Numbers] | None:
        """Return the exact lead and chance after each move, or None if the exact leads are unknown."""
        assert self._proven is not None
        if not is_match:
            return self._proven, np.zeros(len(codes))
        leads = searcher.solved_leads(seen, codes, memory, is_match)
        return None if leads is None else (leads, self._proven)

    @property
    def is_proven(self) -> bool:
        """Whether the rest of the hand is solved."""
        return self._proven is not None

    def refine(self, worlds: int | None = None) -> None:
        """Run more simulations of those moves that may still be the best."""
        done, size = self.evaluation.worlds, self.evaluation.next_size
        following, left = min(MAX_WORLDS_OF_A_SAMPLE, 2 * size), size if worlds is None else worlds
        while left > 0:
            most = MAX_WORLDS_OF_FIRST_SAMPLES if done < MAX_WORLDS_OF_A_SAMPLE else MAX_WORLDS_OF_A_SAMPLE
            if done - self._renewed >= most:
                self.evaluation.renew(self._ask_again())
                self._renewed = done
            size = min(left, most - (done - self._renewed))
            self.evaluation.add(size)
            done, left = done + size, left - size
        self.evaluation.next_size = following

    def order(self) -> list[int]:
        """Return the indices of the moves, best first.

        Among moves that are proven equal, plays come before discards.
        """
        expected = self.evaluation.expected()[0] if self._proven is None else self._proven
        rounded, discards = np.round(expected, 12), [move.action is Action.DISCARD for move in self.moves]
        leads = [self.evaluation.mean(place, "lead").value for place in range(len(self.moves))]
        return sorted(
            range(len(self.moves)), key=lambda place: (-rounded[place], discards[place], -leads[place], place)
        )

    def loss(self, move: Move) -> _Figure:
        """Return how much a move loses compared with the best one, with its standard error, in the objective's unit."""
        place = self.moves.index(move)
        expected = self.evaluation.expected()[0] if self._proven is None else self._proven
        best = int(np.argmax(expected))
        lost = max(0.0, float(expected[best] - expected[place]))
        if self._proven is not None or place == best:
            return _Figure(lost, 0.0)
        return _Figure(lost, self.evaluation.difference(best, place, self._field).stderr)

    def behind(self, move: Move) -> _Figure:
        """Return how far a move is behind the best of the other moves that are still being tried.

        The result has a standard error and is in the unit of the objective. For the best move, the result is negative.
        If no other move is being tried, it is zero.
        """
        place = self.moves.index(move)
        if self._proven is not None:
            return self.loss(move)
        expected = self.evaluation.expected()[0]
        others = [other for other in self.evaluation.left.tolist() if other != place]
        if not others:
            return _Figure(0.0, 0.0)
        best = max(others, key=lambda other: float(expected[other]))
        return _Figure(
            float(expected[best] - expected[place]), self.evaluation.difference(best, place, self._field).stderr
        )

    @property
    def _field(self) -> str:
        return "chance" if self.objective is Objective.MATCH else "lead"

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

    def analysis(
        self, against: Move | None = None, state: InformationState | None = None, seconds: float = 0.0
    ) -> Analysis:
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
            state=state,
            objective=self.objective,
            moves=tuple(self._estimate(place, order[0]) for place in order),
            why=() if other is None else self._differences(order[0], other),
            maxim=None if other is None else self._maxim(order[0], other),
            is_proven=self.is_proven,
            history=self.history,
            rollouts=self.evaluation.rollouts,
            seconds=seconds,
            against=None if other is None else self.moves[other],
            trips=None if other is None or self.is_proven else self._trips(order[0], other),
        )

    def _trips(self, best: int, other: int) -> Trips:
        """Return how the leads after two moves depend on whether the player's side completes its trip."""
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
        """Return the name of a maxim that also prefers the best move, or None.

        Moves that are proven equal have no maxim.
        """
        if self.is_proven and not self.loss(self.moves[other]).value:
            return None
        return maxim_for(self.view, self.moves[best], self.moves[other])

    def _estimate(self, place: int, best: int) -> MoveEstimate:
        """Return the estimate for a move.

        The estimate is the best move's average minus the difference in the simulations that both moves share.
        """
        is_match = self.objective is Objective.MATCH
        means = {field: self._expected(place, best, field) for field in ("lead", "won", "chance")}
        loss = self.loss(self.moves[place])
        return MoveEstimate(
            move=self.moves[place],
            value=means["lead"].value,
            stderr=means["lead"].stderr,
            win_hand=chance_of(means["won"].value),
            win_match=chance_of(means["chance"].value) if is_match else None,
            loss=loss.value,
            loss_stderr=loss.stderr,
            worlds=len(self.evaluation.outcomes(place)),
        )

    def _expected(self, place: int, best: int, field: str) -> _Figure:
        """Return the expected result of a move.

        If the end of the hand is solved, this is the result of perfect play on both sides.
        """
        if self._solved is not None:
            lead, chance = self._solved[0][place], self._solved[1][place]
            return _Figure({"lead": lead, "won": 0.5 + 0.5 * float(np.sign(lead)), "chance": chance}[field], 0.0)
        return _Figure(*expected_mean(self.evaluation, place, best, field)[:2])

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
                told = MoveDifference(
                    topic, who == 0, sign * more.value, more.stderr, means[0], means[1], held_up, suffered
                )
                found.append(told)
        if self.objective is Objective.MATCH:
            more = evaluation.difference(best, other, "chance")
            if not _is_doubtful(more):
                points = evaluation.difference(best, other, "lead")
                chance = evaluation.mean(best, "chance").value
                chances = chance_of(chance), chance_of(chance - more.value)  # consistent with the difference above
                found.append(MoveDifference(Topic.LATER, True, points.value, points.stderr, chances[0], chances[1]))
        return tuple(sorted(found, key=lambda one: (one.topic is Topic.LATER, -abs(one.points))))

    def _counts(self, best: int, other: int, field: str, who: int) -> tuple[float, float] | None:
        """Return how often something happened after each of two moves, or None if the difference isn't significant."""
        told = self.evaluation.difference(best, other, field, who)
        if _is_doubtful(told):
            return None
        parts = [self.evaluation.outcomes(place)[: told.worlds] for place in (best, other)]
        return float(parts[0][field][:, who].mean()), float(parts[1][field][:, who].mean())


def _is_doubtful(found: SampleMean) -> bool:
    """Return whether a difference may be due to chance.

    A difference that is the same in all simulations has no error.
    """
    return abs(found.value) < max(MIN_ERRORS_OF_REASONS * found.stderr, MAX_ROUNDING)
