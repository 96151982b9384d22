"""The results of an analysis: for the moves of a decision, for seats and for sides."""

import dataclasses
from typing import Final, NamedTuple

from millebornes.game import InformationState, Move
from millebornes.schema.exercises import Grade, Objective
from millebornes.score_lines import Topic

__all__ = [
    "MISTAKES",
    "Analysis",
    "Comparison",
    "Decision",
    "Grade",
    "MoveDifference",
    "MoveEstimate",
    "Objective",
    "SeatReview",
    "SideReview",
    "Topic",
    "Trip",
    "Trips",
    "TurningPoint",
]

MISTAKES: Final = (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)
"""The grades of decisions a player can learn from."""


class MoveDifference(NamedTuple):
    """One difference between the results of two moves in the simulations. `reports.reasons` turns it into a sentence.

    ``points`` is how much it adds to the best move's lead over the other move, for the side that decides, and
    ``stderr`` is its standard error. ``is_own`` is true if the line of the score sheet belongs to the side that
    decides, and false if it is the mean of the others. ``best`` and ``other`` are the figures in the sentence, after
    the best and after the other move: miles for `Topic.DISTANCE`, numbers for safeties and coups fourrés, the chance to
    win the match for `Topic.LATER`, and otherwise the share of simulations in which the line counts. ``held_up`` counts
    turns in which that side could not drive, and ``suffered`` the hazards that stayed on it, each after the best and
    after the other move. Both are given only for `Topic.DISTANCE`, and only if the difference is significant.
    """

    topic: Topic
    """The line of the score sheet, or another kind of difference."""
    is_own: bool
    points: float
    stderr: float
    best: float
    other: float
    held_up: tuple[float, float] | None = None
    suffered: tuple[float, float] | None = None


class Trip(NamedTuple):
    """How a move's lead depends on the trip.

    ``completes`` is how often the seat's own side completes it (after an extension, the longer trip). ``then`` and
    ``else_`` are the mean leads in points when it does and when it doesn't, or None if that never happens.
    """

    completes: float
    then: float | None
    else_: float | None


class Trips(NamedTuple):
    """The `Trip` after the ``best`` and after the ``other`` move.

    The best move's lead is ``points`` higher, with the standard error ``stderr``.
    """

    best: Trip
    other: Trip
    points: float
    stderr: float


class MoveEstimate(NamedTuple):
    """The estimate for one move.

    ``value`` is the expected lead in the hand, in points: the own side's points minus the mean of the others.
    ``stderr`` is its standard error, which is 0 for an exact lead. ``win_hand`` and ``win_match`` are chances, and
    ``win_match`` is None outside a match. ``loss`` is how much worse the move is than the best one, in the unit of the
    `Objective`. It is never negative, and ``loss_stderr`` is the standard error of that difference. ``worlds`` is the
    number of simulations.
    """

    move: Move
    """The move."""
    value: float
    stderr: float
    win_hand: float
    win_match: float | None
    loss: float
    loss_stderr: float
    worlds: int


