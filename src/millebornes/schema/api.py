"""The request bodies, answers and events of the web game's API."""

from typing import Annotated, Any, ClassVar, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from millebornes.i18n import N_
from millebornes.schema.fields import DEFAULT_TARGET, Seat, about
from millebornes.schema.transcript import ScoreObject
from millebornes.schema.view import PhaseName, ViewObject

MAX_KEY: Final = 64
"""The maximum length of an idempotency key, which keeps a repeated command from being carried out twice."""

_Short = Annotated[str, Meta(max_length=200)]
_Key = Annotated[str, Meta(min_length=1, max_length=MAX_KEY)]
_Few = Annotated[int, Meta(ge=0, le=100)]
_Version = Annotated[int, Meta(ge=0, le=2**53)]
_Names = tuple[str | None, ...]
Status = Literal["waiting", "playing", "hand_over", "match_over", "cancelled"]
"""The state of a table."""

Wish = Literal["undo", "end", "resign"]
"""The requests that a player can make: take back a move, end the match without a winner, or resign."""


# ---------------------------------------------------------------- bodies


class _Body(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class ClockBody(_Body, frozen=True, kw_only=True):
    """The time on each player's clock."""

    initial_s: Annotated[float, Meta(ge=10, le=7200), about("seconds for a hand")]
    increment_s: Annotated[float, Meta(ge=0, le=300), about("seconds added after each move")] = 0


class TableBody(_Body, frozen=True, kw_only=True):
    """The settings of a new table."""

    edition: Annotated[_Short | None, about("the name of an edition; `null` for a custom one")] = "classic"
    seats: Annotated[_Few, about("the number of seats at the table")] = 2
    sides: Annotated[_Few | None, about("the number of sides; `null` for the usual number")] = None
    settings: Annotated[dict[str, Any], about("the settings that differ from the edition's")] = field(
        default_factory=dict, name="set"
    )
    match_target: Annotated[int | None, about("the points that end the match; `null` for single hands")] = (
        DEFAULT_TARGET
    )
    name: Annotated[_Short, about("your name, for the seat `me`")] = ""
    places: Annotated[
        Annotated[tuple[_Short, ...], Meta(max_length=8)] | None,
        about("who plays in each seat: `me`, `open`, or the name of a computer player"),
    ] = None
    spectators: Annotated[bool, about("whether others may watch")] = True
    coup_window_ms: Annotated[int | None, about("how long a coup fourré can be called, in milliseconds")] = None
    seed: Annotated[
        Annotated[str, Meta(max_length=200)] | int | None,
        about("a seed for the cards, if the server runs with `--allow-seeds`"),
    ] = None
    open: Annotated[bool, about("whether the table is listed in the lobby while seats are free")] = False
    clock: Annotated[ClockBody | None, about("each person's time; `null` for a game without clocks")] = None


class JoinBody(_Body, frozen=True, kw_only=True):
    """A request to take a seat, either with an invitation or from the lobby."""

    name: Annotated[_Short, about("the person's name")]
    seat: Annotated[Seat | None, about("the seat, if several are free; the first by default")] = None
    key: Annotated[
        _Key | None, about("a request with the same key gets the same answer, so choose a key that no one can guess")
    ] = None


class ResumeBody(_Body, frozen=True, kw_only=True):
    """A request to continue in another browser."""

    key: Annotated[_Key | None, about("a request with the same key gets the same answer")] = None


class PlaceBody(_Body, frozen=True, kw_only=True):
    """A request to open a seat to anyone, or to give it to a computer player."""

    place: Annotated[_Short, about("`open`, or the name of a computer player")]


class MoveBody(_Body, frozen=True, kw_only=True):
    """A move."""

    move: Annotated[_Short, about("the move")]
    version: Annotated[_Version, about("the version of the table in which it was chosen")]
    key: Annotated[_Key | None, about("a key that makes it count only once")] = None


class RematchBody(_Body, frozen=True, kw_only=True):
    """The settings of a rematch. Settings that are left out remain as they are."""

    edition: Annotated[_Short | UnsetType | None, about("the name of an edition; `null` for a custom one")] = UNSET
    settings: Annotated[dict[str, Any] | UnsetType, about("the settings that differ from the edition's")] = field(
        default=UNSET, name="set"
    )
    match_target: Annotated[int | UnsetType | None, about("the points that end the match; `null` for single hands")] = (
        UNSET
    )
    coup_window_ms: Annotated[int | UnsetType, about("how long a coup fourré can be called, in milliseconds")] = UNSET
    swap: Annotated[tuple[Seat, Seat] | None, about("two seats that change places; `null` for none")] = None


class NextBody(_Body, frozen=True, kw_only=True):
    """A request for the next hand, or for another match."""

    version: Annotated[_Version, about("the version of the table")]
    key: Annotated[_Key | None, about("a key that makes it count only once")] = None
    settings: Annotated[
        RematchBody | None, about("after a match, play the next one like this if everyone else agrees")
    ] = None


class UndoBody(_Body, frozen=True, kw_only=True):
    """A request to take back a move in a game against computer players."""

    version: Annotated[_Version, about("the version of the table")]
    key: Annotated[_Key | None, about("a key that makes it count only once")] = None


class RequestBody(_Body, frozen=True, kw_only=True):
    """A request that the other players have to agree to."""

    what: Annotated[
        Wish,
        about(
            "`undo`: take back your latest move; `end`: end the match without a winner; `resign`: give it up, at a "
            "table of two sides"
        ),
    ]


class ReplyBody(_Body, frozen=True, kw_only=True):
    """A reply to another seat's request."""

    agree: Annotated[bool, about("whether you agree")]
    version: Annotated[_Version, about("the version of the table in which you saw the request")]


class EntropyBody(_Body, frozen=True, kw_only=True):
    """A seat's contribution to the shuffle of a hand."""

    hand: Annotated[int, Meta(ge=1, le=2**31), about("the number of the hand, from 1")]
    bytes: Annotated[_Short, about("32 hex digits")]


class ChatBody(_Body, frozen=True, kw_only=True):
    """A message to everyone, either free text or one of the phrases."""

    text: Annotated[Annotated[str, Meta(max_length=20_000)] | None, about("a text")] = None
    phrase: Annotated[
        _Short | None,
        about("the name of a phrase, which players see in their language; `/api/phrases` lists them"),
    ] = None


class AskingBody(_Body, frozen=True, kw_only=True):
    """Whether this seat wants to be asked about coups fourrés.

    The answer contains the same value. No other seat can see this choice.
    """

    ask: Annotated[bool, about("whether to ask; if not, the seat passes")]


class AbsentBody(_Body, frozen=True, kw_only=True):
    """A decision about a seat that is away."""

    seat: Annotated[Seat, about("the seat")]
    choice: Annotated[
        Literal["wait", "computer"], about("wait once more for the player, or let a computer player take over")
    ]


class SwapBody(_Body, frozen=True, kw_only=True):
    """The two seats whose players change places."""

    seat: Annotated[Seat, about("one seat")]
    other: Annotated[Seat, about("the other one")]


class EmptyBody(_Body, frozen=True, kw_only=True):
    """An empty body."""


# ---------------------------------------------------------------- answers


class ErrorAnswer(Struct, frozen=True, kw_only=True):
    """The reason why a request failed. Some errors have additional keys."""

    error: Annotated[str, about("a word for programs")]
    text: Annotated[str, about("a sentence for people")]


class VersionAnswer(Struct, frozen=True, kw_only=True):
    """The new version of the table."""

    version: Annotated[int, about("the number of messages at the table so far")]


class SeatedAnswer(Struct, frozen=True, kw_only=True):
    """Your seat at a table that you created or joined."""

    table: Annotated[str, about("the name of the table")]
    seat: Annotated[int | None, about("the seat; `null` without one")]
    token: Annotated[str | None, about("proves that the seat is yours; sent as `Authorization: Bearer TOKEN`")]
    invitations: Annotated[tuple[str | None, ...] | UnsetType, about("of a new table: addresses by seat")] = UNSET
    link: Annotated[str | UnsetType | None, about("of a new table: an invitation to any open seat")] = UNSET


class PlacedAnswer(VersionAnswer, frozen=True, kw_only=True):
    """The new state of a seat: it is free, or a computer player has taken it."""

    invitation: Annotated[str | None, about("a new invitation, if the seat is free")]


class AbsentObject(Struct, frozen=True, kw_only=True):
    """A seat that has lost contact with the server."""

    seat: Annotated[int, about("the seat")]
    left: Annotated[int, about("milliseconds until the others may choose")]


class ClocksObject(Struct, frozen=True, kw_only=True):
    """The clocks of a table."""

    initial_ms: Annotated[int, about("the time for a hand")]
    increment_ms: Annotated[int, about("the time added after each move")]
    left: Annotated[list[int | None], about("by seat, in ms; `null` for computer players")]
    running: Annotated[int | None, about("the seat whose clock runs")]


class CommitmentObject(Struct, frozen=True, kw_only=True):
    """The server's commitment for a hand that is being shuffled."""

    hand: Annotated[int, about("the number of the hand")]
    commitment: Annotated[str, about("the SHA-256 of the server's seed")]


class WindowObject(Struct, frozen=True, kw_only=True):
    """The time in which players can call a coup fourré."""

    ms: Annotated[int, about("how long it is")]
    left: Annotated[int, about("how much of it is left")]


class ProposalObject(Struct, frozen=True, kw_only=True):
    """A rematch with changed settings that a seat has proposed."""

    seat: Annotated[int, about("the seat that proposed it")]
    agreed: Annotated[tuple[int, ...], about("the seats that agree, including that one")]
    rules: Annotated[dict[str, Any], about("every setting of R9, and the name of the edition or `null`")]
    match_target: Annotated[int | None, about("the points that end the match; `null` for single hands")]
    coup_window_ms: Annotated[int, about("how long a coup fourré can be called, in milliseconds")]
    swap: Annotated[tuple[Seat, Seat] | None, about("two seats that change places; `null` for none")]


class RequestObject(Struct, frozen=True, kw_only=True):
    """The request of a seat, while it waits for everyone to agree or for someone to decline."""

    seat: Annotated[int, about("the seat that asked")]
    what: Annotated[Wish, about("`undo`, `end` or `resign`")]
    asked: Annotated[tuple[int, ...], about("the seats that have yet to agree")]


class TableAnswer(Struct, frozen=True, kw_only=True):
    """The table as seen by a seat or a spectator."""

    table: Annotated[str, about("the name of the table")]
    version: Annotated[int, about("the number of messages at the table so far")]
    status: Annotated[
        Status,
        about("`waiting` (for people, or for the next deal), `playing`, `hand_over`, `match_over` or `cancelled`"),
    ]
    complete: Annotated[bool, about("whether no more hands will be dealt at this table")]
    rules: Annotated[dict[str, Any], about("every setting of R9, and the name of the edition or `null`")]
    seats: Annotated[int, about("the number of seats at the table")]
    sides: Annotated[int, about("the number of sides")]
    names: Annotated[_Names, about("the players' names by seat; `null` for an open seat")]
    seat: Annotated[int | None, about("your seat; `null` for a spectator")]
    view: Annotated[
        ViewObject | None,
        about("the VIEW of your seat; `null` for a spectator, and while the next hand is being shuffled"),
    ]
    public: Annotated[
        dict[str, Any] | None, about("VIEW without `seat` and `hand`, for everyone; `null` between hands")
    ]
    phase: Annotated[PhaseName | None, about("the phase of your decision; `null` if it is not your turn")]
    legal: Annotated[tuple[str, ...], about("your legal moves, sorted")]
    turn: Annotated[int | None, about("the seat whose turn it is; `null` while a window is open")]
    away: Annotated[tuple[int, ...], about("the seats that the computer plays for")]
    absent: Annotated[
        tuple[AbsentObject, ...],
        about(
            'the seats that lost contact: `[{"seat":1,"left":25000}]`. The others may choose what to '
            "do when no milliseconds are left"
        ),
    ]
    spectators: Annotated[int, about("the number of spectators")]
    clocks: Annotated[
        ClocksObject | None,
        about(
            "`null`, or `initial_ms`, `increment_ms`, `left` (milliseconds by seat, `null` for computer players) and "
            "`running` (a seat or `null`)"
        ),
    ]
    match: Annotated[int, about("the number of the match at this table, from 1")]
    match_target: Annotated[int | None, about("the points that end the match; `null` for single hands")]
    shuffle: Annotated[
        CommitmentObject | None, about("while a hand is being shuffled: its number `hand` and the `commitment`")
    ]
    window: Annotated[
        WindowObject | None,
        about("while a coup fourré can be called: the length `ms` and the time `left`; otherwise `null`"),
    ]
    scores: Annotated[tuple[ScoreObject, ...] | None, about("the score sheets of the finished hand, by side")]
    winner: Annotated[int | None, about("the side that won the finished match")]
    proposal: Annotated[ProposalObject | None, about("a proposed rematch with other settings")]
    request: Annotated[RequestObject | None, about("what a seat asks the others to agree to")]


class LobbyObject(Struct, frozen=True, kw_only=True):
    """A table that appears in the lobby."""

    table: Annotated[str, about("the name of the table")]
    created: Annotated[int, about("when the table was set up, in milliseconds since 1970")]
    edition: Annotated[str | None, about("the name of the edition")]
    set: Annotated[dict[str, Any], about("the settings that differ from the edition's")]
    seats: Annotated[int, about("the number of seats at the table")]
    sides: Annotated[int, about("the number of sides")]
    names: Annotated[_Names, about("the players' names by seat; `null` for an open seat")]
    free: Annotated[tuple[int, ...], about("the seats that are open")]
    match_target: Annotated[int | None, about("the points that end the match; `null` for single hands")]
    coup_window_ms: Annotated[int, about("how long a coup fourré can be called, in milliseconds")]
    clock: Annotated[dict[str, float | int] | None, about("each person's time, as in the body of a new table")]
    spectators: Annotated[bool, about("whether others may watch")]


class LobbyAnswer(Struct, frozen=True, kw_only=True):
    """The tables that have seats anyone can take."""

    tables: Annotated[tuple[LobbyObject, ...], about("the tables, newest first")]


class LinkAnswer(Struct, frozen=True, kw_only=True):
    """A private link with which another browser can take over the seat."""

    link: Annotated[str, about("the address")]


class PhrasesAnswer(Struct, frozen=True, kw_only=True):
    """The phrases that can be sent by their names."""

    phrases: Annotated[dict[str, str], about("the texts by name")]


# ---------------------------------------------------------------- events


class StreamEvent(Struct, frozen=True, kw_only=True):
    """An event in the stream of a table.

    Most events are messages of the bot protocol. This module defines all others.
    """

    id: Annotated[str | UnsetType, about("the version of the table; absent for a beat")] = UNSET
    event: Annotated[str, about("a type of message, `beat` or `snapshot`")]
    data: Annotated[str, Meta(extra_json_schema={"contentMediaType": "application/json"}), about("the message")]
    retry: Annotated[int | UnsetType, about("milliseconds before the next try")] = UNSET


class _EventBase(Struct, frozen=True, kw_only=True, tag_field="type"):
    lines: ClassVar[tuple[str, str] | None] = None
    """The sentences in the activity log of a page, for the person in the seat and for the others, if it has its own."""


class _SeatEvent(_EventBase, frozen=True, kw_only=True):
    seat: Annotated[int, about("the seat")]
    name: Annotated[str | None, about("the name")]


class JoinedEvent(_SeatEvent, frozen=True, kw_only=True, tag="joined"):
    """A person or a computer player takes a seat."""

    lines = (N_("You sit down."), N_("{name} sits down."))


class LeftEvent(_SeatEvent, frozen=True, kw_only=True, tag="left"):
    """A person leaves their seat."""

    lines = (
        N_("You've left the table. The computer will play for you until you come back."),
        N_("{name} has left. The computer is playing for them."),
    )

    free: Annotated[bool | UnsetType, about("the seat is open again; else a computer player decides for it")] = UNSET
    by: Annotated[int | UnsetType, about("the seat that chose this, if it was not the person")] = UNSET


class AwayEvent(_SeatEvent, frozen=True, kw_only=True, tag="away"):
    """A seat loses contact with the server."""

    lines = (N_("You've been disconnected."), N_("{name} has been disconnected."))

    left: Annotated[int, about("milliseconds until the others may choose")]


class WaitEvent(_SeatEvent, frozen=True, kw_only=True, tag="wait"):
    """A player chooses to wait longer for a seat that is away."""

    lines = (N_("The others are waiting for you."), N_("The table is waiting for {name}."))

    by: Annotated[int, about("the seat that made this choice")]
    left: Annotated[int, about("milliseconds until the others may choose again")]


class BackEvent(_SeatEvent, frozen=True, kw_only=True, tag="back"):
    """A seat that was away returns."""

    lines = (N_("You're back."), N_("{name} is back."))


class SwappedEvent(_SeatEvent, frozen=True, kw_only=True, tag="swapped"):
    """The players of two seats change places before the first deal or between matches. Their streams end.

    Their tokens remain valid. The names show the seats after the change, with null for an open seat.
    """

    other: Annotated[int, about("the other seat")]
    other_name: Annotated[str | None, about("the name at the other seat")]
    by: Annotated[int, about("the seat that chose this, as numbered before the change")]


class CancelledEvent(_SeatEvent, frozen=True, kw_only=True, tag="cancelled"):
    """The seat that created the table cancels it before the first deal."""

    lines = (N_("You cancel the table."), N_("{name} has cancelled the table."))


class ResumedEvent(_EventBase, frozen=True, kw_only=True, tag="resumed"):
    """The player of this seat continues in another browser. The browser before sees this, and its stream ends."""

    seat: Annotated[int, about("the seat")]


class ChatEvent(_SeatEvent, frozen=True, kw_only=True, tag="chat"):
    """A seat sends a message to everyone."""

    text: Annotated[str, about("the text")]
    phrase: Annotated[str | UnsetType, about("the name of the phrase, if it is one")] = UNSET


class ShuffleEvent(_EventBase, frozen=True, kw_only=True, tag="shuffle"):
    """The server commits to its seed for a hand."""

    hand: Annotated[int, about("the number of the hand, from 1")]
    commitment: Annotated[str, about("the SHA-256 of the server's seed, in hex")]


class TimeOutEvent(_SeatEvent, frozen=True, kw_only=True, tag="time_out"):
    """A seat runs out of time. A computer player makes the move instead."""

    lines = (
        N_("Your time is up, so the computer moves for you."),
        N_("{name}'s time is up, so the computer moves for them."),
    )


class ProposedEvent(_SeatEvent, frozen=True, kw_only=True, tag="proposed"):
    """A seat proposes a rematch with other settings."""

    lines = (N_("You propose a rematch: {terms}."), N_("{name} proposes a rematch: {terms}."))

    rules: Annotated[dict[str, Any], about("every setting of R9, and the name of the edition or `null`")]
    match_target: Annotated[int | None, about("the points that end the match; `null` for single hands")]
    coup_window_ms: Annotated[int, about("how long a coup fourré can be called, in milliseconds")]
    swap: Annotated[tuple[Seat, Seat] | UnsetType, about("two seats that change places, if any do")] = UNSET


class AgreedEvent(_SeatEvent, frozen=True, kw_only=True, tag="agreed"):
    """A seat agrees to the proposed rematch or to a request, which takes effect once everyone has agreed."""

    lines = (N_("You agree."), N_("{name} agrees."))


class RequestedEvent(_SeatEvent, frozen=True, kw_only=True, tag="requested"):
    """A seat asks the other seats to agree to something."""

    what: Annotated[Wish, about("`undo`, `end` or `resign`")]


class DeclinedEvent(_SeatEvent, frozen=True, kw_only=True, tag="declined"):
    """A seat declines a request."""

    lines = (N_("You decline."), N_("{name} declines."))


class ResignedEvent(_SeatEvent, frozen=True, kw_only=True, tag="resigned"):
    """A seat resigns the match for its side."""

    lines = (N_("You resign."), N_("{name} resigns."))


class UndoneEvent(_SeatEvent, frozen=True, kw_only=True, tag="undone"):
    """A seat takes back its latest decision and all moves made since then. Earlier moves are kept."""

    lines = (N_("You take your move back."), N_("{name} takes a move back."))

    moves: Annotated[int, about("the number of moves of this hand that still count, without passes")]


Event = (
    AgreedEvent
    | AwayEvent
    | BackEvent
    | CancelledEvent
    | ChatEvent
    | DeclinedEvent
    | JoinedEvent
    | LeftEvent
    | ProposedEvent
    | RequestedEvent
    | ResignedEvent
    | ResumedEvent
    | ShuffleEvent
    | SwappedEvent
    | TimeOutEvent
    | UndoneEvent
    | WaitEvent
)
"""Any event that isn't a message of the bot protocol."""
