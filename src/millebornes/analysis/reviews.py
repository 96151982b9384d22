"""Review matches: judge each decision by what the player could know, and measure each side's luck separately."""

import collections
import functools
import itertools
import math
import random
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from millebornes.analysis.analyst import StopRules, objective_for, searcher_for
from millebornes.analysis.grades import Thresholds, thresholds
from millebornes.analysis.hints import HintRun
from millebornes.analysis.match_review import Review
from millebornes.analysis.rating import rating
from millebornes.analysis.records import Analysis, Decision, SeatReview, SideReview, TurningPoint
from millebornes.arena.executors import Workers, in_order, open_workers
from millebornes.editions import Rules
from millebornes.errors import MilleBornesError
from millebornes.game import Hand, InformationState, Match, Move
from millebornes.players.search_preparation import compile_first
from millebornes.policies.match_equity import equity_for, sample_scores
from millebornes.schema.exercises import Grade, Objective
from millebornes.search.hand_values import HandDone, HandValues, values_of_hand


class Effort(NamedTuple):
    """How much work a review does: the maximum number of simulations for a decision, and for the luck around it."""

    worlds: int = 8192
    luck_worlds: int = 200


class DecisionPlace(NamedTuple):
    """The place of a decision in a match: the number of the hand (from 1) and the ply in that hand (from 0)."""

    hand: int
    ply: int


class ReviewTask(NamedTuple):
    """The work to do in a review.

    ``places`` lists the decisions that weren't forced, and ``hands`` the finished hands.
    """

    match: Match
    objective: Objective
    effort: Effort
    seed: str
    places: tuple[DecisionPlace, ...]


DEFAULT: Final = Effort()
QUICK: Final = Effort(256, 40)
MAX_TURNING_POINTS: Final = 5
FIRST_WORLDS: Final = 224
"""A grade can count as certain only after at least this many simulations."""
SAMPLE_HANDS: Final = 20_000
"""The number of hands to play to find each side's average points, depending on which side goes first."""

Progress = Callable[[int, int], None]
"""A function that is called with the number of decisions judged so far and the number of all decisions."""


