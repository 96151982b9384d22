"""The mistakes that browsers practise, stored as exercises with the answers so far."""

import contextlib
import datetime
from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec
import sqlalchemy as sa

from millebornes.storage.practise import MAX_ANSWERS, Answer
from millebornes.web.store.backends import Backend, Conflict
from millebornes.web.store.schema import mistakes

MAX_KEPT: Final = 200
"""At most this many mistakes are kept for each browser. Each takes 1 to 4 KB. The oldest are dropped first."""
MAX_TOTAL: Final = 100_000
"""At most this many mistakes are kept in total.

The oldest that no one has answered are dropped first. Nobody loses a mistake with answers, so if only those are left,
no more are added.
"""

_Row = tuple[int, int]
"""An answer: its time in seconds since 1970, and 1 if it was right."""


class KeptMistake(NamedTuple):
    """A mistake as a line of a set of exercises, with its ``id`` and the ``answers`` so far, oldest first."""

    id: str
    line: str
    answers: tuple[Answer, ...]


class Mistakes:
    """The mistakes of all browsers, in the database. ``owner`` is the hash of the value that identifies a browser.

    Every method is one transaction.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend: Final = backend

    async def add(self, owner: str, lines: Mapping[str, str], time: int) -> None:
        """Add mistakes in order, as far as there is room, except mistakes that the browser already has.

        ``time`` is in milliseconds since 1970.
        """

        def work(connection: sa.Connection) -> None:
            own = mistakes.c.owner == owner
            ids = sa.select(mistakes.c.id).where(own).order_by(mistakes.c.found, mistakes.c.id)
            known = list(connection.execute(ids).scalars())
            new = [
                {"owner": owner, "id": id_, "found": time + place, "line": line, "answers": "[]"}
                for place, (id_, line) in enumerate(lines.items())  # a millisecond each, so that they stay in order
                if id_ not in known
            ][-MAX_KEPT:]
            too_old = known[: max(0, len(known) + len(new) - MAX_KEPT)]
            if too_old:
                connection.execute(sa.delete(mistakes).where(own, mistakes.c.id.in_(too_old)))
            count = connection.execute(sa.select(sa.func.count()).select_from(mistakes)).scalar_one()
            new = new[: max(0, MAX_TOTAL - count + _make_room(connection, count + len(new) - MAX_TOTAL))]
            if new:
                connection.execute(sa.insert(mistakes), new)

        with contextlib.suppress(Conflict):  # another request of this browser has added them
            await self._backend.write(work)

    async def has(self, owner: str) -> bool:
        """Return whether a browser has any mistakes."""
        return bool(await self._backend.read(sa.select(mistakes.c.id).where(mistakes.c.owner == owner).limit(1)))

    async def of(self, owner: str) -> list[KeptMistake]:
        """Return the mistakes of a browser, oldest first."""
        wanted = sa.select(mistakes).where(mistakes.c.owner == owner).order_by(mistakes.c.found, mistakes.c.id)
        return [KeptMistake(str(row.id), str(row.line), _read(row.answers)) for row in await self._backend.read(wanted)]

    async def histories(self, owner: str) -> dict[str, tuple[Answer, ...]]:
        """Return the answers of a browser by the id of the mistake, oldest first."""
        wanted = sa.select(mistakes.c.id, mistakes.c.answers).where(mistakes.c.owner == owner)
        return {str(row[0]): _read(row[1]) for row in await self._backend.read(wanted)}

    async def record(self, owner: str, id_: str, answer: Answer) -> None:
        """Add an answer. If the browser has no such mistake, nothing happens."""
        one = (mistakes.c.owner == owner, mistakes.c.id == id_)

        def work(connection: sa.Connection) -> None:
            found = connection.execute(sa.select(mistakes.c.answers).where(*one).with_for_update()).scalar()
            if found is not None:
                answers = (*_read(found), answer)[-MAX_ANSWERS:]
                connection.execute(sa.update(mistakes).where(*one).values(answers=_written(answers)))

        await self._backend.write(work)


def _make_room(connection: sa.Connection, count: int) -> int:
    """Delete up to ``count`` of the oldest mistakes that no one has answered. Return the number of them."""
    if count <= 0:
        return 0
    wanted = sa.select(mistakes.c.owner, mistakes.c.id).where(mistakes.c.answers == "[]")
    gone = connection.execute(wanted.order_by(mistakes.c.found, mistakes.c.owner).limit(count)).all()
    for owner, id_ in gone:
        connection.execute(sa.delete(mistakes).where(mistakes.c.owner == owner, mistakes.c.id == id_))
    return len(gone)


def _read(text: str) -> tuple[Answer, ...]:
    rows = msgspec.json.decode(text, type=list[_Row])
    return tuple(Answer(datetime.datetime.fromtimestamp(at, datetime.UTC), bool(right)) for at, right in rows)


def _written(answers: tuple[Answer, ...]) -> str:
    rows: list[_Row] = [(int(answer.moment.timestamp()), int(answer.right)) for answer in answers]
    return msgspec.json.encode(rows).decode()
