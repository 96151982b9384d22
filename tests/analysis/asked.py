"""Exercises with made-up figures: decisions of real hands, weighed by what the maxims say of the moves."""

import dataclasses
import functools
import random
from collections.abc import Iterator

from millebornes.analysis.exercises.exercise import Exercise, exercise_of
from millebornes.analysis.records import Analysis, Decision, MoveDifference, MoveEstimate
from millebornes.editions import make_rules
from millebornes.game import InformationState, Match, Move, Phase
from millebornes.players.hint import hint
from millebornes.players.registry import player
from millebornes.schema.exercises import Grade, Objective, OriginObject
from millebornes.score_lines import Topic

WHY = (
    MoveDifference(Topic.TRIP_COMPLETED, True, 64.2, 5.0, 0.412, 0.331),
    MoveDifference(Topic.DISTANCE, False, 31.0, 4.0, 512.3, 590.1, (3.1, 2.2), (1.9, 1.1)),
)
PLAYERS = ("Ann", "Bo")


def states(seats: int = 2, seed: str = "5", edition: str = "classic") -> Iterator[InformationState]:
    """What the seats have seen at each decision of a hand, of those with more than one move."""
    match, rng, basic = Match.start(make_rules(edition, seats), seed), random.Random(4), player("basic")
    while not match.hand.is_over:
        seat = match.hand.seat
        assert seat is not None
        state = InformationState.of_match(match, seat)
        view = state.view
        if len(view.legal_moves) > 1:
            yield state
        match = match.play(basic.choose(view, view.legal_moves, rng))


def analysis_of(state: InformationState, objective: Objective = Objective.POINTS) -> Analysis:
    """Made-up figures: each move after the best loses ten points more than the one before, with an error of four."""
    unit = 1.0 if objective is Objective.POINTS else 0.001
    moves = list(hint(state.view).moves)
    return Analysis(
        state=state,
        objective=objective,
        moves=tuple(
            MoveEstimate(
                move,
                value=123.44 - 10 * n,
                stderr=6.04,
                win_hand=0.612345 - 0.01 * n,
                win_match=0.5 - 0.01 * n,
                loss=10 * n * unit,
                loss_stderr=4.0 * unit if n else 0.0,
                worlds=512,
            )
            for n, move in enumerate(moves)
        ),
        why=WHY,
        maxim="roll_first",
        rollouts=512 * len(moves),
    )


def decision_of(analysis: Analysis, move: Move, grade: Grade = Grade.MISTAKE, ply: int = 17) -> Decision:
    """A decision that was judged by this analysis."""
    assert analysis.state is not None
    found = next(known for known in analysis.moves if known.move == move)
    return Decision(
        hand=1,
        ply=ply,
        seat=analysis.state.seat,
        phase=analysis.state.view.phase.name.lower(),
        move=move,
        best=analysis.best,
        loss=found.loss,
        stderr=found.loss_stderr,
        grade=grade,
        forced=False,
        win_match=(0.5, 0.5),
        luck=(0.0, 0.0),
        analysis=analysis,
    )


@functools.cache
def exercises(count: int = 6, seats: int = 2) -> tuple[Exercise, ...]:
    """Some mistakes of a hand, three decisions apart; the worst move was played."""
    found = []
    for ply, state in enumerate(states(seats)):
        if state.view.phase is Phase.PLAY and len(state.view.legal_moves) > 2 and ply % 3 == 0:
            analysis = analysis_of(state)
            worst = analysis.moves[-1].move
            names = PLAYERS if seats == 2 else tuple(f"Player {seat + 1}" for seat in range(seats))
            origin = OriginObject(file="game.jsonl", hand=1, ply=ply, players=names)
            found.append(exercise_of(analysis, decision_of(analysis, worst, ply=ply), origin))
    assert len(found) >= count
    return tuple(found[:count])


def asked_for_coup(seats: int = 2) -> Exercise:
    """An exercise in which a coup fourré is asked for."""
    for number in range(100):
        for state in states(seats, str(number)):
            if state.view.phase is Phase.COUP:
                return exercise_of(analysis_of(state))
    raise AssertionError("nobody was ever asked")


def without_origin(exercise: Exercise) -> Exercise:
    """The same, from nowhere."""
    return dataclasses.replace(exercise, origin=None, played=None, grade=None)
