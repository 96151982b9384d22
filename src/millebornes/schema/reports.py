"""The JSON written by the commands `hint --json` and `review --json`."""

from typing import Annotated

from msgspec import UNSET, Struct, UnsetType

from millebornes.schema.fields import about

_Figure = float | None
_Figures = list[float | None] | None


class MoveObject(Struct, frozen=True, kw_only=True):
    """The facts about a legal move."""

    move: Annotated[str, about("the move")]
    value: Annotated[_Figure, about("your side's expected lead in the hand, in points")]
    stderr: Annotated[_Figure, about("the standard error of `value`; 0 if it is exact")]
    win_hand: Annotated[_Figure, about("the chance of winning the hand")]
    win_match: Annotated[_Figure, about("the chance of winning the match; `null` without a match target")]
    loss: Annotated[_Figure, about("how much worse the move is than the best one, in the unit of the objective")]
    loss_stderr: Annotated[_Figure, about("the standard error of the loss")]
    worlds: Annotated[int, about("the number of simulations for the move")]


class ReasonObject(Struct, frozen=True, kw_only=True):
    """A reason why the best move is better than the move in `against`."""

    text: Annotated[str, about("a sentence")]
    points: Annotated[_Figure, about("how many points of the best move's lead come from it")]
    stderr: Annotated[_Figure, about("the standard error of the points")]
    topic: Annotated[str, about("a line of the score sheet, `later`, or `trip` for the effect of completing the trip")]
    own: Annotated[bool, about("whether it is about the side that decides; if not, it is about the others")]


class LineObject(Struct, frozen=True, kw_only=True):
    """The average of a line of the score sheet after each of two moves."""

    line: Annotated[str, about("the line, as in the score sheet")]
    a: Annotated[_Figure, about("by how many points your side leads the others in it after the first move")]
    b: Annotated[_Figure, about("the same after the second move")]


class ComparisonObject(Struct, frozen=True, kw_only=True):
    """Two moves side by side."""

    moves: Annotated[tuple[str, str], about("the two moves")]
    lines: Annotated[list[LineObject], about("the lines of the score sheet, in order")]
    win_hand: Annotated[_Figures, about("the chances of winning the hand after each move")]
    win_match: Annotated[_Figures, about("the chances of winning the match after each move, or `null`")]


class HintReport(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The output of `hint --json` for one decision."""

    player: Annotated[str, about("the player that was asked")]
    objective: Annotated[str, about("the unit of the losses: `points` or `match`")]
    moves: Annotated[list[MoveObject], about("all legal moves, best first")]
    best: Annotated[str, about("the best move")]
    against: Annotated[str | None, about("the move that `why` compares the best move with")]
    why: Annotated[list[ReasonObject], about("the reasons that matter most")]
    maxim: Annotated[str | None, about("the name of a maxim that also advises the best move")]
    proven: Annotated[bool, about("whether no cards are hidden and the figures are exact")]
    history: Annotated[bool, about("whether the earlier moves were known")]
    rollouts: Annotated[int, about("the number of simulated hands")]
    seconds: Annotated[_Figure, about("the time it took, in seconds")]
    compare: Annotated[ComparisonObject | UnsetType, about("the two moves of `--compare`, side by side")] = UNSET


class DecisionObject(Struct, frozen=True, kw_only=True):
    """A decision of a reviewed match."""

    hand: Annotated[int, about("the number of the hand, from 1")]
    ply: Annotated[int, about("the number of the decision, from 0, as in the replay")]
    seat: Annotated[int, about("the seat that decided")]
    phase: Annotated[str, about("what was decided")]
    move: Annotated[str, about("the move that was made")]
    best: Annotated[str, about("the best move")]
    loss: Annotated[_Figure, about("how much worse the move was than the best one, in the unit of the objective")]
    stderr: Annotated[_Figure, about("the standard error of the loss")]
    grade: Annotated[str, about("`best`, `fine`, `inaccuracy`, `mistake` or `blunder`")]
    forced: Annotated[bool, about("whether this was the only legal move; such decisions do not count")]
    win_match: Annotated[_Figures, about("each side's chance of winning the match before the move")]
    luck: Annotated[_Figures, about("each side's luck since the previous decision")]
    open_loss: Annotated[_Figure, about("the loss if all cards had been known")]


class SeatObject(Struct, frozen=True, kw_only=True):
    """How well a seat played."""

    seat: Annotated[int, about("the seat")]
    name: Annotated[str, about("the player's name")]
    decisions: Annotated[int, about("the number of decisions that were not forced")]
    loss_total: Annotated[_Figure, about("the total loss of these decisions")]
    loss_per_decision: Annotated[_Figure, about("the average loss of these decisions")]
    loss_stderr: Annotated[_Figure, about("the standard error of the average loss")]
    grades: Annotated[dict[str, int], about("the number of decisions with each grade")]
    rating: Annotated[_Figure, about("the rating on the scale of the ladder; `null` for fewer than 100 decisions")]
    rating_ci95: Annotated[_Figures, about("the 95% confidence interval of the rating")]


class SideReviewObject(Struct, frozen=True, kw_only=True):
    """The effect of luck on one side. The numbers of all sides add up to zero."""

    side: Annotated[int, about("the side")]
    points: Annotated[int, about("its points in the match")]
    luck: Annotated[_Figure, about("what it gained by luck, in the unit of the objective")]
    luck_stderr: Annotated[_Figure, about("the standard error of the luck")]
    adjusted: Annotated[_Figure, about("the result with the luck removed")]


class TurningPointObject(Struct, frozen=True, kw_only=True):
    """A decision after which the chances of winning changed more than after most others."""

    hand: Annotated[int, about("the number of the hand, from 1")]
    ply: Annotated[int, about("the number of the decision, from 0")]
    swing: Annotated[_Figure, about("how much the chances changed for the first side")]


class ReviewReport(Struct, frozen=True, kw_only=True):
    """The output of `review --json` for one match."""

    objective: Annotated[str, about("the unit of losses and luck: `points` or `match`")]
    players: Annotated[list[str], about("the players' names by seat")]
    decisions: Annotated[list[DecisionObject], about("all decisions in order")]
    seats: Annotated[list[SeatObject], about("how each seat played")]
    sides: Annotated[list[SideReviewObject], about("luck by side")]
    turning_points: Annotated[list[TurningPointObject], about("where the chances changed most")]
    rollouts: Annotated[int, about("the number of simulated hands")]
    seconds: Annotated[_Figure, about("the time it took, in seconds")]
