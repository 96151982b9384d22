"""What one address may use of a server: turns, threads and bytes. And a GET stores nothing."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Coroutine
from contextlib import closing
from pathlib import Path

import pytest
from starlette.routing import Route

from millebornes.analysis.exercises.exercise_sets import exercise_line, shipped_exercises
from millebornes.web.store import mistakes, store
from millebornes.web.store.store import open_store
from millebornes.web.tables import fair_threads, limits
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.fair_queue import FairQueue, QueueFull
from millebornes.web.tables.fair_threads import FairThreads
from millebornes.web.tables.limits import BUDGETS, Limits, origin_of
from millebornes.web.tables.seat_registry import hash_of, new_token
from tests.web.browsing import Browser, finish
from tests.web.serving import Running, quick
from tests.web.test_practice import owner
from tests.web.test_upload import EXAMPLE, upload

OWN_ROWS = {"/healthz"}
"""What writes by design: one row that tells whether writing works."""


def test_turns() -> None:
    """In rotation, each owner's in order; a name of several owners comes once, at the first of its turns."""
    turns = FairQueue[str](10, 4)
    for name in ("a1", "a2", "a3", "x"):
        assert turns.add("a", name) is None
    for name in ("b1", "x"):
        turns.add("b", name)
    turns.add("c", "c1")
    assert turns.order == ["a1", "b1", "c1", "a2", "x", "a3"]
    taken = []
    while turns:
        assert turns.order[0] not in taken
        taken.append(turns.take().name)
    assert taken == ["a1", "b1", "c1", "a2", "x", "a3"]
    with pytest.raises(KeyError):
        turns.take()


def test_turns_that_are_full() -> None:
    turns = FairQueue[int](6, 5)
    for n in range(5):
        turns.add("a", n)
    with pytest.raises(QueueFull) as full:
        turns.add("a", 9)
    assert full.value.is_own
    assert turns.add("b", 10) is None
    assert turns.add("b", 11) == 4, "the newest of the longest line"
    assert turns.add("b", 2) == 3
    with pytest.raises(QueueFull) as full:
        turns.add("b", 12)
    assert not full.value.is_own
    assert turns.add("c", 12) is None, "what still waits for someone else isn't lost"
    assert sorted(turns.order) == [0, 1, 2, 10, 11, 12]


def test_budgets_grow_again() -> None:
    now = 0.0
    counted = Limits(clock=lambda: now)
    counted.charge("cpu", "a", BUDGETS["cpu"].burst + 10)
    with pytest.raises(ApiError, match="computing time") as refused:
        counted.check("cpu", "a")
    counted.check("cpu", "b")
    counted.check("bytes", "a")
    assert refused.value.retry_after is not None
    now = refused.value.retry_after + 1.0
    counted.check("cpu", "a")
    counted.charge("bytes", "a", 1)
    with pytest.raises(ApiError, match="storage"):
        counted.check("bytes", "a", BUDGETS["bytes"].burst)
    Limits(on=False).check("cpu", "a")


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_KNOWN", 10)
    counted = Limits(clock=lambda: 0.0)
    for n in range(100):
        counted.charge("cpu", origin_of(f"2001:db8:0:{n:x}::1"), 1)
        counted.spend("any", f"10.0.0.{n}")
    assert len(counted._left) <= 10
    assert origin_of("2001:db8::1") == origin_of("2001:db8::ffff:1")


