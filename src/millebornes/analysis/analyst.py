"""One decision weighed: rollouts in worlds that fit what the seat has seen, and what they say of each move."""

import math
import random
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.analysis.records import Analysis, MoveDifference, MoveEstimate, Objective, Topic, Trip, Trips
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
from millebornes.search.searcher import RolloutQuestion, Searcher
from millebornes.search.settings import SearchSettings

__all__ = ["Analyst", "Weighing"]

MIN_ERRORS_OF_REASONS: Final = 2.0
"""Differences of fewer standard errors than this are not told."""
MAX_WORLDS_OF_A_SAMPLE: Final = 512
"""After so many worlds the others' hands are sampled anew …"""
MAX_WORLDS_OF_FIRST_SAMPLES: Final = 256
"""… and in the first worlds after so many: only samples that differ tell how far a sample may be off."""
MAX_ROUNDING: Final = 1e-9
"""What rounding leaves of a difference that is none."""
Numbers = npt.NDArray[np.float64]


class _Figure(NamedTuple):
    value: float
    stderr: float


class Analyst:
    """Weighs decisions at one table.

    ``objective`` says what makes a move better; None for the chance to win the match where the match has a target.
    ``worlds`` is about how many worlds a decision will take; it sets how long the chain that samples the others' hands
    walks, but for ``steps`` at most for each of them. ``threads`` share the rollouts, which changes no result.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        objective: Objective | None = None,
        worlds: int = 2048,
        steps: int = SearchSettings().steps,
        threads: int = 1,
    ) -> None:
        self.rules: Final = rules
        is_match = objective is not Objective.POINTS
        self._objective: Final = objective
        settings = SearchSettings(
            milliseconds=None, rollouts=2 * max(1, worlds), match=is_match, threads=threads, steps=steps
        )
        self._searcher: Final = Searcher(rules, settings)

    def close(self) -> None:
        """Let the threads go."""
        self._searcher.close()

    def get_ready(self, match_target: int | None) -> Objective:
        """Load what it takes to weigh at a table with this target, or compile it; what will be weighed.

        Raises `PlayerError` where there is no target for the chances that are to be weighed.
        """
        objective = self._objective
        if objective is None:
            objective = Objective.POINTS if match_target is None else Objective.MATCH
        if objective is Objective.MATCH and match_target is None:
            raise PlayerError("objective: there is no match target, so only points can be weighed")
        ensure(self.rules, match_target or 0 if objective is Objective.MATCH else 0)
        return objective

    def weigh(
        self, view: View, memory: Memory | None, seed: int | str = 0, *, always: Sequence[Move] = (), kept: int = 1
    ) -> "Weighing":
        """Begin to weigh the decision of a seat by what it sees and remembers; None for no memory of the hand.

        Moves named in ``always`` are tried in all worlds, as are the ``kept`` best. Raises `PlayerError` where the seat
        has nothing to decide, or by rules that the view does not have.
        """
        if view.rules != self.rules:
            raise PlayerError("the view is of a table with other rules than the analyst's")
        if not view.legal_moves:
            raise PlayerError(f"seat {view.seat} has nothing to decide; an analysis needs a decision")
        objective = self.get_ready(view.match_target)
        return Weighing(self._searcher, view, memory, objective, random.Random(f"{seed} {view}"), (tuple(always), kept))


class Weighing:
    """A decision that is being weighed: `refine` it as often as one likes, and ask for the `analysis`."""

    def __init__(
        self,
        searcher: Searcher,
        view: View,
        memory: Memory | None,
        objective: Objective,
        rng: random.Random,
        tried: tuple[tuple[Move, ...], int],
    ) -> None:
        """``tried`` are the moves that are tried in all worlds, and how many of the best are."""
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
        """The leads and the chances that the moves bring for certain; None if that is not known of the leads."""
        assert self._proven is not None
        if not is_match:
            return self._proven, np.zeros(len(codes))
        leads = searcher.solved_leads(seen, codes, memory, is_match)
        return None if leads is None else (leads, self._proven)

    @property
    def is_proven(self) -> bool:
        """Whether the end of the hand is solved."""
        return self._proven is not None

    def refine(self, worlds: int | None = None) -> None:
        """Try the moves that are still in question in more worlds."""
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
        """Places of the moves, the best first; where they are proven to come to the same, plays before discards."""
        expected = self.evaluation.expected()[0] if self._proven is None else self._proven
        rounded, discards = np.round(expected, 12), [move.action is Action.DISCARD for move in self.moves]
        leads = [self.evaluation.mean(place, "lead").value for place in range(len(self.moves))]
        return sorted(
            range(len(self.moves)), key=lambda place: (-rounded[place], discards[place], -leads[place], place)
        )

    def loss(self, move: Move) -> _Figure:
        """By how much a move is worse than the best one, in the unit of the objective, and the standard error."""
        place = self.moves.index(move)
        expected = self.evaluation.expected()[0] if self._proven is None else self._proven
        best = int(np.argmax(expected))
        lost = max(0.0, float(expected[best] - expected[place]))
        if self._proven is not None or place == best:
            return _Figure(lost, 0.0)
        return _Figure(lost, self.evaluation.difference(best, place, self._field).stderr)

    def behind(self, move: Move) -> _Figure:
        """By how much a move is worse than the best other one that is still tried: below zero where it is the best.

        In the unit of the objective, with the standard error; a move that no other one is tried against has none.
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

    def analysis(
        self, against: Move | None = None, state: InformationState | None = None, seconds: float = 0.0
    ) -> Analysis:
        """What is known so far; ``why`` tells the best move from the next best, or from the move ``against``.

        The next best is one of those that are tried still: of what was given up less is known.
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
        """How the leads of two moves depend on whether the own side completes its trip."""
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
        """A maxim that prefers the best move too; none where it is proven that both come to the same."""
        if self.is_proven and not self.loss(self.moves[other]).value:
            return None
        return maxim_for(self.view, self.moves[best], self.moves[other])

    def _estimate(self, place: int, best: int) -> MoveEstimate:
        """What is known of a move: what is of the best one, and by how much they differ in the worlds of both."""
        is_match = self.objective is Objective.MATCH
        means = {field: self._expected(place, best, field) for field in ("lead", "won", "chance")}
        loss = self.loss(self.moves[place])
        return MoveEstimate(
            move=self.moves[place],
            value=means["lead"].value,
            stderr=means["lead"].stderr,
            win_hand=_chance(means["won"].value),
            win_match=_chance(means["chance"].value) if is_match else None,
            loss=loss.value,
            loss_stderr=loss.stderr,
            worlds=len(self.evaluation.outcomes(place)),
        )

    def _expected(self, place: int, best: int, field: str) -> _Figure:
        """What a move brings.

        Where the end is solved, this is what it brings when both play as well as they can. Of a move that was given up,
        it is what the best one brings in all worlds, less what it brings more in the worlds of both; but a move that
        brings the same in all worlds, as one that ends the hand, brings that for certain.
        """
        if self._solved is not None:
            lead, chance = self._solved[0][place], self._solved[1][place]
            return _Figure({"lead": lead, "won": 0.5 + 0.5 * float(np.sign(lead)), "chance": chance}[field], 0.0)
        own, whole = (self.evaluation.mean(one, field) for one in (place, best))
        if own.worlds == whole.worlds or not own.stderr:
            return _Figure(own.value, own.stderr)
        less = self.evaluation.difference(best, place, field)
        return _Figure(whole.value - less.value, math.hypot(whole.stderr, less.stderr))

    def _differences(self, best: int, other: int) -> tuple[MoveDifference, ...]:
        """What differs beyond doubt in what comes of two moves, the greatest first."""
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
                unit = each or 1  # a line may be worth nothing (R9)
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
                chances = _chance(chance), _chance(chance - more.value)  # by as much as the moves are said to differ
                found.append(MoveDifference(Topic.LATER, True, points.value, points.stderr, chances[0], chances[1]))
        return tuple(sorted(found, key=lambda one: (one.topic is Topic.LATER, -abs(one.points))))

    def _counts(self, best: int, other: int, field: str, who: int) -> tuple[float, float] | None:
        """How often something happened after two moves, where that differs beyond doubt."""
        told = self.evaluation.difference(best, other, field, who)
        if _is_doubtful(told):
            return None
        parts = [self.evaluation.outcomes(place)[: told.worlds] for place in (best, other)]
        return float(parts[0][field][:, who].mean()), float(parts[1][field][:, who].mean())


def _is_doubtful(found: SampleMean) -> bool:
    """Whether a difference might as well be none. One that is the same in all worlds has no error at all."""
    return abs(found.value) < max(MIN_ERRORS_OF_REASONS * found.stderr, MAX_ROUNDING)


def _chance(value: float) -> float:
    return min(1.0, max(0.0, value))
