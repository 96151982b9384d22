"""Who may ask, from where, and how much."""

import contextlib
import json
import socket
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from millebornes.web.http.openapi import openapi
from millebornes.web.http.security import HEADERS
from millebornes.web.serving import hosts_for
from millebornes.web.tables.limits import RATES
from tests.web.client import Client
from tests.web.serving import Running, quick


def status(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("error", "")


@pytest.fixture
def browser(server: Running) -> httpx.Client:
    """Somebody at a table who has nothing but the cookie."""
    answer = httpx.post(f"{server.url}api/tables", json={"name": "Ann", "places": ["me", "open"]})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    name, _, value = cookie.partition(";")[0].partition("=")
    assert (name, value) == (f"seat-{answer.json()['table']}", answer.json()["token"])
    url = f"{server.url}api/tables/{answer.json()['table']}/"
    return httpx.Client(base_url=url, cookies={name: value})


def test_a_cookie_is_a_seat_for_our_own_page_alone(server: Running, browser: httpx.Client) -> None:
    with browser:
        own = server.url.rstrip("/")
        seen = browser.get(str(browser.base_url).rstrip("/"))
        assert seen.json()["seat"] == 0
        assert "Max-Age=2592000" in seen.headers["set-cookie"], "30 days from now on"
        say = {"text": "hello"}
        assert status(browser.post("chat", json=say)) == (403, "origin")
        for origin in ("https://evil.example", "null", own.replace("127.0.0.1", "localhost"), "http:x"):
            assert status(browser.post("chat", json=say, headers={"Origin": origin})) == (403, "origin"), origin
        assert status(browser.post("chat", json=say, headers={"Sec-Fetch-Site": "cross-site"})) == (403, "origin")
        assert browser.post("chat", json=say, headers={"Origin": own}).status_code == 200
        assert browser.post("chat", json=say, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_a_wrong_cookie_is_a_spectator(browser: httpx.Client) -> None:
    with browser:
        name = next(iter(browser.cookies))
        answer = httpx.get(str(browser.base_url).rstrip("/"), cookies={name: "wrong"})
        assert answer.json()["seat"] is None


def test_headers(server: Running) -> None:
    answer = httpx.get(f"{server.url}healthz")
    assert answer.json() == {"ok": True}
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert "server" not in answer.headers


@pytest.mark.parametrize("accept", ["text/html", "*/*"])
def test_every_refusal_has_the_headers(server: Running, monkeypatch: pytest.MonkeyPatch, accept: str) -> None:
    """Those of the server's layers, of the guard, of pages, of the API and of connections for programs."""

    def answer(data: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", urlsplit(server.url).port or 0), timeout=60) as made:
            made.sendall(data)
            said = b""
            with contextlib.suppress(ConnectionResetError):
                while more := made.recv(65_536):
                    said += more
        return said

    async def fails(*_: object, **__: object) -> None:
        raise KeyError

    monkeypatch.setattr(server.service, "lobby", fails)
    table = Client.create(server.url, places=["me", "open"], spectators=False)
    table.http.close()
    usual, host = f"Accept: {accept}\r\nConnection: close\r\n", "Host: 127.0.0.1\r\n"
    post = f"Host: {urlsplit(server.url).netloc}\r\nOrigin: {server.url.rstrip('/')}\r\nCookie: cookies=yes\r\n"
    post += "Content-Length: "
    bot = f"/api/tables/{table.table}/bot HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    ws = usual.replace("close", "Upgrade")
    for data, statuses in {
        f"GET /t/a%00b HTTP/1.1\r\n{host}{usual}\r\n": {404},
        f"GET / HTTP/1.1\r\nHost: evil.example\r\n{usual}\r\n": {400},
        f"GET / HTTP/1.1\r\nHost: [bad\r\n{usual}\r\n": {400},
        f"GET / HTTP/1.1\r\n{usual}\r\n": {400},
        f"GET / HTTP/1.1\r\n{host}{usual}{'a: b' * 20_000}\r\n\r\n": {400},
        "nonsense\r\n\r\n": {400},
        f"POST /new HTTP/1.1\r\n{host}Origin: http://evil.example\r\n{usual}\r\n": {403},
        f"POST /new HTTP/1.1\r\n{host}{usual}\r\n": {400},
        f"POST /new HTTP/1.1\r\n{post}20000\r\n{usual}\r\n{'a' * 20_000}": {413},
        f"POST /upload HTTP/1.1\r\n{post}1\r\n{usual}\r\na": {400},
        f"POST /api/tables HTTP/1.1\r\n{post}20000\r\n{usual}\r\n{'a' * 20_000}": {413},
        f"POST /api/tables HTTP/1.1\r\n{post}1\r\n{usual}\r\na": {400},
        f"GET /nothing HTTP/1.1\r\n{host}{usual}\r\n": {404},
        f"GET /t/nothing HTTP/1.1\r\n{host}{usual}\r\n": {404},
        f"GET /t/{table.table} HTTP/1.1\r\n{host}{usual}\r\n": {403},
        f"GET /static/nothing HTTP/1.1\r\n{host}{usual}\r\n": {404},
        f"DELETE / HTTP/1.1\r\n{host}{usual}\r\n": {405},
        f"GET /api/tables/nothing HTTP/1.1\r\n{host}{usual}\r\n": {404},
        f"GET / HTTP/1.1\r\n{host}{usual}\r\n": {500},
        f"GET /api/lobby HTTP/1.1\r\n{host}{usual}\r\n": {500},
        f"GET /api/tables/nothing/bot HTTP/1.1\r\n{host}{usual}\r\n": {404},
        f"GET {bot}{host}{ws}\r\n": {400},
        f"GET {bot}{host}{key}{ws}\r\n": {403},
        f"GET {bot}Host: evil.example\r\n{key}{ws}\r\n": {400},
        f"GET {bot}{host}Origin: http://evil.example\r\n{key}{ws}\r\n": {403},
        f"GET /nothing{bot}{host}{key}{ws}\r\n": {403, 404},
    }.items():
        said = answer(data.encode())
        head, _, _text = said.partition(b"\r\n\r\n")
        assert int(head.split()[1]) in statuses, (data, head)
        found = [line.partition(b": ")[0].decode().lower() for line in head.split(b"\r\n")]
        for name in HEADERS:
            assert found.count(name) == 1, (data, name, head)


def test_only_its_own_names(server: Running) -> None:
    assert status(httpx.get(f"{server.url}healthz", headers={"Host": "evil.example"})) == (400, "host")
    assert hosts_for("0.0.0.0", None) is None
    names = ("127.0.0.1", "localhost", "::1", "0.0.0.0", "cards.example")
    assert hosts_for("0.0.0.0", "https://cards.example/") == names


def test_limits(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", quick(limits=True)) as running, Client(running.url) as nobody:
        asked = nobody.http.post("api/join/x", json={"name": "Bo"})
        while asked.status_code == 404:
            asked = nobody.http.post("api/join/x", json={"name": "Bo"})
        assert status(asked) == (429, "too_many")
        assert int(asked.headers["retry-after"]) >= 1
        with Client.create(running.url, places=["me", "open"]) as ann:
            url = f"api/tables/{ann.table}/chat"
            said = [ann.http.post(url, json={"text": "hi"}).status_code for _ in range(4 * int(RATES["chat"].burst))]
            assert said[: int(RATES["chat"].burst)] == [200] * int(RATES["chat"].burst)
            assert 429 in said


def test_every_address_is_described(server: Running) -> None:
    described = httpx.get(f"{server.url}api/openapi.json").json()
    assert described == json.loads(json.dumps(openapi()))
    paths = {getattr(route, "path", "") for route in server.app.asgi.routes}
    routes = {path for path in paths if path.startswith("/api/") or path in {"/healthz", "/metrics"}}
    left_out = {"/api/openapi.json", "/api/tables/{table}/bot"}
    assert set(described["paths"]) == routes - left_out
    assert {"TableBody", "MoveBody", "ErrorAnswer"} <= described["components"]["schemas"].keys()