def test_threads_are_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two addresses, each gets every second turn; who has too many waiting is refused, and pays for the time."""
    monkeypatch.setattr(fair_threads, "THREADS", 1)
    monkeypatch.setattr(fair_threads, "MAX_OWN", 3)

    async def run() -> None:
        counted, may, done = Limits(clock=lambda: 0.0), threading.Event(), list[str]()
        threads = FairThreads(counted)

        def work(name: str) -> Callable[[], str]:
            def doing() -> str:
                may.wait()
                done.append(name)
                return name

            return doing

        async def started(*asked: Coroutine[None, None, str]) -> list[asyncio.Task[str]]:
            tasks = [asyncio.ensure_future(each) for each in asked]
            await asyncio.sleep(0)
            return tasks

        greedy = await started(*(threads.run("greedy", work(f"g{n}")) for n in range(4)))
        others = await started(threads.run("ann", work("ann")), threads.run("bo", work("bo")))
        with pytest.raises(ApiError, match="this address has too many requests") as refused:
            await threads.run("greedy", work("more"))
        assert (refused.value.status, refused.value.retry_after) == (429, fair_threads.SOON)
        greedy[2].cancel()
        may.set()
        assert await others[0] == "ann"
        await asyncio.wait({*greedy, *others})
        assert done == ["g0", "g1", "ann", "bo", "g3"]
        counted.charge("pages", "greedy", 1000)
        with pytest.raises(ApiError, match="computing time"):
            await threads.run("greedy", work("later"))
        assert await threads.run("ann", work("again")) == "again"
        threads.close()

    asyncio.run(run())


def test_what_a_thread_does_may_fail() -> None:
    async def run() -> None:
        threads = FairThreads(Limits())
        for _ in range(2 * fair_threads.THREADS):
            with pytest.raises(ZeroDivisionError):
                await threads.run("ann", lambda: 1 // 0)
        assert await threads.run("ann", lambda: 1) == 1
        threads.close()

    asyncio.run(run())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> "tuple[Running, Path, Browser]":  # type: ignore[misc]
    """A site with a finished hand, its file, and the browser that has played it."""
    file = tmp_path_factory.mktemp("budgets") / "tables.db"
    with Running(file, quick(window=10)) as site, Browser(site.url) as ann:
        ann.post("/new", **{"place-1": "basic", "name": "Ann"})
        finish([ann])
        yield site, file, ann


def test_no_get_writes(played: tuple[Running, Path, Browser]) -> None:
    """Not for a player, nor a spectator, nor for cookies that someone has made up."""
    site, file, ann = played
    table = ann.table.split("/")[2]
    filled = {"table": table, "hand": "1", "exercise": shipped_exercises()[0].id, "code": "x", "edition": "classic"}
    routes = [route for route in site.app.asgi.router.routes if isinstance(route, Route)]
    paths = [route.path for route in routes if "GET" in (route.methods or ())]
    assert len(paths) > 25
    with closing(sqlite3.connect(file)) as other, Browser(site.url) as stranger:

        def version() -> int:
            return int(other.execute("PRAGMA data_version").fetchone()[0])

        before = version()
        site.run(site.service.store.request_review(table, 1, 99))
        assert version() != before, "a write is noticed"
        for path in paths:
            if path in OWN_ROWS or path == "/static/{path:path}":
                continue
            address = path.replace(":number", "").format(**filled)
            for browser, cookie in ((ann, None), (stranger, None), (stranger, new_token()), (stranger, "x" * 55)):
                if cookie is not None:
                    browser.http.cookies.set("browser", cookie)
                before = version()
                with browser.http.stream("GET", f"{address}?match=1") as answer:
                    assert answer.status_code < 500, (address, answer.status_code)
                    if not answer.headers.get("content-type", "").startswith("text/event-stream"):
                        answer.read()
                assert version() == before, address


def test_only_signed_cookies_count(played: tuple[Running, Path, Browser]) -> None:
    """A cookie that was made up, or changed, is that of a new browser; an old one is renewed where it has mistakes."""
    site, _file, ann = played
    line = exercise_line(shipped_exercises()[0])
    mine, old = owner(ann), new_token()
    site.run(site.service.store.mistakes.add(mine, {"a": line}, 1))
    assert "Practise (1 due)" in ann.get("/")
    value, _dot, signature = ann.http.cookies["browser"].partition(".")
    for cookie in (value, f"{value}.{signature[:-1]}", f"{value[:-1]}.{signature}", f"{value}.", "é" * 30, "." * 40):
        with Browser(site.url) as other:
            answer = other.http.get("/", headers=[(b"cookie", f"browser={cookie}".encode())])
            shown = "Practise (1 due)" in answer.text
            assert shown == (cookie == value), "from before cookies were signed"
    with Browser(site.url) as elder:
        elder.http.cookies.set("browser", old)
        elder.get("/practice")
        assert elder.http.cookies["browser"] == old, "no one knows it"
        site.run(site.service.store.mistakes.add(hash_of(old), {"a": line}, 1))
        answer = elder.http.get("/", headers={"cookie": f"browser={old}"})
        renewed = answer.cookies["browser"]
        assert renewed.startswith(f"{old}.")
        assert "Practise (1 due)" in answer.text


def test_servers_share_their_secret(url: str) -> None:
    async def run() -> None:
        stores = await asyncio.gather(*(open_store(url) for _ in range(4)))
        secrets = {store.secret for store in stores}
        for each in stores:
            await each.close()
        assert len(secrets) == 1
        assert len(secrets.pop()) > 20

    asyncio.run(run())


def test_mistakes_in_total(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest without an answer make room; nobody loses what has answers."""
    import datetime

    from millebornes.storage.practise import Answer

    monkeypatch.setattr(mistakes, "MAX_TOTAL", 4)
    noon = datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.UTC)

    async def run() -> None:
        opened = await open_store(url)
        kept = opened.mistakes
        await kept.add("ann", {"a": "x", "b": "x"}, 1)
        await kept.record("ann", "a", Answer(noon, True))
        await kept.add("bo", {"c": "x", "d": "x", "e": "x"}, 10)
        assert {*await kept.histories("ann")} == {"a"}
        assert {*await kept.histories("bo")} == {"c", "d", "e"}
        for id_ in "cde":
            await kept.record("bo", id_, Answer(noon, True))
        await kept.add("cy", {"f": "x"}, 20)
        assert not await kept.has("cy")
        assert await kept.has("bo")
        await opened.close()

    asyncio.run(run())


def test_uploads_in_total(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there stays, and who comes too late reads when to try again."""
    with Running(tmp_path / "tables.db", quick()) as site, Browser(site.url) as ann:
        first = upload(ann, EXAMPLE.read_bytes()).headers["location"]
        monkeypatch.setattr(store, "MAX_UPLOADS", 1)
        answer = upload(ann, EXAMPLE.read_bytes(), 503)
        assert "no room for another match" in answer.text
        assert answer.headers["retry-after"] == "86400"
        monkeypatch.setattr(store, "MAX_UPLOADS", 9)
        monkeypatch.setattr(store, "MAX_UPLOADED", 1000)
        upload(ann, EXAMPLE.read_bytes(), 503)
        assert ann.http.get(first).status_code == 200
        monkeypatch.undo()
        upload(ann, EXAMPLE.read_bytes())


def test_an_address_that_has_stored_too_much(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", quick(limits=True)) as site, Browser(site.url) as ann:
        site.service.limits.charge("bytes", "127.0.0.1", BUDGETS["bytes"].burst - 2000)
        answer = upload(ann, EXAMPLE.read_bytes(), 429)
        assert "Try again in about" in answer.text
        assert int(answer.headers["retry-after"]) > 0
        site.service.limits.charge("bytes", "127.0.0.1", 5000)
        answer = ann.http.post("/api/tables", json={"name": "Ann"})
        assert answer.status_code == 429
        assert answer.json()["error"] == "used_up"
        assert "try again in about" in answer.json()["text"]
        assert ann.http.get("/").status_code == 200, "who only looks isn't refused"
