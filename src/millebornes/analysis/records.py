"""What an analysis says: of the moves of a decision, of seats, and of sides."""

import dataclasses
from typing import Final, NamedTuple

from millebornes.game import InformationState, Move
from millebornes.schema.exercises import Grade, Objective, Topic

__all__ = [
    "MISTAKES",
    "Analysis",
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
"""The grades of decisions that one might learn from."""


class MoveDifference(NamedTuple):
    """One difference in what comes of two moves, as rollouts found it (`reports.reasons` has its sentence).

    ``points`` is by how much it lets the best move lead more than the other one, seen from the side that decides, and
    ``stderr`` its standard error. ``is_own`` tells whose line of the sheet it is: that of the side that decides, or the
    others' (their mean). ``best`` and ``other`` are the figures that the sentence cites, after the best and after the
    other move: for `Topic.DISTANCE` miles, for safeties and coups fourrés how many, for `Topic.LATER` the chance to win
    the match, else the share of the worlds in which the line counts. ``held_up`` are turns in which that side could
    not drive on (only for `Topic.DISTANCE`, and only where they differ beyond doubt), ``suffered`` hazards that stayed
    on it, each after the best and after the other move.
    """

    topic: Topic
    """The line of the score sheet, or what else differs."""
    is_own: bool
    points: float
    stderr: float
    best: float
    other: float
    held_up: tuple[float, float] | None = None
    suffered: tuple[float, float] | None = None


class Trip(NamedTuple):
    """How a move's lead depends on the trip.

    How often the own side ``completes`` it (after an extension, the longer trip), and the lead ``then`` and ``else_``:
    means in points, None if that never happens.
    """

    completes: float
    then: float | None
    else_: float | None


class Trips(NamedTuple):
    """The `Trip` after the ``best`` and after the ``other`` move.

    The best leads by so many ``points`` more, with the standard error ``stderr``.
    """

    best: Trip
    other: Trip
    points: float
    stderr: float


class MoveEstimate(NamedTuple):
    """What is known of a move.

    ``value`` is the expected lead in the hand in points: the own side's against the mean of the others; ``stderr`` is
    its standard error, 0 for what is certain. ``win_hand`` and ``win_match`` are chances (``win_match`` None where no
    match is played). ``loss`` is by how much it is worse than the best move, in the unit of the `Objective`, never
    below zero, and ``loss_stderr`` the standard error of that difference. It was played out in so many ``worlds``.
    """

    move: Move
    """The move that is judged."""
    value: float
    stderr: float
    win_hand: float
    win_match: float | None
    loss: float
    loss_stderr: float
    worlds: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class Analysis:
    """What is known of one decision: all legal ``moves``, the best first, and ``why`` the best comes before another.

    That other move is ``against``, such as the one that was played; None stands for the next best. Where it
    ``is_proven``, nothing is hidden any more and everything was gone through to the end of the hand: losses are exact.
    ``maxim`` is the name of a maxim that advises the best move too (`millebornes.policies.maxims.catalogue`).
    ``history`` tells whether the past of the hand was known; else all hands of the others counted as equally likely.
    """

    state: InformationState | None
    """What the seat knew; None where only a position was given."""
    objective: Objective
    """The unit of the losses."""
    moves: tuple[MoveEstimate, ...]
    why: tuple[MoveDifference, ...] = ()
    maxim: str | None = None
    is_proven: bool = False
    history: bool = True
    rollouts: int = 0
    """Hands that were played out."""
    seconds: float = 0.0
    """What it took, on the wall clock."""
    against: Move | None = None
    trips: Trips | None = None
    """How the leads of the best move and of ``against`` depend on the trip; None if it is proven what they bring."""

    @property
    def best(self) -> Move:
        """The move to make."""
        return self.moves[0].move

    @property
    def rival(self) -> MoveEstimate | None:
        """What is known of the move that ``why`` compares the best with; None where there is no other."""
        others = self.moves[1:]
        return next((known for known in others if known.move == self.against), others[0] if others else None)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Decision:
    """One decision of a match, judged by what its seat could know.

    ``hand`` counts from 1 and ``ply`` as in ``millebornes replay``. ``loss`` and ``stderr`` are in the unit of the
    review's objective. ``win_match`` are the chances of the sides to win the match before the move, by all hands as
    they really were. ``luck`` is what chance has brought each side since the decision before this one, and at the last
    one of a hand also since then: dealing and drawing, and what the hidden cards have made of that move; it adds up to
    zero. ``open_loss`` is by how much less the move brought than the best one by the hands as
    they really were, below zero where it brought more. ``analysis`` is None where the decision is ``forced``.
    """

    hand: int
    ply: int
    seat: int
    """Who decided."""
    phase: str
    """What was decided, as in ``millebornes replay``."""
    move: Move
    """What was played."""
    best: Move
    """What would have been best."""
    loss: float
    stderr: float
    grade: Grade
    """The loss in a word."""
    forced: bool
    win_match: tuple[float, ...] | None
    luck: tuple[float, ...] | None
    open_loss: float | None = None
    analysis: Analysis | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class SeatReview:
    """How a seat played: ``decisions`` that were not forced, their losses and grades, and a rating with its interval.

    ``rating`` is on the scale of the ladder, ``rating_ci95`` its interval; both are None for fewer than
    `millebornes.analysis.rating.MIN_DECISIONS` decisions.
    """

    seat: int
    """Which seat, from 0."""
    name: str
    """Who sat there."""
    decisions: int
    loss_total: float
    """The sum of its losses, in the unit of the objective."""
    loss_per_decision: float
    """Their mean."""
    loss_stderr: float
    """The standard error of the mean."""
    grades: dict[Grade, int]
    """How often each grade was given."""
    rating: float | None
    rating_ci95: tuple[float, float] | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class SideReview:
    """A side's ``points`` in the match (or hands), and how much of the result was luck.

    ``luck`` and ``adjusted`` (the result without luck) are in the unit of the objective: points of lead on the mean of
    the others, or chances to win the match. The luck of all sides adds up to zero. ``adjusted`` is what the sides had
    before, less what their decisions have lost, plus what those of the others have; a sum of chances, it may go beyond
    0 and 1.
    """

    side: int
    """Which side, from 0."""
    points: int
    luck: float
    luck_stderr: float
    """The standard error of ``luck``."""
    adjusted: float


class TurningPoint(NamedTuple):
    """A decision after which the chances had changed most: its hand (from 1) and ply, and by how much for side 0."""

    hand: int
    """Its hand, from 1."""
    ply: int
    """As in ``millebornes replay``."""
    swing: float
    """By how much the chances changed for side 0."""
