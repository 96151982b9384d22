"""Serve the application on a socket until the process is stopped."""

import asyncio
import contextlib
import dataclasses
import functools
import gc
import ipaddress
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

import uvicorn

from millebornes.errors import MilleBornesError
from millebornes.web.app import App
from millebornes.web.http.connections import Http, Idle
from millebornes.web.tables.limits import is_loopback
from millebornes.web.tables.service import ServerSettings

YOUNG_OBJECTS: Final = 20_000
"""After this many new objects, the youngest generation is collected."""
COLLECT_EVERY: Final = 300.0
"""The seconds between two full garbage collections. With a thousand tables, a collection takes a third of a second."""
BACKLOG: Final = 2048
GONE_AFTER: Final = 20_000
"""If a reader acknowledges nothing for this many milliseconds, it counts as gone. It may be a phone that is asleep."""
MAX_UNREAD: Final = 128 * 1024
"""The maximum number of bytes that the system buffers for a reader that doesn't read.

By default, it buffers megabytes.
"""
MAX_HANDLES: Final = 65_536
"""The number of file handles to ask the system for."""
AT_ONCE: Final = 16
"""At most this many connections are accepted before existing connections get their turn."""
RESERVE: Final = 128
"""The file handles that are kept free for connections that are refused, the database, files and other processes.

If there were none left, the event loop would try to accept connections again and again, and log every attempt.
"""
END_WITHIN: Final = 8
"""When the server ends, requests have this many seconds to finish."""
SWITCH_EVERY: Final = 0.0005
"""A thread runs for this many seconds while others wait. The writing thread needs a turn after every statement."""
PROXIES: Final = "127.0.0.1,::1"
"""The proxies that are trusted by default, which are those on this machine."""
LOCAL: Final = ("127.0.0.1", "localhost", "::1")
ALL_ADDRESSES: Final = "0.0.0.0"
ELSEWHERE: Final = "192.0.2.1"
"""An address that no machine has (RFC 5737) and that lies outside every local network."""


async def collect_seldom() -> None:
    """Run a full garbage collection at regular times, until cancelled.

    By default, Python runs one whenever the number of objects has grown by a quarter. Objects that exist when this
    starts, which belong to the program itself, are never checked again.
    """
    gc.collect()
    gc.freeze()
    thresholds = gc.get_threshold()
    gc.set_threshold(YOUNG_OBJECTS, 20, 1_000_000)
    try:
        while True:
            await asyncio.sleep(COLLECT_EVERY)
            gc.collect()
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


class ServeError(MilleBornesError):
    """The server can't listen on an address."""


