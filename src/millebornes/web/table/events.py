"""What happens at a table, as its log keeps it. Some of it is secret: events never leave the server as they are."""

from typing import Final

import msgspec

from millebornes.errors import MilleBornesError

__all__ = [
    "Away",
    "Back",
    "Closed",
    "Created",
    "Gave",
    "HandDealt",
    "Joined",
    "Left",
    "LogError",
    "MoveMade",
    "Placed",
    "Rekeyed",
    "Returned",
    "RulesChanged",
    "Said",
    "SeatForfeited",
    "Shuffled",
    "TableEvent",
    "Waited",
    "forward",
    "read_event",
    "write_event",
]


class _TableEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="fact", tag=str.lower, omit_defaults=True):
    """``at`` is when it happened, in milliseconds since 1970 (UTC).

    The tag stands in every database: a class that gets another name keeps the tag it had.
    """

    at: int


class Created(_TableEvent, frozen=True, kw_only=True):
    """The table was set up; always the first event.

    ``rules`` are in one word (`millebornes.editions.Rules.parse`), under ``rules_version``. ``places`` holds by seat
    ``me`` (who set it up), ``open`` (whoever comes with the invitation) or the name of a computer player; ``name`` is
    that of ``me``. ``coup_window`` is in milliseconds. ``seed`` makes the decks where one was given, else they are
    shuffled fairly. ``secret`` makes the chance of computer players. ``listed`` tables stand in the lobby while they
    have open seats. ``clock`` is the time of each person for a hand, and what each move adds, in milliseconds.
    """

    table: str
    rules: str
    rules_version: int
    places: tuple[str, ...]
    name: str
    match_target: int | None
    spectators: bool
    coup_window: int
    secret: str
    seed: str | None = None
    listed: bool = False
    clock: tuple[int, int] | None = None


class Joined(_TableEvent, frozen=True, kw_only=True):
    """A person took an open seat."""

    seat: int
    name: str


class Left(_TableEvent, frozen=True, kw_only=True):
    """A person got up, or was away and ``by``, another seat, chose so; a computer player decides until they return."""

    seat: int
    by: int | None = None


class Returned(_TableEvent, frozen=True, kw_only=True):
    """A person is back at their seat."""

    seat: int


class Away(_TableEvent, frozen=True, kw_only=True):
    """Nothing has been heard of a seat; ``until`` (milliseconds since 1970) the others wait before they may choose."""

    seat: int
    until: int


class Back(_TableEvent, frozen=True, kw_only=True):
    """A seat that was away is heard of again."""

    seat: int


class Waited(_TableEvent, frozen=True, kw_only=True):
    """``by`` chose to wait for a seat that is away, ``until`` when they may choose again."""

    seat: int
    by: int
    until: int


class Placed(_TableEvent, frozen=True, kw_only=True):
    """Before the first deal a seat became free (``place`` is ``open``), or was given to a computer player.

    ``by`` is the seat of whoever set up the table and chose so, None for a person who left. The tokens that the seat
    had before open nothing any more.
    """

    seat: int
    place: str
    by: int | None = None


class Rekeyed(_TableEvent, frozen=True, kw_only=True):
    """A seat was taken up in another browser; the tokens that it had before open nothing any more."""

    seat: int


class Said(_TableEvent, frozen=True, kw_only=True):
    """A seat said something to all; ``phrase`` is the name of a phrase where it is one that can be translated."""

    seat: int
    text: str
    phrase: str | None = None


class Shuffled(_TableEvent, frozen=True, kw_only=True):
    """The server committed itself to a seed (hex) for the next hand; ``match`` and ``hand`` count from 1."""

    match: int
    hand: int
    server_seed: str


class Gave(_TableEvent, frozen=True, kw_only=True):
    """A seat gave its share in the shuffle of the next hand (hex)."""

    seat: int
    seed: str


class HandDealt(_TableEvent, frozen=True, kw_only=True, tag="dealt"):
    """A hand was dealt; ``deck`` are the codes of all cards in drawing order, with blanks between."""

    match: int
    hand: int
    deck: str


class MoveMade(_TableEvent, frozen=True, kw_only=True, tag="moved"):
    """A seat made a move, or called a coup fourré; never a pass.

    ``late``: the time of a person was up, and a computer player moved.
    """

    seat: int
    move: str
    late: bool = False


class Closed(_TableEvent, frozen=True, kw_only=True):
    """The window of a coup fourré ended without a call."""


class SeatForfeited(_TableEvent, frozen=True, kw_only=True, tag="lost"):
    """A computer player forfeited the match; ``reason`` goes on after "it"."""

    seat: int
    reason: str


TableEvent = (
    Created
    | Joined
    | Left
    | Returned
    | Away
    | Back
    | Waited
    | Placed
    | Rekeyed
    | Said
    | Shuffled
    | Gave
    | HandDealt
    | MoveMade
    | Closed
    | SeatForfeited
)
"""Anything that happens at a table."""


class LogError(MilleBornesError):
    """A log from which no table follows. It says where it is damaged, but quotes nothing of it."""


class RulesChanged(LogError):
    """A log that was written under other rules."""


_DECODER: Final = msgspec.json.Decoder(TableEvent)
_ENCODER: Final = msgspec.json.Encoder()


def read_event(text: str | bytes) -> TableEvent:
    """An event as `write_event` wrote it. Raises `LogError`."""
    try:
        event: TableEvent = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise LogError("it is not an event") from None
    return event


def write_event(event: TableEvent) -> str:
    """An event as JSON."""
    return _ENCODER.encode(event).decode()


def forward(event: TableEvent, latest: int) -> TableEvent:
    """Return an event no earlier than the one before it, as the machine's clock may have been set back between them."""
    late = latest - event.at
    if late <= 0:
        return event
    more = {"until": event.until + late} if isinstance(event, Away | Waited) else {}
    return msgspec.structs.replace(event, at=latest, **more)
