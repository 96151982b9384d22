"""A program that plays a seat over a WebSocket, with one message of the bot protocol per frame."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from millebornes.table.commands import next_hand
from millebornes.table.messages import MessageWriter
from millebornes.table.state import is_complete
from millebornes.web.http.stream import follow
from millebornes.web.store.clock import now
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.seat_registry import SeatAccess
from millebornes.web.tables.service import Service

SUBPROTOCOL: Final = "millebornes.1"
_BOT_MESSAGES: Final = frozenset(("hello", "hand", "drew", "moved", "choose", "hand_over", "match_over"))
_QUIT: Final = '{"type":"quit"}'
_NO_BEAT: Final = 3600.0
_MAX_MESSAGE: Final = 64 * 1024
_IGNORED: Final = frozenset(("stale", "turn"))


class _Answer(msgspec.Struct):
    """A message from a program. Unknown keys are ignored."""

    move: str | None = None


class _Program:
    """The connection of a program. ``asked`` is the version of the latest question that the program was sent."""

    def __init__(self, service: Service, who: SeatAccess, socket: WebSocket) -> None:
        self._service: Final = service
        self._who: Final = who
        self._socket: Final = socket
        self._asked: int | None = None

    async def tell(self) -> None:
        table, seat = self._who.table, self._who.own
        state, after = table.state, 0
        if state.match is not None:
            out = MessageWriter(0)
            out.hello(state.rules, [name or "" for name in state.shown_names], state.created.match_target)
            await self._send(out.made[0].seen_by(seat) or b"")
            deals = [message.version for message in state.messages if message.event == "hand"]
            after = deals[-1] - 1 if deals and state.status == "playing" else table.published
        async for sent in follow(self._service, self._who, after, _NO_BEAT):
            for version, event, data in sent:
                if event not in _BOT_MESSAGES:
                    continue
                if event == "choose":
                    if version != table.state.question_version or table.state.question(seat) is None:
                        continue  # this question was answered before the connection opened
                    self._asked = version
                await self._send(data)
                if event == "hand_over":
                    if is_complete(table.state):
                        await self._end(1000, "the table is complete")
                        return
                    await self._go_on()
        await self._end(1001, "the server is shutting down")

    async def _go_on(self) -> None:
        """If only programs play at the table, begin the next hand after a pause. People decide when to begin."""
        table, seat = self._who.table, self._who.own
        version = table.state.version
        if table.state.status == "hand_over" and set(table.state.present) <= table.presence.programs:
            await asyncio.sleep(self._service.settings.pace.hand / 1000)
            with contextlib.suppress(ApiError):  # another request was faster
                await table.do(seat, lambda state: next_hand(state, seat, now()), version=version)

    async def _end(self, code: int, reason: str) -> None:
        await self._socket.send_text(_QUIT)
        await self._socket.close(code, reason)

    async def hear(self) -> None:
        """Read the program's answers. Lines that don't answer a question are dropped."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            try:
                answer = msgspec.json.decode(text, type=_Answer) if text and len(text) <= _MAX_MESSAGE else None
            except (msgspec.DecodeError, RecursionError):
                answer = None
            if answer is None:
                await self._socket.close(1008, "that wasn't a JSON object of the bot protocol")
                return
            if answer.move is None or self._asked is None:
                continue
            version, self._asked = self._asked, None
            try:
                await self._who.table.move(self._who.own, answer.move, version, None)
            except ApiError as error:
                if error.error not in _IGNORED:
                    await self._socket.close(1008, str(error)[:120])
                    return

    async def _send(self, data: bytes) -> None:
        async with asyncio.timeout(20):
            await self._socket.send_text(data.decode())


async def play_over(service: Service, who: SeatAccess, socket: WebSocket, close: Callable[[], None]) -> None:
    """Let a program play its seat. A malformed or illegal answer closes the connection, but the seat stays its own."""
    offered = socket.scope.get("subprotocols", [])
    await socket.accept(SUBPROTOCOL if SUBPROTOCOL in offered else None)
    program = _Program(service, who, socket)
    who.table.presence.programs.add(who.own)
    tasks = [asyncio.ensure_future(program.tell()), asyncio.ensure_future(program.hear())]
    try:
        done, _waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError, TimeoutError):
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        who.table.presence.programs.discard(who.own)
        close()
