"""Analyse one decision: simulate the rest of the hand for each move, and report what the results show."""

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
"""Reasons leave out a difference of fewer standard errors than this."""
MAX_WORLDS_OF_A_SAMPLE: Final = 512
"""The number of simulations after which the opponents' hands are sampled again."""
MAX_WORLDS_OF_FIRST_SAMPLES: Final = 256
"""A smaller number for the first simulations, because only different samples show how far off one sample may be."""
MAX_ROUNDING: Final = 1e-9
"""A difference up to this size is only rounding."""
Numbers = npt.NDArray[np.float64]


class _Figure(NamedTuple):
    value: float
    stderr: float


class Analyst:
    """Analyses decisions at one table.

    ``objective`` says what makes a move better. If it is None, this is the chance to win the match if the match has a
    target, and points otherwise. ``worlds`` is roughly the number of simulations for a decision. It sets the length of
    the random walk that samples the opponents' hands. ``threads`` share the simulations without changing any result.
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
        """Load or compile the code for a table with this target, and return the objective.

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
        """Start to analyse a seat's decision from its view and its memory.

        ``memory`` is None if the past of the hand is unknown. The moves in ``always`` and the best ``kept`` moves are
        tried in all simulations. Raises `PlayerError` if the seat has nothing to decide, or if the view has other rules
        than this analyst.
        """
        if view.rules != self.rules:
            raise PlayerError("the view's rules differ from the analyst's")
        if not view.legal_moves:
            raise PlayerError(f"seat {view.seat} has nothing to decide; an analysis needs a decision")
        objective = self.get_ready(view.match_target)
        return Weighing(self._searcher, view, memory, objective, random.Random(f"{seed} {view}"), (tuple(always), kept))


class Weighing:
    """An analysis in progress: call `refine` as often as you like, and `analysis` for the result so far."""

    def __init__(
        self,
        searcher: Searcher,
        view: View,
        memory: Memory | None,
        objective: Objective,
        rng: random.Random,
        tried: tuple[tuple[Move, ...], int],
    ) -> None:
        """``tried`` holds the moves to try in all simulations, and the number of best moves to try in all of them."""
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
        """Return the exact leads and chances after each move, or None if the exact leads are unknown."""
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
        """Run more simulations of the moves that may still be best."""
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
        """Return the indices of the moves, best first. If moves are proven equal, plays come before discards."""
        expected = self.evaluation.expected()[0] if self._proven is None else self._proven
        rounded, discards = np.round(expected, 12), [move.action is Action.DISCARD for move in self.moves]
        leads = [self.evaluation.mean(place, "lead").value for place in range(len(self.moves))]
        return sorted(
            range(len(self.moves)), key=lambda place: (-rounded[place], discards[place], -leads[place], place)
        )

    def loss(self, move: Move) -> _Figure:
        """Return the loss of a move against the best one, in the unit of the objective, with its standard error."""
        place = self.moves.index(move)
        expected = self.evaluation.expected()[0] if self._proven is None else self._proven
        best = int(np.argmax(expected))
        lost = max(0.0, float(expected[best] - expected[place]))
        if self._proven is not None or place == best:
            return _Figure(lost, 0.0)
        return _Figure(lost, self.evaluation.difference(best, place, self._field).stderr)

    def behind(self, move: Move) -> _Figure:
        """Return the loss of a move against the best other move still being tried. It is negative for the best move.

        It comes in the unit of the objective, with its standard error. If no other move is being tried, both are zero.
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
        """Compare two legal moves by their score lines, over the simulations in which both were tried."""
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
        """Return the result so far.

        ``why`` compares the best move with ``against``, or with the next best one if that is None. The next best is
        chosen from the moves with the most simulations, because less is known about moves that were dropped early.
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
        """Return how the leads after two moves depend on whether the seat's own side completes its trip."""
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
        """Return a maxim that also prefers the best move, or None. Moves that are proven equal have none."""
        if self.is_proven and not self.loss(self.moves[other]).value:
            return None
        return maxim_for(self.view, self.moves[best], self.moves[other])

    def _estimate(self, place: int, best: int) -> MoveEstimate:
        """Return the estimate for a move: the best move's mean, less their difference in the simulations they share."""
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

        If the end of the hand is solved, this is the result when both sides play as well as possible.
        """
        if self._solved is not None:
            lead, chance = self._solved[0][place], self._solved[1][place]
            return _Figure({"lead": lead, "won": 0.5 + 0.5 * float(np.sign(lead)), "chance": chance}[field], 0.0)
        return _Figure(*expected_mean(self.evaluation, place, best, field)[:2])

    def _differences(self, best: int, other: int) -> tuple[MoveDifference, ...]:
        """Return the significant differences between the results of two moves, largest first."""
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
                unit = each or 1  # under some rules, a line is worth nothing (R9)
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
                chances = chance_of(chance), chance_of(chance - more.value)  # consistent with the difference
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
    """Return whether a difference may be just chance. One that is the same in all simulations has no error at all."""
    return abs(found.value) < max(MIN_ERRORS_OF_REASONS * found.stderr, MAX_ROUNDING)