def review(
    match: Match,
    players: Sequence[str] = (),
    *,
    effort: Effort = DEFAULT,
    objective: Objective | None = None,
    seed: int | str = 0,
    hand: int | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Review:
    """Review a match, leaving out unfinished hands. With ``hand`` (from 1), review only that hand.

    ``players`` contains the name of the player in each seat, by default the names in the match. The default
    ``objective`` is the chance to win the match if the match has a target, and otherwise points. The same ``seed``
    gives the same review on every machine and with any number of ``jobs`` (processes). Raises `MilleBornesError` if no
    hand is finished or a deck is unknown.
    """
    with open_workers(jobs) as workers:
        return review_with(
            workers, match, players, effort=effort, objective=objective, seed=seed, hand=hand, progress=progress
        )


def review_with(
    workers: Workers,
    match: Match,
    players: Sequence[str] = (),
    *,
    effort: Effort = DEFAULT,
    objective: Objective | None = None,
    seed: int | str = 0,
    hand: int | None = None,
    progress: Progress | None = None,
) -> Review:
    """Do the same as `review` with existing workers. Use this function to review many matches."""
    start = time.perf_counter()
    numbers = [number for number, then in enumerate(match.hands, 1) if then.is_over and hand in {None, number}]
    if not numbers:
        raise MilleBornesError("there is no finished hand to review; play one to the end first")
    done = range(numbers[0], numbers[-1] + 1)
    objective = objective_for(match.match_target, objective)
    names = tuple(players or match.players or (f"seat {seat}" for seat in range(match.rules.seats)))
    free = [
        DecisionPlace(number, ply)
        for number in done
        for ply, then in enumerate(match.hands[number - 1].moments[:-1])
        if len(then.legal_moves) > 1
    ]
    compile_first(match.rules, match.match_target or 0 if objective is Objective.MATCH else 0)
    task = ReviewTask(match, objective, effort, f"review {seed}", tuple(free))
    analyses: list[Analysis] = []
    for batch, evaluated in in_order(workers, functools.partial(evaluate_moves, task), 0, len(free)):
        analyses.extend(evaluated)
        if progress is not None:
            progress(batch.stop, len(free))
    by_place = dict(zip(free, analyses, strict=True))
    bests = {place: analysis.best for place, analysis in by_place.items()}
    values: list[HandValues] = []
    for _, valued in in_order(workers, functools.partial(_value_hands, task, bests), done.start - 1, done.stop - 1):
        values.extend(valued)
    limits = thresholds(match.rules, objective, match.match_target)
    decisions = _decisions(task, done, by_place, values, limits)
    return Review(
        match=match,
        players=names,
        objective=objective,
        decisions=decisions,
        seats=_seats(task, names, decisions, limits),
        sides=_sides(task, done, values, decisions),
        turning_points=_turning_points(decisions, values),
        rollouts=sum(analysis.rollouts for analysis in analyses),
        seconds=time.perf_counter() - start,
    )


def _decisions(
    task: ReviewTask,
    done: range,
    by_place: dict[DecisionPlace, Analysis],
    values: Sequence[HandValues],
    limits: Thresholds,
) -> tuple[Decision, ...]:
    match, is_match = task.match, task.objective is Objective.MATCH
    found = []
    for number, value in zip(done, values, strict=True):
        hand = match.hands[number - 1]
        before = np.array(_start_value(task, number))
        for ply, (then, move) in enumerate(zip(hand.moments, hand.moves, strict=False)):
            assert then.seat is not None
            analysis = by_place.get(DecisionPlace(number, ply))
            side = match.rules.side_of(then.seat)
            loss, stderr, grade = 0.0, 0.0, Grade.BEST
            if analysis is not None:
                estimate = next(one for one in analysis.moves if one.move == move)
                loss, stderr = estimate.loss, estimate.loss_stderr
                grade = limits.grade(loss, stderr)
            luck = value.usual[ply] - before
            before = value.usual[ply] - _shares(match.rules, side) * loss
            if ply + 1 == hand.ply:
                luck = luck + value.end - before
            found.append(
                Decision(
                    hand=number,
                    ply=ply,
                    seat=then.seat,
                    phase=then.phase.name.lower(),
                    move=move,
                    best=move if analysis is None else analysis.best,
                    loss=loss,
                    stderr=stderr,
                    grade=grade,
                    forced=analysis is None,
                    win_match=tuple(map(float, value.usual[ply])) if is_match else None,
                    luck=tuple(map(float, luck)),
                    open_loss=None if analysis is None else float(value.other[ply, side] - value.made[ply, side]),
                    analysis=analysis,
                )
            )
    return tuple(found)


def _start_value(task: ReviewTask, number: int) -> tuple[float, ...]:
    """Return what a hand (from 1) is worth to each side before it is dealt."""
    match, rules = task.match, task.match.rules
    then = match.at(number, 0)
    if task.objective is Objective.MATCH:
        equity = equity_for(rules, match.match_target or 0)
        return tuple(equity.chance(then.before.totals, side, then.hand.first) for side in range(rules.sides))
    means = _mean_points(rules)
    by_side = [means[(side - rules.side_of(then.hand.first)) % rules.sides] for side in range(rules.sides)]
    total = sum(by_side)
    return tuple(own - (total - own) / (rules.sides - 1) for own in by_side)


@functools.lru_cache(maxsize=16)
def _mean_points(rules: Rules) -> tuple[float, ...]:
    """Return the average points in a hand for each side, counted from the side that goes first."""
    return tuple(map(float, sample_scores(rules, SAMPLE_HANDS, 1).means))


def _seats(
    task: ReviewTask, names: Sequence[str], decisions: Sequence[Decision], limits: Thresholds
) -> tuple[SeatReview, ...]:
    reviews = []
    for seat, name in enumerate(names):
        own = [decision for decision in decisions if decision.seat == seat and not decision.forced]
        losses = [decision.loss for decision in own]
        count = len(own)
        mean = math.fsum(losses) / count if count else 0.0
        spread = math.fsum((loss - mean) ** 2 for loss in losses)
        stderr = math.sqrt(spread / max(1, count - 1) / count) if count else 0.0
        by_hand = itertools.groupby(own, key=lambda decision: decision.hand)
        estimated = rating([[decision.loss / limits.unit for decision in hand] for _number, hand in by_hand])
        grades = collections.Counter(decision.grade for decision in own)
        reviews.append(
            SeatReview(
                seat=seat,
                name=name,
                decisions=count,
                loss_total=math.fsum(losses),
                loss_per_decision=mean,
                loss_stderr=stderr,
                grades={grade: grades[grade] for grade in Grade},
                rating=None if estimated is None else estimated.value,
                rating_ci95=None if estimated is None else estimated.ci95,
            )
        )
    return tuple(reviews)


def _shares(rules: Rules, side: int) -> npt.NDArray[np.float64]:
    """Return each side's loss if ``side`` loses 1, of which the other sides gain equal shares."""
    shares = np.full(rules.sides, -1.0 / (rules.sides - 1))
    shares[side] = 1.0
    return shares


def _sides(
    task: ReviewTask, done: range, values: Sequence[HandValues], decisions: Sequence[Decision]
) -> tuple[SideReview, ...]:
    """Return the results of the sides. Luck is the part of a result that the losses of the moves don't explain."""
    match, rules = task.match, task.match.rules
    starts = np.array([_start_value(task, number) for number in done])
    change = np.array([value.end for value in values]).sum(0) - starts.sum(0)
    skill, error = np.zeros(rules.sides), np.zeros(rules.sides)
    for decision in decisions:
        shares = _shares(rules, rules.side_of(decision.seat))
        skill -= shares * decision.loss
        error += (shares * decision.stderr) ** 2
    start = starts[0] if task.objective is Objective.MATCH else starts.sum(0)
    return tuple(
        SideReview(
            side=side,
            points=sum(match.hands[number - 1].scores[side].total for number in done),
            luck=float(change[side] - skill[side]),
            luck_stderr=math.sqrt(error[side]),
            adjusted=float(start[side] + skill[side]),
        )
        for side in range(rules.sides)
    )


def _turning_points(decisions: Sequence[Decision], values: Sequence[HandValues]) -> tuple[TurningPoint, ...]:
    after = [float(made) for value in values for made in value.made[:, 0]]
    usual = [float(worth) for value in values for worth in value.usual[:, 0]]
    swings = []
    for n, decision in enumerate(decisions):
        last = n + 1 == len(decisions) or decisions[n + 1].hand != decision.hand
        change = (after[n] if last else usual[n + 1]) - usual[n]
        swings.append(TurningPoint(decision.hand, decision.ply, change))
    return tuple(sorted(sorted(swings, key=lambda point: -abs(point.swing))[:MAX_TURNING_POINTS]))


# ---------------------------------------------------------------- the work of the processes


def evaluate_moves(task: ReviewTask, numbers: range) -> tuple[Analysis, ...]:
    """Judge some decisions, given their indices in the task's ``places``, by comparing each move with the best move."""
    return tuple(_judge(task, task.places[number]) for number in numbers)


def _judge(task: ReviewTask, place: DecisionPlace) -> Analysis:
    match = task.match.at(*place)
    seat = match.hand.seat
    assert seat is not None
    made = task.match.hands[place.hand - 1].at(place.ply + 1).move
    assert made is not None
    run = HintRun(
        InformationState.of_match(match, seat),
        objective=task.objective,
        seed=f"{task.seed} {place}",
        always=[made],
        searcher=searcher_for(match.rules, task.objective is Objective.MATCH, task.effort.worlds),
    )
    limits = thresholds(match.rules, task.objective, match.match_target)
    for _ in run.run(StopRules(task.effort.worlds)):
        is_certain = run.worlds >= FIRST_WORLDS and limits.is_certain(*run.behind(made))
        if is_certain or len(run.evaluation.left) < 2:
            break
    return run.analysis(made)


def codes_of(hand: Hand) -> list[int]:
    """Return the codes of all moves in a hand."""
    return [then.legal_moves.code(move) or 0 for then, move in zip(hand.moments, hand.moves, strict=False)]


def _value_hands(task: ReviewTask, others: dict[DecisionPlace, Move], numbers: range) -> tuple[HandValues, ...]:
    """Return the value of some hands at each decision, given their indices (from 0).

    ``others`` contains additional moves to try.
    """
    values = []
    match = task.match
    target = match.match_target or 0 if task.objective is Objective.MATCH else 0
    for number in numbers:
        hand = match.hands[number]
        codes = codes_of(hand)
        more = np.full(len(codes), -1, np.int64)
        for place, move in others.items():
            if place.hand == number + 1:
                more[place.ply] = hand.at(place.ply).legal_moves.code(move) or 0
        deck = tuple(card.index for card in hand.deck)
        done = HandDone(deck, hand.first, tuple(codes), match.at(number + 1, 0).before.totals)
        seed = random.Random(f"{task.seed} luck {number}").getrandbits(64)
        values.append(values_of_hand(match.rules, done, more, target, task.effort.luck_worlds, seed))
    return tuple(values)
