"""Serving the application on a socket until the process is told to end."""

import asyncio
import contextlib
import dataclasses
import functools
import gc
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
from millebornes.web.server.connections import Acceptor, Connections, Http, WebSocket, raise_handles
from millebornes.web.service import ServerSettings

__all__ = [
    "PROXIES",
    "ServeError",
    "bind",
    "check_proxies",
    "collect_seldom",
    "hosts_for",
    "is_loopback",
    "make_server",
    "run_server",
    "serve",
    "with_hosts",
]

YOUNG_OBJECTS: Final = 20_000
"""New objects after which the newest are looked through."""
COLLECT_EVERY: Final = 300.0
"""Seconds between looks through everything: a third of a second at a thousand tables."""
BACKLOG: Final = 2048
GONE_AFTER: Final = 20_000
"""Milliseconds after which a reader whose machine acknowledges nothing counts as gone, such as a phone asleep."""
MAX_UNREAD: Final = 128 * 1024
"""Bytes that the system keeps for a reader who takes nothing; by itself it would keep megabytes for each."""
END_WITHIN: Final = 8
"""Seconds that requests have to end when the server does."""
SWITCH_EVERY: Final = 0.0005
"""Seconds that a thread runs while others wait: whoever writes asks for its turn after every statement."""
PROXIES: Final = "127.0.0.1,::1"
"""Proxies that are trusted where nothing else is said: those on this machine."""
LOCAL: Final = ("127.0.0.1", "localhost", "::1")


async def collect_seldom() -> None:
    """Until cancelled: look through everything by the clock and not whenever the tables have grown by a quarter.

    What is there already, the program itself, is never looked through again.
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
    """An address that cannot be listened on."""


class _Server(uvicorn.Server):
    """Accepts connections within limits, tells when it does, and ends streams before it waits for them."""

    def __init__(self, config: uvicorn.Config, app: App, ready: Callable[[], None], all_: Connections) -> None:
        super().__init__(config)
        self._served: Final = app
        self._ready: Final = ready
        self._all: Final = all_
        self._acceptors: list[Acceptor] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections."""
        if not isinstance(asyncio.get_running_loop(), asyncio.SelectorEventLoop):  # Windows
            await super().startup(sockets)
        else:
            await super().startup([])
        if not self.started:
            return
        if not self.servers:
            self._acceptors = [Acceptor(each, self._make, self._all) for each in sockets or ()]
            for acceptor in self._acceptors:
                acceptor.start()
        self._ready()

    def _make(self) -> asyncio.Protocol:
        state = self.lifespan.state
        return self.config.http_protocol_class(config=self.config, server_state=self.server_state, app_state=state)  # type: ignore[call-arg]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: first the streams, then what is being answered, then the tables."""
        for acceptor in self._acceptors:
            acceptor.stop()
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


def with_hosts(settings: ServerSettings, host: str) -> ServerSettings:
    """The settings of a server that listens on a host."""
    return dataclasses.replace(settings, hosts=hosts_for(host, settings.public_url))


def bind(host: str, port: int) -> tuple[socket.socket, str]:
    """A socket that listens, and the URL under which it is found. Raises `ServeError`."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.create_server((host, port), family=family, backlog=BACKLOG)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MAX_UNREAD)  # as with the next one
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; all connections take it over from this one
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_AFTER)
    except (OSError, OverflowError) as error:
        text = getattr(error, "strerror", None) or error
        raise ServeError(f"--host {host} --port {port}: cannot be listened on ({text})") from None
    # Said to be TCP, connections send at once; else each answer of two parts waits for the other side, for 40 ms.
    listening = socket.socket(made.family, made.type, socket.IPPROTO_TCP, fileno=made.detach())
    shown = f"[{host}]" if ":" in host else host
    return listening, f"http://{shown}:{listening.getsockname()[1]}/"


def check_proxies(text: str) -> str:
    """Addresses and networks of proxies, with commas between, or ``*`` for any. Raises `ServeError`."""
    for each in () if text.strip() == "*" else text.split(","):
        try:
            ipaddress.ip_network(each.strip())
        except ValueError as error:
            raise ServeError(f"{error}; give addresses or networks with commas between, or *") from None
    return text


def serve(app: App, listening: socket.socket, ready: Callable[[], None], proxies: str = PROXIES) -> bool:
    """Serve until SIGTERM or SIGINT; ``ready`` is called once connections are accepted. Returns whether it ever did.

    What ``proxies`` (see `check_proxies`) say of who asks is believed.

    Raises `millebornes.web.storage.backends.StoreError` where the database cannot be opened.
    """
    server = make_server(app, ready, proxies)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # uvicorn raises them again when it has ended, and all is well then
    with contextlib.closing(listening), contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run_alone(server, app, listening))
    return server.started


async def _run_alone(server: uvicorn.Server, app: App, listening: socket.socket) -> None:
    """Serve in a process that does nothing else."""
    sys.setswitchinterval(SWITCH_EVERY)
    collecting = asyncio.create_task(collect_seldom())
    try:
        await run_server(server, app, listening)
    finally:
        collecting.cancel()


def make_server(app: App, ready: Callable[[], None], proxies: str = PROXIES) -> uvicorn.Server:
    """A server for an application; it ends when its ``should_exit`` is set."""
    all_ = Connections(raise_handles(), functools.lru_cache(_trusted(proxies)))
    config = uvicorn.Config(
        app.asgi,
        lifespan="on",
        log_config=None,  # `millebornes.web.server.logs` says how
        access_log=False,  # addresses hold invitations
        server_header=False,
        http=functools.partial(Http, all_),  # type: ignore[arg-type]
        ws=functools.partial(WebSocket, all_),  # type: ignore[arg-type]
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=END_WITHIN,
        timeout_keep_alive=30,
        ws_max_size=1 << 16,
    )
    return _Server(config, app, ready, all_)


def _trusted(proxies: str) -> Callable[[str], bool]:
    """Whether an address is that of a trusted proxy."""
    networks = [] if proxies.strip() == "*" else [ipaddress.ip_network(each.strip()) for each in proxies.split(",")]

    def is_trusted(address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return not networks or any(found in network for network in networks)

    return is_trusted


async def run_server(server: uvicorn.Server, app: App, listening: socket.socket) -> None:
    """Serve until it is told to end. Raises `StoreError` for a database that does not open."""
    await app.open()  # here and not within uvicorn, which would show a traceback for a database that is not there
    await server.serve(sockets=[listening])
