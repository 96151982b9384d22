"""The databases that the store uses: SQLite with one transaction at a time, or PostgreSQL with several."""

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError, IntegrityError, SQLAlchemyError

from millebornes.errors import MilleBornesError, printable

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

ANSWERS_WITHIN: Final = 10.0
"""If PostgreSQL needs more than this many seconds, it counts as not responding."""

DAMAGED: Final = "the database file is damaged"
LOCKED_FOR: Final = 30.0
"""If another process writes to an SQLite database for more than this many seconds, the database counts as locked."""

Work = Callable[[sa.Connection], object]
"""A function that does some work within a transaction."""


class StoreError(MilleBornesError):
    """The database can't be opened or used."""


class Conflict(Exception):
    """Another request was faster: the entry in the log, the key or the answer already exists."""


class Sqlite:
    """An SQLite database with threads of its own: one that writes and several that read.

    Writes that are requested at the same time share a transaction, in which each has a savepoint. Writing them to the
    disk therefore takes only one wait.
    """

    is_shared = False
    """Whether the database notifies other processes of each change."""

    def __init__(self, url: sa.URL) -> None:
        self.url = url
        # Values are secret, so errors must not write them to the log.
        self._readers: Final = sa.create_engine(url, pool_size=4, hide_parameters=True)
        self._writers: Final = sa.create_engine(url, pool_size=1, max_overflow=0, hide_parameters=True)
        for engine in (self._readers, self._writers):
            sa.event.listen(engine, "connect", _prepare)
            sa.event.listen(engine, "handle_error", _explain, retval=True)
        # Lock the database from the beginning. A transaction that starts by reading may be refused when it writes.
        sa.event.listen(self._writers, "begin", _begin)
        self._reading: Final = ThreadPoolExecutor(4, thread_name_prefix="reader")
        self._writing: Final = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._waiting: list[tuple[Work, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def write(self, work: Work) -> None:
        """Run ``work`` together with all other writes that are waiting. Then the changes are on disk.

        The work is completed even if the caller is cancelled. Raises `Conflict`.
        """
        done = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_all())
        await done

    async def _write_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                found = await loop.run_in_executor(self._writing, self._commit, [work for work, _done in batch])
            except Exception as error:
                found = [error] * len(batch)
            for (_work, done), failed in zip(batch, found, strict=True):
                if done.done():
                    continue  # the caller has been cancelled
                if failed is None:
                    done.set_result(None)
                else:
                    done.set_exception(failed)

    def _commit(self, works: list[Work]) -> list[Exception | None]:
        """Run several pieces of work in one transaction. Return the error of each piece, or None."""
        found: list[Exception | None] = []
        try:
            with self._writers.begin() as connection:
                for work in works:
                    try:
                        with connection.begin_nested():
                            work(connection)
                        found.append(None)
                    except (IntegrityError, Conflict):
                        found.append(Conflict())
        except (SQLAlchemyError, OSError) as error:
            return [error] * len(works)
        return found

    async def read(self, wanted: sa.Select[Any]) -> list[Any]:
        """Return the rows of a query, which is run in a thread."""

        def rows() -> list[Any]:
            with self._readers.connect() as connection:
                return list(connection.execute(wanted))

        return await asyncio.get_running_loop().run_in_executor(self._reading, rows)

    async def snapshot(self, work: Work) -> None:
        """Run ``work``, which must only read, on a consistent snapshot of the database, even while others write."""

        def read() -> None:
            with self._readers.connect() as connection:
                connection.exec_driver_sql("BEGIN")
                try:
                    work(connection)
                finally:
                    connection.exec_driver_sql("ROLLBACK")

        await asyncio.get_running_loop().run_in_executor(self._reading, read)

    async def damage(self) -> str | None:
        """Return the damage that SQLite finds in the pages of the file, or None. It reads the file again."""

        def search() -> str | None:
            with contextlib.closing(sqlite3.connect(f"file:{quote(str(self.url.database))}?mode=ro", uri=True)) as file:
                found = file.execute("PRAGMA quick_check(1)").fetchone()
            return None if found is None or found[0] == "ok" else " ".join(str(found[0]).split())[:300]

        try:
            return await asyncio.to_thread(search)
        except sqlite3.Error as error:
            return cause(error)

    async def close(self) -> None:
        """Complete the writes that are waiting, and end the threads."""
        if self._writer is not None:
            await self._writer
        for pool in (self._reading, self._writing):
            pool.shutdown(wait=True)
        for engine in (self._readers, self._writers):
            engine.dispose()


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _prepare(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # an explicit BEGIN starts each transaction
    try:
        connection.execute(f"PRAGMA busy_timeout={LOCKED_FOR * 1000:.0f}")
        _use_log(connection)
        connection.execute("PRAGMA synchronous=FULL")
    except UnicodeDecodeError:
        connection.close()
        raise sqlite3.DatabaseError(DAMAGED) from None
    except Exception:
        connection.close()  # no other code uses it
        raise


def _explain(context: Any) -> Exception | None:
    """Return a database error if Python can't decode SQLite's own message, which quotes the damaged file."""
    if isinstance(context.original_exception, UnicodeDecodeError):
        return DatabaseError(context.statement, None, sqlite3.DatabaseError(DAMAGED), hide_parameters=True)
    return None


def _use_log(connection: Any) -> None:
    """Turn on the write-ahead log. If another process is doing the same, SQLite fails without waiting, so try again."""
    until = time.monotonic() + LOCKED_FOR
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


class Postgres:
    """A PostgreSQL database, which any number of processes can use."""

    is_shared = True

    def __init__(self, url: sa.URL) -> None:
        self.url = url
        from sqlalchemy.ext.asyncio import create_async_engine  # this import loads packages that SQLite doesn't need

        self._engine: Final[AsyncEngine] = create_async_engine(
            url.set(drivername="postgresql+asyncpg"),
            pool_size=10,
            pool_pre_ping=True,
            hide_parameters=True,
            # If a database stops during a transaction, asyncpg may wait for ever, and so would the table.
            connect_args={"command_timeout": ANSWERS_WITHIN, "timeout": ANSWERS_WITHIN},
        )
        self._writing: Final[set[asyncio.Task[None]]] = set()

    async def write(self, work: Work) -> None:
        """Run ``work`` in one transaction (see `Sqlite.write`)."""

        async def whole() -> None:
            try:
                async with self._engine.begin() as connection:
                    await connection.run_sync(work)
            except IntegrityError:
                raise Conflict from None

        task = asyncio.create_task(whole())
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        await asyncio.shield(task)

    async def read(self, wanted: sa.Select[Any]) -> list[Any]:
        """Return the rows of a query."""
        async with self._engine.connect() as connection:
            return list(await connection.execute(wanted))

    async def damage(self) -> str | None:
        """Return None, because PostgreSQL checks its pages itself."""
        return None

    async def snapshot(self, work: Work) -> None:
        """Run ``work``, which must only read, in one transaction."""
        async with self._engine.connect() as connection:
            await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            await connection.run_sync(work)

    async def close(self) -> None:
        """Complete the current writes, and close all connections."""
        if self._writing:
            await asyncio.wait(self._writing)
        await self._engine.dispose()


Backend = Sqlite | Postgres
"""A database."""


def backend_for(url: str) -> Backend:
    """Return the database at ``sqlite:///FILE`` or ``postgresql://…`` without opening it. Raises `StoreError`."""
    try:
        parsed = sa.make_url(url)
    except SQLAlchemyError:
        raise StoreError("--database: it must be sqlite:///FILE or postgresql://USER@HOST/NAME") from None
    kind = parsed.get_backend_name()
    if kind == "postgresql":
        try:
            return Postgres(parsed)
        except ModuleNotFoundError:
            raise StoreError("PostgreSQL needs the package asyncpg: pip install 'millebornes[postgresql]'") from None
    if kind != "sqlite":
        raise StoreError(f"--database: {kind} is not known; it must be sqlite:///FILE or postgresql://USER@HOST/NAME")
    if not parsed.database or parsed.database == ":memory:":
        raise StoreError("--database: an SQLite database needs a file, as in sqlite:///games.db")
    try:
        Path(parsed.database).absolute().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{parsed.database}: {error.strerror}") from None
    return Sqlite(parsed.set(drivername="sqlite"))


def cause(error: Exception) -> str:
    """Return the database's error message as a single line."""
    said = getattr(error, "orig", None) or error
    return printable(" ".join(str(said).split())[:300]) or type(said).__name__
