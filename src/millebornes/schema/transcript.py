"""The lines of a transcript, and the lines that ``replay --json`` prints for it."""

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from millebornes.cards import Card
from millebornes.schema import FORMAT
from millebornes.schema.fields import MAX_CARDS, MAX_NUMBER, Seat, Side, about
from millebornes.schema.view import PhaseName, SideObject
from millebornes.score_lines import SCORE_SHEET

MAX_TABLE: Final = 200
_Digits64 = Annotated[
    str, Meta(pattern="^[0-9a-fA-F]{64}$", max_length=64, description="64 hex digits", extra={"right": "64 hex digits"})
]
_Digits32 = Annotated[
    str, Meta(pattern="^[0-9a-fA-F]{32}$", max_length=32, description="32 hex digits", extra={"right": "32 hex digits"})
]


class HeaderLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first line of a transcript: the rules and the players."""

    format: Annotated[str, about(f"`{FORMAT}`")]
    edition: Annotated[
        str | None,
        about("the name of an edition. `null` for a custom edition; `set` then contains all settings", clause="R9"),
    ]
    seats: Annotated[int, about("the number of seats at the table (R2.2)", clause="R2.2")]
    sides: Annotated[int, about("the number of sides (R2.2)", clause="R2.2")]
    set: Annotated[
        dict[str, Any] | UnsetType,
        about(
            "the settings that differ from the edition's; may be absent. `deck` is `full`, `reduced` or "
            "`{card: count}`",
            "an object of settings",
            clause="R9",
        ),
    ] = UNSET
    players: Annotated[tuple[str, ...] | UnsetType, about("a name for every seat; may be absent")] = UNSET
    match_target: Annotated[
        int | UnsetType | None,
        about(
            "the points that end the match (R8.1), 5000 if absent. `null` for single hands: totals add up, and the "
            "match never ends",
            "a whole number, or null for single hands",
        ),
    ] = UNSET


if TYPE_CHECKING:
    _LinesObject = Struct
else:
    _LinesObject = defstruct(
        "_LinesObject",
        [(line.name, Annotated[int, about(line.meaning)]) for line in SCORE_SHEET],
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )


class ScoreObject(_LinesObject, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The score sheet of one side for one hand (R7), in points."""

    total: Annotated[int, about("the sum of all lines")]


class ShuffleObject(Struct, frozen=True, kw_only=True):
    """The seeds and commitments with which anyone can check how a hand was shuffled (see fair shuffle)."""

    scheme: Annotated[str, about("the name and number of the method, `hmac-sha256-fisher-yates/1`")]
    table: Annotated[str, Meta(max_length=MAX_TABLE, pattern="^[^\\0]*$"), about("the name of the table")]
    hand: Annotated[int, Meta(ge=1, lt=1 << 32), about("the number of the hand, from 1", "a whole number from 1")]
    commitment: Annotated[
        _Digits64, about("the SHA-256 of the server's seed, in hex, which was published before the hand")
    ]
    server_seed: Annotated[_Digits64, about("the server's seed, 64 hex digits")]
    seat_seeds: Annotated[tuple[_Digits32, ...], about("the seed of each seat, 32 hex digits, zeros if there was none")]


class HandLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The line for one hand in a transcript."""

    hand: Annotated[int, Meta(ge=1, le=MAX_NUMBER), about("1, 2, 3 …")]
    first: Annotated[
        Seat, about("the seat that goes first in this hand: any seat in the first hand, then as in R2.7", clause="R2.1")
    ]
    deck: Annotated[
        tuple[Card, ...],
        about(
            "the whole deck in drawing order. In a recorded game, this is the order in which the cards were really "
            "drawn, then the rest, whatever the method of dealing",
            "the list of all cards in drawing order",
            clause="R1",
        ),
    ]
    moves: Annotated[
        list[Any],
        Meta(extra_json_schema={"items": {"type": "string"}}),
        about(
            "the decisions of all seats in the order in which they were made, including `pass`",
            "a list of moves",
        ),
    ]
    scores: Annotated[
        tuple[ScoreObject, ...] | UnsetType,
        about(
            "an object for each side with the nine lines of R7 and `total`, including zeros; may be absent",
            "a list of score sheets, one for each side",
            clause="R7",
        ),
    ] = UNSET
    info: Annotated[
        dict[str, dict[str, Any]] | UnsetType,
        about(
            'notes of the players about their moves: `{"17":{…}}` belongs to move 17 of this hand, counted from 0',
            'an object such as {"17":{…}}',
        ),
    ] = UNSET


class ResultObject(Struct, frozen=True, kw_only=True):
    """The result of a match that is over."""

    totals: Annotated[tuple[int, ...], about("the points of each side")]
    winner: Annotated[Side | None, about("the side that won; `null` for a drawn match")]


class ResultLine(Struct, frozen=True, kw_only=True):
    """The last line in the transcript of a match that is over."""

    result: Annotated[ResultObject, about("how it ended", 'an object with "totals" and "winner"')]


class DecisionLine(Struct, frozen=True, kw_only=True):
    """A line printed by ``replay --json`` for one decision and the position before it."""

    hand: Annotated[int, Meta(ge=1), about("the number of the hand, from 1")]
    ply: Annotated[int, Meta(ge=0), about("the number of the decision in its hand, from 0")]
    phase: Annotated[PhaseName, about("what is being decided")]
    seat: Annotated[Seat, about("the seat that decides")]
    hands: Annotated[tuple[tuple[Card, ...], ...], about("the cards of each seat by canonical name, sorted")]
    draw_pile: Annotated[int, Meta(ge=0, le=MAX_CARDS), about("how many cards are left to draw")]
    sides: Annotated[tuple[SideObject, ...], about("a SIDE for each side")]
    legal: Annotated[tuple[str, ...], about("all legal moves, sorted")]
    move: Annotated[str, about("the move that was made")]


class OutcomeLine(Struct, frozen=True, kw_only=True):
    """A line printed by ``replay --json`` for the end of a hand."""

    hand: Annotated[int, Meta(ge=1), about("the number of the hand, from 1")]
    completed_by: Annotated[Side | None, about("the side that completed the trip, or `null`")]
    extended: Annotated[bool, about("whether the extension was called")]
    scores: Annotated[tuple[ScoreObject, ...], about("the score sheet of each side")]


class TotalsLine(Struct, frozen=True, kw_only=True):
    """The last line printed by ``replay --json``."""

    totals: Annotated[tuple[int, ...], about("the points of each side")]
    winner: Annotated[
        Side | Literal["unfinished"] | None, about('the side that won, `null` for a drawn match, or `"unfinished"`')
    ]
