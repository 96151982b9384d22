"""Judging the decisions of a match one by one, wherever that is done: here, in other processes, on other machines."""

import functools
import random
import threading
import time
from typing import Final, NamedTuple

import numpy as np

from millebornes.analysis.analyst import Analyst
from millebornes.analysis.grades import thresholds
from millebornes.analysis.records import Analysis, Objective
from millebornes.editions import Rules
from millebornes.game import Hand, InformationState, Match, Move
from millebornes.players.history_player import remember_state
from millebornes.search.hand_values import HandDone, HandValues, values_of_hand

__all__ = ["DecisionPlace", "Effort", "JudgedMoves", "JudgingTask", "Valued", "codes_of", "judge_moves", "value_hands"]


class Effort(NamedTuple):
    """How much a review costs: a decision takes ``worlds`` at most, and ``luck_worlds`` for its luck."""

    worlds: int = 8192
    luck_worlds: int = 200


class DecisionPlace(NamedTuple):
    """A decision of a match: the number of the hand (from 1) and the ply in it (from 0)."""

    hand: int
    ply: int


class JudgingTask(NamedTuple):
    """What is to be judged: ``places`` are the decisions that were not forced, ``hands`` the finished hands."""

    match: Match
    objective: Objective
    effort: Effort
    seed: str
    places: tuple[DecisionPlace, ...]


class JudgedMoves(NamedTuple):
    """What was found of some decisions, and the seconds that took."""

    analyses: tuple[Analysis, ...]
    seconds: float


class Valued(NamedTuple):
    """What some hands were worth, and the seconds that took."""

    values: tuple[HandValues, ...]
    seconds: float


FIRST_WORLDS: Final = 224
"""Worlds before a grade counts as certain."""


@functools.lru_cache(maxsize=16)
def _analyst(rules: Rules, objective: Objective, worlds: int, thread: int) -> Analyst:
    """An analyst of one thread: two of them must not weigh decisions in the same workspace."""
    return Analyst(rules, objective=objective, worlds=worlds)


def judge_moves(task: JudgingTask, numbers: range) -> JudgedMoves:
    """Judge the decisions with these numbers among the task's places; the moves made are told from the best ones."""
    start = time.perf_counter()
    return JudgedMoves(tuple(_judge(task, task.places[number]) for number in numbers), time.perf_counter() - start)


def _judge(task: JudgingTask, place: DecisionPlace) -> Analysis:
    begin = time.perf_counter()
    match = task.match.at(*place)
    seat = match.hand.seat
    assert seat is not None
    made = task.match.hands[place.hand - 1].at(place.ply + 1).move
    assert made is not None
    state = InformationState.of_match(match, seat)
    analyst = _analyst(match.rules, task.objective, task.effort.worlds, threading.get_ident())
    limits = thresholds(match.rules, task.objective, match.match_target)
    weighing = analyst.weigh(match.view(seat), remember_state(state), f"{task.seed} {place}", always=[made])
    evaluation = weighing.evaluation
    while evaluation.worlds < task.effort.worlds:
        weighing.refine(min(evaluation.next_size, task.effort.worlds - evaluation.worlds))
        told = weighing.behind(made)
        if evaluation.worlds >= FIRST_WORLDS and limits.is_certain(told.value, told.stderr):
            break
        if len(evaluation.left) < 2:
            break
    return weighing.analysis(made, state, time.perf_counter() - begin)


def codes_of(hand: Hand) -> list[int]:
    """The codes of all moves of a hand."""
    return [then.legal_moves.code(move) or 0 for then, move in zip(hand.moments, hand.moves, strict=False)]


def value_hands(task: JudgingTask, others: dict[DecisionPlace, Move], numbers: range) -> Valued:
    """What the hands with these numbers (from 0) were worth at each decision; ``others`` are moves to be tried too."""
    start = time.perf_counter()
    found = []
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
        found.append(values_of_hand(match.rules, done, more, target, task.effort.luck_worlds, seed))
    return Valued(tuple(found), time.perf_counter() - start)
