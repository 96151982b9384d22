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
from millebornes.web.tables.seat_registry import SeatAccess
from millebornes.web.tables.service import Service

Answer = dict[str, Any] | msgspec.Struct
Check = Callable[[TableState, int, int, Any], Fact | None]


class Call(NamedTuple):
    """A player's request to run a command at a table."""

    service: Service
    request: Request
    who: SeatAccess


class TableCommand(NamedTuple):
    """A command at a table: all that the API, its description, the pages and the tests know about it.

    ``name`` is the last part of its address, both in the API and on the pages. ``check`` returns its fact, made from
    the table, the seat, the time and the body, or raises `CommandError`. It returns None if there is nothing to do. A
    command that needs more than that has ``run`` instead, which carries it out and returns the API's answer.

    ``limit`` is one of the `RATES` that count for each seat: ``chat`` for anything that the other players are shown,
    ``seat`` for coming and going. ``errors`` are the HTTP statuses of its errors, except for those that all commands
    share.
    """

    name: str
    body: type[msgspec.Struct]
    summary: str
    check: Check | None = None
    run: Callable[[Call, Any], Awaitable[Answer]] | None = None
    limit: str | None = None
    errors: tuple[int, ...] = (409,)
    status: int = 200
    answer: type[msgspec.Struct] = api.VersionAnswer

    async def execute(self, call: Call, body: Any) -> Answer:
        """Carry out the command and return the API's answer. Raises `ApiError`."""
        if self.limit is not None:
            call.service.limits.spend(self.limit, f"{call.who.table.name} {call.who.own}")
        if self.run is not None:
            return await self.run(call, body)
        check = self.check
        assert check is not None
        return await call.who.do(lambda state, seat, at: check(state, seat, at, body))


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


async def _resume_link(call: Call, _body: api.EmptyBody) -> Answer:
    code = await call.service.seating.resume_link(call.who.table.name, call.who.own)
    return api.LinkAnswer(link=f"/resume/{code}")


async def _asking(call: Call, body: api.AskingBody) -> Answer:
    note_answer(call.request)
    table, seat = call.who.table, call.who.own
    await call.service.store.set_asking(table.name, seat, body.ask)
    (table.auto_pass_seats.discard if body.ask else table.auto_pass_seats.add)(seat)
    return body


TABLE_COMMANDS: Final = (
    TableCommand("moves", api.MoveBody, "Play a move", run=_move, errors=(409, 422)),
    TableCommand(
        "next",
        api.NextBody,
        "Start the next hand or, after a match, the next match. With `settings`, propose them for that match",
        run=next_hand,
    ),
    TableCommand(
        "undo",
        api.UndoBody,
        "In a game against computers, take back your latest decision and all moves since",
        run=_undo,
    ),
    TableCommand(
        "request",
        api.RequestBody,
        "Ask the others to take your move back (`undo`) or to end the match (`end`), or resign (`resign`)",
        lambda state, seat, at, body: commands.request(state, seat, body.what, at),
        limit="chat",
    ),
    TableCommand(
        "reply",
        api.ReplyBody,
        "Agree to a request, or decline it",
        lambda state, seat, at, body: commands.reply(state, seat, body.agree, body.version, at),
        limit="chat",
    ),
    TableCommand(
        "entropy",
        api.EntropyBody,
        "Contribute to the shuffle of a hand. `bytes` are 32 hex digits",
        lambda state, seat, at, body: commands.contribute(state, seat, body.hand, body.bytes, at),
    ),
    TableCommand(
        "chat",
        api.ChatBody,
        "Say a `text` of up to 300 characters, or a `phrase` such as `good_game`",
        lambda _, seat, at, body: commands.chat(seat, body.text, body.phrase, at),
        limit="chat",
    ),
    TableCommand(
        "asking",
        api.AskingBody,
        "With `ask` false, pass on every coup fourré without being asked, until you send true",
        run=_asking,
        errors=(),
        answer=api.AskingBody,
    ),
    TableCommand(
        "leave",
        api.EmptyBody,
        "Leave: the computer plays for you. Before the first deal, your seat becomes free",
        lambda state, seat, at, _: commands.leave(state, seat, at),
        limit="seat",
        errors=(),
    ),
    TableCommand(
        "swap",
        api.SwapBody,
        "Before the first deal, swap two seats. You can move to a free seat or, if you set up the table, swap any two. "
        "Tokens stay valid, and the streams of both seats end",
        lambda state, seat, at, body: commands.swap(state, seat, body.seat, body.other, at),
        limit="seat",
    ),
    TableCommand(
        "cancel",
        api.EmptyBody,
        "Before the first deal, cancel the table if you set it up",
        lambda state, seat, at, _: commands.cancel(state, seat, at),
        limit="seat",
    ),
    TableCommand(
        "return",
        api.EmptyBody,
        "Come back to your seat",
        lambda state, seat, at, _: commands.return_(state, seat, at),
        limit="seat",
    ),
    TableCommand(
        "absent",
        api.AbsentBody,
        "Decide about a player who is away: `wait` once more, or let the `computer` play",
        lambda state, seat, at, body: commands.absent(state, seat, body.seat, body.choice, at),
    ),
    TableCommand(
        "resume-link",
        api.EmptyBody,
        "Make a private link that moves your seat to another browser",
        run=_resume_link,
        errors=(),
        status=201,
        answer=api.LinkAnswer,
    ),
)
"""All commands that a seat can give at its table."""
