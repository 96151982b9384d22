"""Tables in memory beside their logs: what fails is made again from the log, and any process may go on."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from starlette.applications import Starlette

from millebornes.game import RULES_VERSION
from millebornes.table.log import fold
from millebornes.table.setup import GameSetup
from millebornes.web.http.routes import Api
from millebornes.web.store.backends import Sqlite, Work
from millebornes.web.store.repetition import repeat_forever
from millebornes.web.store.schema import facts
from millebornes.web.store.store import Store, open_store
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.live import LiveTable
from millebornes.web.tables.service import Service
from tests.web.serving import quick


class Failing(Sqlite):
    """A database that fails when it is told to: before it writes, or after."""

    def __init__(self, url: sa.URL) -> None:
        super().__init__(url)
        self.before = self.after = self.hangs = False

    async def write(self, work: Work) -> None:
        if self.hangs:
            await asyncio.Event().wait()
        if not self.before:
            await super().write(work)
        if self.before or self.after:
            raise OperationalError("", None, Exception("gone"))

    async def read(self, wanted: sa.Select[Any]) -> list[Any]:
        if self.before or self.after:
            raise OperationalError("", None, Exception("gone"))
        return await super().read(wanted)


async def table_of(service: Service) -> LiveTable:
    """A table of two people whose first hand has been dealt from a seed."""
    wanted = GameSetup(places=("human", "open"), names=("Ann",), match_target=None, coup_window=50, seed="1")
    name, _seat, _token, codes, _link = await service.create(wanted)
    await service.seating.join(codes[1] or "", "Bo")
    table = await service.table(name)
    while table.state.status != "playing" or table.published != table.state.version:
        await asyncio.sleep(0.005)
    return table


async def discard(table: LiveTable, key: str | None = None) -> dict[str, Any]:
    seat = table.state.turn
    assert seat is not None
    seen = await table.look(seat)
    return await table.move(seat, next(text for text in seen.legal if text[0] == "-"), seen.version, key)


def run(path: Path, work: Callable[[Service, Failing], Awaitable[None]]) -> None:
    async def whole() -> None:
        await (await open_store(f"sqlite:///{path}")).close()
        backend = Failing(sa.make_url(f"sqlite:///{path}"))
        service = Service(Store(backend, "secret"), quick())
        await service.start()
        try:
            await work(service, backend)
        finally:
            backend.before = backend.after = False
            await service.close()

    asyncio.run(whole())


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_storage_that_fails(tmp_path: Path, when: str) -> None:
    """Whether or not it has written: the table goes on from what the log holds, without a gap."""

    async def work(service: Service, backend: Failing) -> None:
        table = await table_of(service)
        await discard(table)
        seat, version = table.state.turn, table.state.version
        assert seat is not None
        seen = await table.look(seat)
        move = next(text for text in seen.legal if text[0] == "-")
        setattr(backend, when, True)
        for _ in range(3):
            with pytest.raises(OperationalError):
                await table.move(seat, move, version, "k")
            assert table.published == version
        with pytest.raises(OperationalError):
            await table.look(seat)
        setattr(backend, when, False)
        answer = await table.move(seat, move, version, "k")
        assert answer == {"version": version + 3}
        assert (await table.look(seat)).version == version + 3
        log = await service.store.facts(table.name)
        assert fold(log).version == version + 3

    run(tmp_path / "tables.db", work)


def test_a_server_whose_storage_cannot_write_is_not_healthy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(service: Service, backend: Failing) -> None:
        app = Starlette(routes=Api(service).routes)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://here") as client:

            async def healthy() -> tuple[int, str]:
                answer = await client.get("/healthz")
                return answer.status_code, answer.json().get("text", "")

            assert await healthy() == (200, "")
            backend.before = True
            assert await healthy() == (503, "the database cannot be read or written: gone")
            backend.before = False
            assert await healthy() == (200, "")
            backend.hangs = True
            monkeypatch.setattr("millebornes.web.store.store.CHECK_WITHIN", 0.01)
            assert await healthy() == (503, "the database didn't respond within 0 s")
            backend.hangs = False

    run(tmp_path / "tables.db", work)


def test_a_table_of_other_rules_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """Nobody's version of the rules is changed under a game; the server goes on with all other tables."""

    async def work(service: Service, backend: Failing) -> None:
        table = await table_of(service)

        def change(connection: sa.Connection) -> None:
            old = f'"rules_version":{RULES_VERSION}'
            body = sa.func.replace(facts.c.body, old, '"rules_version":0')
            connection.execute(sa.update(facts).where(facts.c.seq == 1).values(body=body))

        await backend.write(change)
        await service.live.pop(table.name).close()
        with pytest.raises(ApiError, match="set up with version 0 of the rules, but this program") as caught:
            await service.seat(table.name, None)
        assert (caught.value.status, caught.value.error) == (409, "rules")
        assert (await table_of(service)).state.status == "playing"

    run(tmp_path / "tables.db", work)


