"""The review of a match, with a verdict on every move."""

import dataclasses
from typing import Any

from millebornes.analysis.records import MISTAKES, Decision, SeatReview, SideReview, TurningPoint
from millebornes.game import Match
from millebornes.schema.exercises import Objective


@dataclasses.dataclass(frozen=True, kw_only=True)
class Review:
    """The review of a match, with a verdict on every move.

    ``decisions`` are in the order of play and include forced moves. ``players`` contains the name of the player in each
    seat. Only finished hands are reviewed, because a verdict on a decision would reveal cards in the hand.
    """

    match: Match = dataclasses.field(repr=False)
    """The match that was reviewed."""
    players: tuple[str, ...]
    objective: Objective
    """The unit of losses and luck."""
    decisions: tuple[Decision, ...] = dataclasses.field(repr=False)
    seats: tuple[SeatReview, ...]
    """How well the player in each seat decided."""
    sides: tuple[SideReview, ...]
    """The points and the luck of each side."""
    turning_points: tuple[TurningPoint, ...]
    """The decisions that changed the chances most, in the order of play."""
    rollouts: int
    """The total number of simulated hands."""
    seconds: float
    """The time that the review took, in seconds."""

    def rows(self) -> list[dict[str, Any]]:
        """Return one row of plain values per decision, in the form described at `rows`."""
        return rows(self)

    def to_frame(self) -> Any:
        """Return `rows` as a data frame of pandas or polars, whichever is installed."""
        from millebornes.game.frames import to_frame

        return to_frame(self.rows())

    def worst(self, seat: int, count: int = 3) -> tuple[Decision, ...]:
        """Return the decisions that cost this seat most. Only inaccuracies, mistakes and blunders count."""
        own = [decision for decision in self.decisions if decision.seat == seat and decision.grade in MISTAKES]
        return tuple(sorted(own, key=lambda decision: -decision.loss)[:count])


def rows(review: Review) -> list[dict[str, Any]]:
    """Return all decisions, including forced ones, as flat dictionaries for pandas, polars or a CSV file.

    All dictionaries have the same keys. ``win_match`` and ``luck`` are from the viewpoint of the side that decides.
    ``value`` and ``win_hand`` are the expected results after the move that was made, and ``best_value`` is the expected
    result after the best move. Unknown values are None. ``choices`` is the number of legal moves. `Review.to_frame`
    makes a data frame of these rows.
    """
    return [_row(decision, review) for decision in review.decisions]


def _row(decision: Decision, review: Review) -> dict[str, Any]:
    rules = review.match.rules
    side = rules.side_of(decision.seat)
    analysis = decision.analysis
    estimate = None if analysis is None else next((k for k in analysis.moves if k.move == decision.move), None)
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
        "luck": decision.luck[side],
        "value": None if estimate is None else estimate.value,
        "win_hand": None if estimate is None else estimate.win_hand,
        "best_value": None if analysis is None else analysis.moves[0].value,
        "choices": None if analysis is None else len(analysis.moves),
        "worlds": None if estimate is None else estimate.worlds,
        "proven": None if analysis is None else analysis.is_proven,
    }
