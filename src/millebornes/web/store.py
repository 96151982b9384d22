"""Where tables are kept: logs that are only added to, in SQLite or PostgreSQL."""

import asyncio
import contextlib
import dataclasses
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from millebornes.web.backends import Backend, Conflict, StoreError, backend_for, cause
from millebornes.web.facts import Fact, read_fact, write_fact
from millebornes.web.schema import HEAD, answers, commands, facts, keys, tables

__all__ = ["Conflict", "Key", "Store", "StoreError", "Write", "open_store"]

CHANNEL: Final = "millebornes"
MOST_KEYS: Final = 20_000
"""Keys that are remembered."""
MOST_TAKEN_UP: Final = 200
"""Tables of processes that died that are taken up at once, at most."""

# Made once: to make a statement takes SQLAlchemy longer than to run it.
_ADD_FACT: Final = sa.insert(facts)
_ADD_COMMAND: Final = sa.insert(commands)
_ADD_KEY: Final = sa.insert(keys)
_CHANGE: Final = sa.update(tables).where(tables.c.id == sa.bindparam("table"))
_CHANGE_AND_TELL: Final = _CHANGE.returning(sa.func.pg_notify(CHANNEL, sa.bindparam("told", type_=sa.Text)))
"""PostgreSQL sends it after the commit, and only then."""


def _row(table: sa.Table, names: str) -> sa.Insert:
    """A new row, of values by other names than its columns, as several statements share them."""
    pairs = (name.split("=") for name in names.split())
    return sa.insert(table).values({column: sa.bindparam(name) for column, name in pairs})


_FACT: Final = _row(facts, "table_id=table seq=place body=body").cte("new_fact")
_COMMAND: Final = _row(commands, "table_id=table seat=seat key=key answer=answer").cte("new_command")
_ADD_AND_TELL: Final = _CHANGE_AND_TELL.add_cte(_FACT)
_ADD_ALL_AND_TELL: Final = _ADD_AND_TELL.add_cte(_COMMAND)
"""Everything in one statement: each waits for the server of the database once."""

_log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, slots=True)
class Key:
    """What opens a seat: the hash of a token or of an invitation, and which of them it is (``seat`` or ``join``)."""

    hash: str
    table: str
    seat: int
    purpose: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Write:
    """A fact to be added to a log, and what is to be kept with it, all or nothing.

    ``seq`` is its place in the log (from 1); ``due`` is when the table goes on by itself (milliseconds since 1970);
    ``command`` is the seat, the key and the answer of the command behind it; ``keys`` are new ones.
    """

    table: str
    seq: int
    fact: Fact
    status: str
    due: int | None
    command: tuple[int, str, str] | None = None
    keys: tuple[Key, ...] = ()


