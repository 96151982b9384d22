"""The commands of a player at a table over HTTP. Each command is defined only once.

The API and the pages only read the requests and show the answers.
"""

import functools
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import msgspec
from starlette.requests import Request

from millebornes.schema.api import (
    AbsentBody,
    AskingBody,
    ChatBody,
    EmptyBody,
    EntropyBody,
    LinkAnswer,
    MoveBody,
    NextBody,
    ReplyBody,
    RequestBody,
    SwapBody,
    UndoBody,
    VersionAnswer,
)
from millebornes.web.api.requests import terms_of
from millebornes.web.server.limits import Limits
from millebornes.web.server.metrics import note_answer
from millebornes.web.service import SeatAccess, Service
from millebornes.web.table import commands
from millebornes.web.table.live import now

__all__ = ["TABLE_COMMANDS", "Call", "TableCommand"]

Answer = dict[str, Any] | msgspec.Struct


class Call(NamedTuple):
    """A player's request to run a command at a table."""

    service: Service
    limits: Limits
    request: Request
    who: SeatAccess

    def spend(self, kind: str) -> int:
        """Count the request against one of the seat's limits, and return the seat. Raises `ApiError`."""
        seat = self.who.own
        self.limits.spend(kind, f"{self.who.table.name} {seat}")
        return seat


class TableCommand(NamedTuple):
    """A command at a table.

    ``name`` is the last part of its address, both in the API and on the pages. ``run`` carries out the command and
    returns the API's answer, or raises `ApiError`. ``summary``, ``answer`` and ``errors`` describe the command in
    OpenAPI. ``errors`` contains the HTTP statuses of the errors that this command can cause, except for the errors that
    all commands share.
    """

    name: str
    body: type[msgspec.Struct]
    run: Callable[[Call, Any], Awaitable[Answer]]
    summary: str
    errors: tuple[int, ...] = ()
    status: int = 200
    answer: type[msgspec.Struct] = VersionAnswer


async def _move(call: Call, body: MoveBody) -> Answer:
    note_answer(call.request, body.move)
    return await call.who.table.move(call.who.own, body.move, body.version, body.key)


async def _next(call: Call, body: NextBody) -> Answer:
    settings, terms = body.settings, None
    if settings is not None:
        terms = functools.partial(terms_of, settings, settings=call.service.settings)
    return await call.who.table.next(call.who.own, body.version, body.key, terms)


async def _undo(call: Call, body: UndoBody) -> Answer:
    return await call.who.table.undo(call.who.own, body.version, body.key)


async def _request(call: Call, body: RequestBody) -> Answer:
    seat = call.spend("chat")
    return await call.who.table.do(seat, lambda state: commands.request(state, seat, body.what, now()))


async def _reply(call: Call, body: ReplyBody) -> Answer:
    seat = call.spend("chat")
    return await call.who.table.do(seat, lambda state: commands.reply(state, seat, body.agree, body.version, now()))


async def _entropy(call: Call, body: EntropyBody) -> Answer:
    seat = call.who.own
    return await call.who.table.do(seat, lambda state: commands.gave(state, seat, body.hand, body.bytes, now()))


async def _chat(call: Call, body: ChatBody) -> Answer:
    seat = call.spend("chat")
    return await call.who.table.do(seat, lambda _: commands.said(seat, body.text, body.phrase, now()))


async def _leave(call: Call, _body: EmptyBody) -> Answer:
    return await call.service.seating.leave(call.who.table, call.spend("seat"))


async def _swap(call: Call, body: SwapBody) -> Answer:
    return await call.service.seating.swap(call.who.table, call.spend("seat"), body.seat, body.other)


async def _cancel(call: Call, _body: EmptyBody) -> Answer:
    seat = call.spend("seat")
    return await call.who.table.do(seat, lambda state: commands.cancel(state, seat, now()))


async def _return(call: Call, _body: EmptyBody) -> Answer:
    seat = call.spend("seat")
    return await call.who.table.do(seat, lambda state: commands.return_(state, seat, now()))


async def _absent(call: Call, body: AbsentBody) -> Answer:
    own, table = call.who.own, call.who.table
    return await table.do(own, lambda state: commands.absent(state, own, body.seat, body.choice, table.time.now))


async def _resume_link(call: Call, _body: EmptyBody) -> Answer:
    code = await call.service.seating.resume_link(call.who.table.name, call.who.own)
    return LinkAnswer(link=f"/resume/{code}")


async def _asking(call: Call, body: AskingBody) -> Answer:
    note_answer(call.request)
    table, seat = call.who.table, call.who.own
    await call.service.store.set_asking(table.name, seat, body.ask)
    (table.lets_pass.discard if body.ask else table.lets_pass.add)(seat)
    return body


TABLE_COMMANDS: Final = (
    TableCommand("moves", MoveBody, _move, "Make a move", (409, 422)),
    TableCommand("next", NextBody, _next, "The next hand, or another match", (409,)),
    TableCommand("undo", UndoBody, _undo, "Take back a move in a game against computers", (409,)),
    TableCommand(
        "request", RequestBody, _request, "Ask the others to take a move back, or to end the match; or resign", (409,)
    ),
    TableCommand("reply", ReplyBody, _reply, "Agree to what another seat asks for, or decline it", (409,)),
    TableCommand("entropy", EntropyBody, _entropy, "Share in the shuffle", (409,)),
    TableCommand("chat", ChatBody, _chat, "Say something to all", (409,)),
    TableCommand(
        "leave",
        EmptyBody,
        _leave,
        "Get up; a computer player sits in, or before the first deal the seat is free again",
    ),
    TableCommand(
        "swap",
        SwapBody,
        _swap,
        "Before the first deal, move to an open seat, or let two seats change places if you set up the table",
        (409,),
    ),
    TableCommand("cancel", EmptyBody, _cancel, "Cancel the table before the first deal, if you set it up", (409,)),
    TableCommand("return", EmptyBody, _return, "Be back", (409,)),
    TableCommand(
        "absent", AbsentBody, _absent, "Wait for a seat that is away, or let a computer player sit in", (409,)
    ),
    TableCommand(
        "resume-link",
        EmptyBody,
        _resume_link,
        "A private link by which another browser takes this seat up",
        status=201,
        answer=LinkAnswer,
    ),
    TableCommand("asking", AskingBody, _asking, "Whether to be asked for coups fourrés", answer=AskingBody),
)
"""All commands that a seat can give at its table."""