def test_two_processes_at_one_table(tmp_path: Path) -> None:
    """Whoever comes second to a place in the log sees what the first has done, and the same key is the same command."""

    async def work(service: Service, _backend: Failing) -> None:
        other = Service(await open_store(f"sqlite:///{tmp_path / 'tables.db'}"), quick())
        await other.start()
        table = await table_of(service)
        mirror = await other.table(table.name)
        assert mirror.state.version == table.state.version
        seat = table.state.turn
        assert seat is not None
        seen = await table.look(seat)
        move = next(text for text in seen.legal if text[0] == "-")
        answer = await table.move(seat, move, seen.version, "once")
        assert await mirror.move(seat, move, seen.version, "once") == answer
        with pytest.raises(ApiError, match="has changed since"):
            await mirror.move(seat, move, seen.version, "twice")
        await discard(mirror)
        with pytest.raises(ApiError, match="has changed since"):
            await table.move(1 - seat, "-25", answer["version"], None)
        assert table.state.version == mirror.state.version
        done = await asyncio.gather(*(discard(t) for t in (table, mirror)), return_exceptions=True)
        assert sum(isinstance(result, dict) for result in done) == 1
        await table.refresh()
        await mirror.refresh()
        assert table.state.messages == mirror.state.messages
        await other.close()

    run(tmp_path / "tables.db", work)


def test_tables_are_taken_up_after_a_restart(tmp_path: Path) -> None:
    """Computer players that were at it go on without anybody asking."""
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def begin() -> str:
        service = Service(await open_store(url), quick())
        await service.start()
        wanted = GameSetup(places=("random", "random"), match_target=100, coup_window=1)
        name, seat, token, _codes, _link = await service.create(wanted)
        assert (seat, token) == (None, None)
        while service.live[name].state.version < 10:
            await asyncio.sleep(0.005)
        await service.close()
        return name

    async def go_on(name: str) -> None:
        service = Service(await open_store(url), quick())
        await service.start()
        while name not in service.live:
            await asyncio.sleep(0.05)
        while service.live[name].state.status != "match_over":
            await asyncio.sleep(0.05)
        await service.close()

    asyncio.run(go_on(asyncio.run(begin())))


@pytest.mark.parametrize(
    "error", [RuntimeError("5 of hearts"), asyncio.CancelledError(), OperationalError("", None, Exception("gone"))]
)
def test_work_for_ever(error: BaseException, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever goes wrong is logged, without what it says, and done again; only who cancels it ends it."""
    done: list[int] = []

    async def work() -> None:
        done.append(len(done))
        if len(done) < 4:
            raise error

    async def whole() -> None:
        task = asyncio.create_task(repeat_forever("looking", work, lambda: asyncio.sleep(0)))
        while len(done) < 5:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(whole())
    assert [record.getMessage().split()[0].strip(":") for record in caplog.records] == ["looking"] * 3
    assert "hearts" not in caplog.text
