"""The connections of a server. There may only be so many, and a request must not take longer than allowed.

Otherwise, connections that send half a request and nothing else could use up all file handles of the process. If there
is no room for another connection, the one that has been idle for longest is closed.
"""

import asyncio
import functools
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Response

from millebornes.web.http.security import HEADERS
from millebornes.web.tables.limits import origin_of

REQUEST_WITHIN: Final = 20.0
"""A request must be sent within this many seconds of connecting or of its first byte."""
READ_WITHIN: Final = 30.0
"""A client must read some of a response that is waiting within this many seconds."""
MAX_FOR_ADDRESS: Final = 256
"""An address may have this many connections, unless it is a proxy."""
READ_AT_ONCE: Final = 16 * 1024
"""At most this many bytes are read from a connection before other connections get their turn."""
MAX_HEAD: Final = 32 * 1024
"""The maximum size of the first line and the headers of a request, in bytes."""
MAX_HEADERS: Final = 100
"""The maximum number of headers of a request."""
MAX_PIECES: Final = 8192
"""The body of a request can arrive in at most this many pieces. Each piece costs time, even if it is a single byte."""
_FRAME: Final = {**HEADERS, "cache-control": "no-store", "connection": "close", "content-type": "text/plain"}


def _plain(status: str, text: str, **more: str) -> bytes:
    """Return a whole response, which closes the connection."""
    headers = {**_FRAME, "content-length": str(len(text)), **more}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items()), "", text]
    return "\r\n".join(lines).encode()


_BUSY: Final = _plain("503 Service Unavailable", "The server is busy. Try again in a moment.", **{"retry-after": "5"})
_LATE: Final = _plain("408 Request Timeout", "The request took too long. Send it again.")
_BAD: Final = _plain("400 Bad Request", "The request isn't valid HTTP, or its headers are too long.")


class _Requests(h11.Connection):
    """Reads requests. Refuses those with too many headers, or with a body in too many pieces."""

    _pieces = 0

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return what comes next on the connection. Raises `h11.RemoteProtocolError`."""
        event = super().next_event()
        if isinstance(event, h11.Data):
            self._pieces += 1
        elif isinstance(event, h11.Request):
            self._pieces = 0
        if self._pieces > MAX_PIECES or (isinstance(event, h11.Request) and len(event.headers) > MAX_HEADERS):
            raise h11.RemoteProtocolError("too many headers, or a body in too many pieces")
        return event


class Idle:
    """The connections that can be closed if there is no room for others, because they have nothing to wait for.

    These are, in this order, connections that haven't sent a request yet, and connections between two requests or in
    the middle of sending one. In both groups, the one that has been idle for longest comes first.
    """

    def __init__(self) -> None:
        self._fresh: Final[dict[Http, None]] = {}
        self._between: Final[dict[Http, None]] = {}

    def add(self, connection: "Http", *, is_fresh: bool = False) -> None:
        """Add a connection, unless it is already known to be idle. A fresh one hasn't sent a request yet."""
        if is_fresh:
            self._fresh[connection] = None
        else:
            self._fresh.pop(connection, None)
            self._between.setdefault(connection)

    def remove(self, connection: "Http") -> None:
        """Remove a connection that has become busy or has ended."""
        self._fresh.pop(connection, None)
        self._between.pop(connection, None)

    def make_room(self, newest: "Http") -> bool:
        """Close another connection than the newest one. Return whether there was one to close."""
        for group in (self._fresh, self._between):
            connection = next(iter(group)) if group else newest
            if connection is not newest:
                self.remove(connection)
                connection.give_way()
                return True
        return False


