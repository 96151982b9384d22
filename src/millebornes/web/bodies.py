"""What requests say: the JSON bodies of the API, read strictly."""

from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec

from millebornes.editions import EDITIONS, Rules, make_rules
from millebornes.errors import EditionError, NotationError, PlayerError
from millebornes.game import DEFAULT_TARGET, check_target
from millebornes.session.setup import MAX_TARGET
from millebornes.web.errors import ApiError
from millebornes.web.phrases import PHRASES
from millebornes.web.seats import ME, OPEN
from millebornes.web.service import NewTable, Settings
from millebornes.web.thinking import check_computer

__all__ = [
    "BODIES",
    "Absent",
    "Asking",
    "Chat",
    "Clock",
    "Entropy",
    "Join",
    "JoinListed",
    "Move",
    "Next",
    "Nothing",
    "Place",
    "Resume",
    "Table",
    "check_key",
    "new_table",
    "place_of",
    "read_body",
]

MOST_KEY: Final = 64
"""Characters of a key under which a command counts once."""
MOST_WINDOW: Final = 60_000
Body = TypeVar("Body", bound=msgspec.Struct)

_Short = Annotated[str, msgspec.Meta(max_length=200)]
_Key = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_KEY)]
_Few = Annotated[int, msgspec.Meta(ge=0, le=100)]
_Seat = Annotated[int, msgspec.Meta(ge=0, le=7)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class _Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class Clock(_Body, frozen=True, kw_only=True):
    """The time of each person: seconds for a hand, and seconds that each move adds."""

    initial_s: Annotated[float, msgspec.Meta(ge=10, le=7200)]
    increment_s: Annotated[float, msgspec.Meta(ge=0, le=300)] = 0


class Table(_Body, frozen=True, kw_only=True):
    """A new table. ``places`` by seat: ``me``, ``open``, or the name of a computer player.

    ``open`` lists it in the lobby while seats are free.
    """

    edition: _Short | None = "classic"
    seats: _Few = 2
    sides: _Few | None = None
    settings: dict[str, Any] = msgspec.field(default_factory=dict, name="set")
    match_target: int | None = DEFAULT_TARGET
    name: _Short = ""
    places: Annotated[tuple[_Short, ...], msgspec.Meta(max_length=8)] | None = None
    spectators: bool = True
    coup_window_ms: int | None = None
    seed: Annotated[str, msgspec.Meta(max_length=200)] | int | None = None
    open: bool = False
    clock: Clock | None = None


class Join(_Body, frozen=True, kw_only=True):
    """Who takes the seat of an invitation, and which where it is good for any open one; the first by default.

    The same ``key`` again gets the same answer, so it should be one that nobody can guess.
    """

    name: _Short
    seat: _Seat | None = None
    key: _Key | None = None


class JoinListed(_Body, frozen=True, kw_only=True):
    """Who takes a seat at a table of the lobby, and which; any free one by default."""

    name: _Short
    seat: _Seat | None = None
    key: _Key | None = None


class Resume(_Body, frozen=True, kw_only=True):
    """Who takes up a seat by a link: the same ``key`` again gets the same answer."""

    key: _Key | None = None


class Place(_Body, frozen=True, kw_only=True):
    """Who a seat shall be for: ``open``, or the name of a computer player."""

    place: _Short


class Move(_Body, frozen=True, kw_only=True):
    """A move, the version of the table that it was chosen at, and a key under which it counts once."""

    move: _Short
    version: _Count
    key: _Key | None = None


class Next(_Body, frozen=True, kw_only=True):
    """The next hand, or another match."""

    version: _Count
    key: _Key | None = None


class Entropy(_Body, frozen=True, kw_only=True):
    """A seat's share in the shuffle of a hand: 32 hex digits."""

    hand: Annotated[int, msgspec.Meta(ge=1, le=2**31)]
    bytes: _Short


class Chat(_Body, frozen=True, kw_only=True):
    """Something said to all: a text, or a phrase by its name, which everybody is shown in their own language."""

    text: Annotated[str, msgspec.Meta(max_length=20_000)] | None = None
    phrase: Literal[*PHRASES] | None = None  # type: ignore[valid-type]


class Asking(_Body, frozen=True, kw_only=True):
    """Whether this seat wants to be asked for coups fourrés; if not, they pass. Nobody else learns of it."""

    ask: bool


class Absent(_Body, frozen=True, kw_only=True):
    """What to do about a seat that is away: wait for it once more, or let a computer player sit in."""

    seat: _Seat
    choice: Literal["wait", "computer"]


class Nothing(_Body, frozen=True, kw_only=True):
    """Nothing more to say."""


BODIES = (Table, Clock, Join, JoinListed, Resume, Place, Move, Next, Entropy, Chat, Asking, Absent)


def read_body(data: bytes, kind: type[Body]) -> Body:
    """The body of a request; none at all counts as an empty object. Raises `ApiError` (malformed)."""
    try:
        body = msgspec.json.decode(data or b"{}", type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ApiError(400, "malformed", f"the body: {error}") from None
    key = getattr(body, "key", None)
    if isinstance(key, str):
        check_key(key)
    return body


def check_key(key: str) -> str:
    """The key of a command, as it is. Raises `ApiError` (malformed)."""
    if len(key) > MOST_KEY or not key.isprintable():
        raise ApiError(400, "malformed", f"key: it must be at most {MOST_KEY} characters that can be shown")
    return key


def new_table(body: Table, settings: Settings) -> NewTable:
    """The table that a body asks for. Raises `ApiError` that names the field."""
    places = body.places if body.places is not None else (ME, *[OPEN] * (body.seats - 1))
    try:
        rules = _rules(body)
        target = check_target(body.match_target)
    except EditionError as error:
        raise ApiError(400, "rules", str(error), field=error.field) from None
    except NotationError as error:
        raise ApiError(400, "match_target", str(error)) from None
    if target is not None and target > MAX_TARGET:
        raise ApiError(400, "match_target", f"match_target: it must be at most {MAX_TARGET}, or null")
    if len(places) != rules.seats:
        raise ApiError(400, "places", f"places: {len(places)} of them for {rules.seats} seats; each seat needs one")
    if places.count(ME) > 1:
        raise ApiError(400, "places", 'places: "me" can sit on one seat only')
    for place in set(places) - {ME, OPEN}:
        _check_computer(place, "places")
    window = settings.window if body.coup_window_ms is None else body.coup_window_ms
    least = settings.least_window
    if not least <= window <= MOST_WINDOW:
        raise ApiError(400, "coup_window_ms", f"coup_window_ms: it must be from {least} to {MOST_WINDOW}")
    if body.seed is not None and not settings.allow_seeds:
        raise ApiError(400, "seed", "seed: this server takes none; it would have to be started with --allow-seeds")
    if body.open and (ME not in places or OPEN not in places):
        raise ApiError(400, "open", 'open: the lobby lists tables with "me" and an "open" place')
    clock = body.clock
    return NewTable(
        rules=rules,
        places=places,
        name=body.name,
        match_target=target,
        spectators=body.spectators,
        coup_window=window,
        seed=None if body.seed is None else str(body.seed).encode("utf-8", "replace").decode(),
        listed=body.open,
        clock=None if clock is None else (round(1000 * clock.initial_s), round(1000 * clock.increment_s)),
    )


def place_of(body: Place) -> str:
    """Who a seat shall be for. Raises `ApiError`."""
    if body.place == ME:
        raise ApiError(400, "place", "place: it must be open, or the name of a computer player")
    if body.place != OPEN:
        _check_computer(body.place, "place")
    return body.place


def _check_computer(place: str, field: str) -> None:
    try:
        check_computer(place)
    except PlayerError as error:
        raise ApiError(400, field, f"{field}: {error}, or {'me, or ' if field == 'places' else ''}open") from None


def _rules(body: Table) -> Rules:
    if body.edition is not None and body.edition not in EDITIONS:  # never the path of a file
        known = ", ".join(EDITIONS)
        raise EditionError(f"edition: there is no {body.edition[:40]!r}; the editions are {known}, or null", "edition")
    return make_rules(body.edition, body.seats, body.sides, body.settings)
