"""The facts of a table, as its log stores them. Some contain secrets, so facts never leave the server unchanged."""

import functools
import operator
from typing import ClassVar, Final

import msgspec

from millebornes.errors import MilleBornesError
from millebornes.schema.api import AgreedEvent, BackEvent, CancelledEvent, ChatEvent, DeclinedEvent, Event, Wish


class Fact(msgspec.Struct, frozen=True, kw_only=True, tag_field="fact", tag=str.lower, omit_defaults=True):
    """A fact at a table. ``at`` is its time, in milliseconds since 1970 (UTC).

    Every database contains the tag of the fact, so the tag stays the same even if the class is renamed.
    """

    at: int


class SeatFact(Fact, frozen=True, kw_only=True):
    """A fact that concerns one seat.

    If all that the viewers see of it is an ``event`` with the same fields and the name of the seat, the table sends
    this event by itself.
    """

    event: ClassVar[type[Event] | None] = None
    seat: int


class AsideFact(SeatFact, frozen=True, kw_only=True):
    """A fact of a seat that doesn't belong to the game."""


class Announcement(AsideFact, frozen=True, kw_only=True):
    """A fact that changes nothing at the table. Its ``event`` is all there is to it."""


class Created(Fact, frozen=True, kw_only=True):
    """The table was created. This is the first fact at every table.

    ``rules`` are the rules as a single word (`millebornes.editions.Rules.parse`), in version ``rules_version`` of the
    rules. ``places`` has one entry per seat: ``me`` (the creator), ``open`` (anyone with the invitation) or the name of
    a computer player. ``name`` is the creator's name. ``coup_window`` is in milliseconds. If there is a ``seed``, it
    determines the decks. Otherwise, they are shuffled with contributions from all seats. ``secret`` seeds the random
    choices of computer players. A ``listed`` table is shown in the lobby while it has open seats. ``clock`` is each
    person's time for a hand and the increment for each move, in milliseconds. If there is a ``fill``, computer players
    take the open seats after this many milliseconds.

    If all people play at one screen, ``names`` contains the names in all seats, and each person's place is ``me``.
    ``won`` contains the number of matches that each side won before those in this log.
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
    fill: int | None = None
    names: tuple[str, ...] | None = None
    won: tuple[int, ...] = ()


class Joined(AsideFact, frozen=True, kw_only=True):
    """A person took an open seat."""

    name: str


class Left(AsideFact, frozen=True, kw_only=True):
    """A person left, or was away and seat ``by`` chose to continue. A computer player decides until they return."""

    by: int | None = None


class Returned(AsideFact, frozen=True, kw_only=True):
    """A person returned to their seat."""


class Away(AsideFact, frozen=True, kw_only=True):
    """A seat has stopped responding. The others can choose at ``until`` (milliseconds since 1970)."""

    until: int


class Back(AsideFact, frozen=True, kw_only=True):
    """A seat that was away is connected again."""

    event = BackEvent


class Waited(AsideFact, frozen=True, kw_only=True):
    """Seat ``by`` chose to wait for a seat that is away. The others can choose again at ``until``."""

    by: int
    until: int


class Placed(SeatFact, frozen=True, kw_only=True):
    """Before the first deal, a seat was freed (``place`` is ``open``) or given to a computer player.

    ``by`` is the creator's seat, or None if the person has left. The seat's previous tokens are no longer valid.
    """

    place: str
    by: int | None = None


class Swapped(SeatFact, frozen=True, kw_only=True):
    """Before the first deal, the players in two seats changed places, and all their keys. One seat may be open.

    ``by`` is the seat, before the change, of the player who chose this.
    """

    other: int
    by: int


class Cancelled(SeatFact, frozen=True, kw_only=True):
    """Before the first deal, the creator cancelled the table. Nothing more can happen at the table."""

    event = CancelledEvent


class Rekeyed(AsideFact, frozen=True, kw_only=True):
    """A seat was resumed in another browser. Its previous tokens are no longer valid."""


class ChatSent(Announcement, frozen=True, kw_only=True, tag="said"):
    """A player sent a chat message. If it is a phrase that can be translated, ``phrase`` is its name."""

    event = ChatEvent
    text: str
    phrase: str | None = None


class Shuffled(Fact, frozen=True, kw_only=True):
    """The server committed itself to a seed (in hex) for the next hand. ``match`` and ``hand`` count from 1."""

    match: int
    hand: int
    server_seed: str


class SeedContributed(AsideFact, frozen=True, kw_only=True, tag="gave"):
    """A seat contributed a number (in hex) to the shuffle of the next hand."""

    seed: str


class HandDealt(Fact, frozen=True, kw_only=True, tag="dealt"):
    """A hand was dealt. ``deck`` contains the codes of all cards in the order they are drawn, separated by spaces.

    If there are ``moves``, this hand continues from another hand after these moves. Then ``first`` is the nominal first
    seat of a match's first hand, if it isn't the seat that follows from the number of the match (R2.7).
    """

    match: int
    hand: int
    deck: str
    moves: tuple[str, ...] = ()
    first: int | None = None


class MoveMade(SeatFact, frozen=True, kw_only=True, tag="moved"):
    """A seat moved or called a coup fourré. ``late`` is true if a computer player moved for a person out of time."""

    move: str
    late: bool = False


class Proposed(SeatFact, frozen=True, kw_only=True):
    """After a match, a person proposed other settings for the next one. See `Created`.

    If there is a ``swap``, those at these two seats change places when the next match begins, as in `Swapped`.
    """

    rules: str
    match_target: int | None
    coup_window: int
    swap: tuple[int, int] | None = None


class Agreed(SeatFact, frozen=True, kw_only=True):
    """A person agreed to the proposed settings or to another person's request."""

    event = AgreedEvent