class _Server(uvicorn.Server):
    """A server that reports when it is ready, and ends its streams first."""

    def __init__(self, config: uvicorn.Config, app: App, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._served: Final = app
        self._ready: Final = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start accepting connections."""
        await super().startup(sockets)
        if self.started:
            for listening in sockets or ():
                listening.listen(BACKLOG)  # `AT_ONCE` has also limited how many can wait
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then the current requests, then the tables."""
        await self._served.end_streams()
        await super().shutdown(sockets)


def network_address(host: str) -> str | None:
    """Return this machine's address in its network, or None if it is unknown.

    Only a server on all addresses (``0.0.0.0``) needs this address. For any other host, return None.
    """
    if host != ALL_ADDRESSES:
        return None
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((ELSEWHERE, 9))  # nothing is sent; this only selects the address to send from
        address: str = probe.getsockname()[0]
        return None if address == host or is_loopback(address) else address
    return None


def hosts_for(host: str, public_url: str | None) -> tuple[str, ...] | None:
    """Return the names by which the server can be reached. If they aren't known, return None, which allows any name."""
    public = None if public_url is None else urlsplit(public_url).hostname
    if public is None and not is_loopback(host):
        return None
    return tuple(dict.fromkeys([*LOCAL, host, *([] if public is None else [public])]))


def with_hosts(settings: ServerSettings, host: str) -> ServerSettings:
    """Return the settings for a server that listens on a host."""
    return dataclasses.replace(settings, hosts=hosts_for(host, settings.public_url))


def bind(host: str, port: int) -> tuple[socket.socket, str]:
    """Return a socket that listens on an address, and the URL of the server. Raises `ServeError`."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.create_server((host, port), family=family, backlog=BACKLOG)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MAX_UNREAD)  # connections inherit it, like the next option
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # on Linux, connections inherit it from this socket
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_AFTER)
    except (OSError, OverflowError) as error:
        text = getattr(error, "strerror", None) or error
        raise ServeError(f"cannot listen on --host {host} --port {port} ({text})") from None
    # Name the TCP protocol explicitly, so that responses are sent immediately. Otherwise, a response in two parts would
    # wait up to 40 ms for the client to acknowledge the first part.
    listening = socket.socket(made.family, made.type, socket.IPPROTO_TCP, fileno=made.detach())
    shown = f"[{host}]" if ":" in host else host
    return listening, f"http://{shown}:{listening.getsockname()[1]}/"


def check_proxies(text: str) -> str:
    """Return the addresses and networks of proxies, which are separated by commas, or ``*`` for any.

    Raises `ServeError`.
    """
    for each in () if text.strip() == "*" else text.split(","):
        try:
            ipaddress.ip_network(each.strip())
        except ValueError as error:
            raise ServeError(f"{error}; give addresses or networks separated by commas, or *") from None
    return text


def serve(app: App, listening: socket.socket, ready: Callable[[], None], proxies: str = PROXIES) -> bool:
    """Serve until SIGTERM or SIGINT. Return whether the server has accepted connections.

    ``ready`` is called when the server starts accepting connections. ``proxies`` (see `check_proxies`) are trusted when
    they report where a request comes from.

    Raises `millebornes.web.store.backends.StoreError` if the database can't be opened.
    """
    server = make_server(app, ready, proxies)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # ignore the signals that uvicorn raises again after a clean end
    with contextlib.closing(listening), contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run_alone(server, app, listening))
    return server.started


async def _run_alone(server: uvicorn.Server, app: App, listening: socket.socket) -> None:
    sys.setswitchinterval(SWITCH_EVERY)
    collecting = asyncio.create_task(collect_seldom())
    try:
        await run_server(server, app, listening)
    finally:
        collecting.cancel()


def _raise_handles() -> int:
    """Let this process open as many files as the system allows, and return their number. Each connection needs one."""
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


def make_server(app: App, ready: Callable[[], None], proxies: str = PROXIES) -> uvicorn.Server:
    """Return a server for an application. To end it, set its ``should_exit``."""
    most = max(1, _raise_handles() - RESERVE)
    config = uvicorn.Config(
        app.asgi,
        lifespan="on",
        log_config=None,  # `millebornes.web.http.logs` configures logging
        access_log=False,  # the addresses in an access log would contain invitations
        server_header=False,
        http=functools.partial(  # type: ignore[arg-type]
            Http, most, Counter(), functools.lru_cache(_trusted(proxies)), Idle()
        ),
        ws="websockets-sansio",
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=END_WITHIN,
        timeout_keep_alive=30,
        backlog=AT_ONCE,
        ws_max_size=1 << 16,
    )
    return _Server(config, app, ready)


def _trusted(proxies: str) -> Callable[[str], bool]:
    networks = [] if proxies.strip() == "*" else [ipaddress.ip_network(each.strip()) for each in proxies.split(",")]

    def is_trusted(address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return not networks or any(found in network for network in networks)

    return is_trusted


async def run_server(server: uvicorn.Server, app: App, listening: socket.socket) -> None:
    """Serve until something stops the server. Raises `StoreError` if the database can't be opened."""
    await app.open()  # open it here, because uvicorn would show a traceback if the database is missing
    await server.serve(sockets=[listening])
