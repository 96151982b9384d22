"""The storage of tables. The store keeps append-only logs in SQLite or PostgreSQL."""

import asyncio
import contextlib
import dataclasses
import math
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from secrets import token_urlsafe
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from millebornes.table.facts import Fact, Joined, LogError, read_fact, write_fact
from millebornes.web.store import seekers
from millebornes.web.store.backends import Backend, Conflict, StoreError, backend_for, cause
from millebornes.web.store.clock import wall
from millebornes.web.store.mistakes import Mistakes
from millebornes.web.store.repetition import repeat_forever
from millebornes.web.store.retention import Lifetimes, expire
from millebornes.web.store.schema import (
    FORMS,
    HEAD,
    METADATA,
    answers,
    commands,
    facts,
    health,
    keys,
    lobby,
    newer_form,
    presence,
    secrets,
    tables,
    uploads,
    wishes,
)

ANY: Final = -1
"""The seat number in an invitation to any open seat."""
CHANNEL: Final = "millebornes"
MAX_KEYS: Final = 20_000
"""The maximum number of keys in the cache."""
MAX_TAKEN_UP: Final = 200
"""At most this many tables of processes that have died are taken over at a time."""
MAX_LISTED: Final = 200
"""At most this many tables are shown in the lobby."""
AT_ONCE: Final = 2000
"""Up to this many facts are read without a thread, which takes about 2 ms."""
FORGOTTEN_AFTER: Final = 2_000_000
"""If a process doesn't report for this many milliseconds, it counts as ended."""
ADVISORY: Final = 0x6D62
"""The number of the PostgreSQL lock that is held while the tables are created."""
LISTENS_WITHIN: Final = 5.0
"""If the connection for notices doesn't respond within this many seconds, another connection is opened."""
STALE_AFTER: Final = 1.5
"""If there has been no response for this many seconds, notices may have been missed."""
RECONNECTS_AFTER: Final = 1.0
"""The seconds before another attempt to open the connection for notices."""
CHECK_WITHIN: Final = 5.0
"""A healthy database can read and write within this many seconds."""
CHECK_ROWS: Final = 600
"""The number of rows that a check adds for a moment. They need new pages, which a full disk doesn't have."""
SEARCH_WITHIN: Final = 2.0
"""A check waits for a search for damage for at most this many seconds. Otherwise, the next check reports the result."""
MAX_UPLOADS: Final = 5000
"""At most this many uploaded matches are kept. Each is deleted some time after its last visitor."""
MAX_UPLOADED: Final = 500_000_000
"""The maximum size of all uploaded matches in bytes."""
SEARCH_EVERY: Final = 10.0
"""There are at least this many seconds between two searches for damage."""

# Statements are created only once, because SQLAlchemy takes longer to create a statement than to run it.
_ADD_FACT: Final = sa.insert(facts)
_ADD_COMMAND: Final = sa.insert(commands)
_ADD_KEY: Final = sa.insert(keys)
_CHANGE: Final = sa.update(tables).where(tables.c.id == sa.bindparam("table"))
_CHANGE_AND_TELL: Final = _CHANGE.returning(sa.func.pg_notify(CHANNEL, sa.bindparam("notice", type_=sa.Text)))
"""PostgreSQL sends the notice after the commit and only if it succeeds."""


_FIRST_AND_LAST: Final = tuple(
    sa.select(table).order_by(*(column if is_first else column.desc() for column in table.primary_key)).limit(1)
    for table in METADATA.sorted_tables
    for is_first in (True, False)
)
"""A row from each end of each table, which an index finds quickly."""


_EVENT: Final = (
    sa.insert(facts)
    .values(table_id=sa.bindparam("table"), seq=sa.bindparam("place"), body=sa.bindparam("body"))
    .cte("new_fact")
)
_COMMAND: Final = (
    sa.insert(commands)
    .values(
        table_id=sa.bindparam("table"),
        seat=sa.bindparam("seat"),
        key=sa.bindparam("key"),
        answer=sa.bindparam("answer"),
    )
    .cte("new_command")
)
_ADD_AND_TELL: Final = _CHANGE_AND_TELL.add_cte(_EVENT)
_ADD_ALL_AND_TELL: Final = _ADD_AND_TELL.add_cte(_COMMAND)
"""A single statement for everything, because each statement waits for the database server."""


