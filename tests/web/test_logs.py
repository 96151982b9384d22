"""What a server writes about itself: every request, and nothing by which a seat could be opened or a card be seen."""

import contextlib
import io
import json
import random
import sqlite3
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from millebornes.cards import Card
from millebornes.web.http.logs import route_of
from tests.web.client import Client, Refused, Told
from tests.web.serving import Running, quick
from tests.web.test_api import MAX_EVENTS_AT_ONCE, pick, until
from tests.web.test_bot import dial

KEYS = {"at", "level", "event", "method", "route", "table", "status", "ms", "address"}


def test_nothing_secret_is_written(tmp_path: Path, written: io.StringIO) -> None:
    """A hand is played, seats are taken and moved, much is wrong, and the storage fails."""
    secrets: list[str] = []
    told: list[Told] = []
    settings = quick(log_requests=True)
    more = {"match_target": None, "set": MAX_EVENTS_AT_ONCE, "open": True, "seats": 3}
    with (
        Running(tmp_path / "tables.db", settings) as running,
        Client.create(running.url, places=["me", "open", "open"], **more) as ann,
    ):
        secrets += [ann.token or "", *[link.rpartition("/")[2] for link in ann.invitations if link is not None]]
        with Client(running.url) as nobody:
            assert nobody.http.get(f"join/{secrets[1]}").status_code == 200
            for path in (f"api/jion/{secrets[1]}", f"api/tables/{secrets[1]}"):
                assert nobody.http.get(path).status_code == 404
            assert nobody.http.get(f"api/join/{secrets[1]}").status_code == 405
            cy = nobody.post(f"api/lobby/{ann.table}/join", {"name": "Cy", "seat": 2})
        with ann.join(ann.invitations[1] or "", "Bo") as bo, Client(running.url, ann.table, cy["token"]) as cyd:
            with Client(running.url, ann.table, "wrong" + secrets[0]) as thief, pytest.raises(Refused):
                thief.look()
            link = bo.do("resume-link")["link"].rpartition("/")[2]
            secrets += [bo.token or "", cy["token"], link]
            bo.token = bo.post(f"api/resume/{link}")["token"]
            secrets.append(bo.token or "")
            bo.http.headers["Authorization"] = f"Bearer {bo.token}"
            with dial(bo) as socket:
                socket.recv(timeout=300)
            with pytest.raises(InvalidStatus), dial(Client(running.url, ann.table, "wrong")):
                pass
            rng = random.Random(1)
            clients = [ann, bo, cyd]
            until(ann.events(), lambda event: event.event == "choose")
            cookie = {f"seat-{ann.table}": ann.token or ""}
            assert httpx.get(f"{running.url}api/tables/{ann.table}", cookies=cookie).json()["seat"] == 0
            while ann.look()["status"] == "playing":
                for client in clients:
                    seen = client.look()
                    if seen["legal"]:
                        key = f"a key of {rng.random()}"
                        secrets.append(key)
                        with contextlib.suppress(Refused):
                            client.move(pick(seen["legal"], rng), seen["version"], key)
            until(ann.events(), lambda event: event.event == "hand_over", told)
            with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as database, database:
                database.execute("ALTER TABLE facts RENAME TO lost")
            answer = ann.http.post(f"api/tables/{ann.table}/next", json={"version": ann.look()["version"]})
            assert answer.status_code == 503
    text = written.getvalue()
    lines = [json.loads(line) for line in text.splitlines()]
    requests = [line for line in lines if line["event"] == "request"]
    assert len(requests) > 20  # a hand may be short
    assert all(line.keys() == KEYS for line in requests)
    routes = {line["route"] for line in requests}
    assert {"unknown", "/api/join/{code}", "/api/tables/{table}/moves", "/api/lobby/{table}/join"} <= routes
    assert {(line["status"], line["table"]) for line in requests if line["method"] == "WS"} == {
        (101, ann.table),
        (401, None),
    }
    assert {line["table"] for line in requests} == {None, ann.table}
    assert {"200", "201", "401", "404", "405", "503"} <= {str(line["status"]) for line in requests}
    assert any("no such table" in line["text"] for line in lines if line["event"] == "note"), "the failure is noted"
    for secret in secrets:
        assert secret not in text
    assert f"seat-{ann.table}" not in text
    for card in Card:
        assert f'"{card.value}"' not in text
    for event in told:
        assert json.dumps(event.data) not in text
    for word in ("server_seed", "deck", "hand\\", "INSERT INTO facts (table_id, seq, body) VALUES ('"):
        assert word not in text


def test_routes() -> None:
    assert route_of("/api/join/abc", {"code": "abc"}) == "/api/join/{code}"
    assert route_of("/resume/abc", None) == "unknown"
    assert route_of("/api/tables/T/moves", {"table": "T"}) == "/api/tables/{table}/moves"
