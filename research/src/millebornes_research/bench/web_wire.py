"""A minimal HTTP client for thousands of streams. It supports only the responses of our own servers."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from millebornes.errors import MilleBornesError

_END: Final = b"\r\n\r\n"
Heard = Callable[[str, int, bytes], None]
"""A function to call for each event, with its type, its id (0 for none) and its data."""


def request(method: str, path: str, body: bytes | None = None, token: str | None = None) -> bytes:
    """Return the bytes of an HTTP request to a server on this machine."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + (body or b"")


class Events(asyncio.Protocol):
    """A stream of server-sent events.

    The future ``opened`` is done after the first event, and ``is_lost`` is true after the stream has ended.
    """

    def __init__(self, wanted: bytes, heard: Heard) -> None:
        self.opened: Final[asyncio.Future[None]] = asyncio.get_running_loop().create_future()
        self.is_lost = False
        self._wanted: Final = wanted
        self._heard: Final = heard
        self._data = b""
        self._text = b""
        self._is_body = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the request."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._wanted)

    def data_received(self, data: bytes) -> None:
        """Process received data, which arrives in chunks."""
        data = self._data + data
        if not self._is_body:
            head, end, rest = data.partition(_END)
            if not end:
                self._data = data
                return
            if not head.startswith(b"HTTP/1.1 200 "):
                self._fail(head.partition(b"\r\n")[0].decode())
                return
            data, self._is_body = rest, True
        while (line := data.find(b"\r\n")) >= 0:
            size = int(data[:line], 16)
            if len(data) < line + size + 4:
                break
            self._text += data[line + 2 : line + 2 + size]
            data = data[line + 4 + size :]
        self._data = data
        *events, self._text = self._text.split(b"\n\n")
        for event in events:
            self._hear(event)

    def _hear(self, event: bytes) -> None:
        name, number, told = "", 0, b""
        for line in event.split(b"\n"):
            if line.startswith(b"data: "):
                told = line[6:]
            elif line.startswith(b"event: "):
                name = line[7:].decode()
            elif line.startswith(b"id: "):
                number = int(line[4:])
        if not self.opened.done():
            self.opened.set_result(None)
        if name:
            self._heard(name, number, told)

    def _fail(self, text: str) -> None:
        self.is_lost = True
        if not self.opened.done():
            self.opened.set_exception(MilleBornesError(f"a stream was refused: {text}"))

    def connection_lost(self, error: Exception | None) -> None:
        """Mark the stream as lost. Readers check ``is_lost``."""
        self._fail(f"it ended ({error})")

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


class _Line(asyncio.Protocol):
    """A connection that handles one request at a time."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.answer: asyncio.Future[tuple[int, bytes]] | None = None
        self._data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._data += data
        head, end, body = self._data.partition(_END)
        if not end or self.answer is None:
            return
        lower = head.lower()
        at = lower.find(b"content-length: ")
        size = int(lower[at + 16 :].partition(b"\r\n")[0]) if at >= 0 else 0
        if len(body) >= size:
            answer, self.answer, self._data = self.answer, None, b""
            if not answer.done():
                answer.set_result((int(head[9:12]), body))

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None
        if self.answer is not None and not self.answer.done():
            self.answer.set_exception(ConnectionError(f"the server hung up ({error})"))


class Lines:
    """A pool with as many connections to a server as are needed at the same time. Connections are reused."""

    def __init__(self, host: str, port: int) -> None:
        self._host: Final = host
        self._port: Final = port
        self._free: Final[deque[_Line]] = deque()

    async def ask(self, wanted: bytes) -> tuple[int, bytes]:
        """Send a request, and return the status and the body of the response.

        Raises `OSError` if the connection fails.
        """
        loop = asyncio.get_running_loop()
        line = self._free.pop() if self._free else None
        if line is None or line.transport is None:
            _transport, line = await loop.create_connection(_Line, self._host, self._port)
        assert line.transport is not None
        line.answer = loop.create_future()
        line.transport.write(wanted)
        found = await line.answer
        self._free.append(line)
        return found

    def close(self) -> None:
        """Close all connections."""
        for line in self._free:
            if line.transport is not None:
                line.transport.close()