class Requested(AsideFact, frozen=True, kw_only=True):
    """A person asked for something that needs the consent of everyone concerned.

    The request is carried out when all of them agree, or at once if no one else is concerned. ``what`` is ``undo``
    (take back the person's latest move), ``end`` (end the match without a winner) or ``resign`` (give up the match,
    which concerns only partners). ``settled`` is the same as in `Undone`.
    """

    what: Wish
    settled: bool = False


class Declined(AsideFact, frozen=True, kw_only=True):
    """A person declined another person's request."""

    event = DeclinedEvent


class Undone(SeatFact, frozen=True, kw_only=True):
    """A person who plays against computers took back their latest decision and all later moves.

    ``settled`` is true if questions about a coup fourré from before that decision aren't asked again. Logs written up
    to November 2026 don't have it, and lead to the state that they had then (`millebornes.table.state`).
    """

    settled: bool = False


class Closed(Fact, frozen=True, kw_only=True):
    """The window for a coup fourré ended without a call."""


class SeatForfeited(SeatFact, frozen=True, kw_only=True, tag="lost"):
    """A computer player forfeited the match. ``reason`` is worded to follow "it"."""

    reason: str


class LogError(MilleBornesError):
    """A log is damaged. The message says where, but quotes nothing from the log."""


class RulesChanged(LogError):
    """A log was written under different rules."""


_BASES: Final = (Fact, SeatFact, AsideFact, Announcement)
FACT_KINDS: Final = tuple(kind for base in _BASES for kind in base.__subclasses__() if kind not in _BASES)
"""The classes of all facts."""
_DECODER: Final = msgspec.json.Decoder(functools.reduce(operator.or_, FACT_KINDS))
_ENCODER: Final = msgspec.json.Encoder()


def read_fact(text: str | bytes) -> Fact:
    """Read a fact written by `write_fact`. Raises `LogError`."""
    try:
        fact: Fact = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise LogError("it is not a fact") from None
    return fact


def write_fact(fact: Fact) -> str:
    """Return a fact as JSON."""
    return _ENCODER.encode(fact).decode()


def not_before(fact: Fact, latest: int) -> Fact:
    """Return the fact with a time that isn't earlier than ``latest``, in case the machine's clock was set back."""
    late = latest - fact.at
    if late <= 0:
        return fact
    more = {"until": fact.until + late} if isinstance(fact, Away | Waited) else {}
    return msgspec.structs.replace(fact, at=latest, **more)
