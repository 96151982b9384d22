"""The results of an analysis, for the moves of a decision, for seats and for sides."""

import dataclasses
from typing import Final, NamedTuple

from millebornes.editions import Rules
from millebornes.game import InformationState, Move
from millebornes.schema.exercises import Grade, Objective
from millebornes.score_lines import Topic

MISTAKES: Final = (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)
"""The grades that mark a mistake."""


class MoveDifference(NamedTuple):
    """A difference between the results of two moves in the simulations. `reports.reasons` turns it into a sentence.

    ``points`` is how much the difference adds to the best move's lead over the other move, from the viewpoint of the
    side that decides. ``stderr`` is its standard error. ``is_own`` is true if the line of the score sheet belongs to
    that side, and false if the figures are averages over the other sides. ``best`` and ``other`` are the figures after
    the two moves that the sentence mentions: miles for `Topic.DISTANCE`, counts for safeties and coups fourrés, the
    chance to win the match for `Topic.LATER`, and otherwise the share of simulations in which the line scores.
    ``held_up`` is the number of turns in which the side couldn't drive, and ``suffered`` the number of hazards that
    stayed on it, each after the best and after the other move. These two numbers are given only for `Topic.DISTANCE`,
    and only if they differ significantly.
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
    """How a move's lead depends on whether the trip is completed.

    ``completes`` is how often the player's side completes its trip, from 0 to 1. After an extension, this means the
    longer trip. ``then`` and ``else_`` are the average leads in points if it does and if it doesn't, or None if that
    never happens.
    """

    completes: float
    then: float | None
    else_: float | None


class Trips(NamedTuple):
    """How the leads after the ``best`` move and the ``other`` move depend on the trip.

    The best move's lead is higher by ``points``, with the standard error ``stderr``.
    """

    best: Trip
    other: Trip
    points: float
    stderr: float


class MoveEstimate(NamedTuple):
    """The estimated results of one move, from the viewpoint of the side that decides.

    ``value`` is the expected lead in the hand: the side's points minus the average of the other sides. ``stderr`` is
    its standard error, which is 0 if the lead is exact. ``win_hand`` and ``win_match`` are chances from 0 to 1, and
    ``win_match`` is None outside a match. ``loss`` is how much worse the move is than the best move, in the unit of the
    `Objective`: points, or chances to win the match. A loss is never negative, and ``loss_stderr`` is the standard
    error of that difference, which is 0 if the loss is proven. ``worlds`` is the number of simulations.

    ``win_hand_stderr`` and ``win_match_stderr`` are the standard errors of the chances. If nothing is hidden any more,
    ``proven`` is the value of the move with perfect play, in the unit of the loss. These three are None if they are
    unknown.
    """

    move: Move
    """The move that was estimated."""
    value: float
    stderr: float
    win_hand: float
    win_match: float | None
    loss: float
    loss_stderr: float
    worlds: int
    win_hand_stderr: float | None = None
    win_match_stderr: float | None = None
    proven: float | None = None


class Comparison(NamedTuple):
    """A comparison of two ``moves``.

    For each line of the score sheet, ``lines`` contains the average lead in points that the player's side has in that
    line after each move. Both averages are over the same simulations. ``win_hand`` and ``win_match`` are the chances
    after each move. ``win_match`` is None if the match has no target.
    """

    moves: tuple[Move, Move]
    lines: tuple[tuple[str, float, float], ...]
    win_hand: tuple[float, float]
    win_match: tuple[float, float] | None


def rivals_of(rules: Rules) -> int:
    """Return the number of seats that play against each player."""
    return rules.seats - rules.seats // rules.sides


@dataclasses.dataclass(frozen=True, kw_only=True)
class Analysis:
    """The analysis of a decision: all legal ``moves``, best first, and the reasons ``why`` one of them is best.

    The reasons compare the best move with ``against``, such as the move that was played, or with the next best move if
    ``against`` is None. ``is_proven`` is true if nothing is hidden any more and the hand has been solved to its end, so
    that the losses are exact. ``maxim`` is the name of a maxim that also recommends the best move
    (`millebornes.policies.maxim_catalogue`). ``history`` is true if the earlier moves of the hand were known. Without
    them, all possible hands of the other players counted as equally likely.
    """

    state: InformationState | None
    """What the player had seen, or None if the analysis is based on a position alone."""
    objective: Objective
    """The unit of the losses."""
    moves: tuple[MoveEstimate, ...]
    why: tuple[MoveDifference, ...] = ()
    maxim: str | None = None
    is_proven: bool = False
    history: bool = True
    rollouts: int = 0
    """The number of simulated hands."""
    seconds: float = 0.0
    """The time that the analysis took, in seconds."""
    against: Move | None = None
    trips: Trips | None = None
    """How the leads after the best move and ``against`` depend on the trip. None if the results are proven."""
    comparison: Comparison | None = None
    """A comparison of two moves, if you asked for one."""
    rivals: int = 2
    """The number of seats that play against the player, or 2 if the table is unknown."""

    @property
    def best(self) -> Move:
        """The best move."""
        return self.moves[0].move

    @property
    def rival(self) -> MoveEstimate | None:
        """The estimate for the move with which ``why`` compares the best move, or None if there is no other move."""
        others = self.moves[1:]
        return next((estimate for estimate in others if estimate.move == self.against), others[0] if others else None)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Decision:
    """A decision in a match, judged by what the player could know.

    ``hand`` counts from 1, and ``ply`` counts as in ``millebornes replay``. ``loss`` and ``stderr`` are in the unit of
    the review's objective. ``win_match`` contains each side's chance to win the match before the move, given where all
    the cards really were. ``luck`` is what each side has gained by chance since the previous decision: through the
    deal, through draws, and because of hidden cards that changed the effect of the move. For the last decision in a
    hand, it also includes everything that happened afterwards. The luck of all sides adds up to zero. ``open_loss`` is
    how much less the move gained than the best move would have, given where all the cards really were. If the move
    gained more, ``open_loss`` is negative. ``analysis`` is None if the decision is ``forced``.
    """

    hand: int
    ply: int
    seat: int
    """The seat that made the decision."""
    phase: str
    """The kind of decision, as ``millebornes replay`` names it."""
    move: Move
    """The move that was made."""
    best: Move
    """The best move."""
    loss: float
    stderr: float
    grade: Grade
    """The grade that follows from the loss."""
    forced: bool
    win_match: tuple[float, ...] | None
    luck: tuple[float, ...]
    open_loss: float | None = None
    analysis: Analysis | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class SeatReview:
    """How well a player decided: the number of ``decisions`` that weren't forced, their losses, grades and a rating.

    ``rating`` is on the scale of the ladder, and ``rating_ci95`` is its 95% interval. Both are None if there are fewer
    than `millebornes.analysis.rating.MIN_DECISIONS` decisions.
    """

    seat: int
    """The number of the seat, from 0."""
    name: str
    """The player's name."""
    decisions: int
    loss_total: float
    """The sum of all losses, in the unit of the objective."""
    loss_per_decision: float
    """The average loss per decision."""
    loss_stderr: float
    """The standard error of the average loss."""
    grades: dict[Grade, int]
    """The number of decisions with each grade."""
    rating: float | None
    rating_ci95: tuple[float, float] | None


@dataclasses.dataclass(frozen=True, kw_only=True)
class SideReview:
    """A side's ``points`` in the match (or in the hands), and the part of the result that was luck.

    ``luck`` and ``adjusted`` (the result without luck) are in the unit of the objective: points of lead over the
    average of the other sides, or chances to win the match. The luck of all sides adds up to zero. ``adjusted`` is the
    side's value at the start, minus the losses of its decisions, plus its share of the other sides' losses. Because it
    is a sum of chances, it can be below 0 or above 1.
    """

    side: int
    """The number of the side, from 0."""
    points: int
    luck: float
    luck_stderr: float
    """The standard error of ``luck``."""
    adjusted: float


class TurningPoint(NamedTuple):
    """One of the decisions that changed the chances most."""

    hand: int
    """The hand, from 1."""
    ply: int
    """The ply, as in ``millebornes replay``."""
    swing: float
    """The change in the chance of side 0."""