class Comparison(NamedTuple):
    """Two ``moves`` side by side.

    For each line of the score sheet, ``lines`` holds the points by which the seat's side leads the others in that line
    after each move, on average over the same simulations. ``win_hand`` and ``win_match`` are the chances after each
    move. ``win_match`` is None if there is no match target.
    """

    moves: tuple[Move, Move]
    lines: tuple[tuple[str, float, float], ...]
    win_hand: tuple[float, float]
    win_match: tuple[float, float] | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Analysis:
    """The analysis of one decision: all legal ``moves``, best first, and ``why`` the best move beats another one.

    The other move is ``against``, for example the move that was played. None means the next best. ``is_proven`` is true
    if nothing is hidden any more and the hand was solved to its end, so the losses are exact. ``maxim`` is the name of
    a maxim that also recommends the best move (`millebornes.policies.maxims.catalogue`). ``history`` is true if the
    past of the hand was known. Without it, all possible hands of the others counted as equally likely.
    """

    state: InformationState | None
    """What the seat knew, or None if only a position was given."""
    objective: Objective
    """The unit of the losses."""
    moves: tuple[MoveEstimate, ...]
    why: tuple[MoveDifference, ...] = ()
    maxim: str | None = None
    is_proven: bool = False
    history: bool = True
    rollouts: int = 0
    """The number of hands simulated."""
    seconds: float = 0.0
    """The time taken, in seconds on the wall clock."""
    against: Move | None = None
    trips: Trips | None = None
    """How the leads after the best move and ``against`` depend on the trip, or None if the results are proven."""
    comparison: Comparison | None = None
    """The two moves that were asked about, side by side."""

    @property
    def best(self) -> Move:
        """The best move."""
        return self.moves[0].move

    @property
    def rival(self) -> MoveEstimate | None:
        """The estimate for the move that ``why`` compares with the best one, or None if there is no other move."""
        others = self.moves[1:]
        return next((known for known in others if known.move == self.against), others[0] if others else None)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Decision:
    """One decision in a match, judged by what its seat could know.

    ``hand`` counts from 1 and ``ply`` as in ``millebornes replay``. ``loss`` and ``stderr`` are in the unit of the
    review's objective. ``win_match`` holds each side's chance to win the match before the move, given all the cards as
    they really were. ``luck`` is what each side gained by chance since the previous decision, from dealing, drawing and
    the effect of hidden cards on the move. For the last decision of a hand, it also includes everything after it. The
    luck of all sides adds up to zero. ``open_loss`` is how much less the move gained than the best one, given the cards
    as they really were. It is negative if the move gained more. ``analysis`` is None if the decision is ``forced``.
    """

    hand: int
    ply: int
    seat: int
    """The seat that decided."""
    phase: str
    """The kind of decision, as in ``millebornes replay``."""
    move: Move
    """The move that was made."""
    best: Move
    """The best move."""
    loss: float
    stderr: float
    grade: Grade
    """The grade of the loss."""
    forced: bool
    win_match: tuple[float, ...] | None
    luck: tuple[float, ...] | None
    open_loss: float | None = None
    analysis: Analysis | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class SeatReview:
    """How well a seat played: its ``decisions`` that were not forced, their losses and grades, and a rating.

    ``rating`` is on the scale of the ladder, and ``rating_ci95`` is its 95% interval. Both are None if there are fewer
    than `millebornes.analysis.rating.MIN_DECISIONS` decisions.
    """

    seat: int
    """The number of the seat, from 0."""
    name: str
    """The player's name."""
    decisions: int
    loss_total: float
    """The sum of the losses, in the unit of the objective."""
    loss_per_decision: float
    """The mean loss."""
    loss_stderr: float
    """The standard error of the mean."""
    grades: dict[Grade, int]
    """How often each grade was given."""
    rating: float | None
    rating_ci95: tuple[float, float] | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class SideReview:
    """A side's ``points`` in the match (or hands), and how much of the result was luck.

    ``luck`` and ``adjusted`` (the result without luck) are in the unit of the objective: points of lead over the mean
    of the others, or chances to win the match. The luck of all sides adds up to zero. ``adjusted`` is the side's value
    at the start, minus the losses of its decisions, plus its share of the other sides' losses. As a sum of chances, it
    can be below 0 or above 1.
    """

    side: int
    """The number of the side, from 0."""
    points: int
    luck: float
    luck_stderr: float
    """The standard error of ``luck``."""
    adjusted: float


class TurningPoint(NamedTuple):
    """A decision after which the chances changed most, by hand (from 1) and ply, with the change for side 0."""

    hand: int
    """The hand, from 1."""
    ply: int
    """The ply, as in ``millebornes replay``."""
    swing: float
    """The change in side 0's chance."""
