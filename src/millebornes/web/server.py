"""Serving the application on a socket until the process is told to end."""

import asyncio
import contextlib
import dataclasses
import ipaddress
import signal
import socket
import sys
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

import uvicorn

from millebornes.errors import MilleBornesError
from millebornes.web.app import App
from millebornes.web.garbage import collect_seldom
from millebornes.web.service import Settings

__all__ = ["ServeError", "bind", "hosts_for", "is_loopback", "make_server", "run_server", "serve", "with_hosts"]

BACKLOG: Final = 2048
GONE_AFTER: Final = 20_000
"""Milliseconds after which a reader whose machine acknowledges nothing counts as gone, such as a phone asleep."""
UNREAD: Final = 128 * 1024
"""Bytes that the system keeps for a reader who takes nothing; by itself it would keep megabytes for each."""
END_WITHIN: Final = 8
"""Seconds that requests have to end when the server does."""
SWITCH: Final = 0.0005
"""Seconds that a thread runs while others wait: whoever writes asks for its turn after every statement."""
LOCAL: Final = ("127.0.0.1", "localhost", "::1")


class ServeError(MilleBornesError):
    """An address that cannot be listened on."""


class _Server(uvicorn.Server):
    """Tells when it accepts connections, and ends streams before it waits for them."""

    def __init__(self, config: uvicorn.Config, app: App, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._served: Final = app
        self._ready: Final = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: first the streams, then what is being answered, then the tables."""
        await self._served.end_streams()
        await super().shutdown(sockets)


def is_loopback(host: str) -> bool:
    """Whether a host is reached from this machine alone."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


def hosts_for(host: str, public_url: str | None) -> tuple[str, ...] | None:
    """The names that a server may be asked under; None for any, where nothing tells which they are."""
    public = None if public_url is None else urlsplit(public_url).hostname
    if public is None and not is_loopback(host):
        return None
    return tuple(dict.fromkeys([*LOCAL, host, *([] if public is None else [public])]))


def with_hosts(settings: Settings, host: str) -> Settings:
    """The settings of a server that listens on a host."""
    return dataclasses.replace(settings, hosts=hosts_for(host, settings.public_url))


def bind(host: str, port: int) -> tuple[socket.socket, str]:
    """A socket that listens, and the URL under which it is found. Raises `ServeError`."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.create_server((host, port), family=family, backlog=BACKLOG)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)  # as with the next one
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; all connections take it over from this one
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_AFTER)
    except (OSError, OverflowError) as error:
        text = getattr(error, "strerror", None) or error
        raise ServeError(f"--host {host} --port {port}: cannot be listened on ({text})") from None
    # Said to be TCP, connections send at once; else each answer of two parts waits for the other side, for 40 ms.
    listening = socket.socket(made.family, made.type, socket.IPPROTO_TCP, fileno=made.detach())
    shown = f"[{host}]" if ":" in host else host
    return listening, f"http://{shown}:{listening.getsockname()[1]}/"


def serve(app: App, listening: socket.socket, ready: Callable[[], None]) -> bool:
    """Serve until SIGTERM or SIGINT; ``ready`` is called once connections are accepted. Returns whether it ever did.

    Raises `millebornes.web.backends.StoreError` where the database cannot be opened.
    """
    server = make_server(app, ready)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # uvicorn raises them again when it has ended, and all is well then
    with contextlib.closing(listening), contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run_alone(server, app, listening))
    return server.started


async def _run_alone(server: uvicorn.Server, app: App, listening: socket.socket) -> None:
    """Serve in a process that does nothing else."""
    sys.setswitchinterval(SWITCH)
    collecting = asyncio.create_task(collect_seldom())
    try:
        await run_server(server, app, listening)
    finally:
        collecting.cancel()


def make_server(app: App, ready: Callable[[], None]) -> uvicorn.Server:
    """A server for an application; it ends when its ``should_exit`` is set."""
    config = uvicorn.Config(
        app.asgi,
        lifespan="on",
        log_config=None,  # `millebornes.web.logs` says how
        access_log=False,  # addresses hold invitations
        server_header=False,
        ws="websockets-sansio",
        timeout_graceful_shutdown=END_WITHIN,
        timeout_keep_alive=30,
        ws_max_size=1 << 16,
    )
    return _Server(config, app, ready)


async def run_server(server: uvicorn.Server, app: App, listening: socket.socket) -> None:
    """Serve until it is told to end. Raises `millebornes.web.backends.StoreError` for a database not to be opened."""
    await app.open()  # here and not within uvicorn, which would show a traceback for a database that is not there
    await server.serve(sockets=[listening])
