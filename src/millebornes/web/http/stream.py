"""The event stream of a table, which sends messages as they happen. Each viewer gets only what they may see."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Final

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from millebornes.table.messages import asks_in_secret, encode
from millebornes.web.tables.seat_registry import SeatAccess
from millebornes.web.tables.service import Service

SLOW_AFTER: Final = 20.0
"""A reader that hasn't read anything for this many seconds is disconnected."""

MAX_BEHIND: Final = 1000
"""At most this many messages are sent one by one. A viewer who has missed more gets the current state of the table."""


ENDING: Final = frozenset(("left", "resumed", "swapped"))
"""After these messages, a token may no longer be valid."""

BEAT: Final = b"event: beat\ndata: {}\n\n"
"""An event without news. It shows that the connection still works."""

SentMessage = tuple[int, str, bytes]
"""A message as its viewer may see it: its version, its type and its JSON."""


async def follow(service: Service, who: SeatAccess, after: int, beat: float) -> AsyncIterator[list[SentMessage]]:
    """Yield what a viewer may see of a table after a version, as it happens, and at regular times an empty list.

    If messages are missing or there are too many, yield a ``snapshot`` of the table. The stream ends if the viewer's
    seat is resumed in another browser, becomes free, or changes places with another seat.
    """
    table, cursor, is_over = who.table, after, False
    with table.presence.listening(who.seat, beat) as listener:
        while not service.is_closing.is_set():
            listener.clear()
            found = table.messages(cursor)
            if found is None or table.published - cursor > MAX_BEHIND:
                if await service.is_over(who):
                    return
                snapshot = await table.look(who.seat)
                if await service.is_over(who):  # seats have changed in the meantime
                    return
                cursor = snapshot.version
                yield [(cursor, "snapshot", encode({"type": "snapshot", **msgspec.structs.asdict(snapshot)}))]
                continue
            sent: list[SentMessage] = []
            for message in found:
                cursor = message.version
                data = table.seen_by(message, who.seat)
                if data is None:
                    continue
                if message.event in ENDING:
                    is_over = await service.is_over(who)
                    if not is_over and message.event == "resumed":
                        continue  # this is the browser that has the seat now
                if asks_in_secret(data):  # send the previous move first, so that nothing delays it (R5.5)
                    if sent:
                        yield sent
                        sent = []
                    await asyncio.sleep(table.time.even)
                sent.append((cursor, message.event, data))
                if is_over:
                    break
            if sent:
                yield sent
                if is_over:
                    return
            elif not await listener.news():
                yield []


async def table_events(service: Service, who: SeatAccess, after: int) -> AsyncGenerator[bytes]:
    """Yield the messages after a version as server-sent events, and beats."""
    async for sent in follow(service, who, after, service.settings.beat):
        parts = [b"id: %d\nevent: %s\ndata: %s\n\n" % (n, event.encode(), data) for n, event, data in sent]
        yield b"".join(parts) or BEAT


class EventStream(Response):
    """A response with server-sent ``events``. ``close`` is called at its end."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncGenerator[bytes], close: Callable[[], None]) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._events: Final = events
        self._close: Final = close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the reader or the server ends the stream. A HEAD request gets only the headers."""
        if scope["method"] == "HEAD":
            self._close()
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": b""})
            return
        writer = asyncio.ensure_future(self._write(send))
        reader = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (writer, reader):
                task.cancel()
            await asyncio.gather(writer, reader, return_exceptions=True)
            self._close()

    async def _write(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await _send(send, b"retry: 1000\n" + BEAT)
        async with contextlib.aclosing(self._events) as events:
            async for data in events:
                await _send(send, data)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _send(send: Send, data: bytes) -> None:
    async with asyncio.timeout(SLOW_AFTER):
        await send({"type": "http.response.body", "body": data, "more_body": True})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
