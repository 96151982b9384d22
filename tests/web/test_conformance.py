"""A client written from the description of the web API alone plays whole hands; it shares nothing with other tests.

It speaks HTTP by the standard library, and takes nothing for granted but what the description says.
"""

import hashlib
import http.client
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.web.serving import Running

TYPES = {"hello", "hand", "drew", "moved", "choose", "hand_over", "match_over", "joined", "left", "chat", "shuffle"}


class Api:
    """Requests under one token, or none."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url, self.token = url, token

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=300)
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        data = json.loads(text) if answer.headers.get_content_type() == "application/json" else text
        if answer.status >= 400:
            assert set(data) >= {"error", "text"}, data
        return answer.status, data

    def events(self, path: str, **headers: str) -> Iterator[tuple[int | None, str, Any]]:
        """Server-sent events, as the standard of HTML reads them."""
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=300)
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        assert (answer.status, answer.headers.get_content_type()) == (200, "text/event-stream")
        number, kind, data = None, "message", list[str]()
        try:
            for raw in answer:
                line = raw.decode().rstrip("\n")
                name, _, value = line.partition(":")
                value = value.removeprefix(" ")
                if not line and data:
                    yield number, kind, json.loads("\n".join(data))
                    number, kind, data = None, "message", []
                elif name == "id":
                    number = int(value)
                elif name == "event":
                    kind = value
                elif name == "data":
                    data.append(value)
        finally:
            connection.close()


class Seat(threading.Thread):
    """Plays a seat to the end of the first hand by its events, and notes them."""

    def __init__(self, api: Api, table: str, seat: int) -> None:
        super().__init__(daemon=True)
        self.api, self.path, self.seat = api, f"/api/tables/{table}", seat
        self.told: list[tuple[int | None, str, Any]] = []
        self.calls = 0
        self.failed: BaseException | None = None

    def run(self) -> None:
        try:
            for number, kind, data in self.api.events(f"{self.path}/events?after=0"):
                if kind == "beat":
                    assert number is None
                    continue
                assert kind in TYPES
                assert data["type"] == kind
                self.told.append((number, kind, data))
                if kind == "shuffle" and data["hand"] == 1:
                    status, _ = self.api.ask(
                        "POST", f"{self.path}/entropy", {"hand": 1, "bytes": f"{self.seat + 1:02x}" * 16}
                    )
                    assert status in {200, 409}
                elif kind == "choose":
                    assert number is not None
                    self.answer(number, data)
                elif kind == "hand_over":
                    return
        except BaseException as error:
            self.failed = error

    def answer(self, version: int, asked: dict[str, Any]) -> None:
        assert asked["view"]["seat"] == self.seat
        legal = asked["legal"]
        calls = [move for move in legal if move.endswith("!")]
        uses = [move for move in legal if not move.startswith("-") and move != "pass"]
        move = (calls if asked["phase"] == "coup" else uses or legal)[0]
        said = {"move": move, "version": version, "key": f"{self.seat} {version}"}
        status, data = self.api.ask("POST", f"{self.path}/moves", said)
        if asked["phase"] in {"coup", "opening"}:
            assert status == 200 or data["error"] in {"stale", "turn"}, data  # the window may be over
            self.calls += status == 200
            return
        assert status == 200, data
        assert data["version"] > version
        assert self.api.ask("POST", f"{self.path}/moves", said) == (200, data), "the same key again"
        status, stale = self.api.ask("POST", f"{self.path}/moves", {**said, "version": version - 1, "key": "another"})
        assert (status, stale["error"]) in {(409, "stale"), (403, "turn")}
        if status == 409:
            assert stale["version"] >= data["version"]


def sit_down(url: str, **wanted: Any) -> tuple[str, list[Seat]]:
    """A table whose open seats are all taken, each once."""
    nobody = Api(url)
    status, made = nobody.ask("POST", "/api/tables", {"edition": "classic", "set": {}, "match_target": 5000, **wanted})
    assert (status, made["seat"]) == (201, wanted["places"].index("me"))
    seats = [Seat(Api(url, made["token"]), made["table"], made["seat"])]
    for seat, (place, invitation) in enumerate(zip(wanted["places"], made["invitations"], strict=True)):
        assert (place == "open") == (invitation is not None)
        if invitation is None:
            continue
        code = invitation.removeprefix("/join/")
        status, joined = nobody.ask("POST", f"/api/join/{code}", {"name": f"Guest {seat}"})
        assert (status, joined["table"], joined["seat"]) == (201, made["table"], seat)
        status, again = nobody.ask("POST", f"/api/join/{code}", {"name": "Eve"})
        assert (status, again["error"]) == (409, "taken")
        seats.append(Seat(Api(url, joined["token"]), made["table"], seat))
    return made["table"], seats


def shuffled(shuffle: dict[str, Any]) -> bytes:
    """What the key of the shuffle is made of: the commitment is checked on the way."""
    seed = bytes.fromhex(shuffle["server_seed"])
    assert hashlib.sha256(seed).hexdigest() == shuffle["commitment"]
    return seed


def test_a_hand_is_played_by_what_is_written(server: Running, tmp_path: Path) -> None:
    url = server.url
    wanted = {"seats": 4, "sides": 2, "places": ["open", "me", "open", "basic"], "coup_window_ms": 200}
    table, seats = sit_down(url, name="Ann", spectators=True, **wanted)
    path, watcher = f"/api/tables/{table}", Api(url)
    status, error = watcher.ask("POST", f"{path}/moves", {"move": "-25", "version": 0})
    assert (status, error["error"]) == (401, "token")
    for seat in seats:
        seat.start()
    for seat in seats:
        seat.join(300)
        assert not seat.is_alive()
        if seat.failed is not None:
            raise seat.failed

    # Each seat was told the same, but for what is its own, in order and once.
    for seat in seats:
        ids = [number for number, _kind, _data in seat.told]
        assert ids == sorted(set(ids), key=lambda number: number or 0)
        assert all(data["seat"] == seat.seat for _n, kind, data in seat.told if kind == "hello")
        assert all(("cards" in data) == (data["seat"] == seat.seat) for _n, kind, data in seat.told if kind == "drew")
    moves = [
        [(number, data["seat"], data["move"]) for number, kind, data in seat.told if kind == "moved"] for seat in seats
    ]
    public = [[entry for entry in told if entry[2] != "pass"] for told in moves]
    assert all(told == public[0] for told in public)

    # A stream is taken up again after the latest event that was heard.
    middle = seats[0].told[len(seats[0].told) // 2][0]
    again = seats[0].api.events(f"{path}/events", **{"Last-Event-ID": str(middle)})
    heard = next(number for number, kind, _data in again if kind != "beat")
    assert heard == next(number for number, _kind, _data in seats[0].told if (number or 0) > (middle or 0))

    status, seen = watcher.ask("GET", path)
    assert (status, seen["status"], seen["seat"], seen["view"], seen["legal"]) == (200, "hand_over", None, None, [])
    assert "hand" not in seen["public"]
    status, own = seats[0].api.ask("GET", path)
    assert (own["seat"], own["view"]["seat"], own["public"]) == (seats[0].seat, seats[0].seat, seen["public"])

    # The transcript holds what was seen, and the shuffle can be checked.
    status, text = watcher.ask("GET", f"{path}/transcript")
    hand = json.loads(text.splitlines()[1])
    assert [move for move in hand["moves"] if move != "pass"] == [move for _n, _seat, move in public[0]]
    shuffle = hand["shuffle"]
    shuffled(shuffle)
    committed = next(data for _n, kind, data in seats[0].told if kind == "shuffle")
    assert committed["commitment"] == shuffle["commitment"]
    assert shuffle["seat_seeds"][seats[0].seat] in {f"{seats[0].seat + 1:02x}" * 16, "00" * 16}
    file = tmp_path / "hand.jsonl"
    file.write_text(text, "utf-8")
    verified = subprocess.run([sys.executable, "-m", "millebornes", "verify", str(file)], check=False)
    assert verified.returncode == 0

    status, _ = seats[0].api.ask("POST", f"{path}/entropy", {"hand": 1, "bytes": "00" * 16})
    assert status == 409
    status, _ = seats[0].api.ask("POST", f"{path}/next", {"version": own["version"]})
    assert status == 200
    assert watcher.ask("GET", "/healthz")[0] == watcher.ask("GET", "/metrics")[0] == 200
