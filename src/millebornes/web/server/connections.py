"""The connections of a server. There may only be so many, and a request must not take longer than allowed.

Otherwise, connections that send half a request and nothing else could use up all file handles of the process.
"""

import asyncio
import functools
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from millebornes.web.server.limits import origin_of

__all__ = ["Http"]

REQUEST_WITHIN: Final = 20.0
"""A request must be sent within this many seconds of connecting or of its first byte. Its body is at most 64 KiB."""
READ_WITHIN: Final = 30.0
"""A client must read some of a response that is waiting within this many seconds."""
MAX_FOR_ADDRESS: Final = 256
"""An address may have this many connections, unless it is a proxy."""
_BUSY: Final = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Http(H11Protocol):
    """One connection over HTTP. The connection is closed if sending a request or reading a response takes too long.

    At most ``most`` connections can be open. ``counts`` are their numbers by address, which all connections share.
    ``is_proxy`` is a function that returns whether an address belongs to a trusted proxy, which forwards the requests
    of many people.
    """

    def __init__(self, most: int, counts: Counter[str], is_proxy: Callable[[str], bool], **more: Any) -> None:
        super().__init__(**more)
        self._most: Final = most
        self._counts: Final = counts
        self._is_proxy: Final = is_proxy
        self._origin = ""
        self._request_timer: asyncio.TimerHandle | None = None
        self._read_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for the first request, unless the server or the address has too many connections."""
        super().connection_made(transport)
        self._request_timer = self.loop.call_later(REQUEST_WITHIN, self._end_late)
        address = "" if self.client is None else self.client[0]
        self._origin = origin_of(address)
        self._counts[self._origin] += 1
        is_crowd = address != "" and self._counts[self._origin] > MAX_FOR_ADDRESS and not self._is_proxy(address)
        if is_crowd or len(self.connections) > self._most:
            transport.write(_BUSY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the time limits, and make room for another connection."""
        self._stop_request_timer()
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

    def _look(self) -> None:
        """Check whether only part of a request has arrived, which limits the time for the rest."""
        state = self.conn.their_state
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
        cycle: RequestResponseCycle | None = self.cycle
        if self.conn.our_state is h11.IDLE or (cycle is not None and not cycle.response_started):
            self.transport.write(_LATE)
        self.transport.close()


class _WebSocket(WebSocketsSansIOProtocol):
    """A connection that has been upgraded to a WebSocket. ``leave`` is called at its end."""

    def __init__(self, leave: Callable[[], None], **more: Any) -> None:
        super().__init__(**more)
        self._leave: Final = leave

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)