@dataclasses.dataclass(frozen=True, slots=True)
class Key:
    """A key to a seat: the hash of a token, an invitation or a link, and its purpose.

    The ``purpose`` is ``seat`` for a token, ``join`` for an invitation to a seat, and ``link`` for an invitation to any
    open seat (its ``seat`` is `ANY`). A link that resumes a seat in another browser has the purpose ``resume`` or,
    after it has been used, ``used``.
    """

    hash: str
    table: str
    seat: int
    purpose: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Write:
    """A fact for a log and all data that is stored with it in the same transaction.

    ``seq`` is the number of the fact in the log, from 1. ``due`` is the time at which the table continues by itself,
    by the machine's clock (milliseconds since 1970). ``command`` contains the seat, the key and the answer of the
    command that caused the fact. ``keys`` are new keys. ``resumed`` is a link that has been used, and ``freed`` is a
    seat whose tokens are no longer valid. ``swapped`` contains two seats that exchange their keys. ``uploaded`` is the
    size of an uploaded match in bytes, if the fact creates a table for one.
    """

    table: str
    seq: int
    fact: Fact
    status: str
    due: int | None
    command: tuple[int, str, str] | None = None
    keys: tuple[Key, ...] = ()
    resumed: Key | None = None
    freed: int | None = None
    swapped: tuple[int, int] | None = None
    listed: bool = False
    lobby: str | None = None
    uploaded: int | None = None


class UploadsFull(Exception):
    """There is no room for another uploaded match."""


