"""The lines in the data folder that record finished games and their reviews."""

import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from millebornes.schema.fields import MAX_POINTS, MAX_TABLE_SEATS, about

_Whole = Annotated[int, Meta(gt=-MAX_POINTS, lt=MAX_POINTS)]
_Number = Annotated[float, Meta(gt=-MAX_POINTS, lt=MAX_POINTS)]
_Count = Annotated[int, Meta(ge=0, lt=MAX_POINTS)]
_Seats = Annotated[int, Meta(ge=2, le=MAX_TABLE_SEATS)]


class _Result(Struct, frozen=True, kw_only=True, tag_field="kind"):
    id: Annotated[str, about("equal for the same cards and moves, so that nothing is counted twice")]
    date: Annotated[datetime.datetime, about("when it ended, with the time zone")]
    edition: Annotated[str | None, about("the name of the edition; `null` for custom rules")]
    seats: Annotated[_Seats, about("the number of seats at the table")]
    sides: Annotated[_Seats, about("the number of sides")]
    players: Annotated[tuple[str, ...], about("by seat: `human`, or a computer player's name")]
    names: Annotated[tuple[str, ...], about("their names, by seat")]
    hints: Annotated[
        tuple[_Whole, ...],
        about("by seat, how often a hint was asked for; empty in records of older versions"),
    ] = ()

    def hints_of(self, side: int) -> int:
        return sum(count for seat, count in enumerate(self.hints) if self.side_of(seat) == side)

    def side_of(self, seat: int) -> int:
        """Return the side to which a seat belongs (R2.2)."""
        return seat % self.sides


class HandResult(_Result, frozen=True, kw_only=True, tag="hand"):
    """The result of a finished hand."""

    match_target: Annotated[_Whole | None, about("the match target of its match; `null` for a single hand")]
    number: Annotated[_Whole, about("the number of the hand in its match")]
    points: Annotated[tuple[_Whole, ...], about("by side")]
    luck: Annotated[tuple[_Number, ...] | None, about("the value of each side's luck, in points, if it is known")] = (
        None
    )


class MatchResult(_Result, frozen=True, kw_only=True, tag="match"):
    """The result of a finished match."""

    match_target: Annotated[_Whole | None, about("the points that ended it")]
    totals: Annotated[tuple[_Whole, ...], about("by side")]
    hands: Annotated[tuple[tuple[_Whole, ...], ...], about("the points of each hand, by side")]
    winner: Annotated[
        _Whole | None, about("the winning side; `null` for a draw, and if several sides won by a forfeit")
    ]
    loser: Annotated[
        _Whole | None, about("the side that lost by a forfeit; `null` for a match that was played to its end")
    ] = None


class ReviewedSeat(Struct, frozen=True, kw_only=True):
    """How well a seat played.

    For matches, losses in the chance of winning are converted to points, at the rate that applies at the start of the
    match.
    """

    decisions: Annotated[_Count, about("the number of decisions that were not forced")]
    loss: Annotated[_Number, about("their average loss, in points of lead")]
    loss_error: Annotated[_Number, about("the standard error of the average loss")]
    grades: Annotated[dict[str, _Count], about("the number of decisions with each grade")]
    rating: Annotated[
        _Number | None, about("the rating on the scale of the ladder; `null` if too few decisions were judged")
    ]
    rating_ci95: Annotated[tuple[_Number, _Number] | None, about("the 95% confidence interval of the rating")]


class ReviewedSide(Struct, frozen=True, kw_only=True):
    """The effect of luck on one side, in the unit of the objective."""

    luck: Annotated[_Number, about("what it gained by luck")]
    luck_error: Annotated[_Number, about("the standard error of the luck")]
    adjusted: Annotated[_Number, about("the result with the luck removed")]


class ReviewResult(Struct, frozen=True, kw_only=True):
    """The results of the review of one match."""

    id: Annotated[str, about("the id of the match")]
    objective: Annotated[Literal["points", "match"], about("the unit of the losses and the luck")]
    seats: Annotated[tuple[ReviewedSeat, ...], about("the seats in order")]
    sides: Annotated[tuple[ReviewedSide, ...], about("the sides in order")]
