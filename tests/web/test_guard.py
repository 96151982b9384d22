"""Who may ask, from where, and how much."""

import json
from pathlib import Path

import httpx
import pytest

from millebornes.web.api.openapi import openapi
from millebornes.web.server.limits import RATES
from millebornes.web.server.serving import hosts_for
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