class Store:
    """The storage. Every method is one transaction; what it says is done is on disk."""

    def __init__(self, backend: Backend) -> None:
        self._backend: Final = backend
        self.is_shared: Final = backend.is_shared
        """Whether other processes are told of each change."""
        self._keys: dict[str, Key] = {}
        """What has been asked for; a key never changes."""

    # ------------------------------------------------------------------ writing

    async def create(self, write: Write) -> None:
        """Keep a new table. Raises `Conflict` where the name is taken."""

        def work(connection: sa.Connection) -> None:
            row = {"id": write.table, "seq": 0, "status": "", "due": None, "created": write.fact.at}
            connection.execute(sa.insert(tables).values(**row))
            self._add(connection, write)

        await self._backend.write(work)

    async def add(self, write: Write) -> None:
        """Add a fact to a log. Raises `Conflict`, and changes nothing, where its place or its key is taken."""
        await self._backend.write(lambda connection: self._add(connection, write))

    def _add(self, connection: sa.Connection, write: Write) -> None:
        for key_ in write.keys:
            connection.execute(_ADD_KEY, _row_of(key_))
        changed = {"seq": write.seq, "status": write.status, "due": write.due, "touched": write.fact.at}
        fact, row = write_fact(write.fact), {"table": write.table, **changed}
        if self.is_shared:
            row |= {"place": write.seq, "body": fact, "told": f"{write.table} {write.seq}"}
            if write.command is not None:
                row |= zip(("seat", "key", "answer"), write.command, strict=True)
            wanted = _ADD_AND_TELL if write.command is None else _ADD_ALL_AND_TELL
            found = len(connection.execute(wanted, row).all())
        else:
            connection.execute(_ADD_FACT, {"table_id": write.table, "seq": write.seq, "body": fact})
            if write.command is not None:
                seat, key, answer = write.command
                command = {"table_id": write.table, "seat": seat, "key": key, "answer": answer}
                connection.execute(_ADD_COMMAND, command)
            found = connection.execute(_CHANGE, row).rowcount
        if found != 1:
            raise Conflict

    async def answer(self, table: str, window: int, seat: int, command: tuple[str, str] | None) -> None:
        """Keep that a seat lets a coup fourré go; ``window`` is the fact that opened it. Told to nobody (R5.5).

        ``command`` are its key and answer. Raises `Conflict` where this seat has answered.
        """

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.insert(answers).values(table_id=table, window=window, seat=seat))
            if command is not None:
                key, text = command
                row = {"table_id": table, "seat": seat, "key": key, "answer": text}
                connection.execute(sa.insert(commands).values(**row))

        await self._backend.write(work)

    async def add_keys(self, new: Iterable[Key]) -> None:
        """Keep further keys."""

        def work(connection: sa.Connection) -> None:
            for key in new:
                connection.execute(sa.insert(keys).values(**_row_of(key)))

        await self._backend.write(work)

    async def set_asking(self, table: str, seat: int, asking: bool) -> None:
        """Whether a seat wants to be asked for coups fourrés; its own business, so it is in no log."""
        wanted = sa.update(keys).where(keys.c.table_id == table, keys.c.seat == seat).values(asking=asking)

        def work(connection: sa.Connection) -> None:
            connection.execute(wanted)

        await self._backend.write(work)

    # ------------------------------------------------------------------ reading

    async def facts(self, table: str, after: int = 0) -> list[Fact]:
        """The log of a table after so many facts; none where there is no such table."""
        wanted = sa.select(facts.c.body).where(facts.c.table_id == table, facts.c.seq > after).order_by(facts.c.seq)
        return [read_fact(row[0]) for row in await self._backend.read(wanted)]

    async def command(self, table: str, seat: int, key: str) -> str | None:
        """What a command with this key was answered; None where there was none."""
        wanted = sa.select(commands.c.answer).where(
            commands.c.table_id == table, commands.c.seat == seat, commands.c.key == key
        )
        rows = await self._backend.read(wanted)
        return str(rows[0][0]) if rows else None

    async def answered(self, table: str, window: int) -> set[int]:
        """The seats that have let a coup fourré go."""
        wanted = sa.select(answers.c.seat).where(answers.c.table_id == table, answers.c.window == window)
        return {int(row[0]) for row in await self._backend.read(wanted)}

    async def key(self, hash_: str) -> Key | None:
        """What a token or an invitation opens, by its hash."""
        known = self._keys.get(hash_)
        if known is None:
            rows = await self._backend.read(sa.select(keys).where(keys.c.hash == hash_))
            if not rows:
                return None
            known = Key(rows[0].hash, rows[0].table_id, rows[0].seat, rows[0].purpose)
            if len(self._keys) >= MOST_KEYS:
                self._keys.clear()
            self._keys[hash_] = known
        return known

    async def lets_pass(self, table: str) -> set[int]:
        """The seats that do not want to be asked for coups fourrés."""
        wanted = sa.select(keys.c.seat).where(keys.c.table_id == table, keys.c.asking.is_(False))
        return {int(row[0]) for row in await self._backend.read(wanted)}

    async def due(self, before: int) -> list[str]:
        """Tables that should have gone on by themselves before a time (milliseconds since 1970)."""
        wanted = sa.select(tables.c.id).where(tables.c.due < before).order_by(tables.c.due).limit(MOST_TAKEN_UP)
        return [str(row[0]) for row in await self._backend.read(wanted)]

    async def lengths(self, names: Iterable[str]) -> dict[str, int]:
        """How many facts the logs of some tables hold."""
        wanted = sa.select(tables.c.id, tables.c.seq).where(tables.c.id.in_(list(names)))
        return {str(row[0]): int(row[1]) for row in await self._backend.read(wanted)}

    # ------------------------------------------------------------------ the whole

    async def check(self) -> None:
        """Whether it can write: takes the writer's place and gives it back. Raises `StoreError`."""

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.update(tables).where(tables.c.id == "").values(seq=0))

        try:
            await self._backend.write(work)
        except (SQLAlchemyError, OSError) as error:
            raise StoreError(f"the database cannot be written: {cause(error)}") from None

    @contextlib.asynccontextmanager
    async def notices(self, hear: Callable[[str, int], None]) -> AsyncIterator[None]:
        """While it lasts, ``hear`` is told of every fact that any process adds: its table and its place in the log.

        A connection of its own, which is opened again when it breaks; nothing where nobody else can write.
        """
        if not self.is_shared:
            yield
            return
        listener = asyncio.create_task(self._listen(hear))
        try:
            yield
        finally:
            listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listener

    async def _listen(self, hear: Callable[[str, int], None]) -> None:
        import asyncpg

        def told(_connection: object, _pid: object, _channel: object, text: str) -> None:
            table, _, seq = text.partition(" ")
            hear(table, int(seq))

        url = self._backend.url.set(drivername="postgresql").render_as_string(hide_password=False)
        while True:
            try:
                connection = await asyncpg.connect(url)
                try:
                    await connection.add_listener(CHANNEL, told)
                    while not connection.is_closed():
                        await asyncio.sleep(1)
                        await connection.execute("SELECT 1", timeout=5)  # one that is dead says so only when asked
                finally:
                    with contextlib.suppress(TimeoutError):
                        await connection.close(timeout=1)
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                _log.warning("no notices from the database: %s", error)
                await asyncio.sleep(1)

    async def close(self) -> None:
        """Let go of all connections."""
        await self._backend.close()


def _row_of(key: Key) -> dict[str, object]:
    return {"hash": key.hash, "table_id": key.table, "seat": key.seat, "purpose": key.purpose, "asking": True}


# ---------------------------------------------------------------- opening


async def open_store(url: str) -> Store:
    """The store at ``sqlite:///FILE`` or ``postgresql://…``, brought up to date. Raises `StoreError`."""
    backend = backend_for(url)
    try:
        await backend.write(_upgrade)
    except (SQLAlchemyError, OSError) as error:
        await backend.close()
        raise StoreError(f"{backend.url.render_as_string()}: {cause(error)}") from None
    return Store(backend)


def _upgrade(connection: sa.Connection) -> None:
    """Bring the tables of the database to the form that this program knows."""
    found = None
    if sa.inspect(connection).has_table("alembic_version"):
        found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    if found != HEAD:
        from millebornes.web.migrations import upgrade  # takes a while to load

        upgrade(connection)