class Http(H11Protocol):
    """One connection over HTTP. The connection is closed if sending a request or reading a response takes too long.

    At most ``most`` connections can be open. ``counts`` are their numbers by address, and ``idle`` are those that can
    be closed, which all connections share. ``is_proxy`` is a function that returns whether an address belongs to a
    trusted proxy, which forwards the requests of many people.
    """

    def __init__(
        self, most: int, counts: Counter[str], is_proxy: Callable[[str], bool], idle: Idle, **more: Any
    ) -> None:
        super().__init__(**more)
        self.conn = _Requests(h11.SERVER, MAX_HEAD)
        self._idle: Final = idle
        self._most: Final = most
        self._counts: Final = counts
        self._is_proxy: Final = is_proxy
        self._origin = ""
        self._request_timer: asyncio.TimerHandle | None = None
        self._read_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for the first request, unless the server or the address has too many connections."""
        super().connection_made(transport)
        if hasattr(transport, "max_size"):  # the event loops of asyncio would read 256 KiB
            transport.max_size = READ_AT_ONCE
        self._idle.add(self, is_fresh=True)
        self._request_timer = self.loop.call_later(REQUEST_WITHIN, self._end_late)
        address = "" if self.client is None else self.client[0]
        self._origin = origin_of(address)
        self._counts[self._origin] += 1
        is_crowd = address != "" and self._counts[self._origin] > MAX_FOR_ADDRESS and not self._is_proxy(address)
        if is_crowd or (len(self.connections) > self._most and not self._idle.make_room(self)):
            self.give_way()

    def give_way(self) -> None:
        """Close the connection, because there is no room for it."""
        self._end(_BUSY)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the time limits, and make room for another connection."""
        self._stop_request_timer()
        self._idle.remove(self)
        self._leave()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Receive part of a request."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._look()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the WebSocket protocol."""
        self._stop_request_timer()
        self._idle.remove(self)
        self.ws_protocol_class = functools.partial(_WebSocket, self._leave)  # type: ignore[assignment]
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """Start a time limit, because the client isn't reading."""
        super().pause_writing()
        self._read_timer = self._read_timer or self.loop.call_later(READ_WITHIN, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the time limit, because the client is reading again."""
        super().resume_writing()
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that isn't valid HTTP. If the response has already begun, only close the connection."""
        self._end(_BAD)

    def _look(self) -> None:
        """Check whether only part of a request has arrived, which limits the time for the rest."""
        state = self.conn.their_state
        is_open = self.transport.get_protocol() is self and not self.transport.is_closing()
        if not is_open or (self.cycle is not None and not self.cycle.response_complete and state is not h11.SEND_BODY):  # type: ignore[redundant-expr]
            self._idle.remove(self)
        elif self.cycle is not None:
            self._idle.add(self)
        if state is not h11.SEND_BODY and not (state is h11.IDLE and self.conn.trailing_data[0]):
            self._stop_request_timer()
        elif self._request_timer is None and not self.transport.is_closing():
            self._request_timer = self.loop.call_later(REQUEST_WITHIN, self._end_late)

    def _leave(self) -> None:
        self._counts[self._origin] -= 1
        if not self._counts[self._origin]:
            del self._counts[self._origin]

    def _stop_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None

    def _end_late(self) -> None:
        self._end(_LATE)

    def _end(self, answer: bytes) -> None:
        """Close the connection, with an answer if one is expected. A connection between two requests expects none."""
        cycle: RequestResponseCycle | None = self.cycle
        is_expected = cycle is None if answer is _BUSY else self.conn.our_state is h11.IDLE
        if is_expected or (cycle is not None and not cycle.response_started):
            self.transport.write(answer)
        self.transport.close()


class _WebSocket(WebSocketsSansIOProtocol):
    """A connection that has been upgraded to a WebSocket. ``leave`` is called at its end."""

    def __init__(self, leave: Callable[[], None], **more: Any) -> None:
        super().__init__(**more)
        self._leave: Final = leave
        reject = self.conn.reject

        def reject_framed(status: int, text: str) -> Response:
            response = reject(status, text)
            for name, value in HEADERS.items():
                response.headers[name] = value
            return response

        self.conn.reject = reject_framed  # type: ignore[method-assign]

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)
