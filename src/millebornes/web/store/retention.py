"""The deletion of abandoned tables."""

import dataclasses
from typing import Final

import sqlalchemy as sa

from millebornes.web.store.schema import (
    answers,
    commands,
    facts,
    keys,
    lobby,
    mistakes,
    seekers,
    tables,
    uploads,
    wishes,
)

DAY: Final = 86_400_000
MAX_AT_ONCE: Final = 100
"""At most this many tables are deleted in one transaction, to keep it short."""
MISTAKES_FOR: Final = 365
"""A browser's mistakes are kept for this many days, like its cookie (`millebornes.web.pages.joining`)."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Lifetimes:
    """The number of days for which abandoned tables are kept.

    A ``waiting`` table was cancelled or never had all its seats taken. At a ``finished`` table, a match has ended.
    """

    waiting: float = 1
    unfinished: float = 30
    finished: float = 30


def expire(connection: sa.Connection, lifetimes: Lifetimes, time: int) -> list[str]:
    """Delete old mistakes and some of the tables that have expired at ``time`` (milliseconds since 1970).

    Several processes can do this at the same time, because each takes different rows. Return the names of the deleted
    tables.
    """
    since = sa.func.coalesce(tables.c.touched, tables.c.created)

    def before(days: float) -> sa.ColumnElement[bool]:
        return since < time - round(days * DAY)

    # A table is also waiting between two hands, but then it has a due time.
    is_waiting = sa.and_(tables.c.status.in_(("waiting", "cancelled")), tables.c.due.is_(None))
    is_finished = tables.c.status == "match_over"
    is_over = sa.or_(
        sa.and_(is_waiting, before(lifetimes.waiting)),
        sa.and_(is_finished, before(lifetimes.finished)),
        sa.and_(sa.not_(is_waiting), sa.not_(is_finished), before(lifetimes.unfinished)),
    )
    wanted = sa.select(tables.c.id).where(is_over).order_by(tables.c.id).limit(MAX_AT_ONCE)
    names = [str(name) for name in connection.execute(wanted.with_for_update(skip_locked=True)).scalars()]
    for kept in (commands, answers, keys, facts, lobby, seekers, uploads, wishes):
        connection.execute(sa.delete(kept).where(kept.c.table_id.in_(names)))
    connection.execute(sa.delete(tables).where(tables.c.id.in_(names)))
    connection.execute(sa.delete(mistakes).where(mistakes.c.found < time - MISTAKES_FOR * DAY))
    return names
