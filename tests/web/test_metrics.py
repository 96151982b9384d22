"""Who may read the counts, and that neither they nor the lines of the log tell who was asked for a coup fourré."""

import asyncio
import logging
import re
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from millebornes.web.app import make_app
from millebornes.web.http.metrics import is_private
from millebornes.web.store.store import open_store
from millebornes.web.tables.table_time import TableTime
from tests.web.client import Client
from tests.web.playing import Game, created
from tests.web.serving import Running, keep, quick
from tests.web.test_leaks import Door
from tests.web.test_timing import named, pairs


def test_counts_are_for_this_machine_and_whoever_has_the_secret(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", quick(metrics_token="s3cret")) as running:
        url, proxied = f"{running.url}metrics", {"X-Forwarded-For": "203.0.113.7"}
        assert httpx.get(url).status_code == 200
        for headers in (
            proxied,
            {"X-Forwarded-For": "127.0.0.1"},
            {"X-Forwarded-For": ""},
            {"Forwarded": "for=127.0.0.1"},
            {"X-Real-IP": "127.0.0.1"},
            {"Authorization": "Bearer wrong"},
            {"Authorization": "Bearer"},
            {"Authorization": "Basic c2VjcmV0"},
        ):
            refused = httpx.get(url, headers={**proxied, **headers})
            unknown = httpx.get(f"{running.url}nothing", headers=headers)
            assert (refused.status_code, refused.text) == (unknown.status_code, unknown.text)
            assert unknown.status_code == 404
        assert httpx.get(url, headers={**proxied, "Authorization": "Bearer s3cret"}).status_code == 200


def test_without_a_secret_none_opens_the_counts(server: Running) -> None:
    for given in ("Bearer None", "Bearer"):
        headers = {"X-Forwarded-For": "203.0.113.7", "Authorization": given}
        assert httpx.get(f"{server.url}metrics", headers=headers).status_code == 404


def test_metrics_tell_of_no_table(server: Running) -> None:
    with Client.create(server.url, places=["me", "open"]) as ann:
        text = httpx.get(f"{server.url}metrics").text
        assert 'millebornes_requests_total{status="201"}' in text
        assert ann.table not in text


def figures(text: str) -> list[str]:
    """Every count, without those that are times."""
    return sorted(line for line in text.splitlines() if re.match(r"millebornes_(?!.*(_created|_sum|_bucket))", line))


async def a_window(path: Path, log: list[Any], move: str, *, acts: bool) -> list[str]:
    """The counts after a hazard, in whose window the seat that was hit looks and lets it pass if it ``acts``."""
    url = f"sqlite:///{path}"
    store = await open_store(url)
    await keep(store, named(log, "T"))
    await store.close()
    app = make_app(url, quick(log_requests=True))
    door, table = Door(app), "/api/tables/T"

    async def post(seat: int, what: str, **body: Any) -> str:
        return await door.ask("POST", f"{table}/{what}", f"token {seat}", msgspec.json.encode(body))

    async with app.asgi.router.lifespan_context(app.asgi):
        seen = msgspec.json.decode((await door.ask("GET", table, "token 0")).partition("\n")[2])
        assert (await post(0, "moves", move=move, version=seen["version"])).startswith("200")
        assert app.service is not None
        live = app.service.live["T"]
        assert (await live.look(None)).window is not None
        if acts:
            assert (await door.ask("GET", table, "token 1")).startswith("200")
            await post(1, "asking", ask=True)
            await post(1, "moves", move="pass", version=live.published)
            assert (await door.ask("GET", table, "token 1")).startswith("200")
        while (await live.look(None)).window is not None:
            await asyncio.sleep(0.01)
        if acts:  # too late, and the page again
            await post(1, "moves", move="pass", version=live.published)
            assert (await door.ask("GET", table, "token 1")).startswith("200")
        said = await door.ask("GET", "/metrics", None)
    assert said.startswith("200")
    return figures(said)


def test_no_count_tells_that_somebody_was_asked(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whoever holds the safety looks and lets it pass; the counts and lines are as if nobody had been there."""
    caplog.set_level(logging.INFO, "millebornes.web.http.logs")
    (pair,) = pairs(1, "open", 300)
    found, lines = [], []
    for n, (log, acts) in enumerate(((pair.logs[0], True), (pair.logs[1], False), (pair.logs[1], True))):
        caplog.clear()
        found.append(asyncio.run(a_window(tmp_path / f"{n}.db", log, pair.move, acts=acts)))
        lines.append([record.asked[:4] for record in caplog.records if hasattr(record, "asked")])
    assert any("requests_total" in line for line in found[0])
    assert found[0] == found[1] == found[2]
    assert ("POST", "/api/tables/{table}/moves", "T", 200) in lines[0]
    assert lines[0] == lines[1] == lines[2]


def test_what_is_private() -> None:
    """Only of seats, only around windows; and answers to the question whenever they come."""
    game = Game(created("me", "open"), 3)
    times = TableTime(game.state)
    table = type("Table", (), {"time": times})()
    look: dict[str, Any] = {"type": "http", "method": "GET", "path": "/t/T", "millebornes-table": table}
    say = {**look, "method": "POST"}
    assert not is_private(look, 0.0)

    def is_open() -> bool:
        return game.state.window is not None

    while not is_open():
        game.step()
    times.follow(game.state)
    assert is_private(look, 0.0)
    assert is_private(say, 0.0)
    assert not is_private({"type": "http", "method": "GET", "path": "/t/T"}, 0.0), "a spectator, or nobody"
    while is_open():
        game.step()
    begun = time.monotonic()
    times.follow(game.state)
    assert is_private(look, 0.0), "the page is shown again after the answer"
    assert not is_private(say, 0.0)
    assert is_private(say, time.monotonic() - begun + 1), "it began while the window was open"
    assert is_private({**say, "millebornes-answers": True}, 0.0)
    assert not is_private({**say, "millebornes-answers": False}, time.monotonic()), "all see another move"