class Store:
    """The storage. Every method runs one transaction. When it returns, the changes are on disk."""

    def __init__(self, backend: Backend, secret: str) -> None:
        self._backend: Final = backend
        self.secret: Final = secret
        """The secret that signs the cookies of browsers. All servers on this database have the same one."""
        self.is_shared: Final = backend.is_shared
        """Whether the database notifies other processes of each change."""
        self.mistakes: Final = Mistakes(backend)
        self._damage: Final = _Damage(backend)
        self._check: asyncio.Task[StoreError | None] | None = None
        self._keys: dict[str, Key] = {}
        """A cache of the keys that have been looked up."""
        self._generation = 0
        self._heard = -math.inf
        """The time of the latest response from the connection for notices."""

    # ------------------------------------------------------------------ writing

    async def create(self, write: Write) -> None:
        """Store a new table. Raises `Conflict` if its name is already used, and `UploadsFull`."""
        is_full = False

        def work(connection: sa.Connection) -> None:
            nonlocal is_full
            is_full = write.uploaded is not None and not _add_upload(connection, write.table, write.uploaded)
            if not is_full:
                self._create(connection, write)

        await self._backend.write(work)
        if is_full:
            raise UploadsFull

    def _create(self, connection: sa.Connection, write: Write) -> None:
        row = {"id": write.table, "seq": 0, "status": "", "due": None, "created": wall()}
        connection.execute(sa.insert(tables).values(**row))
        self._add(connection, write)

    async def add(self, write: Write) -> None:
        """Add a fact to a log. If its number or its key is already used, nothing changes and `Conflict` is raised."""
        await self._backend.write(lambda connection: self._add(connection, write))

    def _add(self, connection: sa.Connection, write: Write) -> None:
        if write.freed is not None:
            _free(connection, write.table, write.freed)
        if write.swapped is not None:
            _swap(connection, write.table, *write.swapped)
        asking = True if write.resumed is None else _use_up(connection, write.resumed)
        for key_ in write.keys:
            connection.execute(_ADD_KEY, _row_of(key_, asking))
        if write.listed:
            connection.execute(sa.delete(lobby).where(lobby.c.table_id == write.table))
            if write.lobby is not None:
                entry = {"table_id": write.table, "created": wall(), "entry": write.lobby}
                connection.execute(sa.insert(lobby).values(**entry))
            elif isinstance(write.fact, Joined):
                seekers.meet(connection, write.table)
        changed = {"seq": write.seq, "status": write.status, "due": write.due, "touched": wall()}
        fact, row = write_fact(write.fact), {"table": write.table, **changed}
        if self.is_shared:
            row |= {"place": write.seq, "body": fact, "notice": f"{write.table} {write.seq}"}
            if write.command is not None:
                row |= zip(("seat", "key", "answer"), write.command, strict=True)
            wanted = _ADD_AND_TELL if write.command is None else _ADD_ALL_AND_TELL
            found = len(connection.execute(wanted, row).all())
        else:
            connection.execute(_ADD_FACT, {"table_id": write.table, "seq": write.seq, "body": fact})
            if write.command is not None:
                _add_command(connection, write.table, *write.command)
            found = connection.execute(_CHANGE, row).rowcount
        if found != 1:
            raise Conflict

    async def answer(self, table: str, window: int, seat: int, command: tuple[str, str] | None) -> None:
        """Store a seat's pass on a coup fourré without sending a notice (R5.5).

        ``window`` is the fact that allowed the pass.

        ``command`` contains the key and the answer of the command. Raises `Conflict` if this seat has already answered.
        """

        def work(connection: sa.Connection) -> None:
            connection.execute(sa.insert(answers).values(table_id=table, window=window, seat=seat))
            if command is not None:
                _add_command(connection, table, seat, *command)

        await self._backend.write(work)

    async def seek(
        self, browser: str, write: Write, others: Collection[str], signs: Mapping[str, seekers.Sign]
    ) -> seekers.Sought:
        """Send a person who looks for an opponent to a table, in one step (`millebornes.web.store.seekers`).

        If no one waits, store the new table of ``write``, where the person waits. ``others`` are tables in the lobby
        that are also suitable. ``signs`` are the latest signs of the people who wait, by table.
        """
        found = seekers.Sought(write.table)

        def work(connection: sa.Connection) -> None:
            nonlocal found
            seekers.update_waiting(connection, signs)
            sought = seekers.claim(connection, browser, others)
            if sought is None:
                self._create(connection, write)
                seekers.settle(connection, browser, write.table, paired=False)
            else:
                found = sought

        await self._backend.write(work)
        return found

    async def stop_seeking(self, browser: str, table: str, stays: str | None = None) -> None:
        """Record that a person didn't get a seat at a table, and ``stays`` with another person at the previous one."""

        def work(connection: sa.Connection) -> None:
            seekers.leave(connection, browser, table)
            if stays is not None:
                seekers.settle(connection, browser, stays, paired=True)

        await self._backend.write(work)

    async def update_waiting(self, signs: Mapping[str, seekers.Sign]) -> set[str]:
        """Record the latest signs of people who look for an opponent. Return the tables where they should ask again."""
        found: set[str] = set()

        def work(connection: sa.Connection) -> None:
            found.update(seekers.update_waiting(connection, signs))

        await self._backend.write(work)
        return found

    async def set_link(self, link: Key) -> None:
        """Store a link that resumes a seat in another browser. The new link replaces the seat's previous link."""

        def work(connection: sa.Connection) -> None:
            same = (keys.c.table_id == link.table, keys.c.seat == link.seat, keys.c.purpose == link.purpose)
            asking = connection.execute(sa.select(keys.c.asking).where(*same[:2])).scalars().all()
            connection.execute(sa.delete(keys).where(*same))
            connection.execute(sa.insert(keys).values(**_row_of(link, all(asking))))

        await self._backend.write(work)
        self.forget(link.table)

    async def set_asking(self, table: str, seat: int, asking: bool) -> None:
        """Set whether a seat wants to be asked about coups fourrés. This is private, so it isn't in any log."""
        wanted = sa.update(keys).where(keys.c.table_id == table, keys.c.seat == seat).values(asking=asking)
        await self._backend.write(lambda connection: connection.execute(wanted))

    # ------------------------------------------------------------------ reading

    async def facts(self, table: str, after: int = 0) -> list[Fact]:
        """Return the facts in a log after the first ``after``, or none if the table is unknown. Raises `LogError`."""
        wanted = sa.select(facts.c.body).where(facts.c.table_id == table, facts.c.seq > after).order_by(facts.c.seq)
        rows = await self._backend.read(wanted)
        bodies = [str(row[0]) for row in rows]
        if len(bodies) <= AT_ONCE:
            return _read_log(table, bodies, after)
        return await asyncio.to_thread(_read_log, table, bodies, after)

    async def command(self, table: str, seat: int, key: str) -> str | None:
        """Return the answer to an earlier command with this key, or None."""
        wanted = sa.select(commands.c.answer).where(
            commands.c.table_id == table, commands.c.seat == seat, commands.c.key == key
        )
        rows = await self._backend.read(wanted)
        return str(rows[0][0]) if rows else None

    async def answered(self, table: str, window: int) -> set[int]:
        """Return the seats that have passed on a coup fourré."""
        wanted = sa.select(answers.c.seat).where(answers.c.table_id == table, answers.c.window == window)
        return {int(row[0]) for row in await self._backend.read(wanted)}

    async def key(self, hash_: str) -> Key | None:
        """Return the key that belongs to the hash of a token or an invitation, or None."""
        known, generation = self._keys.get(hash_), self._generation
        if known is None:
            rows = await self._backend.read(sa.select(keys).where(keys.c.hash == hash_))
            if not rows:
                return None
            known = Key(rows[0].hash, rows[0].table_id, rows[0].seat, rows[0].purpose)
            if len(self._keys) >= MAX_KEYS:
                self._keys.clear()
            if generation == self._generation:  # nothing has changed during the read
                self._keys[hash_] = known
        return known

    def forget(self, table: str) -> None:
        """Remove the keys of a table from the cache, because they have changed."""
        self._generation += 1
        self._keys = {hash_: key for hash_, key in self._keys.items() if key.table != table}

    async def auto_pass_seats(self, table: str) -> set[int]:
        """Return the seats that don't want to be asked about coups fourrés."""
        wanted = sa.select(keys.c.seat).where(keys.c.table_id == table, keys.c.asking.is_(False))
        return {int(row[0]) for row in await self._backend.read(wanted)}

    async def due(self, before: int) -> list[str]:
        """Return the tables that should have continued by themselves before a time (milliseconds since 1970)."""
        wanted = sa.select(tables.c.id).where(tables.c.due < before).order_by(tables.c.due).limit(MAX_TAKEN_UP)
        return [str(row[0]) for row in await self._backend.read(wanted)]

    async def tables_ahead(self, of: int) -> list[str]:
        """Return the tables that continue by themselves but have facts from after a time (milliseconds since 1970)."""
        wanted = sa.select(tables.c.id).where(tables.c.due.is_not(None), tables.c.touched > of).limit(MAX_TAKEN_UP)
        return [str(row[0]) for row in await self._backend.read(wanted)]

    async def lengths(self, names: Iterable[str]) -> dict[str, int]:
        """Return the number of facts in each table's log."""
        wanted = sa.select(tables.c.id, tables.c.seq).where(tables.c.id.in_(list(names)))
        return {str(row[0]): int(row[1]) for row in await self._backend.read(wanted)}

    async def lobby(self) -> list[str]:
        """Return the tables in the lobby, newest first, each in the form in which the lobby shows it (JSON)."""
        wanted = sa.select(lobby.c.entry).order_by(lobby.c.created.desc(), lobby.c.table_id).limit(MAX_LISTED)
        return [str(row[0]) for row in await self._backend.read(wanted)]

    async def listed(self) -> list[str]:
        """Return the names of the tables in the lobby."""
        return [str(row[0]) for row in await self._backend.read(sa.select(lobby.c.table_id).limit(MAX_LISTED))]

    # ------------------------------------------------------------------ reviews

    async def request_review(self, table: str, match: int, hand: int) -> None:
        """Store that someone waits for the review of a hand."""
        row = {"table_id": table, "match": match, "hand": hand}
        with contextlib.suppress(Conflict):  # someone else waits for it, too
            await self._backend.write(lambda connection: connection.execute(sa.insert(wishes).values(**row)))

    async def is_review_requested(self, table: str, match: int, hand: int) -> bool:
        """Return whether someone waits for the review of a hand."""
        return bool(await self._backend.read(sa.select(wishes).where(*_hand(table, match, hand))))

    async def clear_review_request(self, table: str, match: int, hand: int) -> None:
        """Forget that someone waits for the review of a hand."""
        wanted = sa.delete(wishes).where(*_hand(table, match, hand))
        await self._backend.write(lambda connection: connection.execute(wanted))

    # ------------------------------------------------------------------ the whole database

    async def exchange(self, process: str, time: int, body: str) -> list[tuple[str, int, str]]:
        """Store this process's presence report. Return every other process's latest report, and when it was made.

        The clocks of machines differ, so use this time only to see whether a report is new.
        """

        def work(connection: sa.Connection) -> None:
            mine = presence.c.process == process
            done = connection.execute(sa.update(presence).where(mine).values(at=time, body=body))
            if done.rowcount != 1:
                connection.execute(sa.insert(presence).values(process=process, at=time, body=body))
                connection.execute(sa.delete(presence).where(presence.c.at < time - FORGOTTEN_AFTER))

        await self._backend.write(work)
        wanted = sa.select(presence.c.process, presence.c.at, presence.c.body).where(presence.c.process != process)
        return [(str(row[0]), int(row[1]), str(row[2])) for row in await self._backend.read(wanted)]

    async def touch(self, names: Iterable[str], time: int) -> None:
        """Record that tables are in use, so that they don't expire."""
        wanted = list(names)

        def work(connection: sa.Connection) -> None:
            for start in range(0, len(wanted), 500):
                some = tables.c.id.in_(wanted[start : start + 500])
                connection.execute(sa.update(tables).where(some, tables.c.touched < time).values(touched=time))

        if wanted:
            await self._backend.write(work)

    async def count_as_now(self, since: int, until: int, time: int) -> None:
        """Treat tables that were last used between two times as used now, because the clock was wrong then."""
        used = sa.func.coalesce(tables.c.touched, tables.c.created)
        wanted = sa.update(tables).where(used >= since, used <= until).values(touched=time)
        await self._backend.write(lambda connection: connection.execute(wanted))

    async def expire(self, lifetimes: Lifetimes, time: int) -> list[str]:
        """Delete some of the abandoned tables, and return their names."""
        gone: list[str] = []

        def work(connection: sa.Connection) -> None:
            gone[:] = expire(connection, lifetimes, time)

        await self._backend.write(work)
        for name in gone:
            self.forget(name)
        return gone

    async def check(self) -> None:
        """Check whether the database works by writing some pages and reading from every table and index.

        In an SQLite file, also search for damage, but for at most a hundredth of the time. However many
        ask at a time, there is one check. Raises `StoreError` with a description of the problem.
        """
        if self._check is None or self._check.done():
            self._check = asyncio.create_task(self._look())
        failed = await asyncio.shield(self._check)
        if failed is not None:
            raise StoreError(str(failed))

    async def _look(self) -> StoreError | None:
        try:
            await self._write_and_read()
        except StoreError as error:
            return error
        return None

    async def _write_and_read(self) -> None:
        def work(connection: sa.Connection) -> None:
            counted = sa.update(health).values(written=(health.c.written + 1) % 1_000_000)
            if connection.execute(counted).rowcount != 1:
                raise StoreError("the database cannot be written: its table health is empty")
            rows = [{"id": 2 + n, "written": n} for n in range(CHECK_ROWS)]
            connection.execute(sa.insert(health), rows)
            if connection.execute(sa.select(sa.func.count()).select_from(health)).scalar_one() != CHECK_ROWS + 1:
                raise StoreError("the database cannot be written: rows that were written cannot be read")
            connection.execute(sa.delete(health).where(health.c.id != 1))
            for wanted in _FIRST_AND_LAST:
                connection.execute(wanted).all()

        try:
            async with asyncio.timeout(CHECK_WITHIN):
                await self._backend.write(work)
                damage = await self._damage.latest()
        except TimeoutError:
            raise StoreError(f"the database didn't respond within {CHECK_WITHIN:.0f} s") from None
        except (SQLAlchemyError, OSError) as error:
            raise StoreError(f"the database cannot be read or written: {cause(error)}") from None
        if damage is not None:
            raise StoreError(f"the database is damaged: {damage}")

    @contextlib.asynccontextmanager
    async def notices(self, hear: Callable[[str, int], None]) -> AsyncIterator[None]:
        """While a ``with`` block runs, call ``hear`` for every fact that any process adds.

        The arguments are the table and the number of the fact. The notices arrive on a separate connection, which is
        opened again if it breaks. If no other process can write, nothing happens.
        """
        if not self.is_shared:
            yield
            return
        listener = asyncio.create_task(
            repeat_forever("listening for notices", lambda: self._listen(hear), lambda: asyncio.sleep(RECONNECTS_AFTER))
        )
        try:
            yield
        finally:
            listener.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listener

    @property
    def is_listening(self) -> bool:
        """Whether every fact from other processes is noticed, because notices arrive or no other process can write."""
        return not self.is_shared or time.monotonic() - self._heard < STALE_AFTER

    async def _listen(self, hear: Callable[[str, int], None]) -> None:
        """Listen on one connection until it breaks. This always ends with an exception."""
        import asyncpg

        def heard(_connection: object, _pid: object, _channel: object, text: str) -> None:
            table, _, seq = text.partition(" ")
            if seq.isascii() and seq.isdigit():  # any user of the database can send a notice
                hear(table, int(seq))

        url = self._backend.url.set(drivername="postgresql").render_as_string(hide_password=False)
        connection = await asyncpg.connect(url, timeout=LISTENS_WITHIN)
        try:
            async with asyncio.timeout(LISTENS_WITHIN):
                await connection.add_listener(CHANNEL, heard)
            while True:
                # A dead connection is noticed only when it is used.
                await connection.execute("SELECT 1", timeout=LISTENS_WITHIN)
                self._heard = time.monotonic()
                await asyncio.sleep(STALE_AFTER / 3)
        finally:
            self._heard = -math.inf
            connection.terminate()

    async def close(self) -> None:
        """Close all connections."""
        if self._check is not None:
            await asyncio.wait({self._check})
        await self._damage.close()
        await self._backend.close()


