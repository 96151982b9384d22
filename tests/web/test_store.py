"""The storage: each place in a log is taken once, by whoever asks first."""

import asyncio
import datetime
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from millebornes.storage.practise import Answer
from millebornes.table.facts import ChatSent, Fact
from millebornes.web.store.backends import Conflict, StoreError, backend_for
from millebornes.web.store.migrations import config, upgrade
from millebornes.web.store.mistakes import MAX_KEPT
from millebornes.web.store.retention import MISTAKES_FOR, Lifetimes
from millebornes.web.store.schema import FORMS, HEAD, METADATA
from millebornes.web.store.store import Key, Store, Write, open_store
from tests.web.playing import created


def write(seq: int, fact: Fact | None = None, **more: object) -> Write:
    said = ChatSent(at=seq, seat=0, text="x")
    usual = {"table": "T", "seq": seq, "fact": fact or said, "status": "playing", "due": None}
    return Write(**{**usual, **more})  # type: ignore[arg-type]


def with_store(url: str, work: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await open_store(url)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def test_a_place_is_taken_once(url: str) -> None:
    async def work(store: Store) -> None:
        begun = created("me", "open")
        await store.create(write(1, begun, keys=(Key("h", "T", 0, "seat"),)))
        with pytest.raises(Conflict):
            await store.create(write(1, begun))
        await store.add(write(2, command=(0, "key", "answer"), due=50))
        for again in (write(2), write(3, command=(0, "key", "other")), write(3, table="U")):
            with pytest.raises(Conflict):
                await store.add(again)
        assert [event.at for event in await store.facts("T")] == [0, 2]
        assert await store.facts("T", 2) == await store.facts("U") == []
        assert await store.command("T", 0, "key") == "answer"
        assert await store.command("T", 1, "key") is None
        assert await store.key("h") == Key("h", "T", 0, "seat")
        assert await store.key("other") is None
        assert (await store.due(50), await store.due(51)) == ([], ["T"])
        assert await store.lengths(["T", "U"]) == {"T": 2}
        await store.answer("T", 2, 1, ("k", "a"))
        with pytest.raises(Conflict):
            await store.answer("T", 2, 1, None)
        assert (await store.answered("T", 2), await store.answered("T", 1)) == ({1}, set())
        await store.set_asking("T", 0, False)
        assert await store.auto_pass_seats("T") == {0}

    with_store(url, work)
    with_store(url, lambda store: store.check())


def test_the_mistakes_of_a_browser(url: str) -> None:
    """Each is kept once, with the answers so far; the oldest go first, and all of them after a year."""
    noon = datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.UTC)

    async def work(store: Store) -> None:
        kept = store.mistakes
        await kept.add("ann", {"a": "line of a", "b": "line of b"}, 1)
        await kept.record("ann", "a", Answer(noon, False))
        await asyncio.gather(*(kept.add("ann", {"c": "line of c", "a": "another"}, 2) for _ in range(4)))
        await kept.record("ann", "a", Answer(noon, True))
        await kept.record("ann", "nothing", Answer(noon, True))
        await kept.record("bo", "a", Answer(noon, True))
        found = await kept.of("ann")
        assert [(mistake.id, mistake.line) for mistake in found] == [(x, f"line of {x}") for x in "abc"]
        assert found[0].answers == (Answer(noon, False), Answer(noon, True))
        assert await kept.histories("ann") == {"a": found[0].answers, "b": (), "c": ()}
        assert await kept.of("bo") == []
        await kept.add("bo", {f"{n:03}": "x" for n in range(MAX_KEPT + 5)}, 1000)
        await kept.add("bo", {"new": "x"}, 2000)
        names = [mistake.id for mistake in await kept.of("bo")]
        assert (names[0], names[-1], len(names)) == ("006", "new", MAX_KEPT)
        await store.expire(Lifetimes(), 500 + MISTAKES_FOR * 86_400_000)
        assert [mistake.id for mistake in await kept.of("ann")] == []
        assert len(await kept.of("bo")) == MAX_KEPT

    with_store(url, work)


def test_fifty_writers(url: str) -> None:
    """None meets a lock; of those that want the same place one gets it."""

    async def work(store: Store) -> None:
        other = await open_store(url)  # as another process would
        await store.create(write(1, created("me", "open")))

        async def writer(n: int) -> int:
            taken = 0
            for seq in range(2, 7):
                try:
                    await (store, other)[n % 2].add(write(seq))
                    taken += 1
                except Conflict:
                    pass
            return taken

        assert sum(await asyncio.gather(*(writer(n) for n in range(50)))) == 5
        assert len(await store.facts("T")) == 6
        await other.close()

    with_store(url, work)


def test_a_commit_outlives_whoever_asked(url: str) -> None:
    async def work(store: Store) -> None:
        await store.create(write(1, created("me", "open")))
        asked = asyncio.ensure_future(store.add(write(2)))
        await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        while len(await store.facts("T")) < 2:
            await asyncio.sleep(0.01)
        await store.add(write(3))

    with_store(url, work)


@pytest.mark.parametrize("is_new", [True, False])
def test_the_migrations_lead_to_the_schema(url: str, is_new: bool) -> None:
    """Whether they are gone through one after the other, or a new database is made at once."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(config())
    assert [script.revision for script in scripts.walk_revisions()] == [*reversed(FORMS)]
    assert FORMS[-1] == HEAD

    async def differences() -> list[object]:
        found: list[object] = []
        if not is_new:
            backend = backend_for(url)
            await backend.write(upgrade)
            await backend.close()
        stores = await asyncio.gather(*(open_store(url) for _ in range(8)))  # as processes started together would
        for store in stores:
            await store.check()
            await store.close()
        backend = backend_for(url)

        def compare(connection: sa.Connection) -> None:
            context = MigrationContext.configure(connection)
            found.extend(compare_metadata(context, METADATA))
            assert context.get_current_revision() == HEAD
            assert connection.execute(sa.text("SELECT id, written FROM health")).all() == [(1, 8)]

        await backend.write(compare)
        await backend.close()
        return found

    assert asyncio.run(differences()) == []


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ("games", "must be sqlite:///FILE or postgresql://"),
        ("mysql://x/y", "mysql is not known"),
        ("sqlite://", "needs a file"),
        ("sqlite:////proc/nothing/x.db", "No such file|cannot"),
    ],
)
def test_databases_that_are_none(wrong: str, text: str) -> None:
    with pytest.raises(StoreError, match=text):
        asyncio.run(open_store(wrong))


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    file.write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match="not a database"):
        asyncio.run(open_store(f"sqlite:///{file}"))


@pytest.mark.once
def test_other_processes_are_told(postgres: str) -> None:
    """Of each event, after it has been kept; also where the connection for it breaks."""

    async def work(store: Store) -> None:
        other, heard = await open_store(postgres), asyncio.Queue[tuple[str, int]]()
        name = f"N{id(heard)}"
        async with other.notices(lambda table, seq: heard.put_nowait((table, seq))):
            seq = 1
            await store.create(write(1, created("me", "open"), table=name))
            while True:  # until it listens
                try:
                    told = await asyncio.wait_for(heard.get(), 0.1)
                    break
                except TimeoutError:
                    seq += 1
                    await store.add(write(seq, table=name))
            assert told[0] == name
            assert len(await store.facts(name)) >= told[1]
        await other.close()

    with_store(postgres, work)
