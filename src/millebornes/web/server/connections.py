"""The connections of a server. Connections are counted by address, and a request must not take longer than allowed.

Otherwise, connections that send half a request and nothing else could use up all file handles of the process.
"""

import asyncio
import contextlib
import errno
import logging
import socket
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from millebornes.web.server.limits import origin_of

__all__ = ["Acceptor", "Connections", "Http", "WebSocket", "raise_handles"]

HEAD_WITHIN: Final = 10.0
"""A request must send its headers within this many seconds of connecting or of its first byte."""
BODY_WITHIN: Final = 20.0
"""A request must send its body, which is at most 64 KiB long, within this many seconds."""
READ_WITHIN: Final = 30.0
"""A client must read some of a response that is waiting within this many seconds."""
MAX_FOR_ADDRESS: Final = 256
"""An address may have this many connections, unless it is a proxy."""
MAX_HALF: Final = 128
"""An address may have this many connections that are allowed to take longer than `ROOM_WITHIN` for a request."""
ROOM_WITHIN: Final = 1.0
MAX_HANDLES: Final = 65_536
"""The number of file handles to ask the system for."""
RESERVE: Final = 64
"""The number of handles that are kept free for everything else: the database, files and other processes."""
AT_ONCE: Final = 16
"""At most this many connections are accepted before existing connections get their turn."""
RESTS_FOR: Final = 0.5
"""When the system has run out of handles, no connection is accepted for this many seconds."""
NO_HANDLES: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_BUSY: Final = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

_log = logging.getLogger(__name__)


def raise_handles() -> int:
    """Let this process open as many files as the system allows, up to `MAX_HANDLES`. Return the allowed number."""
    try:
        import resource
    except ModuleNotFoundError:  # on Windows, where sockets aren't files
        return MAX_HANDLES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_HANDLES if hard == resource.RLIM_INFINITY else min(hard, MAX_HANDLES)
    for wanted in (most, 10_240):  # macOS allows fewer than it says
        if soft != resource.RLIM_INFINITY and soft < wanted <= most:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
                return wanted
    return MAX_HANDLES if soft == resource.RLIM_INFINITY else soft


class Connections:
    """All open connections. If there are too many, those that have waited longest for a request are closed.

    ``handles`` is the number of file handles that the process may use. ``is_proxy`` is a function that returns whether
    an address belongs to a trusted proxy, which forwards the requests of many people.
    """

    def __init__(self, handles: int, is_proxy: Callable[[str], bool]) -> None:
        self._most: Final = max(AT_ONCE, handles - RESERVE)
        self._is_proxy: Final = is_proxy
        self._open: Final[dict[asyncio.Transport, str]] = {}
        self._counts: Final[Counter[str]] = Counter()
        self._half: Final[dict[str, OrderedDict[asyncio.Transport, float]]] = {}
        """By address, the connections without a complete request and since when they have waited, oldest first."""
        self._idle: Final[OrderedDict[asyncio.Transport, None]] = OrderedDict()
        """The connections that have received a response and haven't sent another request."""

    def __len__(self) -> int:
        return len(self._open)

    def admits(self, address: str) -> bool:
        """Return whether an address may open another connection.

        Other connections may be closed to make room for it.
        """
        place = origin_of(address)
        if self._counts[place] >= MAX_FOR_ADDRESS and not self._is_proxy(address):
            return self._end_half(place)
        return len(self._open) < self._most or self.make_room()

    def make_room(self) -> bool:
        """Close one connection, either of the address with the most incomplete requests or one that is idle."""
        crowded = max(self._half, key=lambda address: len(self._half[address]), default=None)
        if crowded is not None and len(self._half[crowded]) > 1:
            return self._end_half(crowded)
        if self._idle:
            self._end(next(iter(self._idle)))
            return True
        return crowded is not None and self._end_half(crowded)

    def _end_half(self, address: str) -> bool:
        half = self._half.get(address)
        if not half:
            return False
        self._end(next(iter(half)))
        return True

    def _end(self, transport: asyncio.Transport) -> None:
        transport.abort()
        self.leave(transport)

    def enter(self, transport: asyncio.Transport, address: str) -> None:
        """Add a new connection."""
        self._open[transport] = address
        self._counts[address] += 1

    def leave(self, transport: asyncio.Transport) -> None:
        """Remove a connection that has been lost or is about to close."""
        self.works(transport)
        address = self._open.pop(transport, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]

    def waits(self, transport: asyncio.Transport, time: float) -> None:
        """Record that a connection has had no complete request since ``time``, in the time of the event loop."""
        address = self._open.get(transport)
        if address is None:
            return
        self._idle.pop(transport, None)
        half = self._half.setdefault(address, OrderedDict())
        half.setdefault(transport, time)
        if len(half) > MAX_HALF and time - next(iter(half.values())) > ROOM_WITHIN:
            self._end_half(address)

    def rests(self, transport: asyncio.Transport) -> None:
        """Record that a connection has received its response."""
        self.works(transport)
        if transport in self._open:
            self._idle[transport] = None

    def works(self, transport: asyncio.Transport) -> None:
        """Record that the server is answering a request."""
        self._idle.pop(transport, None)
        address = self._open.get(transport)
        half = None if address is None else self._half.get(address)
        if half is not None and half.pop(transport, None) is not None and not half and address is not None:
            del self._half[address]