def _add_command(connection: sa.Connection, table: str, seat: int, key: str, answer: str) -> None:
    connection.execute(_ADD_COMMAND, {"table_id": table, "seat": seat, "key": key, "answer": answer})


def _hand(table: str, match: int, hand: int) -> tuple[sa.ColumnElement[bool], ...]:
    return (wishes.c.table_id == table, wishes.c.match == match, wishes.c.hand == hand)


def _add_upload(connection: sa.Connection, table: str, size: int) -> bool:
    """Count an uploaded match if there is room for it, and return whether there is."""
    # Two servers that counted at the same time could both find the last place free.
    connection.execute(sa.select(health.c.id).with_for_update()).all()
    found = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(uploads.c.bytes), 0))
    count, total = connection.execute(found).one()
    if count >= MAX_UPLOADS or total + size > MAX_UPLOADED:
        return False
    connection.execute(sa.insert(uploads).values(table_id=table, bytes=size))
    return True


def _read_log(table: str, bodies: list[str], after: int) -> list[Fact]:
    found: list[Fact] = []
    for place, body in enumerate(bodies, after + 1):
        try:
            found.append(read_fact(body))
        except LogError as error:
            raise LogError(f"fact {place} of the log of table {table} is damaged: {error}") from None
    return found


class _Damage:
    """The damage found in a database. If a check asks and the last search is old, a new one runs in the background.

    In a large file, a search can take minutes, so no check waits for its end, and there is never more than one.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend: Final = backend
        self._search: asyncio.Task[None] | None = None
        self._found: str | None = None
        self._next = 0.0

    async def latest(self) -> str | None:
        """Return the result of the latest search, or None. Wait for a search if it doesn't take long."""
        if self._search is None and time.monotonic() >= self._next:
            self._search = asyncio.create_task(self._look())
        if self._search is not None:
            await asyncio.wait({self._search}, timeout=SEARCH_WITHIN)
        return self._found

    async def _look(self) -> None:
        begun = time.monotonic()
        try:
            self._found = await self._backend.damage()
        except (SQLAlchemyError, OSError) as error:
            self._found = cause(error)
        finally:
            ended = time.monotonic()
            self._next, self._search = ended + max(SEARCH_EVERY, 100 * (ended - begun)), None

    async def close(self) -> None:
        if self._search is not None:
            await asyncio.wait({self._search})


