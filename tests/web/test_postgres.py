"""PostgreSQL that stops while people play, notices that are lost, and seats that are at another process."""

import asyncio
import random
import threading
import time
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from millebornes.editions import make_rules
from millebornes.table.facts import MoveMade
from millebornes.table.log import fold
from millebornes.table.seats import AWAY_AFTER
from millebornes.web.store.clock import now
from millebornes.web.store.store import open_store
from millebornes.web.tables.presence import QUIET_AFTER, QUIET_SHARED_AFTER, Listener
from millebornes.web.tables.service import Service
from tests.web.client import Client, Refused
from tests.web.conftest import Cluster
from tests.web.serving import Process, quick
from tests.web.test_absence import two
from tests.web.test_api import pick

pytestmark = pytest.mark.once  # needs PostgreSQL, and takes long


class Sitter(threading.Thread):
    """Plays a seat, now over one server and now over another, whatever happens to the database."""

    def __init__(self, urls: list[str], client: Client, seed: int, over: threading.Event) -> None:
        super().__init__(daemon=True)
        self.moves: list[str] = []
        self.refused = 0
        self.failed: BaseException | None = None
        self._clients = [Client(url, client.table, client.token) for url in urls]
        self._rng = random.Random(seed)
        self._over = over
        self.start()

    def run(self) -> None:
        try:
            while not self._over.is_set():
                self._go_on(self._rng.choice(self._clients))
        except BaseException as error:
            self.failed = error
        for client in self._clients:
            client.__exit__()

    def _go_on(self, client: Client) -> None:
        try:
            seen = client.look()
            if seen["status"] == "hand_over":
                client.do("next", version=seen["version"])
            elif seen["legal"]:
                self._move(client, pick(seen["legal"], self._rng), seen["version"])
            else:
                time.sleep(0.01)
        except Refused as error:
            assert error.data["error"] in {"stale", "turn", "not_over", "storage"}, error  # noqa: PT017
            self.refused += error.status == 503
            time.sleep(0.02)

    def _move(self, client: Client, move: str, version: int) -> None:
        """Say it under one key until it is known whether it counts."""
        key = str(self._rng.random())
        while True:
            try:
                client.move(move, version, key)
            except Refused as error:
                if error.status == 503 and not self._over.is_set():
                    self.refused += 1
                    time.sleep(0.02)
                    client = self._rng.choice(self._clients)
                    continue
                return
            if move != "pass":
                self.moves.append(move)
            return


def test_the_database_stops_while_people_play(cluster: Cluster) -> None:
    """Three times, for a moment: people are told so, and go on; every acknowledged move is there, once."""
    over = threading.Event()
    one, other = (Process(cluster.url, "--quick", "--no-limits") for _ in range(2))
    with one, other:
        urls = [one.url, other.url]
        ann = Client.create(one.url, places=["me", "open"], match_target=None)
        with ann, ann.join(ann.invitations[1] or "", "Bo") as bo:
            sitters = [Sitter(urls, ann, 1, over), Sitter(urls, bo, 2, over)]
        table = ann.table

        def go_on(moves: int) -> None:
            enough = [len(sitter.moves) + moves for sitter in sitters]
            while any(len(s.moves) < n for s, n in zip(sitters, enough, strict=True)):
                assert not any(sitter.failed for sitter in sitters), [sitter.failed for sitter in sitters]
                time.sleep(0.01)

        for _ in range(3):
            go_on(4)
            cluster.stop()
            told = sum(sitter.refused for sitter in sitters)
            while sum(sitter.refused for sitter in sitters) < told + 4:
                time.sleep(0.01)
            assert httpx.get(f"{one.url}healthz", timeout=60).status_code == 503
            cluster.start()
        go_on(6)
        while httpx.get(f"{other.url}healthz", timeout=60).status_code != 200:
            time.sleep(0.05)
        over.set()
        for sitter in sitters:
            sitter.join(60)
            assert sitter.failed is None

    async def log() -> list[Any]:
        store = await open_store(cluster.url)
        try:
            return await store.facts(table)
        finally:
            await store.close()

    written = asyncio.run(log())
    for seat, sitter in enumerate(sitters):
        kept = [event.move for event in written if isinstance(event, MoveMade) and event.seat == seat]
        assert kept[: len(sitter.moves)] == sitter.moves
        assert len(kept) <= len(sitter.moves) + 1
    fold(written)


def test_lost_notices(cluster: Cluster) -> None:
    """A process that is never told of what another has added learns of it by asking, within seconds."""

    async def work() -> None:
        one = Service(await open_store(cluster.url), quick())
        other = Service(await open_store(cluster.url), quick())  # not started, so it hears nothing
        table = await two(one)
        mirror, wake = await other.table(table.name), Listener(None, 1.0)
        mirror.presence.listeners.add(wake)
        seen = await table.look(0)
        wake.clear()
        await table.move(0, next(text for text in seen.legal if text[0] == "-"), seen.version, None)
        assert mirror.published < table.published
        poll = asyncio.create_task(other._poll())
        await wake.wait()
        poll.cancel()
        assert mirror.published == table.published
        assert mirror.state.messages == table.state.messages
        await other.close()
        await one.close()

    asyncio.run(work())


