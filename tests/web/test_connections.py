"""Connections that send half a request, or read nothing, shut nobody out; and nobody can flood the log."""

import asyncio
import contextlib
import errno
import io
import json
import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from millebornes.web.server import connections, logs
from millebornes.web.server.connections import MAX_FOR_ADDRESS, RESERVE, Acceptor, Connections, raise_handles
from millebornes.web.server.limits import origin_of
from millebornes.web.server.logs import MAX_BURST, Asked, Throttle, log_request
from millebornes.web.server.serving import check_proxies
from tests.web.client import Client
from tests.web.serving import Running, quick

resource = pytest.importorskip("resource", reason="Windows has no such limits")


def dial(url: str, data: bytes = b"") -> socket.socket:
    parts = urlsplit(url)
    made = socket.create_connection((parts.hostname, parts.port), timeout=60)
    made.sendall(data)
    return made


def until_closed(made: socket.socket) -> bytes:
    """All that comes until the other side ends it."""
    said = b""
    with made, contextlib.suppress(ConnectionResetError):
        while data := made.recv(65_536):
            said += data
    return said


HEAD = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b"HTTP/1.1 408 "),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ", b"HTTP/1.1 408 "),
        (HEAD, b"HTTP/1.1 408 "),
        (HEAD + b'{"name":', b"HTTP/1.1 408 "),
        (HEAD.replace(b"/api/tables", b"/nothing"), b"HTTP/1.1 404 "),
        (b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HT", b"HTTP/1.1 200 "),
    ],
    ids=["nothing", "half a head", "no body", "half a body", "a body that nobody reads", "half a second request"],
)
def test_half_a_request_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes, answer: bytes) -> None:
    monkeypatch.setattr(connections, "HEAD_WITHIN", 0.3)
    monkeypatch.setattr(connections, "BODY_WITHIN", 0.3)
    with Running(tmp_path / "tables.db") as running:
        assert until_closed(dial(running.url, sent)).startswith(answer)
        assert httpx.get(f"{running.url}healthz").status_code == 200


def test_dripping_is_no_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then does not make the time for a request longer."""
    monkeypatch.setattr(connections, "HEAD_WITHIN", 0.5)
    with Running(tmp_path / "tables.db") as running, dial(running.url, b"GET / HTTP/1.1\r\nX: ") as made:
        made.settimeout(0.02)
        while True:
            try:
                if not made.recv(100):
                    break
            except TimeoutError:
                made.sendall(b"x")
            except ConnectionResetError:
                break


def test_who_reads_nothing_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "READ_WITHIN", 0.3)
    with Running(tmp_path / "tables.db") as running:
        asked = b"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 1500
        all_ = running._server._all  # type: ignore[attr-defined]
        with dial(running.url) as made:
            made.setblocking(False)
            made.send(asked)
            while not len(all_):
                time.sleep(0.01)
            while len(all_):
                time.sleep(0.01)


def test_a_stream_and_a_quiet_page_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The times are those of requests: what waits for events, or for the next click, stays."""
    monkeypatch.setattr(connections, "HEAD_WITHIN", 0.2)
    monkeypatch.setattr(connections, "BODY_WITHIN", 0.2)
    settings = quick(beat=0.15)
    with Running(tmp_path / "tables.db", settings) as running:
        with Client.create(running.url, places=["me", "open"]) as ann:
            stream = ann.events()
            assert [next(stream).event for _ in range(6)].count("beat") >= 4
            assert ann.look()["seat"] == 0
        with dial(running.url) as made, made.makefile("rb") as said, Client(running.url, ann.table) as eve:
            for _ in range(2):
                made.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                while said.readline() != b"\r\n":
                    pass
                assert said.read(11) == b'{"ok":true}'
                stream = eve.events()
                assert [next(stream).event for _ in range(4)].count("beat") >= 3


def test_a_flood_of_half_requests(tmp_path: Path) -> None:
    """More of them than the process has handles: everybody else is answered, and the log stays short."""
    code = "import resource, runpy; resource.setrlimit(resource.RLIMIT_NOFILE, (160, 160)); "
    code += "runpy.run_module('millebornes', run_name='__main__')"
    options = ["serve", "--port", "0", "--no-browser", "--database", f"sqlite:///{tmp_path / 'tables.db'}"]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen([sys.executable, "-c", code, *options], stdout=subprocess.PIPE, stderr=log, text=True)
        assert server.stdout is not None
        with contextlib.ExitStack() as stack, server.stdout as said:
            stack.callback(server.wait)
            stack.callback(server.terminate)
            url = said.readline().split()[-1]
            for _ in range(3):
                for _ in range(100):
                    stack.enter_context(dial(url, b"GET / HTTP/1.1\r\nHost: x"))
                assert httpx.get(f"{url}healthz", timeout=60).status_code == 200
            made = httpx.post(f"{url}api/tables", json={"name": "Ann"}, timeout=60)
            assert made.status_code == 201, "the database has handles, too"
    assert (tmp_path / "log").stat().st_size < 10_000


# ---------------------------------------------------------------- counting


