"""Hints: the best move, the value of every move, and the reasons why the best move is better than the next best."""

import dataclasses
import random
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from millebornes.analysis.analyst import Analyst, Numbers, StopRules, chance_of, legal_codes, new_searcher, seen_in
from millebornes.analysis.records import Analysis, Comparison, MoveDifference, MoveEstimate, Trip, Trips, rivals_of
from millebornes.game import Action, InformationState, Move, View
from millebornes.players.hint import maxim_for
from millebornes.players.search_preparation import ensure
from millebornes.rules.clauses import SCORE_LINES, points_of
from millebornes.schema.exercises import Objective
from millebornes.score_lines import Topic
from millebornes.search.evaluation import DETAILS, Evaluation, SampleMean, sums_of
from millebornes.search.searcher import RolloutQuestion, Searcher
from millebornes.search.sequential_halving import MAX_DEVIATIONS, noise_of, posterior

COMPARED: Final = 2
"""The number of best moves that all simulations include. There are two, because the reasons compare them."""
MIN_SIMULATIONS: Final = 512
"""This many simulations are enough if there is only one move or if the end of the hand is solved."""
FIRST_WORLDS: Final = 32
"""The number of simulations in the first round. Each later round has twice as many …"""
MAX_WORLDS_OF_A_SAMPLE: Final = 512
"""… but no more than this number, after which the opponents' hands are sampled again."""
MAX_WORLDS_OF_FIRST_SAMPLES: Final = 256
"""The first samples are replaced sooner, after this many simulations.

Only a comparison of samples shows how accurate one sample is.
"""
MAX_MOVES_AFTER: Final = ((128, 5), (512, 3))
"""Pairs of a number of simulations, and how many of the best moves are still tried after them."""
MIN_ERRORS_OF_REASONS: Final = 2.0
"""A difference that is smaller than this many standard errors isn't given as a reason."""
MAX_ROUNDING: Final = 1e-9
"""Differences up to this size come from rounding."""


def refined_hints(
    seen: View | InformationState,
    *,
    worlds: int = 4096,
    milliseconds: int | None = None,
    objective: Objective | None = None,
    compared: tuple[Move, Move] | None = None,
    seed: int | str = 0,
) -> Iterator[Analysis]:
    """Yield a first hint after a few dozen simulations, and then better hints until ``worlds`` simulations are done.

    If you set a limit, the hint that comes after ``milliseconds`` have passed is the last one. With ``compared``, which
    contains two legal moves, each hint also compares these moves side by side.

    You can stop at any time. The reported seconds don't include the time to load or compile code. The same seed gives
    the same hints on every machine. Raises the same errors as `hint`.
    """
    run = HintRun(seen, worlds=worlds, objective=objective, seed=seed, always=compared or (), kept=COMPARED)
    if run.proven is not None or len(run.moves) < COMPARED:
        worlds = min(worlds, MIN_SIMULATIONS)
    for _ in run.run(StopRules(worlds, seconds=None if milliseconds is None else milliseconds / 1000)):
        analysis = run.analysis()
        yield analysis if compared is None else dataclasses.replace(analysis, comparison=run.compare(*compared))


def hint(
    seen: View | InformationState,
    *,
    worlds: int = 4096,
    milliseconds: int | None = None,
    objective: Objective | None = None,
    compared: tuple[Move, Move] | None = None,
    seed: int | str = 0,
) -> Analysis:
    """Return the best move and the reasons, based on a seat's view or, better, on everything it has seen in the hand.

    The rest of the hand is simulated up to ``worlds`` times, or until ``milliseconds`` have passed, if you set a limit.
    With a time limit, the result can differ from run to run. The default ``objective`` is the chance to win the match
    if the match has a target, and otherwise points. ``compared`` contains two legal moves to compare side by side.

    Raises `PlayerError` if the seat has nothing to decide, and `NotationError` if no hand could have led to this
    situation.

    >>> from millebornes import Match, make_rules
    >>> from millebornes.analysis.hints import hint
    >>> found = hint(Match.start(make_rules("classic"), 7).view(0), worlds=64)
    >>> found.best == found.moves[0].move, found.moves[0].loss
    (True, 0.0)
    """
    *_, latest = refined_hints(
        seen,
        worlds=worlds,
        milliseconds=milliseconds,
        objective=objective,
        compared=compared,
        seed=seed,
    )
    return latest