@pytest.mark.parametrize("when", ["connect", "listen", "ask", "cancelled"])
def test_the_listener_survives_whatever_happens(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, when: str
) -> None:
    """It fails in a way that nobody expects; until it hears again, the server asks often enough for a short window."""
    import asyncpg

    monkeypatch.setattr("millebornes.web.tables.service.POLL_EVERY", 10**6)  # not by the usual question
    monkeypatch.setattr("millebornes.web.store.store.RECONNECTS_AFTER", 0.05)
    name = {"connect": "connect", "listen": "add_listener", "ask": "execute", "cancelled": "execute"}[when]
    place: Any = asyncpg if when == "connect" else asyncpg.Connection
    usual, is_broken = getattr(place, name), True

    async def broken(*args: Any, **more: Any) -> Any:
        # The listener alone connects by a URL; a pool that needs another connection does so by names.
        is_meant = bool(args) if when == "connect" else args[0] in listening or name == "add_listener"
        if is_broken and is_meant:
            raise asyncio.CancelledError if when == "cancelled" else asyncpg.InternalClientError("cannot happen")
        return await usual(*args, **more)

    listening: list[Any] = []

    async def work() -> None:
        nonlocal is_broken
        one = Service(await open_store(cluster.url), quick())
        other = Service(await open_store(cluster.url), quick())
        add = asyncpg.Connection.add_listener

        async def added(self: Any, *args: Any) -> None:
            listening.append(self)
            await add(self, *args)

        if name == "execute":
            monkeypatch.setattr(asyncpg.Connection, "add_listener", added)
        monkeypatch.setattr(place, name, broken)
        await other.start()
        table = await two(one)
        mirror, wake = await other.table(table.name), Listener(None, 1.0)
        mirror.presence.listeners.add(wake)

        async def goes_through() -> None:
            seat = table.state.turn
            assert seat is not None
            seen = await table.look(seat)
            wake.clear()
            await table.move(seat, next(text for text in seen.legal if text[0] == "-"), seen.version, None)
            while mirror.published < table.published:
                await wake.wait()
                wake.clear()

        while not any("listening for notices" in record.getMessage() for record in caplog.records):
            await asyncio.sleep(0.01)
        heard = other.store.is_listening
        assert not heard
        await goes_through()
        is_broken = False
        while not other.store.is_listening:
            await asyncio.sleep(0.01)
        await goes_through()
        await other.close()
        await one.close()

    asyncio.run(work())


def test_a_seat_at_another_process_is_no_absence(cluster: Cluster) -> None:
    """Processes tell each other who is there; who is at neither is away for both."""

    async def work() -> None:
        one = Service(await open_store(cluster.url), quick())
        other = Service(await open_store(cluster.url), quick())
        table = await two(one)
        mirror = await other.table(table.name)
        for each in (table, mirror):
            each.presence.listeners.add(Listener(None, 1.0))
        mirror.presence.enter(None)
        version, begun = table.state.version, now()
        time = begun + AWAY_AFTER
        table.presence.enter(0)
        mirror.presence.touch(1, time)
        for service in (other, one, other):
            await service.maintenance.exchange(time)
        for service in (one, other):
            await service.maintenance.update_presence(time + QUIET_AFTER)
        await table.refresh()
        assert table.state.version == version
        assert (await table.look(0)).spectators == (await mirror.look(0)).spectators == 1
        time += QUIET_SHARED_AFTER + 1
        for service in (other, one, other):
            await service.maintenance.exchange(time)
        await asyncio.gather(*(service.maintenance.update_presence(time) for service in (one, other)))
        for each in (table, mirror):
            await each.refresh()
            assert [*each.state.absent] == [1]
        assert (table.state.version, mirror.state.version) == (version + 1, version + 1), "told once"
        await other.close()
        await one.close()

    asyncio.run(work())


def test_a_backup_is_of_one_moment(cluster: Cluster) -> None:
    """What is added while it is written is not half in it."""
    from millebornes.web.store.backends import backend_for
    from millebornes.web.store.schema import facts

    async def work() -> None:
        service = Service(await open_store(cluster.url), quick())
        table = await two(service, rules=make_rules("classic"))
        backend, counts = backend_for(cluster.url), list[int]()
        loop = asyncio.get_running_loop()

        def count(connection: sa.Connection) -> None:
            wanted = sa.select(sa.func.count()).select_from(facts).where(facts.c.table_id == table.name)
            counts.append(connection.execute(wanted).scalar_one())

        def read(connection: sa.Connection) -> None:
            count(connection)
            said = asyncio.run_coroutine_threadsafe(_say(service, table.name), loop)
            while not said.done():
                connection.execute(sa.text("SELECT pg_sleep(0.01)"))
            count(connection)

        await backend.snapshot(read)
        await backend.snapshot(count)
        assert counts == [counts[0], counts[0], counts[0] + 1]
        await backend.close()
        await service.close()

    asyncio.run(work())


async def _say(service: Service, name: str) -> None:
    from millebornes.table import commands

    await (await service.table(name)).do(0, lambda _: commands.chat(0, "hello", None, now()))
