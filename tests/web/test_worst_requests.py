"""The worst of every kind of request: while the server works on it, others are answered."""

import asyncio
import base64
import contextlib
import gc
import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.routing import Route

from millebornes.editions import make_rules
from millebornes.notation import transcript_lines
from millebornes.web.pages.upload import MAX_UPLOAD
from millebornes.web.tables.limits import MAX_BODY
from tests.notation.test_replay import random_match
from tests.web.client import Client
from tests.web.serving import Running
from tests.web.test_hostile import frame

MOST_AT_ONCE = 0.2
"""No step of the server's loop may take more CPU seconds; each attack took more before there were limits."""


class Steps:
    """The CPU time that the server's loop takes for its longest step."""

    def __init__(self, thread: threading.Thread) -> None:
        self.thread = thread
        self.longest = 0.0
        self.what = ""

    def run(self, handle: asyncio.Handle) -> None:
        """Do what `asyncio.Handle` does, and measure it if it is the server's."""
        before = time.thread_time()
        _run(handle)
        seconds = time.thread_time() - before
        if threading.current_thread() is self.thread and seconds > self.longest:
            self.longest, self.what = seconds, repr(handle)[:500]


_run = asyncio.Handle._run


@pytest.fixture
def steps(server: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[Steps]:
    """Measures from the first request on; a collection of garbage would count for whatever runs then."""
    made = Steps(server._thread)
    monkeypatch.setattr(asyncio.Handle, "_run", lambda handle: made.run(handle))
    gc.disable()
    yield made
    gc.enable()


@pytest.fixture
def worst(server: Running, steps: Steps) -> Iterator["Worst"]:
    with httpx.Client(base_url=server.url, timeout=60) as health:
        yield Worst(server, steps, health)


def fill(pattern: str, size: int) -> bytes:
    """A pattern again and again, up to a size; ``%d`` in it counts."""
    if "%d" not in pattern:
        return (pattern * (size // len(pattern) + 1)).encode()[:size]
    found, length = [], 0
    for n in range(size):
        found.append(pattern % n)
        length += len(found[-1])
        if length >= size:
            break
    return "".join(found).encode()[:size]


def json_bodies(size: int) -> dict[str, bytes]:
    rest = size - 60
    return {
        "deep lists": fill("[", size),
        "deep objects": fill('{"a":', size),
        "a long number": b'{"seats":' + fill("9", rest) + b"}",
        "long numbers": b'{"places":[' + fill("9" * 4000 + ",", rest - 4001) + b"1]}",
        "an exponent": b'{"version":1e999999,"seats":1e999999}',
        "a long fraction": b'{"seats":0.' + fill("1", rest) + b"e-999}",
        "a long list": b'{"places":[' + fill('"%d",', rest - 9).rpartition(b",")[0] + b"]}",
        "many fields": b"{" + fill('"%d":1,', rest).rpartition(b",")[0] + b"}",
        "many settings": b'{"settings":{' + fill('"%d":1,', rest).rpartition(b",")[0] + b"}}",
        "one field": b'{"name":"' + fill("\u0300", rest) + b'"}',
        "a long text": b'{"text":"' + fill("a\u202e", rest // 4 * 4) + b'"}',
        "a long move": b'{"version":1,"move":"' + fill("stop>1 ", rest) + b'"}',
        "long entropy": b'{"hand":1,"bytes":"' + fill("0", rest) + b'"}',
        "escapes": b'{"key":"' + fill("\\u0041", rest // 6 * 6) + b'"}',
        "half a pair": b'{"name":"\\ud800","text":"\\ud800","move":"\\ud800"}',
    }


def form_bodies(size: int) -> dict[str, bytes]:
    return {
        "separators": fill("&", size),
        "many fields": fill("a%d=1&", size),
        "the same field": fill("name=1&", size),
        "escapes": b"name=" + fill("%41", (size - 5) // 3 * 3),
        "broken escapes": b"name=" + fill("%", size - 5),
        "a long name": fill("a", size - 2) + b"=1",
        "marks": b"name=" + fill("\u0300", (size - 5) // 2 * 2) + "&text=\u202e".encode(),
        "long numbers": b"version=" + fill("9", size - 20) + b"&seat=1",
        "a long move": b"version=1&key=a&move=" + fill("stop>1", size - 21),
        "bytes": bytes(range(256)) * (size // 256),
    }


HEAD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'


def uploads(size: int) -> dict[str, tuple[bytes, bytes]]:
    """The type and the body of forms with files."""
    usual, rest = b"multipart/form-data; boundary=x", size - 300
    line = (Path(__file__).parents[2] / "examples" / "matches" / "review.jsonl").read_bytes().splitlines()[0]
    texts = {
        "lines": fill("\n", rest),
        "deep": fill("[", rest),
        "deep second line": line + b"\n" + fill('{"a":', rest - 1000),
        "a long number": b'{"version":' + fill("9", rest - 20) + b"}",
        "a long number in a line": line + b'\n{"hand":' + fill("9", rest - 1000) + b"}",
        "an exponent": line + b'\n{"hand":1e999999}',
        "a long list": line + b'\n{"hand":1,"moves":[' + fill('"a",', rest - 1000) + b'"a"]}',
        "many lines": line + b"\n" + fill("{}\n", rest - 1000),
        "fields": line + b"\n{" + fill('"%d":1,', rest - 1000) + b'"a":1}',
        "again": (line + b"\n") * (rest // (len(line) + 1)),
        "returns": fill("\r", rest),
        "almost the end": fill("\r\n-", rest),
        "almost the end again": fill("\r\n--", rest),
    }
    made = {name: (usual, HEAD + text + b"\r\n--x--\r\n") for name, text in texts.items()}
    part = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
    return made | {
        "encoded words": (usual, b"--x\r\nContent-Disposition: form-data" + fill('; name="=?utf-8?q?a?="', rest)),
        "encoded types": (usual, b"--x\r\nContent-Type: text/plain" + fill('; name="=?utf-8?q?a?="', rest)),
        "empty parts": (usual, part * (size // len(part))),
        "no parts": (usual, fill("--x\r\n", rest)),
        "headers": (usual, b"--x\r\n" + fill("a%d: b\r\n", rest)),
        "fold_in_thread headers": (usual, b"--x\r\na: b\r\n" + fill(" b\r\n", rest)),
        "nested": (
            b"multipart/mixed; boundary=0",
            b"".join(b"--%d\r\nContent-Type: multipart/mixed; boundary=%d\r\n\r\n" % (n, n + 1) for n in range(3000)),
        ),
        "nested in a form": (
            usual,
            b"--x\r\nContent-Type: multipart/mixed; boundary=0\r\n\r\n"
            + b"".join(b"--%d\r\nContent-Type: multipart/mixed; boundary=%d\r\n\r\n" % (n, n + 1) for n in range(3000)),
        ),
        "brackets": (b"multipart/form-data; boundary=" + b"(" * 3000, b"--x\r\n"),
        "a long boundary": (b"multipart/form-data; boundary=" + b"a" * 200, fill("\r\n--" + "a" * 199, rest)),
        "parameters": (b"multipart/form-data" + fill("; a%d=b", 8000), b"--x\r\n"),
        "quotes": (b'multipart/form-data; boundary="' + fill('\\";', 8000), b"--x\r\n"),
        "semicolons": (b"multipart/form-data" + b";" * 15_000, b"--x\r\n"),
        "escapes": (b"multipart/form-data; boundary*0*=utf-8''" + fill("%41", 6000), b"--x\r\n"),
    }


class Worst:
    """Sends a request and, while the server reads it, asks for its health."""

    def __init__(self, server: Running, steps: Steps, health: httpx.Client) -> None:
        self.port = urlsplit(server.url).port or 0
        self.steps = steps
        self.origin = server.url.rstrip("/")
        self.health = health

    def send(self, what: str, method: str, path: str, body: bytes = b"", **headers: bytes) -> int:
        """The status of the answer. The longest step of the loop has to be short."""
        lines = {"Host": b"127.0.0.1:%d" % self.port, "Origin": self.origin.encode(), "Connection": b"close", **headers}
        lines |= {"Content-Length": b"%d" % len(body)} if method == "POST" else {}
        head = b"".join(name.replace("_", "-").encode() + b": " + value + b"\r\n" for name, value in lines.items())
        data = f"{method} {path} HTTP/1.1\r\n".encode() + head + b"\r\n" + body
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as made:
            sender = threading.Thread(target=_send, args=(made, data))
            sender.start()
            assert self.health.get("/healthz").status_code == 200, what
            said = b""
            with contextlib.suppress(ConnectionResetError):  # it was refused before it was read to its end
                while more := made.recv(65_536):
                    said += more
            sender.join()
        assert self.steps.longest < MOST_AT_ONCE, (
            f"{what} at {method} {path}: {self.steps.longest} s, {self.steps.what}"
        )
        if not said:
            return 0
        head, _, text = said.partition(b"\r\n\r\n")
        status = int(head.split()[1])
        assert status < 500, f"{what} at {method} {path}: {said[:500]!r}"
        assert status < 400 or text, "the answer says why"
        assert b"content-security-policy" in head
        return status


def _send(made: socket.socket, data: bytes) -> None:
    with contextlib.suppress(OSError):  # it was refused
        made.sendall(data)


def posts(server: Running) -> list[str]:
    """The paths of all routes that take POST."""
    return [
        route.path
        for route in server.app.asgi.routes
        if isinstance(route, Route) and route.methods is not None and "POST" in route.methods
    ]


def filled(path: str, table: str) -> str:
    """A path with values for its parameters."""
    found = path.replace("{table}", table).replace("{hand:number}", "1").replace("{seat}", "1")
    return re.sub(r"\{\w+\}", "x" * 20, found)


@pytest.mark.slow
def test_no_body_keeps_others_waiting(server: Running, steps: Steps, worst: "Worst") -> None:
    paths = posts(server)
    assert {"/upload", "/new", "/api/tables", "/find"} <= set(paths)
    assert len(paths) > 40
    form, json = b"application/x-www-form-urlencoded", b"application/json"
    bodies = [(json, f"json: {name}", data) for name, data in json_bodies(MAX_BODY).items()]
    bodies += [(form, f"form: {name}", data) for name, data in form_bodies(MAX_BODY).items()]
    files = uploads(MAX_BODY)  # all of them go to /upload in another test
    for name in ("encoded words", "empty parts", "nested", "brackets", "parameters", "deep"):
        bodies.append((files[name][0], f"upload: {name}", files[name][1]))
    bodies += [(json, "too long", bytes(2 * MAX_BODY)), (form, "far too long", bytes(2 * MAX_UPLOAD))]
    for number, path in enumerate(paths):
        with Client.create(server.url, places=["me", "open"]) as ann:
            own = {"Cookie": f"cookies=yes; seat-{ann.table}={ann.token}".encode()}
            if path.startswith("/api/"):
                own = {"Authorization": f"Bearer {ann.token}".encode()}
            address = filled(path, ann.table)
            httpx.post(f"{server.url}{address[1:]}", headers={"Origin": server.url.rstrip("/")})  # loads what it needs
            steps.longest = 0.0
            for kind, what, data in bodies[number % 5 :: 5]:  # each at one path in five
                status = worst.send(what, "POST", address, data, Content_Type=kind, **own)
                assert what != "far too long" or status in {0, 400, 401, 403, 404, 405, 409, 413, 303}, (path, status)


@pytest.mark.slow
def test_no_upload_keeps_others_waiting(steps: Steps, worst: "Worst") -> None:
    worst.send("nothing", "POST", "/upload", Cookie=b"cookies=yes")
    steps.longest = 0.0
    for name, (kind, data) in uploads(MAX_UPLOAD).items():
        status = worst.send(name, "POST", "/upload", data[:MAX_UPLOAD], Content_Type=kind, Cookie=b"cookies=yes")
        assert status in {400, 413}, name
    match = random_match(make_rules("classic", 8, 8), 3)
    hands = "\n".join(transcript_lines(match)).encode()
    assert worst.send("a match", "POST", "/upload", HEAD + hands + b"\r\n--x--", Content_Type=kind_of("x")) == 303


def kind_of(boundary: str) -> bytes:
    return f"multipart/form-data; boundary={boundary}".encode()


@pytest.mark.slow
def test_no_header_keeps_others_waiting(server: Running, steps: Steps, worst: "Worst") -> None:
    size = 15_000
    values = {
        "Cookie": [
            b'a="' + fill('\\"', size) + b'"',
            b'a="' + fill("\\101", size) + b'"',
            fill(";", size),
            fill("a%d=1;", size),
            fill("seat-%d=1;", size),
            b"record=" + fill("a%d.1.2.3|", size),
            b"practice=" + fill("0123456789", size),
            b"name=" + fill("%CC%80", size),
            b"browser=" + fill("x", size),
            b"language=" + fill("x", size),
        ],
        "Accept-Language": [fill("en;q=0.1,", size), fill(";q=", size), b"en;q=" + fill("1", size), fill(",", size)],
        "Last-Event-ID": [fill("9", size), fill("-", size)],
        "Range": [b"bytes=" + fill("%d-,", size), b"bytes=0-" + fill("9", size)],
        "Referer": [b"http://" + fill("[", size), fill("/", size), b"http://x/" + fill("%41", size)],
        "Accept": [fill("text/html,", size)],
        "Accept-Encoding": [fill("gzip,", size)],
        "Authorization": [b"Bearer " + fill("x", size), fill(" ", size)],
        "If-None-Match": [fill('"x",', size)],
        "X-Forwarded-For": [fill("127.0.0.1,", size), fill(",", size), fill("::1,", size)],
        "Content-Type": [fill(";a=b", size), b'a; b="' + fill('\\";', size)],
        "HX-Request": [fill("true", size)],
        "Connection": [fill("close,", size)],
        "Expect": [fill("100-continue,", size)],
    }
    with Client.create(server.url, places=["me", "open"]) as ann:
        table = f"/t/{ann.table}"
        paths = ["/", table, f"{table}/part", "/settings", "/practice", f"/api/tables/{ann.table}", "/static/x", "/new"]
        pairs = [(name, value) for name, each in values.items() for value in each]
        for number, path in enumerate(paths):
            httpx.get(f"{server.url}{path[1:]}")
            steps.longest = 0.0
            for name, value in pairs[number % 3 :: 3]:  # each at one path in three
                worst.send(f"{name} {value[:30]!r}", "GET", path, **{name: value})
            for query in ("&" * size, "a=1&" * (size // 4), "%" * size, "match=" + "9" * size, "after=" + "9" * size):
                worst.send(f"query {query[:9]}", "GET", f"{path}?{query}")
            worst.send("path", "GET", path + "/" * size)


@pytest.mark.slow
def test_no_frame_keeps_others_waiting(server: Running, steps: Steps) -> None:
    """Programs that send deep, long or very many messages."""
    key = base64.b64encode(bytes(16)).decode()
    mask = bytes(4)
    port = urlsplit(server.url).port or 0

    def long(data: bytes) -> bytes:
        return bytes([0x81, 0x80 | 127]) + len(data).to_bytes(8, "big") + mask + data

    bodies = [long(body) for body in json_bodies(60_000).values()]
    bodies += [frame(9, b"") * 20_000, frame(1, b'{"type":"x"}') * 10_000, long(b"x" * 2**20), frame(10, b"") * 20_000]
    bodies.append(bytes([0x01, 0x80]) + mask + (bytes([0x00, 0x81]) + mask + b"1") * 20_000)
    bodies.append(os.urandom(2**16))
    with Client.create(server.url, places=["me", "open"]) as ann, httpx.Client(base_url=server.url) as health:
        head = (
            f"GET /api/tables/{ann.table}/bot HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {ann.token}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
        )
        steps.longest = 0.0
        for data in bodies:
            with socket.create_connection(("127.0.0.1", port), timeout=60) as made:
                made.sendall(head.encode())
                assert made.recv(13) == b"HTTP/1.1 101 "
                sender = threading.Thread(target=_send, args=(made, data))
                sender.start()
                assert health.get("/healthz").status_code == 200
                made.settimeout(0.1)
                with contextlib.suppress(OSError):  # until it is closed, or nothing more comes
                    while made.recv(65_536):
                        pass
            sender.join()
            assert health.get("/healthz").status_code == 200
            assert steps.longest < MOST_AT_ONCE, (data[:40], steps.longest, steps.what)
