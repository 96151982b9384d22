"""Requests: their bodies, checked against this server's limits, and the seat or match that they are about."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from millebornes.editions import EDITIONS, Rules, make_rules
from millebornes.errors import EditionError, NotationError, PlayerError
from millebornes.game import check_target
from millebornes.player_names import HUMAN
from millebornes.schema.api import MAX_KEY, PlaceBody, RematchBody, TableBody
from millebornes.schema.reading import read
from millebornes.table.commands import Terms
from millebornes.table.facts import LogError
from millebornes.table.seats import ME, OPEN
from millebornes.table.setup import MAX_TARGET, GameSetup
from millebornes.table.state import TableState
from millebornes.web.http.metrics import note_seat
from millebornes.web.http.security import check_origin
from millebornes.web.store.backends import cause
from millebornes.web.store.clock import now
from millebornes.web.tables.computer_players import check_computer
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.limits import MAX_BODY, Limits, origin_of
from millebornes.web.tables.live import LiveTable
from millebornes.web.tables.seat_registry import SeatAccess
from millebornes.web.tables.service import ServerSettings, Service

MAX_WINDOW: Final = 60_000
COOKIE: Final = "seat-"
"""The prefix of the name of each cookie that contains a token. The name of the table follows."""
POST_BYTES: Final = 500
"""A command stores about this many bytes."""
_DAMAGED: Final = (
    "this table's record on the server is damaged, so the game cannot continue; the server's log says where"
)
Body = TypeVar("Body", bound=msgspec.Struct)
Endpoint = Callable[[Request], Awaitable[Response]]

_log = logging.getLogger(__name__)


def guarded(endpoint: Endpoint, limits: Limits, refuse: Callable[[Request, ApiError], Response]) -> Endpoint:
    """Return an endpoint that counts its requests, and turns every error into a response by calling ``refuse``."""

    async def wrapped(request: Request) -> Response:
        try:
            address = address_of(request)
            try:
                limits.spend("any", address)
            except ApiError:
                request.state.is_flood = True
                await limits.delay()
                raise
            if request.method == "POST":  # almost all of them store something
                limits.check("bytes", address)
                limits.charge("bytes", address, POST_BYTES)
            return await endpoint(request)
        except ApiError as error:
            failed = error
        except LogError as error:
            _log.error("%s", error)
            failed = ApiError(500, "damaged", _DAMAGED)
        except (SQLAlchemyError, OSError) as error:
            _log.error("the database isn't responding: %s", cause(error))
            text = "the storage isn't responding; nothing that was confirmed has been lost"
            failed = ApiError(503, "storage", text, retry_after=2)
        return refuse(request, failed)

    return wrapped


async def read_whole(request: Request, most: int = MAX_BODY) -> bytes:
    """Return the body of a request as bytes. Raises `ApiError` if it is longer than ``most`` bytes."""
    data = b""
    async for chunk in request.stream():
        data += chunk
        if len(data) > most:
            raise ApiError(413, "too_long", f"a body can have at most {most} bytes")
    return data


def read_body(data: bytes, kind: type[Body]) -> Body:
    """Return the body of a request. An empty body counts as an empty object. Raises `ApiError` (malformed)."""
    try:
        said = msgspec.json.decode(data or b"{}")
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _malformed(f"it is not JSON ({error})") from None
    body = read(kind, said, fault=_malformed)
    key = getattr(body, "key", None)
    if isinstance(key, str):
        check_key(key)
    return body


def _malformed(text: str) -> ApiError:
    return ApiError(400, "malformed", f"the body: {text}")


def check_key(key: str) -> str:
    """Return the key of a command unchanged, after checking its form. Raises `ApiError` (malformed)."""
    if len(key) > MAX_KEY or not key.isprintable():
        raise ApiError(400, "malformed", f"key: it must be at most {MAX_KEY} printable characters")
    return key


def game_setup(body: TableBody, settings: ServerSettings) -> GameSetup:
    """Return the game that a request body describes. Raises `ApiError`, which names the invalid field."""
    places = body.places if body.places is not None else (ME, *[OPEN] * (body.seats - 1))
    rules = _rules(body.edition, body.seats, body.sides, body.settings)
    window = settings.window if body.coup_window_ms is None else body.coup_window_ms
    target, window = _length(body.match_target, window, settings)
    if len(places) != rules.seats:
        raise ApiError(400, "places", f"places: {len(places)} for {rules.seats} seats; each seat needs one")
    if places.count(ME) > 1:
        raise ApiError(400, "places", 'places: "me" can take only one seat')
    for place in set(places) - {ME, OPEN}:
        _check_computer(place, "places")
    if body.seed is not None and not settings.allow_seeds:
        raise ApiError(400, "seed", "seed: this server takes none, because it was started without --allow-seeds")
    if body.open and (ME not in places or OPEN not in places):
        raise ApiError(400, "open", 'open: a table in the lobby needs "me" and an "open" place')
    clock = body.clock
    return GameSetup(
        rules=rules,
        places=tuple(HUMAN if place == ME else place for place in places),
        match_target=target,
        seed=None if body.seed is None else str(body.seed).encode("utf-8", "replace").decode(),
        spectators=body.spectators,
        listed=body.open,
        coup_window=window,
        clock=None if clock is None else (round(1000 * clock.initial_s), round(1000 * clock.increment_s)),
    ).with_names((body.name,))


def terms_of(body: RematchBody, state: TableState, settings: ServerSettings) -> Terms:
    """Return the settings that a rematch should have. Raises `ApiError`, which names the invalid field."""
    rules, created = state.rules, state.created
    if body.edition is not UNSET or body.settings is not UNSET:
        edition = rules.edition if body.edition is UNSET else body.edition
        rules = _rules(edition, rules.seats, rules.sides, {} if body.settings is UNSET else body.settings)
    target = created.match_target if body.match_target is UNSET else body.match_target
    window = created.coup_window if body.coup_window_ms is UNSET else body.coup_window_ms
    return Terms(str(rules), *_length(target, window, settings), swap=_swap(body.swap, rules.seats))


def _swap(swap: tuple[int, int] | None, seats: int) -> tuple[int, int] | None:
    if swap is None:
        return None
    first, second = sorted(swap)
    if first == second or second >= seats:
        raise ApiError(400, "swap", f"swap: it must be two different seats from 0 to {seats - 1}")
    return first, second


def _length(target: int | None, window: int, settings: ServerSettings) -> tuple[int | None, int]:
    try:
        target = check_target(target)
    except NotationError as error:
        raise ApiError(400, "match_target", str(error)) from None
    if target is not None and target > MAX_TARGET:
        raise ApiError(400, "match_target", f"match_target: it must be at most {MAX_TARGET}, or null")
    least = settings.least_window
    if not least <= window <= MAX_WINDOW:
        raise ApiError(400, "coup_window_ms", f"coup_window_ms: it must be from {least} to {MAX_WINDOW}")
    return target, window


def place_of(body: PlaceBody) -> str:
    """Return who should play a seat: ``open``, or the name of a computer player. Raises `ApiError`."""
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


def _rules(name: str | None, seats: int, sides: int | None, settings: Mapping[str, Any]) -> Rules:
    """Return the rules of an edition, which must be a name and not a file."""
    if name is not None and name not in EDITIONS:
        known = ", ".join(EDITIONS)
        text = f"edition: there is no {name[:40]!r}; the editions are {known}, or null"
        raise ApiError(400, "rules", text, field="edition")
    try:
        return make_rules(name, seats, sides, settings)
    except EditionError as error:
        raise ApiError(400, "rules", str(error), field=error.field) from None


def cookie_of(table: str) -> str:
    """Return the name of the cookie in which a browser keeps its token for a table."""
    return COOKIE + table


def address_of(request: HTTPConnection) -> str:
    """Return the network address that a request comes from. Limits apply to each address."""
    return origin_of(request.client.host) if request.client is not None else ""


def version_of(request: Request) -> int:
    """Return the version that a viewer has seen, from an interrupted stream or the address. Raises `ApiError`."""
    after = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    if not after.isascii() or not after.isdigit() or len(after) > 16:
        raise ApiError(400, "malformed", "after, or Last-Event-ID: it must be the number of a version")
    return min(int(after), 2**53)


async def seat_of(
    service: Service, request: HTTPConnection, token: str | None, *, strict: bool, acts: bool
) -> SeatAccess:
    """Return the caller's access to the table that the URL names, as `Service.seat` does. Raises `ApiError`.

    A caller who only looks at the table counts as present. A caller who ``acts`` counts as present only if all viewers
    can see the command, because a pass must stay secret (R5.5).
    """
    table, address = str(request.path_params["table"]), address_of(request)
    with service.limits.count_failures(address, 401, 404):
        who = await service.seat(table, token, strict=strict)
    note_seat(request, who)
    if not acts:
        who.table.presence.touch(who.seat, now())
    return who


async def seat_by_cookie(service: Service, request: HTTPConnection, *, acts: bool = False) -> SeatAccess:
    """Return the access of a browser, as `seat_of` does. Its commands must come from one of our pages."""
    cookie = request.cookies.get(cookie_of(str(request.path_params["table"])))
    if cookie is not None and acts:
        check_origin(request.scope, service.settings, by_cookie=True)
    return await seat_of(service, request, cookie, strict=False, acts=acts)


async def match_of(service: Service, request: HTTPConnection, table: LiveTable, number: int) -> TableState:
    """Return a table in the state at the end of one of its matches, as `Service.past` does. Raises `ApiError`."""
    address = address_of(request)
    return await service.past(table, number, address, lambda: service.limits.spend("past", address))