class Http(H11Protocol):
    """One connection over HTTP. The connection is closed if sending a request or reading a response takes too long."""

    def __init__(self, all_: Connections, **more: Any) -> None:
        super().__init__(**more)
        self._all: Final = all_
        self._awaited: str | None = None
        """The part of a request that the server is waiting for, which has a time limit."""
        self._part_timer: asyncio.TimerHandle | None = None
        self._read_timer: asyncio.TimerHandle | None = None
        self._is_upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for the first request."""
        super().connection_made(transport)
        self._all.enter(transport, "" if self.client is None else origin_of(self.client[0]))
        self._wait_for("head", HEAD_WITHIN)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection."""
        self._wait_for(None)
        self.resume_writing()
        self._all.leave(self.transport)
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
        """Hand the connection over to the WebSocket protocol, which has limits of its own."""
        self._is_upgraded = True
        self._wait_for(None)
        self._all.works(self.transport)
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
        """Check which part of a request the server is waiting for."""
        if self._is_upgraded:
            return
        state = self.conn.their_state
        if self.transport.is_closing():
            self._wait_for(None)
        elif state is h11.SEND_BODY:
            self._wait_for("body", BODY_WITHIN)
        elif state is not h11.IDLE:
            self._wait_for(None)
            self._all.works(self.transport)
        elif self._awaited != "head":
            if self.conn.trailing_data[0]:
                self._wait_for("head", HEAD_WITHIN)
            else:
                self._wait_for(None)
                self._all.rests(self.transport)

    def _wait_for(self, part: str | None, seconds: float = 0.0) -> None:
        if part == self._awaited:
            return
        if self._part_timer is not None:
            self._part_timer.cancel()
            self._part_timer = None
        self._awaited = part
        if part is not None:
            self._part_timer = self.loop.call_later(seconds, self._end_late)
            self._all.waits(self.transport, self.loop.time())

    def _end_late(self) -> None:
        cycle: RequestResponseCycle | None = self.cycle
        if self.conn.our_state is h11.IDLE or (cycle is not None and not cycle.response_started):
            self.transport.write(_LATE)
        self.transport.close()


class WebSocket(WebSocketsSansIOProtocol):
    """A connection that has been upgraded to a WebSocket."""

    def __init__(self, all_: Connections, **more: Any) -> None:
        super().__init__(**more)
        self._all: Final = all_

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection."""
        self._all.leave(self.transport)
        super().connection_lost(exc)


class Acceptor:
    """Accepts connections on a socket, and pauses if the system has no more file handles.

    Without the pause, the event loop would try two thousand times a second and log every attempt.
    """

    def __init__(self, listening: socket.socket, make: Callable[[], asyncio.Protocol], all_: Connections) -> None:
        self._listening: Final = listening
        self._make: Final = make
        self._all: Final = all_
        self._loop: Final = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    def start(self) -> None:
        """Start or resume accepting connections."""
        self._listening.setblocking(False)
        self._loop.add_reader(self._listening, self._accept)

    def stop(self) -> None:
        """Stop accepting connections."""
        if self._timer is not None:
            self._timer.cancel()
        self._loop.remove_reader(self._listening)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                made, address = self._listening.accept()
            except OSError as error:
                if error.errno in NO_HANDLES:
                    _log.warning("no connection can be accepted: %s; %d are open", error.strerror, len(self._all))
                    self._all.make_room()
                    self._loop.remove_reader(self._listening)
                    self._timer = self._loop.call_later(RESTS_FOR, self.start)
                return
            made.setblocking(False)
            if not self._all.admits(address[0]):
                _log.warning("too many connections, so one is refused; %d are open", len(self._all))
                with made, contextlib.suppress(OSError):
                    made.send(_BUSY)
                continue
            task = self._loop.create_task(self._connect(made))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connect(self, made: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._make, made)
        except OSError:  # the connection has already been closed
            made.close()
