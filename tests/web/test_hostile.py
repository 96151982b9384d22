"""Requests that no browser makes: each gets an answer, and none leaves a trace of ours in the log."""

import asyncio
import base64
import contextlib
import io
import json
import logging
import socket
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import sqlalchemy as sa

from millebornes.web.store.backends import Sqlite, StoreError
from millebornes.web.store.store import open_store
from millebornes.web.tables.limits import MAX_TABS
from tests.web.client import Client, Refused
from tests.web.serving import Running, quick

HTML = {"Accept": "text/html"}


def send(running: Running, data: bytes) -> socket.socket:
    """A connection on which these bytes have been sent."""
    made = socket.create_connection(("127.0.0.1", urlsplit(running.url).port or 0), timeout=60)
    made.sendall(data)
    return made


def status_of(running: Running, path: str = "/", method: str = "GET", **headers: str) -> int:
    """The status of the answer to a request with headers that no client would send."""
    lines = {"Host": "127.0.0.1", "Connection": "close", **headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    with (
        send(running, f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1")) as made,
        made.makefile("rb") as file,
    ):
        return int(file.readline().split()[1])


def frame(opcode: int, data: bytes) -> bytes:
    """A frame of a WebSocket as clients send it."""
    mask = b"\1\2\3\4"
    return bytes([0x80 | opcode, 0x80 | len(data)]) + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(data))


def said_to(running: Running, seat: Client, data: bytes) -> bytes:
    """What a bot gets before its connection is closed, after it has sent these bytes."""
    key = base64.b64encode(bytes(16)).decode()
    head = (
        f"GET /api/tables/{seat.table}/bot HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {seat.token}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
    )
    with send(running, head.encode()) as made:
        while not made.recv(4096).endswith(b"\r\n\r\n"):
            pass
        made.sendall(data)
        found = b""
        with contextlib.suppress(ConnectionError):
            while more := made.recv(4096):
                found += more
                if is_closing(found):  # the server waits ten seconds for whoever does not answer
                    made.sendall(frame(8, b""))
    return found


def is_closing(data: bytes) -> bool:
    """Whether a frame among these, from a server, closes the connection."""
    while len(data) >= 2:
        if data[0] & 15 == 8:
            return True
        more = {126: 2, 127: 8}.get(data[1], 0)
        data = data[2 + more + (int.from_bytes(data[2 : 2 + more]) if more else data[1]) :]
    return False


@pytest.mark.slow
def test_nothing_that_is_sent_ends_in_a_trace(tmp_path: Path, written: io.StringIO) -> None:
    with (
        Running(tmp_path / "tables.db", quick(log_requests=True)) as running,
        Client.create(running.url, places=["me", "open"]) as ann,
    ):
        page, api = f"/t/{ann.table}", f"/api/tables/{ann.table}"
        for host in ("[bad", "[::1", "]", "127.0.0.1:99999", "127.0.0.1:x", "127.0.0.1/..", "a@127.0.0.1", "\xff"):
            assert status_of(running, Host=host) == 400, host
            assert status_of(running, "/nothing", Host=host, Accept="text/html") == 400, host
        for origin in ("http://[bad", "http://[::1", "null", "://", "http://127.0.0.1:99999"):
            assert status_of(running, "/settings", "POST", Origin=origin) == 403, origin
            assert status_of(running, f"{api}/chat", "POST", Origin=origin) == 403, origin
        assert status_of(running, "/settings", Referer="http://[bad") == 200
        for cookie in ("[" * 30_000, "%5B" * 9_000, "%00", "\xff"):
            assert status_of(running, page, Cookie=f"invitations-{ann.table}={cookie}") == 200
        for path in ("/t/a%00b", "/api/tables/a%00", "/api/tables/%ff%fe/events", "/%ed%a0", "/join/%0a", "/x%7f"):
            for accept in ("text/html", "*/*"):
                assert status_of(running, path, Accept=accept) == 404, path
        form = {"move": "pass", "version": "1", "key": "a\0b"}
        own = {f"seat-{ann.table}": ann.token or ""}
        origin = running.url.rstrip("/")
        answer = httpx.post(f"{origin}{page}/moves", data=form, cookies=own, headers={"Origin": origin})
        assert answer.status_code == 400
        for path in ("/api/tables", "/new", f"{page}/chat"):
            more = f"Cookie: seat-{ann.table}={ann.token}\r\nOrigin: {origin}\r\nContent-Length: 400\r\n\r\n" + "{"
            host = f"Host: {urlsplit(origin).netloc}\r\n"
            send(running, f"POST {path} HTTP/1.1\r\n{host}{more}".encode()).close()
        assert b"a JSON object" in said_to(running, ann, frame(2, b"{}"))
        said_to(running, ann, frame(1, b"\xff\xfe"))
        said_to(running, ann, frame(1, b"[" * 100))
        logging.getLogger("asyncio").error("a line of asyncio")
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert not [line for line in lines if "trace" in line]
    assert 500 not in {line.get("status") for line in lines}
    assert any(line.get("text") == "a line of asyncio" for line in lines)


def test_a_fault_of_ours_is_written_once_and_names_no_card(
    tmp_path: Path, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = ("extra_tank", "right_of_way")
    with Running(tmp_path / "tables.db") as running, Client.create(running.url, places=["me", "open"]) as ann:

        async def fails(*_: object, **__: object) -> None:
            raise KeyError(cards[0]) from ValueError(cards[1])

        monkeypatch.setattr(running.service, "lobby", fails)
        assert httpx.get(f"{running.url}api/lobby").json()["error"] == "failed"
        shown = httpx.get(running.url, headers=HTML)
        assert (shown.status_code, shown.headers["content-type"][:9]) == (500, "text/html")
        assert ann.look()["status"] == "waiting"
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert [line["text"] for line in lines] == ["GET failed", "GET failed"]
    assert "KeyError" in lines[0]["trace"]
    assert "test_hostile.py" in lines[0]["trace"]
    for card in cards:
        assert card not in written.getvalue()


def test_other_sites_are_told_apart_by_their_scheme(tmp_path: Path) -> None:
    public = "https://cards.example"
    for settings, allowed, refused in (
        (quick(), "http://{}", "https://{}"),
        (quick(public_url=public), public, "http://cards.example"),
    ):
        with Running(tmp_path / "tables.db", settings) as running:
            host = urlsplit(public if settings.public_url else running.url).netloc
            for origin, expected in ((allowed.format(host), 201), (refused.format(host), 403)):
                headers = {"Host": host, "Origin": origin}
                answer = httpx.post(f"{running.url}api/tables", json={"places": ["casual"] * 2}, headers=headers)
                assert answer.status_code == expected, origin


def test_the_head_of_a_stream_ends(server: Running) -> None:
    with Client.create(server.url, places=["me", "open"]) as ann:
        for path in (f"api/tables/{ann.table}/events", f"t/{ann.table}/stream"):
            answer = httpx.head(f"{server.url}{path}", timeout=60)
            assert (answer.status_code, answer.content) == (200, b"")
            assert answer.headers["content-type"].startswith("text/event-stream")
        assert server.service.counts()["streams"] == 0


def test_every_address_has_a_limit(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db", quick(limits=True)) as running, httpx.Client(base_url=running.url) as nobody:
        assert nobody.get("settings").status_code == 200
        running.service.limits.charge("any", "127.0.0.1", 1_000_000)
        for path in ("static/table.css", "api/openapi.json", "nothing", "manifest.webmanifest", "settings"):
            assert nobody.get(path).status_code == 429, path


def test_a_seat_has_a_few_streams(tmp_path: Path) -> None:
    with (
        Running(tmp_path / "tables.db", quick(limits=True)) as running,
        Client.create(running.url, places=["me", "open"]) as ann,
        contextlib.ExitStack() as streams,
    ):
        path = f"api/tables/{ann.table}/events"
        for _ in range(MAX_TABS):
            assert streams.enter_context(ann.http.stream("GET", path)).status_code == 200
        with ann.http.stream("GET", path) as refused:
            assert refused.status_code == 429
        with httpx.stream("GET", f"{running.url}{path}") as spectator:
            assert spectator.status_code == 200


# ---------------------------------------------------------------- storage


def health(running: Running) -> tuple[int, str]:
    answer = httpx.get(f"{running.url}healthz", timeout=60)
    return answer.status_code, answer.json().get("text", "")


def test_a_missing_table_is_no_health(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.db") as running:
        for table in ("facts", "commands", "answers", "keys", "lobby", "presence", "tables", "health"):
            for old, new in ((table, "lost"), ("lost", table)):
                with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as database, database:
                    database.execute(f"ALTER TABLE {old} RENAME TO {new}")
                status, text = health(running)
                assert (status, table in text) == ((503, True) if new == "lost" else (200, False))


def test_a_damaged_file_is_no_health(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("millebornes.web.store.store.SEARCH_EVERY", 0.0)
    path = tmp_path / "tables.db"
    with Running(path) as running:
        for _ in range(10):
            Client.create(running.url, places=["me", "open"]).http.close()
        assert health(running) == (200, "")
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            size = database.execute("PRAGMA page_size").fetchone()[0]
            (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'facts'").fetchone()
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with path.open("r+b") as file:
            file.seek((page - 1) * size)
            file.write(struct.pack("B", 0xFF) * size)
        status, text = health(running)
        assert status == 503
        assert "damaged" in text or "malformed" in text


def test_a_full_disk_is_no_health(tmp_path: Path) -> None:
    """While no move can be saved, the server doesn't say that it is well; it is again once there is room."""
    path = tmp_path / "tables.db"
    with Running(path) as running, Client.create(running.url, places=["me", "open"]) as ann:
        assert health(running) == (200, "")

        def limit(more: int) -> None:
            def work(connection: sa.Connection) -> None:
                pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
                assert (
                    connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + more}").scalar_one() == pages + more
                )

            running.run(running.service.store._backend.write(work))

        def save() -> int:
            return ann.http.post("api/tables", json={"name": "Ann", "places": ["me", "open"]}).status_code

        limit(0)
        assert 503 in (save() for _ in range(500)), "the free pages are soon used up"
        status, text = health(running)
        assert (status, "the database cannot be read or written" in text) == (503, True), text
        limit(1_000_000)
        assert save() == 201
        assert health(running) == (200, "")


def test_the_health_of_a_server_costs_little(tmp_path: Path) -> None:
    """Checks leave nothing behind, and those who ask at the same time share one."""
    path = tmp_path / "tables.db"

    async def work() -> None:
        store, backend = await open_store(f"sqlite:///{path}"), list[None]()
        write = store._backend.write

        async def counted(given: Callable[[sa.Connection], object]) -> None:
            backend.append(None)
            await write(given)

        store._backend.write = counted  # type: ignore[method-assign,assignment]
        await asyncio.gather(*(store.check() for _ in range(50)))
        assert len(backend) == 1
        await store.check()
        assert len(backend) == 2
        await store.close()

    asyncio.run(work())
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT id, written FROM health").fetchall() == [(1, 2)]


def test_a_long_search_for_damage_holds_up_no_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ask meanwhile, there is one search, and its result is told when it is known."""
    monkeypatch.setattr("millebornes.web.store.store.SEARCH_WITHIN", 0.05)
    searches, ended = list[None](), asyncio.Event()

    async def damage(_self: Sqlite) -> str:
        searches.append(None)
        await ended.wait()
        return "torn"

    async def work() -> None:
        store = await open_store(f"sqlite:///{tmp_path / 'tables.db'}")
        await asyncio.gather(*(store.check() for _ in range(5)))
        ended.set()
        await asyncio.sleep(0)
        with pytest.raises(StoreError, match="damaged: torn"):
            await store.check()
        await store.close()

    monkeypatch.setattr(Sqlite, "damage", damage)
    asyncio.run(work())
    assert len(searches) == 1


def test_a_newer_database_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with Running(path):
        pass
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '0099'")
    with pytest.raises(StoreError, match=r"newer version of this program \(form 0099"):
        asyncio.run(open_store(f"sqlite:///{path}"))


@pytest.mark.parametrize(
    "body", ['{"fact":"moved","at":1,"seat":0,"move":"extra_tank', '{"fact":"extra_tank"}', "MOVE"]
)
def test_a_damaged_fact_is_explained_without_its_cards(tmp_path: Path, written: io.StringIO, body: str) -> None:
    path = tmp_path / "tables.db"
    with Running(path) as running, Client.create(running.url, places=["me", "open"], seed="7") as ann:
        ann.join(ann.invitations[1] or "", "Bo").http.close()
        while ann.look()["status"] != "playing":
            pass
        seq = running.service.live[ann.table].state.seq
        moved = '{"fact":"moved","at":1,"seat":0,"move":"driving_ace!"}'
        with contextlib.closing(sqlite3.connect(path)) as database, database:
            change = "INSERT INTO facts (table_id, seq, body) VALUES (?, ?, ?)"
            database.execute(change, (ann.table, seq + 1, moved if body == "MOVE" else body))
    with Running(path) as running, Client(running.url, ann.table, ann.token) as again:
        answer = again.http.get(f"api/tables/{ann.table}")
        assert (answer.status_code, answer.json()["error"]) == (500, "damaged")
        assert httpx.get(f"{running.url}t/{ann.table}", headers=HTML).status_code == 500
    text = written.getvalue()
    assert f"fact {seq + 1} of the log" in text
    for card in ("extra_tank", "driving_ace"):
        assert card not in text


@pytest.mark.once
def test_postgresql_is_asked_for_no_text_that_it_cannot_hold(postgres: str, written: io.StringIO) -> None:
    with Running(postgres) as running, Client.create(running.url, places=["me", "open"]) as ann:
        for path in ("/t/a%00b", "/api/tables/a%00b", "/join/a%00b", f"/t/{ann.table}%00"):
            assert status_of(running, path) == 404, path
        own, origin = {f"seat-{ann.table}": ann.token or ""}, running.url.rstrip("/")
        for form in ({"move": "p\0", "version": "1", "key": "a"}, {"move": "pass", "version": "1", "key": "a\0b"}):
            answer = httpx.post(f"{origin}/t/{ann.table}/moves", data=form, cookies=own, headers={"Origin": origin})
            assert answer.status_code < 500, form
        for text in ("a\0b", "\0"):
            assert httpx.post(f"{running.url}api/tables", json={"name": text, "seed": text}).status_code < 500
            with contextlib.suppress(Refused):
                ann.do("chat", text=text)
        assert health(running) == (200, "")
    assert "storage" not in written.getvalue()
