"""A real server in a thread of the tests."""

import asyncio
import contextlib
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, Self, TypeVar

from millebornes.table.facts import Created, Fact
from millebornes.table.log import fold
from millebornes.table.steps import Pace
from millebornes.web.app import App, make_app
from millebornes.web.serving import bind, make_server, run_server, with_hosts
from millebornes.web.store.store import Key, Store, Write, open_store
from millebornes.web.tables.seat_registry import hash_of
from millebornes.web.tables.service import ServerSettings, Service

Value = TypeVar("Value")

QUICK = Pace(entropy=20, move=0, hand=0, even=1)


def spare_port() -> int:
    """A port of this machine for a program that cannot choose one by itself.

    It is below those that systems give out where any will do (from 16,000, 32,768 or 49,152 on), so that no other test
    gets it before the program has it.
    """
    while True:
        port = random.SystemRandom().randrange(10_000, 16_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def quick(**more: object) -> ServerSettings:
    """Settings without pauses and limits, and with windows of milliseconds where they are asked for."""
    return ServerSettings(**{"pace": QUICK, "least_window": 1, "limits": False, "allow_seeds": True, **more})  # type: ignore[arg-type]


async def keep(store: Store, log: list[Fact], tokens: str = "token", due: int | None = None) -> None:
    """Put a log into a database, with a token for each seat: ``token 0`` and so on."""
    assert isinstance(log[0], Created)
    name, status = log[0].table, fold(log).status
    seats = [Key(hash_of(f"{tokens} {seat}"), name, seat, "seat") for seat in range(len(log[0].places))]
    for seq, event in enumerate(log, 1):
        write = Write(table=name, seq=seq, fact=event, status=status, due=due, keys=tuple(seats) if seq == 1 else ())
        await (store.create if seq == 1 else store.add)(write)


def put(database: Path, log: list[Fact], due: int | None = None) -> None:
    """Make a database with a table whose log this is; its tokens are as in `keep`."""

    async def whole() -> None:
        store = await open_store(f"sqlite:///{database}")
        await keep(store, log, due=due)
        await store.close()

    asyncio.run(whole())


def run(
    database: Path | str, work: Callable[[Service], Awaitable[None]], *, starts: bool = False, **settings: Any
) -> None:
    """Work with a service, which does by itself what it has to only if it ``starts``."""

    async def whole() -> None:
        url = f"sqlite:///{database}" if isinstance(database, Path) else database
        service = Service(await open_store(url), quick(**settings))
        try:
            if starts:
                await service.start()
            await work(service)
        finally:
            await service.close()

    asyncio.run(whole())


def wait(condition: Callable[[], object], what: str = "") -> None:
    """Wait until something is so; if it is not in five minutes, the test fails and says ``what`` is wrong."""
    until = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.05)


class Running:
    """A server that runs while the context lasts; ``url`` is where."""

    def __init__(self, database: Path | str, settings: ServerSettings | None = None) -> None:
        url = f"sqlite:///{database}" if isinstance(database, Path) else database
        self._listening, self.url = bind("127.0.0.1", 0)
        self.app: App = make_app(url, with_hosts(settings or quick(), "127.0.0.1"))
        self._ready = threading.Event()
        self._server = make_server(self.app, self._ready.set)
        self._failed: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            await run_server(self._server, self.app, self._listening)

        try:
            asyncio.run(serve())
        except BaseException as error:
            self._failed = error
        finally:
            self._ready.set()

    @property
    def service(self) -> Service:
        assert self.app.service is not None
        return self.app.service

    def run(self, work: Coroutine[Any, Any, Value]) -> Value:
        """Do something in the loop of the server."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(60)
        if self._failed is not None:
            raise self._failed
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(60)
        assert not self._thread.is_alive(), "the server did not end"
        if self._failed is not None:
            raise self._failed


class Process:
    """A server in a process of its own, which can be killed and started again on the same database."""

    def __init__(self, database: Path | str, *options: str) -> None:
        url = f"sqlite:///{database}" if isinstance(database, Path) else database
        command = [sys.executable, "-m", "millebornes", "serve", "--port", "0", "--database", url, "--no-browser"]
        self._command = [*command, *options]
        self.url = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.startswith("Serving on http://127.0.0.1:"), line
        self.url = line.split()[-1]

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def kill(self) -> None:
        """SIGKILL: no chance to tidy up."""
        assert self._process is not None
        self._process.kill()
        self._reap()

    def end(self) -> int:
        """SIGTERM; the exit status."""
        assert self._process is not None
        self._process.terminate()
        return self._reap()

    def _reap(self) -> int:
        assert self._process is not None
        assert self._process.stdout is not None
        self._process.stdout.close()
        return self._process.wait(60)