def _row_of(key: Key, asking: bool) -> dict[str, object]:
    return {"hash": key.hash, "table_id": key.table, "seat": key.seat, "purpose": key.purpose, "asking": asking}


def _use_up(connection: sa.Connection, link: Key) -> bool:
    """Use up a link and delete the tokens of its seat. Return whether the seat wants to be asked about coups fourrés.

    Raises `Conflict` if another request has already used the link.
    """
    wanted = sa.update(keys).where(keys.c.hash == link.hash, keys.c.purpose == "resume").values(purpose="used")
    if connection.execute(wanted).rowcount != 1:
        raise Conflict
    old = (keys.c.table_id == link.table, keys.c.seat == link.seat)
    asking = connection.execute(sa.select(keys.c.asking).where(*old)).scalars().all()
    connection.execute(sa.delete(keys).where(*old, keys.c.purpose == "seat"))
    return all(asking)


def _free(connection: sa.Connection, table: str, seat: int) -> None:
    """Delete a seat's tokens and links, and the preferences of its person. The invitation to the seat stays valid."""
    own = (keys.c.table_id == table, keys.c.seat == seat)
    connection.execute(sa.delete(keys).where(*own, keys.c.purpose.in_(("seat", "resume", "used"))))
    connection.execute(sa.update(keys).where(*own).values(asking=True))


