"""The people who look for an opponent. Each browser has one row, with the table where its person waits or was sent.

Each function runs in a transaction, and only one transaction at a time can change these rows. So two people who look at
the same moment find each other, and someone who presses the button twice gets the same table.
"""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

import sqlalchemy as sa

from millebornes.web.store.clock import HOUR, wall
from millebornes.web.store.schema import lobby, seekers

FRESH: Final = 7_000
"""A person whose page hasn't given a sign for this many milliseconds isn't sent an opponent."""
PAIRED: Final = 10_000
"""For this many milliseconds, the two people who are sent to a table belong there: they aren't sent anywhere else."""
_LOCK: Final = 0x6D63
"""The number of the PostgreSQL lock that is held in these transactions. SQLite has only one that writes."""


class Sign(NamedTuple):
    """The latest sign of the person who waits at a table: ``ago`` milliseconds ago, a page was there or was closed."""

    is_here: bool
    ago: int


class Sought(NamedTuple):
    """The table that a browser was sent to, and the table where its person waited until now, if there was one."""

    table: str
    left: str | None = None


def claim(connection: sa.Connection, browser: str, others: Collection[str]) -> Sought | None:
    """Return the table where a browser's person belongs, or send the person to the one who has waited longest.

    ``others`` are tables in the lobby that are also suitable. If no one waits, return None.
    """
    time = _begin(connection)
    own = connection.execute(sa.select(seekers).where(seekers.c.browser == browser)).first()
    if own is not None and _is_recent(own.paired, time, PAIRED):
        return Sought(own.table_id)
    waiting = _waiting(connection, time, others)
    mine = None if own is None else next((n for n, row in enumerate(waiting) if row.table_id == own.table_id), None)
    if own is not None and mine is None and _is_listed(connection, own.table_id):
        mine = len(waiting)  # only the other has to give signs; this person has just asked
    found = next((row for row in waiting[:mine] if row.browser != browser), None)
    if found is None:
        if own is None or mine is None:
            return None
        connection.execute(sa.update(seekers).where(seekers.c.browser == browser).values(seen=time))
        return Sought(own.table_id)
    connection.execute(sa.update(seekers).where(seekers.c.table_id == found.table_id).values(paired=time))
    _set(connection, browser, found.table_id, seen=None, paired=time)
    return Sought(found.table_id, None if own is None or mine is None else own.table_id)


def settle(connection: sa.Connection, browser: str, table: str, *, paired: bool) -> None:
    """Record that a browser's person waits at a table or, if ``paired``, is there with another person."""
    time = _begin(connection)
    latest = sa.func.coalesce(seekers.c.paired, seekers.c.seen)
    connection.execute(sa.delete(seekers).where(latest < time - HOUR))
    _set(connection, browser, table, seen=time, paired=time if paired else None)


def meet(connection: sa.Connection, table: str) -> None:
    """Record that another person has come to a table, perhaps from the lobby, so the person who waits belongs there."""
    connection.execute(sa.update(seekers).where(seekers.c.table_id == table).values(paired=_time(connection)))


def leave(connection: sa.Connection, browser: str, table: str) -> None:
    """Record that a browser's person doesn't belong to a table any more."""
    _begin(connection)
    connection.execute(sa.delete(seekers).where(seekers.c.browser == browser, seekers.c.table_id == table))


def update_waiting(connection: sa.Connection, signs: Mapping[str, Sign]) -> set[str]:
    """Record the signs of people by table. Return the tables whose people should look for an opponent again.

    Of two people who wait, it is the one who has waited less.
    """
    time = _begin(connection)
    for table, sign in signs.items():
        at, own = time - sign.ago, seekers.c.table_id == table
        if sign.is_here:
            connection.execute(sa.update(seekers).where(own, seekers.c.seen < at).values(seen=at))
        else:  # unless another process knows better
            connection.execute(sa.update(seekers).where(own, seekers.c.seen <= at).values(seen=at - FRESH - 1))
    return {str(row.table_id) for row in _waiting(connection, time, ())[1::2]}


def _waiting(connection: sa.Connection, time: int, others: Collection[str]) -> list[sa.Row[tuple[str, str | None]]]:
    """Return the tables at which someone waits, in the order of their time in the lobby."""
    sent = sa.select(seekers.c.table_id).where(seekers.c.paired.between(time - PAIRED, time + PAIRED))
    is_waiter = sa.and_(seekers.c.table_id == lobby.c.table_id, seekers.c.seen.is_not(None))
    is_other = sa.and_(seekers.c.browser.is_(None), lobby.c.table_id.in_(others))
    is_fresh = seekers.c.seen.between(time - FRESH, time + FRESH)
    wanted = (
        sa.select(lobby.c.table_id, seekers.c.browser)
        .join(seekers, is_waiter, isouter=True)
        .where(sa.or_(is_fresh, is_other), lobby.c.table_id.not_in(sent))
        .order_by(lobby.c.created, lobby.c.table_id)
    )
    return list(connection.execute(wanted))


def _begin(connection: sa.Connection) -> int:
    """Wait for the transaction's turn. Return the time in milliseconds since 1970, the same for all processes."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    return _time(connection)


def _time(connection: sa.Connection) -> int:
    if connection.dialect.name != "postgresql":
        return wall()
    return round(1000 * connection.execute(sa.select(sa.extract("epoch", sa.func.clock_timestamp()))).scalar_one())


def _is_listed(connection: sa.Connection, table: str) -> bool:
    return connection.execute(sa.select(lobby.c.table_id).where(lobby.c.table_id == table)).first() is not None


def _is_recent(at: int | None, time: int, within: int) -> bool:
    return at is not None and abs(time - at) <= within


def _set(connection: sa.Connection, browser: str, table: str, *, seen: int | None, paired: int | None) -> None:
    connection.execute(sa.delete(seekers).where(seekers.c.browser == browser))
    connection.execute(sa.insert(seekers).values(browser=browser, table_id=table, paired=paired, seen=seen))
