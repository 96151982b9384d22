"""Decisions as rows of plain values, for pandas, polars or a CSV file."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the record itself makes a data frame of its rows
    from millebornes.analysis.records import Decision, Review

__all__ = ["rows"]


def rows(review: "Review") -> list[dict[str, Any]]:
    """A flat dictionary for each decision of a review, forced ones included; all have the same keys.

    ``win_match`` and ``luck`` are those of the side that decides, ``value`` and ``win_hand`` what was expected after
    the move that was made and ``best_value`` after the best; None where it is not known. ``choices`` is how many moves
    were legal. `Review.to_frame` makes a data frame of them.
    """
    return [_row(decision, review) for decision in review.decisions]


def _row(decision: "Decision", review: "Review") -> dict[str, Any]:
    rules = review.match.rules
    side = rules.side_of(decision.seat)
    analysis = decision.analysis
    known = None if analysis is None else next((k for k in analysis.moves if k.move == decision.move), None)
    return {
        "hand": decision.hand,
        "ply": decision.ply,
        "seat": decision.seat,
        "side": side,
        "player": review.players[decision.seat] if review.players else "",
        "phase": decision.phase,
        "move": decision.move.text,
        "best": decision.best.text,
        "loss": float(decision.loss),
        "stderr": float(decision.stderr),
        "grade": decision.grade.value,
        "forced": decision.forced,
        "open_loss": decision.open_loss,
        "win_match": None if decision.win_match is None else decision.win_match[side],
        "luck": None if decision.luck is None else decision.luck[side],
        "value": None if known is None else known.value,
        "win_hand": None if known is None else known.win_hand,
        "best_value": None if analysis is None else analysis.moves[0].value,
        "choices": None if analysis is None else len(analysis.moves),
        "worlds": None if known is None else known.worlds,
        "proven": None if analysis is None else analysis.is_proven,
    }
