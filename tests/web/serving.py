"""A real server in a thread of the tests."""

import asyncio
import contextlib
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Self, TypeVar

from millebornes.table.steps import Pace
from millebornes.web.app import App, make_app
from millebornes.web.serving import bind, make_server, run_server, with_hosts
from millebornes.web.tables.service import ServerSettings, Service

Found = TypeVar("Found")

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

    def run(self, work: Coroutine[Any, Any, Found]) -> Found:
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
