"""The messages of the bot protocol and the replies to them."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from millebornes.cards import Card
from millebornes.schema import FORMAT
from millebornes.schema.fields import MAX_CARDS, MAX_NUMBER, MAX_SEATS, Seat, Side, about
from millebornes.schema.transcript import ScoreObject
from millebornes.schema.view import PhaseName, ViewObject

_Number = Annotated[int, Meta(ge=2, le=MAX_SEATS)]


class HelloMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """A match begins. The bot replies with `ready`."""

    protocol: Annotated[str, about(f"`{FORMAT}`")]
    seat: Annotated[Seat, about("the program's own seat, from 0")]
    seats: Annotated[_Number, about("the number of seats at the table")]
    sides: Annotated[_Number, about("the number of sides")]
    players: Annotated[tuple[str, ...], about("a name for each seat", "a list of names")] = ()
    rules: Annotated[
        dict[str, Any],
        about("`edition` (a name or `null`), `deck` as `{card: count}`, and the other settings of R9 by name"),
    ]
    match_target: Annotated[int | None, about("the points that end the match; `null` for single hands")] = None


class HandMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="hand"):
    """A hand has been dealt."""

    number: Annotated[int, Meta(ge=1, le=MAX_NUMBER), about("the number of the hand in its match, from 1")]
    first: Annotated[Seat, about("the seat that goes first (R2.7)")]
    totals: Annotated[tuple[int, ...], about("the points of each side before it")]
    hand: Annotated[tuple[Card, ...], about("the cards dealt to the program's seat")]


class DrewMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="drew"):
    """A seat drew cards. This message isn't sent if nothing was drawn."""

    seat: Annotated[Seat, about("the seat")]
    cards: Annotated[tuple[Card, ...] | UnsetType, about("the cards, for the program's own seat only")] = UNSET
    count: Annotated[
        Annotated[int, Meta(ge=0, le=MAX_CARDS)] | UnsetType, about("how many cards, for all other seats")
    ] = UNSET


class MovedMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="moved"):
    """A seat made a move. Only the seat that made a `pass` receives it."""

    seat: Annotated[Seat, about("the seat")]
    move: Annotated[str, about("the move", "a move")]


class ChooseMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="choose"):
    """The bot's seat has to decide. The bot replies with a move."""

    phase: Annotated[PhaseName | UnsetType, about("what is to be decided")] = UNSET
    view: Annotated[ViewObject, about("VIEW, everything that the seat can see")]
    legal: Annotated[tuple[str, ...] | UnsetType, about("all legal moves, sorted", "a list of moves")] = UNSET
    time_ms: Annotated[int | UnsetType | None, about("the time for the answer; `null` for no limit")] = UNSET


class HandOverMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="hand_over"):
    """A hand has ended."""

    completed_by: Annotated[Side | None, about("the side that completed the trip, or `null`")]
    extended: Annotated[bool, about("whether the extension was called")]
    scores: Annotated[tuple[ScoreObject, ...], about("the score sheet of each side")]
    totals: Annotated[tuple[int, ...], about("the points of each side after it")]


class MatchOverMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="match_over"):
    """The match has ended."""

    totals: Annotated[tuple[int, ...], about("the points of each side")]
    winner: Annotated[Side | None, about("the side that won; `null` for a drawn match")]
    reason: Annotated[str, about("`finished`, `forfeit` or `stopped`")]


class QuitMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="quit"):
    """The process must end."""


class ReadyAnswer(Struct, frozen=True, kw_only=True, tag_field="type", tag="ready"):
    """The reply to `hello`."""

    name: Annotated[str, about("the name that the program gives itself")]


class MoveAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The reply to `choose`. Any other keys in it are recorded."""

    move: Annotated[str, about("the move in full; short names are not accepted")]
    info: Annotated[dict[str, Any] | UnsetType, about("the program's notes about the move; may be absent")] = UNSET
