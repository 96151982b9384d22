"""Exercises: decisions turned into questions, with the figures from their analysis."""

import dataclasses
import enum
import functools
import hashlib
from collections.abc import Collection
from typing import Any, Final, TypeVar

from millebornes.analysis.grades import thresholds
from millebornes.analysis.match_review import Review
from millebornes.analysis.records import MISTAKES, Analysis, Decision, MoveDifference, MoveEstimate, rivals_of
from millebornes.cards import HAZARDS, SAFETIES
from millebornes.game import Action, InformationState, Move, Phase, View
from millebornes.schema.exercises import Grade, Objective, OriginObject

ID_DIGITS: Final = 16
MAX_ENDGAME_CARDS: Final = 3
"""A decision counts as an endgame if the draw pile contains at most this many cards."""


class ExerciseKind(enum.Enum):
    """The topic of an exercise, which depends on the moves and on how far the hand has progressed."""

    COUP = "coup"
    EXTENSION = "extension"
    ENDGAME = "endgame"
    HAZARD = "hazard"
    SAFETY = "safety"
    DISCARD = "discard"
    REMEDY = "remedy"
    DISTANCE = "distance"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Exercise(Analysis):
    """The analysis of a decision, turned into a question.

    Points are rounded to tenths, and chances to hundredths of a percent. If the exercise is based on a mistake that
    someone made, ``played`` is the move they made and ``grade`` its grade.
    """

    state: InformationState
    """What the player had seen."""
    played: Move | None = None
    grade: Grade | None = None
    origin: OriginObject | None = None

    @functools.cached_property
    def id(self) -> str:
        """The id of the exercise. The id depends on what the player had seen, but not on the figures."""
        return id_of(str(self.state))

    @functools.cached_property
    def view(self) -> View:
        """The table as the player saw it."""
        return self.state.view

    @functools.cached_property
    def kind(self) -> ExerciseKind:
        """The topic of the exercise."""
        return kind_of(self.view, self.best, self.against)

    @property
    def seat(self) -> int:
        """The seat that has to decide."""
        return self.state.seat

    def estimate(self, move: Move) -> MoveEstimate:
        """Return the estimate for a move. Raises `KeyError` if the move isn't legal."""
        for estimate in self.moves:
            if estimate.move == move:
                return estimate
        raise KeyError(str(move))

    def is_right(self, move: Move) -> bool:
        """Return whether a move is a right answer, which means that its loss is tiny or may be due to chance.

        Such a move would get `Grade.BEST` or `Grade.FINE`. Raises `KeyError` if the move isn't legal.
        """
        estimate = self.estimate(move)
        limits = thresholds(self.state.rules, self.objective, self.state.match_target)
        return limits.grade(estimate.loss, estimate.loss_stderr) not in MISTAKES

    @property
    def right(self) -> tuple[Move, ...]:
        """All moves that are right answers, best first."""
        return tuple(estimate.move for estimate in self.moves if self.is_right(estimate.move))


def id_of(text: str) -> str:
    """Return the id of an exercise, given the text of its information state."""
    return hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS]


def kind_of(view: View, best: Move, other: Move | None = None) -> ExerciseKind:
    """Return the topic of a decision, given the best move and the move with which it is compared."""
    if view.phase in {Phase.COUP, Phase.OPENING}:
        return ExerciseKind.COUP
    if view.phase is Phase.EXTEND:
        return ExerciseKind.EXTENSION
    if view.draw_pile <= MAX_ENDGAME_CARDS:
        return ExerciseKind.ENDGAME
    if best.card in SAFETIES or (other is not None and other.card in SAFETIES):
        return ExerciseKind.SAFETY
    if best.action is Action.DISCARD:
        return ExerciseKind.DISCARD
    if best.card in HAZARDS:
        return ExerciseKind.HAZARD
    is_distance = best.card is not None and best.card.miles > 0 and best.action is not Action.AS_ROLL
    return ExerciseKind.DISTANCE if is_distance else ExerciseKind.REMEDY


def exercise_of(analysis: Analysis, decision: Decision | None = None, origin: OriginObject | None = None) -> Exercise:
    """Return an exercise based on an analysis and, if someone made this decision in a game, on their ``decision``.

    If it comes from a review, ``why`` compares the best move with the move that was made. Raises `ValueError` if the
    analysis is based on a view alone, because an exercise needs the earlier moves of the hand.
    """
    against = None if decision is None else decision.move
    if analysis.state is None:
        raise ValueError("an exercise needs an InformationState, not just a View")
    unit = 1 if analysis.objective is Objective.POINTS else 4
    return Exercise(
        state=analysis.state,
        objective=analysis.objective,
        moves=tuple(
            _rounded(estimate, value=1, stderr=1, win_hand=4, win_match=4, loss=unit, loss_stderr=unit)._replace(
                win_hand_stderr=None, win_match_stderr=None, proven=None
            )
            for estimate in analysis.moves
        ),
        why=tuple(
            _rounded(difference, points=1, stderr=1, best=4, other=4, held_up=4, suffered=4)
            for difference in analysis.why
        ),
        against=analysis.against if against is None or against == analysis.best else against,
        maxim=analysis.maxim,
        is_proven=analysis.is_proven,
        rollouts=analysis.rollouts,
        rivals=rivals_of(analysis.state.rules),
        played=None if decision is None else decision.move,
        grade=None if decision is None else decision.grade,
        origin=origin,
    )


def exercises_of(review: Review, seats: Collection[int] | None = None, file: str = "") -> tuple[Exercise, ...]:
    """Return the mistakes in a review as exercises, in the order in which they were made.

    With ``seats``, only the mistakes of these seats are returned. ``file`` is the name of the file that was reviewed.
    If a review contains the same situation twice, it becomes a single exercise.
    """
    by_id: dict[str, Exercise] = {}
    for decision in review.decisions:
        analysis = decision.analysis
        if decision.grade not in MISTAKES or (seats is not None and decision.seat not in seats):
            continue
        if decision.forced or analysis is None or analysis.state is None:
            continue
        origin = OriginObject(file=file, hand=decision.hand, ply=decision.ply, players=review.players)
        exercise = exercise_of(analysis, decision, origin)
        if not exercise.is_right(decision.move):
            by_id.setdefault(exercise.id, exercise)
    return tuple(by_id.values())


_Rounded = TypeVar("_Rounded", MoveEstimate, MoveDifference)


def _rounded(found: _Rounded, **decimals: int) -> _Rounded:
    return found._replace(**{name: _round(getattr(found, name), number) for name, number in decimals.items()})


def _round(value: Any, decimals: int) -> Any:
    if isinstance(value, tuple):
        return tuple(_round(part, decimals) for part in value)
    return None if value is None else round(float(value), decimals)
