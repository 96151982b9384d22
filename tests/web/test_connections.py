"""Connections that send half a request, or read nothing, shut nobody out; and nobody can flood the log."""

import contextlib
import io
import json
import logging
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from millebornes.web import serving
from millebornes.web.http import connections, logs
from millebornes.web.http.logs import MAX_BURST, LoggedRequest, Throttle, log_request
from millebornes.web.serving import check_proxies
from millebornes.web.tables.limits import origin_of
from tests.web.client import Client
from tests.web.serving import Running, quick


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


HALVES = {
    "nothing": (b"", b"408"),
    "half a head": (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ", b"408"),
    "no body": (HEAD, b"408"),
    "half a body": (HEAD + b'{"name":', b"408"),
    "a body that nobody reads": (HEAD.replace(b"/api/tables", b"/nothing"), b"404"),
    "half a second request": (b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HT", b"200"),
}


def test_half_a_request_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_WITHIN", 0.3)
    with Running(tmp_path / "tables.db") as running:
        dialled = {name: dial(running.url, sent) for name, (sent, _answer) in HALVES.items()}
        for name, (_sent, answer) in HALVES.items():
            assert until_closed(dialled[name]).startswith(b"HTTP/1.1 %s " % answer), name
        assert httpx.get(f"{running.url}healthz").status_code == 200


def test_dripping_is_no_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then does not make the time for a request longer."""
    monkeypatch.setattr(connections, "REQUEST_WITHIN", 0.5)
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
        all_ = running._server.server_state.connections
        with dial(running.url) as made:
            made.setblocking(False)
            made.send(asked)
            while not len(all_):
                time.sleep(0.01)
            while len(all_):
                time.sleep(0.01)


def test_a_stream_and_a_quiet_page_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The times are those of requests: what waits for events, or for the next click, stays."""
    monkeypatch.setattr(connections, "REQUEST_WITHIN", 0.6)
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


@pytest.mark.parametrize("is_proxy", [False, True])
def test_an_address_has_only_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_proxy: bool) -> None:
    monkeypatch.setattr(connections, "MAX_FOR_ADDRESS", 3)
    monkeypatch.setattr(serving, "_trusted", lambda _proxies: lambda _address: is_proxy)
    with Running(tmp_path / "tables.db") as running, contextlib.ExitStack() as stack:
        asked = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        made = [stack.enter_context(dial(running.url, asked)) for _ in range(4)]
        said = [each.recv(20) for each in made]
        assert said[:3] == [b"HTTP/1.1 200 OK\r\ndat"] * 3
        assert said[3].startswith(b"HTTP/1.1 200 " if is_proxy else b"HTTP/1.1 503 ")
        made[0].close()
        while len(running._server.server_state.connections) > 3 - (not is_proxy):
            time.sleep(0.01)
        assert stack.enter_context(dial(running.url, asked)).recv(13) == b"HTTP/1.1 200 "


REQUEST = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def is_answered(made: socket.socket) -> bool:
    """Whether a request on a connection gets its answer."""
    made.sendall(REQUEST)
    said = b""
    while not said.endswith(b'{"ok":true}'):
        more = made.recv(4096)
        if not more:
            return False
        said += more
    return said.startswith(b"HTTP/1.1 200 ")


@contextlib.contextmanager
def few_handles(folder: Path, handles: int = 200) -> Iterator[str]:
    """A server in a process that may open few files; it has to end well, with nothing in its log."""
    pytest.importorskip("resource", reason="Windows has no such limits")
    code = f"import resource, runpy; resource.setrlimit(resource.RLIMIT_NOFILE, ({handles // 2}, {handles})); "
    code += "runpy.run_module('millebornes', run_name='__main__')"
    options = ["serve", "--port", "0", "--no-browser", "--database", f"sqlite:///{folder / 'tables.db'}"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen([sys.executable, "-c", code, *options], stdout=subprocess.PIPE, stderr=log, text=True)
        assert server.stdout is not None
        with contextlib.ExitStack() as stack, server.stdout as said:
            stack.callback(server.wait, 60)
            stack.callback(server.kill)
            yield said.readline().split()[-1]
            server.terminate()
            assert server.wait(60) == 0
    assert (folder / "log").read_text() == ""


def test_people_get_in_during_a_flood(tmp_path: Path) -> None:
    """More connections than the process has handles: the oldest of those that ask for nothing make room."""
    with few_handles(tmp_path) as url, contextlib.ExitStack() as stack, dial(url) as person:
        assert is_answered(person)
        made = [
            stack.enter_context(dial(url, data))
            for data in (b"", b"GET / HTTP/1.1\r\nHost: x", b"") * 100  # the system's queue takes those that must wait
        ]
        assert httpx.get(f"{url}healthz").status_code == 200
        for each in made[:2]:
            said = until_closed(each)
            assert said.startswith(b"HTTP/1.1 503 ")
            assert b"content-security-policy" in said
        assert is_answered(person), "who has sent a request stays while others haven't"


def test_who_waits_between_two_requests_makes_room_as_well(tmp_path: Path) -> None:
    """Connections that have sent a request are next, in turn; those that are served or follow a table stay."""
    with (
        few_handles(tmp_path) as url,
        contextlib.ExitStack() as stack,
        Client.create(url, places=["me", "open"], coup_window_ms=500) as ann,
    ):
        stream = ann.events()
        assert next(stream).event == "beat"
        made = []
        for _ in range(120):
            made.append(stack.enter_context(dial(url)))
            assert is_answered(made[-1])
        assert until_closed(made[0]) == b"", "it is closed without an answer that nobody asked for"
        with Client(url, ann.table, ann.token) as again:
            again.do("chat", text="hello")
        while "hello" not in str(next(stream).data):
            pass
        assert is_answered(made[-1])


def test_if_all_are_busy_the_newest_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_raise_handles", lambda: serving.RESERVE + 2)
    with Running(tmp_path / "tables.db") as running, Client.create(running.url, places=["me", "open"]) as ann:
        ann.http.close()
        asked = f"GET /api/tables/{ann.table}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        with dial(running.url, asked) as one, dial(running.url, asked) as other:
            assert one.recv(13) == other.recv(13) == b"HTTP/1.1 200 "
            assert until_closed(dial(running.url)).startswith(b"HTTP/1.1 503 ")
            assert not other._closed  # type: ignore[attr-defined]


NO_HTTP = {
    "many headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"a:\r\n" * 101 + b"\r\n",
    "a long header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 2**17 + b"\r\n\r\n",
    "a long address": b"GET /" + b"a" * 2**17 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "nonsense": b"nonsense\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "many pieces": HEAD.replace(b"Content-Length: 50", b"Transfer-Encoding: chunked") + b"1\r\n \r\n" * 9000,
}


def test_requests_that_are_no_http(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as running:
        for name, sent in NO_HTTP.items():
            made = dial(running.url)
            with contextlib.suppress(ConnectionError):
                made.sendall(sent)
            said = until_closed(made)
            assert said.startswith(b"HTTP/1.1 400 ") or not said, name  # a reset may overtake the answer
            assert httpx.get(f"{running.url}healthz").status_code == 200


def test_programs_count_until_they_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_FOR_ADDRESS", 3)
    monkeypatch.setattr(serving, "_trusted", lambda _proxies: lambda _address: False)
    with Running(tmp_path / "tables.db") as running, Client.create(running.url, places=["me", "open"]) as ann:
        ann.http.close()
        asked = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        upgrade = (
            f"GET /api/tables/{ann.table}/bot HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {ann.token}\r\n"
        )
        upgrade += "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        upgrade += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        counts = running._server.config.http_protocol_class.args[1]  # type: ignore[attr-defined]

        def until(number: int) -> None:
            while sum(counts.values()) != number:
                time.sleep(0.01)

        until(0)
        with contextlib.ExitStack() as stack:
            for _ in range(3):
                assert stack.enter_context(dial(running.url, upgrade.encode())).recv(13) == b"HTTP/1.1 101 "
            assert stack.enter_context(dial(running.url, asked)).recv(13) == b"HTTP/1.1 503 "
        until(0)
        assert not counts
        with dial(running.url, asked) as made:
            assert made.recv(13) == b"HTTP/1.1 200 "


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


@pytest.mark.parametrize("most", [10_000_000, 20_000])
def test_handles(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """As many as the system allows, which may be fewer than it says."""
    resource = pytest.importorskip("resource", reason="Windows has no such limits")
    asked: list[int] = []

    def set_limit(_what: int, limits: tuple[int, int]) -> None:
        asked.append(limits[0])
        if limits[0] > 15_000:
            raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda _what: (256, most))
    monkeypatch.setattr(resource, "setrlimit", set_limit)
    assert serving._raise_handles() == 10_240
    assert asked == [min(most, serving.MAX_HANDLES), 10_240]


# ---------------------------------------------------------------- the log


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[logging.Logger, io.StringIO]]:
    from millebornes.web.http.logs import configure

    logger = logging.getLogger("millebornes")
    before = logger.handlers[:], logger.level, logging.getLogger("uvicorn").handlers[:]
    stream = io.StringIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stderr", stream)
        configure("json")
    yield logging.getLogger("millebornes.web.http.logs"), stream
    logger.handlers[:], logger.level, logging.getLogger("uvicorn").handlers[:] = before


def test_what_repeats_is_counted(log: tuple[logging.Logger, io.StringIO], monkeypatch: pytest.MonkeyPatch) -> None:
    logger, stream = log
    at = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: at)
    for n in range(1000):
        logger.warning("table %s is broken", n)
        log_request(LoggedRequest("GET", "unknown", None, 429, 0.1, "192.0.2.1"))
        log_request(LoggedRequest("GET", "/", None, 200, 0.1, "192.0.2.1"))
    at = 31.0
    logger.warning("table %s is broken", "x")
    log_request(LoggedRequest("GET", "unknown", None, 429, 0.1, "192.0.2.1"))
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert len(lines) == 1000 + 2 * (MAX_BURST + 1)
    assert lines[-2]["text"] == f"table x is broken ({1000 - MAX_BURST} more like this were left out)"
    assert lines[-1]["left_out"] == 1000 - MAX_BURST


def test_kinds_of_lines_are_not_kept_for_ever() -> None:
    filter_ = Throttle()
    for n in range(3 * logs.MAX_KINDS):
        filter_.filter(logging.LogRecord("x", logging.WARNING, "", 0, f"line {n}", None, None))
    assert len(filter_._kinds) == logs.MAX_KINDS