def _swap(connection: sa.Connection, table: str, seat: int, other: int) -> None:
    """Exchange the tokens, invitations, links and preferences of two seats."""
    own = (keys.c.table_id == table, keys.c.seat.in_((seat, other)))
    connection.execute(sa.update(keys).where(*own).values(seat=seat + other - keys.c.seat))


# ---------------------------------------------------------------- opening


async def open_store(url: str) -> Store:
    """Return the store at ``sqlite:///FILE`` or ``postgresql://…`` with its schema up to date. Raises `StoreError`."""
    backend, secret = backend_for(url), ""

    def prepare(connection: sa.Connection) -> None:
        nonlocal secret
        _upgrade(connection)
        secret = _secret(connection)

    try:
        await backend.write(prepare)
    except (SQLAlchemyError, OSError, StoreError) as error:
        await backend.close()
        raise StoreError(f"{backend.url.render_as_string()}: {cause(error)}") from None
    return Store(backend, secret)


def _secret(connection: sa.Connection) -> str:
    """Return the secret for cookies. The first server on a database makes it."""
    found = connection.execute(sa.select(secrets.c.value).where(secrets.c.purpose == "cookies")).scalar()
    if found is not None:
        return str(found)
    made = token_urlsafe()
    connection.execute(sa.insert(secrets).values(purpose="cookies", value=made))
    return made


def _upgrade(connection: sa.Connection) -> None:
    """Migrate the database to the schema of this program. Only one process does this at a time."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ADVISORY)))
    has_version = sa.inspect(connection).has_table("alembic_version")
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() if has_version else None
    if found is not None and found not in FORMS:
        raise StoreError(newer_form(found))
    if found != HEAD:
        from millebornes.web.store.migrations import upgrade  # a slow import

        upgrade(connection)
