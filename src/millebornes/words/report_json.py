"""Reports as plain data, which ``millebornes hint --json`` and ``review --json`` print (docs/improve.md)."""

import enum
import math
import numbers
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET

from millebornes.analysis.match_review import Review
from millebornes.analysis.reasons import main_differences
from millebornes.analysis.records import Analysis, Comparison, SeatReview
from millebornes.game.move import Move
from millebornes.i18n import Translator, translator
from millebornes.schema.exercises import Grade
from millebornes.schema.reports import (
    ComparisonObject,
    DecisionObject,
    HintReport,
    LineObject,
    MoveObject,
    ReasonObject,
    ReviewReport,
    SeatObject,
    SideReviewObject,
    TurningPointObject,
)
from millebornes.words.reasons import sentence, trip_lines

_Object = TypeVar("_Object", bound=msgspec.Struct)

DECIMALS: Final = 6
"""Figures are rounded to this many decimals, far more than their errors justify."""


def hint_json(analysis: Analysis, _: Translator | None = None) -> dict[str, Any]:
    """Return the data that ``hint --json`` prints for an analysis. Figures are rounded, and unknown figures are None.

    ``_`` translates the reasons, which are in English by default.
    """
    _ = translator() if _ is None else _
    rival = analysis.rival
    report = HintReport(
        player="champion",
        objective=analysis.objective.value,
        moves=[_object(MoveObject, known) for known in analysis.moves],
        best=analysis.best.text,
        against=None if rival is None else rival.move.text,
        why=[
            *_trip(analysis, _),
            *(
                ReasonObject(
                    text=sentence(difference, _, analysis.rivals),
                    points=_figure(difference.points),
                    stderr=_figure(difference.stderr),
                    topic=difference.topic.value,
                    own=difference.is_own,
                )
                for difference in main_differences(analysis)
            ),
        ],
        maxim=analysis.maxim,
        proven=analysis.is_proven,
        history=analysis.history,
        rollouts=int(analysis.rollouts),
        seconds=_figure(analysis.seconds),
        compare=UNSET if analysis.comparison is None else _comparison(analysis.comparison),
    )
    found: dict[str, Any] = msgspec.to_builtins(report)
    return found


def _comparison(found: Comparison) -> ComparisonObject:
    lines = [LineObject(line=name, a=_figure(one), b=_figure(other)) for name, one, other in found.lines]
    return _object(ComparisonObject, found, lines=lines)


def _trip(analysis: Analysis, _: Translator) -> list[ReasonObject]:
    lines, rival = trip_lines(analysis, _), analysis.rival
    if not lines or rival is None:
        return []
    trips = analysis.trips
    points, stderr = (analysis.moves[0].value - rival.value, 0.0) if trips is None else trips[2:]
    return [ReasonObject(text=" ".join(lines), points=_figure(points), stderr=_figure(stderr), topic="trip", own=True)]


def review_json(review: Review) -> dict[str, Any]:
    """Return the data that ``review --json`` prints. Figures are rounded, and unknown figures are None."""
    report = ReviewReport(
        objective=review.objective.value,
        players=list(review.players),
        decisions=[_object(DecisionObject, decision) for decision in review.decisions],
        seats=[_seat(seat) for seat in review.seats],
        sides=[_object(SideReviewObject, side) for side in review.sides],
        turning_points=[_object(TurningPointObject, point) for point in review.turning_points],
        rollouts=int(review.rollouts),
        seconds=_figure(review.seconds),
    )
    found: dict[str, Any] = msgspec.to_builtins(report)
    return found


def _seat(seat: SeatReview) -> SeatObject:
    return _object(SeatObject, seat, grades={grade.value: int(seat.grades.get(grade, 0)) for grade in Grade})


def _object(kind: type[_Object], found: Any, **given: Any) -> _Object:
    """Return a Struct with the values in ``given``, and otherwise the attributes of ``found`` as plain data."""
    names = (name for name in kind.__struct_fields__ if name not in given)
    return msgspec.convert({**given, **{name: _plain(getattr(found, name)) for name in names}}, kind)


def _plain(value: Any) -> Any:
    if isinstance(value, Move):
        return value.text
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, str | bool):
        return value
    return int(value) if isinstance(value, numbers.Integral) else _figure(value)


def _figure(value: float | None) -> float | None:
    """Return a figure in a form that JSON allows: rounded, not NaN or infinite, and not a NumPy scalar."""
    if value is None or not math.isfinite(value):
        return None
    return round(float(value), DECIMALS) + 0.0  # avoids -0.0
