"""A server that is killed in the middle of games: what it has acknowledged is there, once and in order."""

import asyncio
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from millebornes.table.facts import Fact, MoveMade
from millebornes.table.state import TableState
from millebornes.web.store.store import open_store
from tests.web.client import Client, Refused, Told
from tests.web.conftest import Cluster
from tests.web.serving import Process

pytestmark = pytest.mark.once  # servers that are killed take long


class Place:
    """Where servers are at present."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.over = threading.Event()

    def wait(self) -> str:
        """Any of them, as soon as there is one."""
        while True:
            urls = list(self.urls)
            if urls:
                return random.choice(urls)
            time.sleep(0.01)


def wait_for_storage(error: Refused) -> None:
    """Wait a little where the database does not answer; anything else is a fault."""
    if error.data["error"] != "storage":
        raise error
    time.sleep(0.05)


class Person(threading.Thread):
    """Somebody who goes on whatever happens to the server; ``failed`` is why not."""

    def __init__(self, place: Place, client: Client) -> None:
        super().__init__(daemon=True)
        self.place, self.table, self.token, self.seat = place, client.table, client.token, client.seat
        self.failed: BaseException | None = None


class Sitter(Person):
    """Plays a seat, and notes what has been acknowledged."""

    def __init__(self, place: Place, client: Client, seed: int) -> None:
        super().__init__(place, client)
        self.acknowledged: list[str] = []
        self._rng = random.Random(seed)

    def run(self) -> None:
        try:
            while not self.place.over.is_set():
                try:
                    with Client(self.place.wait(), self.table, self.token) as client:
                        self._play(client)
                except httpx.TransportError:
                    time.sleep(0.01)
                except Refused as error:
                    wait_for_storage(error)
        except BaseException as error:
            self.failed = error

    def _play(self, client: Client) -> None:
        while not self.place.over.is_set():
            seen = client.look()
            if seen["status"] == "hand_over":
                self._command(client, "next", version=seen["version"])
            elif seen["legal"]:
                uses = [move for move in seen["legal"] if not move.startswith("-")]
                move = self._rng.choice(uses or seen["legal"])
                if self._command(client, "moves", move=move, version=seen["version"]) and move != "pass":
                    self.acknowledged.append(move)
            else:
                time.sleep(0.005)

    def _command(self, client: Client, what: str, **data: object) -> bool:
        """Say it until there is an answer, under one key; whether it was taken."""
        key = f"{self._rng.random()}"
        while not self.place.over.is_set():
            try:
                client.do(what, **data, key=key)
            except Refused as error:
                if error.status == 503:
                    wait_for_storage(error)
                    continue  # it may have been done, so under the same key
                assert error.data["error"] in {"stale", "turn", "not_over"}, error  # noqa: PT017
                return False
            except httpx.TransportError:
                time.sleep(0.01)
                client.http.base_url = httpx.URL(self.place.wait())
            else:
                return True
        return False


class Listener(Person):
    """Follows a table, taking the stream up again where it broke."""

    def __init__(self, place: Place, client: Client) -> None:
        super().__init__(place, client)
        self.told: list[Told] = []

    def run(self) -> None:
        latest = 0
        try:
            while not self.place.over.is_set():
                try:
                    with Client(self.place.wait(), self.table) as client:
                        for told in client.events(last_event_id=latest):
                            if told.id is not None:
                                self.told.append(told)
                                latest = told.id
                            if self.place.over.is_set():
                                break
                except httpx.TransportError:
                    time.sleep(0.01)
                except Refused as error:
                    wait_for_storage(error)
        except BaseException as error:
            self.failed = error


def check(log: list[Fact], sitters: list[Sitter], listener: Listener) -> None:
    """Compare what people know with the log."""
    state = TableState(log[0])  # type: ignore[arg-type]
    messages = [message for event in log for message in state.apply(event)]
    for sitter in sitters:
        kept = [event.move for event in log if isinstance(event, MoveMade) and event.seat == sitter.seat]
        assert kept[: len(sitter.acknowledged)] == sitter.acknowledged, "an acknowledged move is lost, or there twice"
        assert len(kept) <= len(sitter.acknowledged) + 1
    ids = [told.id for told in listener.told]
    assert ids == sorted(set(ids), key=lambda number: number or 0), "an event came twice or out of order"
    if not any(told.event == "snapshot" for told in listener.told):
        public = [(message.version, message.event) for message in messages if message.public is not None]
        assert [told[:2] for told in listener.told] == public[: len(ids)]


def killed(
    database: Path | str, times: int, tables: int, servers: int = 1, stop: Callable[[], None] | None = None
) -> int:
    """Kill one of some servers so often while games are played; the moves that were acknowledged.

    With ``stop`` no server is killed, but that is done, which stops the database and starts it again.
    """
    url = f"sqlite:///{database}" if isinstance(database, Path) else database
    processes, place = [Process(url, "--quick", "--no-limits") for _ in range(servers)], Place()
    for process in processes:
        process.start()
        place.urls.append(process.url)
    threads: list[tuple[list[Sitter], Listener]] = []
    for n in range(tables):
        more = {"match_target": None, "coup_window_ms": 30}
        with Client.create(place.wait(), places=["me", "open", "basic"][: 2 + n % 2], seats=2 + n % 2, **more) as ann:
            with ann.join(ann.invitations[1] or "", "Bo") as bo:
                sitters = [Sitter(place, ann, 2 * n), Sitter(place, bo, 2 * n + 1)]
            threads.append((sitters, Listener(place, ann)))
    everybody: list[Person] = [thread for sitters, listener in threads for thread in (*sitters, listener)]
    for thread in everybody:
        thread.start()

    def acknowledged() -> int:
        return sum(len(sitter.acknowledged) for sitters, _listener in threads for sitter in sitters)

    def go_on() -> None:
        before = acknowledged()
        while acknowledged() < before + 5 * tables and not any(thread.failed for thread in everybody):
            time.sleep(0.01)

    chance = random.Random(times)
    for n in range(times):
        go_on()
        time.sleep(0.05 * chance.random())  # at any point of a transaction
        if stop is not None:
            stop()
            continue
        process = processes[n % servers]
        place.urls.remove(process.url)
        process.kill()
        if servers > 1:
            go_on()  # with the others alone
        process.start()
        place.urls.append(process.url)
    go_on()
    place.over.set()
    assert [process.end() for process in processes] == [0] * servers
    for thread in everybody:
        thread.join(60)
        if thread.failed is not None:
            raise thread.failed

    async def logs() -> list[list[Fact]]:
        store = await open_store(url)
        try:
            return [await store.facts(listener.table) for _sitters, listener in threads]
        finally:
            await store.close()

    for log, (sitters, listener) in zip(asyncio.run(logs()), threads, strict=True):
        check(log, sitters, listener)
    return acknowledged()


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    assert killed(tmp_path / "tables.db", 2, 2) >= 30


@pytest.mark.campaign
def test_nothing_acknowledged_is_lost_in_a_hundred_kills(tmp_path: Path) -> None:
    assert killed(tmp_path / "tables.db", 100, 4) >= 2000


@pytest.mark.once
def test_another_process_goes_on(postgres: str) -> None:
    assert killed(postgres, 3, 2, servers=2) >= 60


@pytest.mark.campaign
def test_another_process_goes_on_in_a_hundred_kills(postgres: str) -> None:
    assert killed(postgres, 100, 4, servers=2) >= 4000


def stopped(cluster: Cluster) -> None:
    cluster.stop()
    time.sleep(0.5)  # people go on trying
    cluster.start()


@pytest.mark.campaign
def test_a_database_that_stops_and_starts_twenty_times(cluster: Cluster) -> None:
    assert killed(cluster.url, 20, 4, servers=2, stop=lambda: stopped(cluster)) >= 420