class Wire(asyncio.Transport):
    """A connection that only knows whether it was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.is_over = False

    def abort(self) -> None:
        self.is_over = True


def wires(all_: Connections, count: int, address: str, time: float = 0.0) -> list[Wire]:
    made: list[Wire] = []
    for _ in range(count):
        if all_.admits(address):
            made.append(Wire())
            all_.enter(made[-1], origin_of(address))
            all_.waits(made[-1], time)
    return made


def test_an_address_has_only_so_many() -> None:
    all_ = Connections(10_000, lambda address: address == "10.0.0.1")
    working = wires(all_, MAX_FOR_ADDRESS + 5, "192.0.2.1")
    for wire in working:
        all_.works(wire)
    assert len(working) - sum(wire.is_over for wire in working) == MAX_FOR_ADDRESS
    assert not all_.admits("192.0.2.1")
    assert all_.admits("192.0.2.2")
    for wire in wires(all_, MAX_FOR_ADDRESS + 5, "10.0.0.1"):
        all_.works(wire)
    assert all_.admits("10.0.0.1"), "everybody comes by the proxy"
    all_.leave(working[-1])
    assert all_.admits("192.0.2.1")


def test_newcomers_get_the_place_of_whoever_waits_longest() -> None:
    all_ = Connections(RESERVE + 100, lambda _address: False)
    (early,) = wires(all_, 1, "192.0.2.9")
    crowd, (playing, quiet) = wires(all_, 90, "192.0.2.1"), wires(all_, 2, "192.0.2.3")
    all_.works(playing)
    all_.rests(quiet)
    more = wires(all_, 40, "192.0.2.2")
    assert len(more) == 40
    assert len(all_) <= 100
    assert [wire.is_over for wire in crowd[:33]] == [True] * 33
    assert not any(wire.is_over for wire in (early, playing, quiet, crowd[-1], more[-1]))


def test_half_requests_of_one_address_grow_no_further() -> None:
    all_ = Connections(10_000, lambda _address: True)
    late = wires(all_, 400, "127.0.0.1")
    assert not any(wire.is_over for wire in late), "a burst isn't an attack"
    wires(all_, 300, "127.0.0.1", time=5.0)
    assert all(wire.is_over for wire in late[:300])


def test_places() -> None:
    assert origin_of("192.0.2.1") == "192.0.2.1"
    assert origin_of("2001:db8:1:2:3:4:5:6") == origin_of("2001:db8:1:2::9") != origin_of("2001:db8:1:3::9")
    assert origin_of("x:y") == "x:y"


@pytest.mark.parametrize("text", ["", "nobody", "10.0.0.0/33", "10.0.0.1,,10.0.0.2"])
def test_proxies_that_are_none(text: str) -> None:
    with pytest.raises(Exception, match="separated by commas"):
        check_proxies(text)
    for good in ("10.0.0.0/8, ::1", "*"):
        assert check_proxies(good) == good


def test_handles() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
        assert raise_handles() == resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= min(soft, 512)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_no_handles_are_left(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says so once, rests, and accepts what has waited."""
    monkeypatch.setattr(connections, "RESTS_FOR", 0.05)

    class Listening(socket.socket):
        failures = 3

        def accept(self) -> Any:
            if self.failures:
                self.failures -= 1
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            return super().accept()

    async def work() -> None:
        made, served = asyncio.Event(), Connections(1000, lambda _address: False)

        class Serving(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                made.set()
                transport.close()

        with Listening() as listening:
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            acceptor = Acceptor(listening, Serving, served)
            acceptor.start()
            with socket.create_connection(listening.getsockname()):
                await made.wait()
            acceptor.stop()

    asyncio.run(work())
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["no connection can be accepted"] * 3


# ---------------------------------------------------------------- the log


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[logging.Logger, io.StringIO]]:
    from millebornes.web.server.logs import configure

    logger = logging.getLogger("millebornes")
    before = logger.handlers[:], logger.level, logging.getLogger("uvicorn").handlers[:]
    stream = io.StringIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", stream)
        configure("json")
    yield logging.getLogger("millebornes.web.server.logs"), stream
    logger.handlers[:], logger.level, logging.getLogger("uvicorn").handlers[:] = before


def test_what_repeats_is_counted(log: tuple[logging.Logger, io.StringIO], monkeypatch: pytest.MonkeyPatch) -> None:
    logger, stream = log
    at = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: at)
    for n in range(1000):
        logger.warning("table %s is broken", n)
        log_request(Asked("GET", "unknown", None, 429, 0.1, "192.0.2.1"))
        log_request(Asked("GET", "/", None, 200, 0.1, "192.0.2.1"))
    at = 31.0
    logger.warning("table %s is broken", "x")
    log_request(Asked("GET", "unknown", None, 429, 0.1, "192.0.2.1"))
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert len(lines) == 1000 + 2 * (MAX_BURST + 1)
    assert lines[-2]["text"] == f"table x is broken ({1000 - MAX_BURST} more like this were left out)"
    assert lines[-1]["left_out"] == 1000 - MAX_BURST


def test_kinds_of_lines_are_not_kept_for_ever() -> None:
    filter_ = Throttle()
    for n in range(3 * logs.MAX_KINDS):
        filter_.filter(logging.LogRecord("x", logging.WARNING, "", 0, f"line {n}", None, None))
    assert len(filter_._kinds) == logs.MAX_KINDS
