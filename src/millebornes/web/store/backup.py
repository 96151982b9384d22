"""A backup of a whole database in one file, which can be restored to any database.

The file consists of JSON lines: a header, then ``["TABLE", {column: value}]`` for each row, and at the end the number
of rows and the SHA-256 hash of all lines before it. The file contains everything that the server knows, including
hidden cards and hashes of tokens.
"""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from millebornes._version import __version__
from millebornes.storage import write_atomically
from millebornes.web.store.backends import Backend, Conflict, StoreError, backend_for, cause
from millebornes.web.store.schema import (
    FORMS,
    answers,
    commands,
    facts,
    keys,
    lobby,
    mistakes,
    newer_form,
    presence,
    secrets,
    seekers,
    tables,
    uploads,
    wishes,
)
from millebornes.web.store.store import open_store

FORMAT: Final = "millebornes-backup/1"
_KEPT: Final = {
    str(table.name): table
    for table in (tables, facts, commands, answers, keys, lobby, mistakes, uploads, wishes, secrets)
}
"""The tables in an order in which their rows can be inserted."""
_BATCH: Final = 500
_LONGEST: Final = 1 << 26
"""The maximum length of a line in bytes, so that another file without line breaks doesn't fill the memory."""
_encode: Final = msgspec.json.Encoder().encode


class _Head(msgspec.Struct):
    format: str
    form: str
    program: str = ""


class _Tail(msgspec.Struct):
    rows: int
    sha256: str


_Number = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
_Row = tuple[str, dict[str, str | _Number | bool | None]]


async def back_up(url: str, path: Path) -> int:
    """Write a snapshot of the database at a URL to a file. Return the number of game tables in it.

    Servers can keep running in the meantime. Raises `StoreError`, and `millebornes.errors.SaveError` if the file can't
    be written. In that case, an existing file stays unchanged.
    """
    parsed = sa.make_url(url) if url.startswith("sqlite:///") else None
    if parsed is not None and not Path(parsed.database or "").is_file():
        raise StoreError(f"{url}: there is no such database")
    backend, count = backend_for(url), 0

    def work(connection: sa.Connection) -> None:
        nonlocal count
        inspector = sa.inspect(connection)
        if not inspector.has_table("alembic_version") or not inspector.has_table(tables.name):
            raise StoreError(f"{backend.url.render_as_string()}: this isn't a database of the web game")
        form = str(connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar())
        if form not in FORMS:
            raise StoreError(newer_form(form))
        write_atomically(path, _lines(connection, form, inspector.has_table), mode=0o600)
        count = connection.execute(sa.select(sa.func.count()).select_from(tables)).scalar_one()

    await _run(backend, backend.snapshot(work))
    return count


def _lines(connection: sa.Connection, form: str, has_table: Callable[[str], bool]) -> Iterator[bytes]:
    digest, rows = hashlib.sha256(), 0

    def line(data: Any) -> bytes:
        text = _encode(data) + b"\n"
        digest.update(text)
        return text

    yield line(_Head(FORMAT, form, __version__))
    for name, table in _KEPT.items():
        if not has_table(name):
            continue  # the database still has an older schema
        wanted = sa.select(table).order_by(*table.primary_key.columns)
        for row in connection.execute(wanted.execution_options(yield_per=_BATCH)).mappings():
            rows += 1
            yield line((name, {str(column): value for column, value in row.items()}))
    yield line(_Tail(rows, digest.hexdigest()))


async def restore(url: str, path: Path, time: int, *, replace: bool = False) -> int:
    """Restore a database from a file that `back_up` wrote, completely or not at all. Return the number of game tables.

    No server should be using the database. ``time`` (milliseconds since 1970) is recorded as the latest visit to each
    table, so that no table expires at once. Raises `StoreError` if the file is incomplete. It also raises `StoreError`
    if the database already contains tables, unless ``replace`` is true, in which case these tables are deleted.
    """
    for _ in _rows(path):
        pass  # check the whole file first
    await (await open_store(url)).close()
    backend, count = backend_for(url), 0

    def work(connection: sa.Connection) -> None:
        nonlocal count
        if not replace and connection.execute(sa.select(tables.c.id).limit(1)).first() is not None:
            where = backend.url.render_as_string()
            raise StoreError(f"{where}: it already contains tables; --replace deletes them")
        for table in (presence, seekers, *reversed(_KEPT.values())):
            connection.execute(sa.delete(table))
        batch: list[dict[str, Any]] = []
        latest = ""
        for name, row in _rows(path):
            if batch and (name != latest or len(batch) == _BATCH):
                connection.execute(sa.insert(_KEPT[latest]), batch)
                batch = []
            latest = name
            batch.append(row)
        if batch:
            connection.execute(sa.insert(_KEPT[latest]), batch)
        count = connection.execute(sa.update(tables).values(touched=time)).rowcount

    try:
        await _run(backend, backend.write(work))
    except Conflict:
        raise StoreError(f"{path}: its rows contradict each other") from None
    return count


async def _run(backend: Backend, done: Any) -> None:
    try:
        await done
    except (SQLAlchemyError, OSError) as error:
        raise StoreError(f"{backend.url.render_as_string()}: {cause(error)}") from None
    finally:
        await backend.close()


def _rows(path: Path) -> Iterator[_Row]:
    """Yield the rows of a backup. Raises `StoreError` unless the file is complete, which is known at its end."""
    digest, rows, what = hashlib.sha256(), 0, "this isn't a backup"
    try:
        with path.open("rb") as file:
            line = file.readline(_LONGEST)
            head = msgspec.json.decode(line, type=_Head)
            if head.format != FORMAT:
                raise StoreError(f"{path}: this isn't a {FORMAT}")
            if head.form not in FORMS:
                raise StoreError(newer_form(head.form))
            what = "it is damaged or incomplete"
            digest.update(line)
            while (line := file.readline(_LONGEST))[:1] == b"[":
                digest.update(line)
                rows += 1
                row = msgspec.json.decode(line, type=_Row)
                name, values = row
                table = _KEPT.get(name)
                if table is None or not set(values) <= set(table.columns.keys()):
                    raise StoreError(f"{path}: it contains rows of {name[:40]!r} that this version does not know")
                if not {str(column.name) for column in table.primary_key} <= set(values):
                    raise StoreError(f"{path}: it is damaged; a row of {name!r} has no key")
                yield row
            if msgspec.json.decode(line, type=_Tail) == _Tail(rows, digest.hexdigest()) and not file.read(1):
                return
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    raise StoreError(f"{path}: {what}")
