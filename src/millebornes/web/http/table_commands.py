"""The commands of a player at a table. The API and the pages only read the requests and show the answers."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import msgspec
from starlette.requests import Request

from millebornes.schema import api
from millebornes.table import commands
from millebornes.table.facts import Fact
from millebornes.table.state import TableState
from millebornes.web.http.metrics import note_answer
from millebornes.web.http.requests import terms_of
from millebornes.web.tables.limits import Limits
from millebornes.web.tables.live import SeatAccess
from millebornes.web.tables.service import Service

Answer = dict[str, Any] | msgspec.Struct


class Call(NamedTuple):
    """A player's request to run a command at a table."""

    service: Service
    limits: Limits
    request: Request
    who: SeatAccess


class TableCommand(NamedTuple):
    """A command at a table. ``name`` is the last part of its address, both in the API and on the pages.

    ``run`` carries out the command and returns the API's answer, or raises `ApiError`. The other fields describe the
    command in OpenAPI. ``errors`` are the HTTP statuses of its errors, except for those that all commands share.
    """

    name: str
    body: type[msgspec.Struct]
    run: Callable[[Call, Any], Awaitable[Answer]]
    summary: str
    errors: tuple[int, ...] = (409,)
    status: int = 200
    answer: type[msgspec.Struct] = api.VersionAnswer


async def _move(call: Call, body: api.MoveBody) -> Answer:
    note_answer(call.request, body.move)
    return await call.who.table.move(call.who.own, body.move, body.version, body.key)


async def next_hand(call: Call, body: api.NextBody) -> Answer:
    """Begin the next hand or match, or propose settings for the match."""
    wanted = body.settings

    def build(state: TableState, seat: int, at: int) -> Fact | None:
        terms = None if wanted is None else terms_of(wanted, state, call.service.settings)
        return commands.next_hand(state, seat, at, terms)

    return await call.who.do(build, version=body.version, key=body.key)


async def _undo(call: Call, body: api.UndoBody) -> Answer:
    return await call.who.do(commands.undo, version=body.version, key=body.key)


def _event(
    build: Callable[[TableState, int, int, Any], Fact | None], limit: str | None = None
) -> Callable[[Call, Any], Awaitable[Answer]]:
    """Return how to run a command whose event ``build`` makes from the table, the seat, the time and the body.

    If there is a ``limit``, the command counts against this limit of the seat.
    """

    async def run(call: Call, body: Any) -> Answer:
        if limit is not None:
            call.limits.spend(limit, f"{call.who.table.name} {call.who.own}")
        return await call.who.do(lambda state, seat, at: build(state, seat, at, body))

    return run


async def _resume_link(call: Call, _body: api.EmptyBody) -> Answer:
    code = await call.service.seating.resume_link(call.who.table.name, call.who.own)
    return api.LinkAnswer(link=f"/resume/{code}")


async def _asking(call: Call, body: api.AskingBody) -> Answer:
    note_answer(call.request)
    table, seat = call.who.table, call.who.own
    await call.service.store.set_asking(table.name, seat, body.ask)
    (table.lets_pass.discard if body.ask else table.lets_pass.add)(seat)
    return body


TABLE_COMMANDS: Final = (
    TableCommand("moves", api.MoveBody, _move, "Make a move", (409, 422)),
    TableCommand("next", api.NextBody, next_hand, "The next hand, or another match"),
    TableCommand("undo", api.UndoBody, _undo, "Take back a move in a game against computers"),
    TableCommand(
        "request",
        api.RequestBody,
        _event(lambda state, seat, at, body: commands.request(state, seat, body.what, at), "chat"),
        "Ask the others to take a move back, or to end the match; or resign",
    ),
    TableCommand(
        "reply",
        api.ReplyBody,
        _event(lambda state, seat, at, body: commands.reply(state, seat, body.agree, body.version, at), "chat"),
        "Agree to what another seat asks for, or decline it",
    ),
    TableCommand(
        "entropy",
        api.EntropyBody,
        _event(lambda state, seat, at, body: commands.gave(state, seat, body.hand, body.bytes, at)),
        "Share in the shuffle",
    ),
    TableCommand(
        "chat",
        api.ChatBody,
        _event(lambda state, seat, at, body: commands.said(seat, body.text, body.phrase, at), "chat"),
        "Say something to all",
    ),
    TableCommand(
        "leave",
        api.EmptyBody,
        _event(lambda state, seat, at, _: commands.leave(state, seat, at), "seat"),
        "Get up; a computer player sits in, or before the first deal the seat is free again",
        errors=(),
    ),
    TableCommand(
        "swap",
        api.SwapBody,
        _event(lambda state, seat, at, body: commands.swap(state, seat, body.seat, body.other, at), "seat"),
        "Before the first deal, move to an open seat, or let two seats change places if you set up the table",
    ),
    TableCommand(
        "cancel",
        api.EmptyBody,
        _event(lambda state, seat, at, _: commands.cancel(state, seat, at), "seat"),
        "Cancel the table before the first deal, if you set it up",
    ),
    TableCommand(
        "return",
        api.EmptyBody,
        _event(lambda state, seat, at, _: commands.return_(state, seat, at), "seat"),
        "Be back",
    ),
    TableCommand(
        "absent",
        api.AbsentBody,
        _event(lambda state, seat, at, body: commands.absent(state, seat, body.seat, body.choice, at)),
        "Wait for a seat that is away, or let a computer player sit in",
    ),
    TableCommand(
        "resume-link",
        api.EmptyBody,
        _resume_link,
        "A private link by which another browser takes this seat up",
        errors=(),
        status=201,
        answer=api.LinkAnswer,
    ),
    TableCommand("asking", api.AskingBody, _asking, "Whether to be asked for coups fourrés", (), answer=api.AskingBody),
)
"""All commands that a seat can give at its table."""
