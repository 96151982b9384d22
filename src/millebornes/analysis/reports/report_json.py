"""Reports as plain data, as printed by ``millebornes hint --json`` and ``review --json`` (docs/improve.md)."""

import math
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import UNSET

from millebornes.analysis.match_review import Review
from millebornes.analysis.records import Analysis, Comparison, Decision, Grade, MoveEstimate, SeatReview, SideReview
from millebornes.analysis.reports.reasons import main_differences, sentence, trip_lines
from millebornes.i18n import Translator, translator
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

__all__ = ["hint_json", "review_json"]

DECIMALS: Final = 6
"""The number of decimals to keep, which is far more than the errors of the figures justify."""


def hint_json(analysis: Analysis, player: str = "champion", _: Translator | None = None) -> dict[str, Any]:
    """Return the output of ``hint --json`` for an analysis. Figures are rounded, and unknown ones are None.

    ``player`` is the name of the player that was asked. ``_`` translates the reasons, which are English by default.
    """
    _ = translator() if _ is None else _
    rival = analysis.rival
    report = HintReport(
        player=player,
        objective=analysis.objective.value,
        moves=[_move(known) for known in analysis.moves],
        best=analysis.best.text,
        against=None if rival is None else rival.move.text,
        why=[
            *_trip(analysis, _),
            *(
                ReasonObject(
                    text=sentence(difference, _),
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
    return ComparisonObject(
        moves=(found.moves[0].text, found.moves[1].text),
        lines=[LineObject(line=name, a=_figure(one), b=_figure(other)) for name, one, other in found.lines],
        win_hand=_figures(found.win_hand),
        win_match=_figures(found.win_match),
    )


def _trip(analysis: Analysis, _: Translator) -> list[ReasonObject]:
    """Return the benefit and the risk of the trip, as one reason."""
    lines, rival = trip_lines(analysis, _), analysis.rival
    if not lines or rival is None:
        return []
    trips = analysis.trips
    points, stderr = (analysis.moves[0].value - rival.value, 0.0) if trips is None else trips[2:]
    return [ReasonObject(text=" ".join(lines), points=_figure(points), stderr=_figure(stderr), topic="trip", own=True)]


def _move(known: MoveEstimate) -> MoveObject:
    return MoveObject(
        move=known.move.text,
        value=_figure(known.value),
        stderr=_figure(known.stderr),
        win_hand=_figure(known.win_hand),
        win_match=_figure(known.win_match),
        loss=_figure(known.loss),
        loss_stderr=_figure(known.loss_stderr),
        worlds=int(known.worlds),
    )


def review_json(review: Review) -> dict[str, Any]:
    """Return the output of ``review --json``. Figures are rounded, and unknown ones are None."""
    report = ReviewReport(
        objective=review.objective.value,
        players=list(review.players),
        decisions=[_decision(decision) for decision in review.decisions],
        seats=[_seat(seat) for seat in review.seats],
        sides=[_side(side) for side in review.sides],
        turning_points=[
            TurningPointObject(hand=int(point.hand), ply=int(point.ply), swing=_figure(point.swing))
            for point in review.turning_points
        ],
        rollouts=int(review.rollouts),
        seconds=_figure(review.seconds),
    )
    found: dict[str, Any] = msgspec.to_builtins(report)
    return found


def _decision(decision: Decision) -> DecisionObject:
    return DecisionObject(
        hand=decision.hand,
        ply=decision.ply,
        seat=decision.seat,
        phase=decision.phase,
        move=decision.move.text,
        best=decision.best.text,
        loss=_figure(decision.loss),
        stderr=_figure(decision.stderr),
        grade=decision.grade.value,
        forced=decision.forced,
        win_match=_figures(decision.win_match),
        luck=_figures(decision.luck),
        open_loss=_figure(decision.open_loss),
    )


def _seat(seat: SeatReview) -> SeatObject:
    return SeatObject(
        seat=seat.seat,
        name=seat.name,
        decisions=int(seat.decisions),
        loss_total=_figure(seat.loss_total),
        loss_per_decision=_figure(seat.loss_per_decision),
        loss_stderr=_figure(seat.loss_stderr),
        grades={grade.value: int(seat.grades.get(grade, 0)) for grade in Grade},
        rating=_figure(seat.rating),
        rating_ci95=_figures(seat.rating_ci95),
    )


def _side(side: SideReview) -> SideReviewObject:
    return SideReviewObject(
        side=side.side,
        points=int(side.points),
        luck=_figure(side.luck),
        luck_stderr=_figure(side.luck_stderr),
        adjusted=_figure(side.adjusted),
    )


def _figure(value: float | None) -> float | None:
    """Return a figure that JSON can contain: not NaN or infinite, no NumPy scalar, and without meaningless digits."""
    if value is None or not math.isfinite(value):
        return None
    return round(float(value), DECIMALS) + 0.0  # no -0.0


def _figures(values: Iterable[float] | None) -> list[float | None] | None:
    return None if values is None else [_figure(value) for value in values]
