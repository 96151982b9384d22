"""The lines of an exercise file."""

import enum
from typing import Annotated

from msgspec import Meta, Struct, field

from millebornes.schema.fields import MAX_NUMBER, MAX_POINTS, MAX_TABLE_SEATS, about
from millebornes.score_lines import Topic


class Objective(enum.Enum):
    """The measure of a decision: the lead in the hand in points, or the chance of winning the match."""

    POINTS = "points"
    MATCH = "match"


class Grade(enum.Enum):
    """How good a decision was (docs/improve.md lists the thresholds)."""

    BEST = "best"
    FINE = "fine"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


_Figure = Annotated[float, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
_Size = Annotated[float, Meta(ge=0, le=MAX_NUMBER)]
_Chance = Annotated[float, Meta(ge=0, le=1)]
_Count = Annotated[int, Meta(ge=0, le=MAX_POINTS)]
_Short = Annotated[str, Meta(max_length=100)]
_Name = Annotated[str, Meta(max_length=1000)]


class ExerciseMoveObject(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The facts about a move."""

    move: Annotated[_Short, about("the move")]
    value: Annotated[_Figure, about("the expected lead in the hand, in points")]
    stderr: Annotated[_Size, about("the standard error of `value`; 0 if it is exact")]
    win_hand: Annotated[_Chance, about("the chance of winning the hand")]
    win_match: Annotated[_Chance | None, about("the chance of winning the match; only in matches")] = None
    loss: Annotated[_Size, about("how much worse the move is than the best one, in the unit of the objective")]
    loss_stderr: Annotated[_Size, about("the standard error of the loss")]
    worlds: Annotated[_Count, about("the number of simulations for the move")]


class DifferenceObject(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A difference between the consequences of the best move and those of another move."""

    topic: Annotated[Topic, about("the line of the score sheet, or `later` for the rest of the match")]
    is_own: Annotated[bool, about("whether it is about the side that decides; if not, it is about the others")] = field(
        name="own"
    )
    points: Annotated[_Figure, about("how many points of the best move's lead come from it")]
    stderr: Annotated[_Size, about("the standard error of the points")]
    best: Annotated[_Figure, about("the figure after the best move")]
    other: Annotated[_Figure, about("the figure after the other move")]
    held_up: Annotated[
        tuple[_Size, _Size] | None, about("turns in which that side could not drive, after each move")
    ] = None
    suffered: Annotated[tuple[_Size, _Size] | None, about("hazards that stayed on it, after each move")] = None


class OriginObject(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The match and the decision that an exercise was taken from."""

    file: Annotated[_Name, about("the name of the file")]
    hand: Annotated[int, Meta(ge=1, le=10**6), about("the number of the hand, from 1")]
    ply: Annotated[int, Meta(ge=0, le=10**6), about("the number of the decision, from 0")]
    players: Annotated[Annotated[tuple[_Name, ...], Meta(max_length=MAX_TABLE_SEATS)], about("the players, by seat")]


class ExerciseLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of an exercise file: a decision, posed as a question."""

    format: Annotated[str, about("`millebornes-exercise/1`")]
    id: Annotated[_Short, about("the first 16 hexadecimal digits of the SHA-256 hash of `state`")]
    state: Annotated[
        str,
        Meta(max_length=20_000),
        about("everything that the seat had seen, [as a text](positions.md#what-a-seat-has-seen)"),
    ]
    objective: Annotated[Objective, about("the unit of the losses: `points` or `match`")]
    moves: Annotated[
        Annotated[tuple[ExerciseMoveObject, ...], Meta(max_length=1000)],
        about(
            "every legal move once, best first: the expected lead in the hand (`value`) with its `stderr`, the chances "
            "`win_hand` and (in matches) `win_match`, the `loss` compared with the best move and its error, and the "
            "number of simulations (`worlds`)"
        ),
    ]
    why: Annotated[
        Annotated[tuple[DifferenceObject, ...], Meta(max_length=100)],
        about(
            "how the results of the best move differ from those of the move `against` (or of the second best if that "
            "is missing), according to rollouts"
        ),
    ] = ()
    against: Annotated[_Short | None, about("the move that `why` compares the best one with")] = None
    maxim: Annotated[_Short | None, about("the name of a maxim that also advises the best move")] = None
    proven: Annotated[bool, about("`true` if nothing was hidden any more and the figures are exact")] = False
    rollouts: Annotated[_Count, about("the number of simulated hands")] = 0
    played: Annotated[_Short | None, about("the move that was played")] = None
    grade: Annotated[Grade | None, about("its grade")] = None
    origin: Annotated[OriginObject | None, about("the file, the hand (from 1), the ply, and the players")] = field(
        name="from", default=None
    )