class HintRun(Analyst):
    """An analysis of one decision, from a seat's view or, for better results, from all it has seen in the hand.

    ``worlds`` is the approximate number of simulations, which also determines the length of the random walk that
    samples the opponents' hands. All simulations include the moves in ``always``, the move that the net prefers, and
    the best ``kept`` moves. Analyses of many decisions can share a ``searcher``, but only one after the other.

    Raises the errors of `Analyst`, and `NotationError` if no hand could have led to this situation.
    """

    def __init__(
        self,
        seen: View | InformationState,
        *,
        worlds: int = 2048,
        objective: Objective | None = None,
        seed: int | str = 0,
        always: Sequence[Move] = (),
        kept: int = 1,
        searcher: Searcher | None = None,
    ) -> None:
        super().__init__(seen, objective)
        ensure(self.view.rules, self.target)
        self._searcher: Final = searcher or new_searcher(self.view.rules, self.is_match, worlds)
        begin = time.perf_counter()
        self.state: Final = None if isinstance(seen, View) else seen
        self._kept: Final = kept
        self._rng: Final = random.Random(f"{seed} {self.view}")
        self._seen, self._memory = seen_in(seen, self.view)
        self.prove(self._searcher, self._seen, self._memory)
        self._question = self._ask()
        self._samples = 1
        self._sampled_at = 0
        self._next_worlds = FIRST_WORLDS
        self._always: Final = {self._question.start, *map(self.moves.index, always)}
        hands = len(self._question.simulations.known.hands)
        self.evaluation = Evaluation(len(self.moves), width=DETAILS, hands=hands)
        self.seconds = time.perf_counter() - begin

    def _ask(self) -> RolloutQuestion:
        """Return the question for more simulations, with a new sample of the opponents' hands and playing styles.

        Each sample comes from a random walk of limited length, so samples differ from each other. More simulations with
        the same sample can't average out this difference.
        """
        return self._searcher.ask(self._seen, legal_codes(self.view), self._memory.fork(), self._rng)

    def run(self, stop: StopRules) -> Generator[None, None, None]:
        """Run more simulations until a stop rule applies. Yields after each round, and can be closed at any time.

        Raises `MilleBornesError` if a stop rule is invalid.
        """
        stop.check()
        return self.follow(self._rounds(stop.most), stop)

    def _rounds(self, most: int) -> Generator[None, None, None]:
        while self.worlds < most:
            self.refine(min(self._next_worlds, most - self.worlds))
            yield

    def refine(self, worlds: int | None = None) -> None:
        """Run more simulations of those moves that may still be the best."""
        left = self._next_worlds if worlds is None else worlds
        self._next_worlds = min(MAX_WORLDS_OF_A_SAMPLE, 2 * self._next_worlds)
        while left > 0:
            done = self.worlds
            most = MAX_WORLDS_OF_FIRST_SAMPLES if done < MAX_WORLDS_OF_A_SAMPLE else MAX_WORLDS_OF_A_SAMPLE
            if done - self._sampled_at >= most:
                self._question = self._ask()
                self._samples, self._sampled_at = self._samples + 1, done
            size = min(left, most - (done - self._sampled_at))
            places = np.array(self.evaluation.left, np.int64)
            outcomes = self._searcher.roll_out(self._question, places, done, size, is_counted=True)
            known = self._question.simulations.known
            self.evaluation.add(sums_of(outcomes, known, self.view.rules, done, DETAILS), self._samples)
            self._expected, doubt = self._expect()
            self._narrow(doubt)
            left -= size

    def _narrow(self, doubt: Numbers) -> None:
        expected, left = self._expected, self.evaluation.left
        best = int(np.argmax(expected))
        margin = MAX_DEVIATIONS * np.maximum(doubt, doubt[best])
        ranked = sorted(left, key=lambda place: -expected[place])
        plausible = [place for place in ranked if expected[place] + margin[place] >= expected[best]]
        for worlds, most in MAX_MOVES_AFTER:
            if self.worlds >= worlds:
                plausible = plausible[:most]
        self.evaluation.narrow(sorted({*plausible, *ranked[: self._kept], *(self._always & set(left))}))

    def _expect(self) -> tuple[Numbers, Numbers]:
        """Return the expected lead of each move over the first choice by Bayes' rule, and its standard deviation."""
        start, prior = self._question.start, self._question.prior
        differences = [self.evaluation.difference(place, start, self._field) for place in range(len(self.moves))]
        lead, error, worlds = (np.array(numbers) for numbers in zip(*differences, strict=True))
        if prior is None:
            return lead, error
        expected, doubt = posterior(prior, lead, noise_of(prior, error**2 * worlds**2, worlds))
        expected[start] = doubt[start] = 0.0
        return expected, doubt

    # ------------------------------------------------------------------ the result so far

    def _values(self) -> Numbers:
        """Return what each move is worth, in the objective's unit. Only differences between moves mean something."""
        return self._expected if self.proven is None else self.proven.values

    def order(self) -> list[int]:
        """Return the indices of the moves, best first.

        Among moves that are proven equal, plays come before discards.
        """
        expected = self._values()
        rounded, discards = np.round(expected, 12), [move.action is Action.DISCARD for move in self.moves]
        leads = [self.evaluation.mean(place, "lead").value for place in range(len(self.moves))]
        return sorted(
            range(len(self.moves)), key=lambda place: (-rounded[place], discards[place], -leads[place], place)
        )

    def loss(self, move: Move) -> SampleMean:
        """Return how much a move loses compared with the best one, in the unit of the objective."""
        return self._loss(self.moves.index(move))

    def _loss(self, place: int) -> SampleMean:
        values = self._values()
        best = int(np.argmax(values))
        lost = max(0.0, float(values[best] - values[place]))
        is_exact = self.proven is not None or place == best
        stderr = 0.0 if is_exact else self.evaluation.difference(best, place, self._field).stderr
        return SampleMean(lost, stderr, self.evaluation.worlds_of(place))

    def losses(self) -> tuple[int, Mapping[int, SampleMean]]:
        """Return the index of the best move so far, and how much each other move loses."""
        best, *others = self.order()
        return best, {place: self._loss(place) for place in others}

    def behind(self, move: Move) -> tuple[float, float]:
        """Return how far a move is behind the best of the other moves that are still being tried, and its error.

        Both are in the unit of the objective. For the best move, the result is negative. If no other move is being
        tried, it is zero.
        """
        place = self.moves.index(move)
        if self.proven is not None:
            return self._loss(place)[:2]
        values = self._values()
        others = [other for other in self.evaluation.left if other != place]
        if not others:
            return 0.0, 0.0
        best = max(others, key=lambda other: float(values[other]))
        stderr = self.evaluation.difference(best, place, self._field).stderr
        return float(values[best] - values[place]), stderr

    def compare(self, one: Move, other: Move) -> Comparison:
        """Compare two legal moves line by line of the score sheet, using the simulations that include both moves."""
        first, second = self.moves.index(one), self.moves.index(other)

        def lead_in(line: int, place: int, shared: int) -> float:
            own, others = (self.evaluation.plain_mean(place, shared, "lines", who, line) for who in (0, 1))
            return own - others

        best = self.order()[0]
        a, b = (self._estimate(place, best) for place in (first, second))
        return Comparison(
            moves=(one, other),
            lines=tuple(
                (name, lead_in(line, first, second), lead_in(line, second, first))
                for line, name in enumerate(SCORE_LINES)
            ),
            win_hand=(a.win_hand, b.win_hand),
            win_match=None if a.win_match is None or b.win_match is None else (a.win_match, b.win_match),
        )

    def analysis(self, against: Move | None = None) -> Analysis:
        """Return the results so far.

        The reasons in ``why`` compare the best move with ``against`` or, if that is None, with the next best move. The
        next best move is chosen from the moves with the most simulations, because less is known about moves that were
        dropped early.
        """
        order = self.order()
        is_proven = self.proven is not None
        tried = [0 if is_proven else self.evaluation.worlds_of(place) for place in order]
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
            is_proven=is_proven,
            history=self.state is not None,
            rollouts=self.evaluation.rollouts,
            seconds=self.seconds,
            against=None if other is None else self.moves[other],
            trips=None if other is None or is_proven else self._trips(order[0], other),
            rivals=rivals_of(self.view.rules),
        )

    def _estimate(self, place: int, best: int) -> MoveEstimate:
        return self.estimate(place, best, self._loss(place))

    def _trips(self, best: int, other: int) -> Trips:
        more = self.evaluation.difference(best, other, "lead")
        return Trips(self._trip(best), self._trip(other), more.value, more.stderr)

    def _trip(self, place: int) -> Trip:
        topic = Topic.EXTENSION if self.moves[place].action is Action.EXTEND else Topic.TRIP_COMPLETED
        line = SCORE_LINES.index(topic.value)
        lead = self.evaluation.plain_mean(place, place, "lead")
        points = points_of(self.view.rules)[line]
        if not points:  # under some rules, the line scores nothing (R9)
            return Trip(0.0, None, lead)
        # The line scores at most once, so it shows in which simulations the trip was completed.
        completes = self.evaluation.plain_mean(place, place, "lines", 0, line) / points
        lead_of_these = self.evaluation.product_mean(place, "lead", "lines", 0, line) / points
        then = lead_of_these / completes if completes else None
        return Trip(completes, then, (lead - lead_of_these) / (1 - completes) if completes < 1 else None)

    def _maxim(self, best: int, other: int) -> str | None:
        if self.proven is not None and not self._loss(other).value:
            return None  # the moves are equal
        return maxim_for(self.view, self.moves[best], self.moves[other])

    def _differences(self, best: int, other: int) -> tuple[MoveDifference, ...]:
        """Return the statistically significant differences between the results of two moves, the largest first."""
        evaluation = self.evaluation
        pairs = (best, other), (other, best)
        differences = []
        for line, (name, each) in enumerate(zip(SCORE_LINES, points_of(self.view.rules), strict=True)):
            topic = Topic(name)
            for who, sign in ((0, 1), (1, -1)):
                more = evaluation.difference(best, other, "lines", who, line)
                if _is_doubtful(more):
                    continue
                unit = each or 1  # under some rules, a line scores nothing (R9)
                means = [evaluation.plain_mean(*pair, "lines", who, line) / unit for pair in pairs]
                held_up = suffered = None
                if topic is Topic.DISTANCE:
                    held_up, suffered = (self._counts(best, other, field, who) for field in ("held_up", "suffered"))
                points = sign * more.value
                differences.append(
                    MoveDifference(topic, who == 0, points, more.stderr, means[0], means[1], held_up, suffered)
                )
        if self.objective is Objective.MATCH:
            more = evaluation.difference(best, other, "chance")
            if not _is_doubtful(more):
                lead = evaluation.difference(best, other, "lead")
                chance = evaluation.mean(best, "chance").value
                chances = chance_of(chance), chance_of(chance - more.value)  # consistent with the difference above
                differences.append(MoveDifference(Topic.LATER, True, lead.value, lead.stderr, *chances))
        return tuple(sorted(differences, key=lambda one: (one.topic is Topic.LATER, -abs(one.points))))

    def _counts(self, best: int, other: int, field: str, who: int) -> tuple[float, float] | None:
        """Return how often something happened after each of two moves, or None if the difference isn't significant."""
        if _is_doubtful(self.evaluation.difference(best, other, field, who)):
            return None
        first, second = (best, other), (other, best)
        return self.evaluation.plain_mean(*first, field, who), self.evaluation.plain_mean(*second, field, who)


def _is_doubtful(found: SampleMean) -> bool:
    return abs(found.value) < max(MIN_ERRORS_OF_REASONS * found.stderr, MAX_ROUNDING)
