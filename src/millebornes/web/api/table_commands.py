"""The commands of a player at a table over HTTP. Each command is defined only once.

The API and the pages only read the requests and show the answers.
"""

import functools
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import msgspec
from starlette.requests import Request

from millebornes.schema import api
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
    answer: type[msgspec.Struct] = api.VersionAnswer


async def _move(call: Call, body: api.MoveBody) -> Answer:
    note_answer(call.request, body.move)
    return await call.who.table.move(call.who.own, body.move, body.version, body.key)


async def _next(call: Call, body: api.NextBody) -> Answer:
    settings, terms = body.settings, None
    if settings is not None:
        terms = functools.partial(terms_of, settings, settings=call.service.settings)
    return await call.who.table.next(call.who.own, body.version, body.key, terms)


async def _undo(call: Call, body: api.UndoBody) -> Answer:
    return await call.who.table.undo(call.who.own, body.version, body.key)


async def _request(call: Call, body: api.RequestBody) -> Answer:
    seat = call.spend("chat")
    return await call.who.table.do(seat, lambda state: commands.request(state, seat, body.what, now()))


async def _reply(call: Call, body: api.ReplyBody) -> Answer:
    seat = call.spend("chat")
    return await call.who.table.do(seat, lambda state: commands.reply(state, seat, body.agree, body.version, now()))


async def _entropy(call: Call, body: api.EntropyBody) -> Answer:
    seat = call.who.own
    return await call.who.table.do(seat, lambda state: commands.gave(state, seat, body.hand, body.bytes, now()))


async def _chat(call: Call, body: api.ChatBody) -> Answer:
    seat = call.spend("chat")
    return await call.who.table.do(seat, lambda _: commands.said(seat, body.text, body.phrase, now()))


async def _leave(call: Call, _body: api.EmptyBody) -> Answer:
    return await call.service.seating.leave(call.who.table, call.spend("seat"))


async def _swap(call: Call, body: api.SwapBody) -> Answer:
    return await call.service.seating.swap(call.who.table, call.spend("seat"), body.seat, body.other)


async def _cancel(call: Call, _body: api.EmptyBody) -> Answer:
    seat = call.spend("seat")
    return await call.who.table.do(seat, lambda state: commands.cancel(state, seat, now()))


async def _return(call: Call, _body: api.EmptyBody) -> Answer:
    seat = call.spend("seat")
    return await call.who.table.do(seat, lambda state: commands.return_(state, seat, now()))


async def _absent(call: Call, body: api.AbsentBody) -> Answer:
    own, table = call.who.own, call.who.table
    return await table.do(own, lambda state: commands.absent(state, own, body.seat, body.choice, table.time.now))


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
    TableCommand("next", api.NextBody, _next, "The next hand, or another match", (409,)),
    TableCommand("undo", api.UndoBody, _undo, "Take back a move in a game against computers", (409,)),
    TableCommand(
        "request",
        api.RequestBody,
        _request,
        "Ask the others to take a move back, or to end the match; or resign",
        (409,),
    ),
    TableCommand("reply", api.ReplyBody, _reply, "Agree to what another seat asks for, or decline it", (409,)),
    TableCommand("entropy", api.EntropyBody, _entropy, "Share in the shuffle", (409,)),
    TableCommand("chat", api.ChatBody, _chat, "Say something to all", (409,)),
    TableCommand(
        "leave",
        api.EmptyBody,
        _leave,
        "Get up; a computer player sits in, or before the first deal the seat is free again",
    ),
    TableCommand(
        "swap",
        api.SwapBody,
        _swap,
        "Before the first deal, move to an open seat, or let two seats change places if you set up the table",
        (409,),
    ),
    TableCommand("cancel", api.EmptyBody, _cancel, "Cancel the table before the first deal, if you set it up", (409,)),
    TableCommand("return", api.EmptyBody, _return, "Be back", (409,)),
    TableCommand(
        "absent", api.AbsentBody, _absent, "Wait for a seat that is away, or let a computer player sit in", (409,)
    ),
    TableCommand(
        "resume-link",
        api.EmptyBody,
        _resume_link,
        "A private link by which another browser takes this seat up",
        status=201,
        answer=api.LinkAnswer,
    ),
    TableCommand("asking", api.AskingBody, _asking, "Whether to be asked for coups fourrés", answer=api.AskingBody),
)
"""All commands that a seat can give at its table."""
