"""The regular work of a server besides the games: recording who is present, and deleting abandoned tables."""

import logging
import secrets
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from millebornes.table.messages import encode
from millebornes.web.store.backends import cause
from millebornes.web.store.clock import HOUR, ClockMonitor, uptime, wall
from millebornes.web.store.retention import Lifetimes
from millebornes.web.store.store import Store
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.live import LiveTable
from millebornes.web.tables.presence import QUIET_SHARED_AFTER

REPORT_VALID_FOR: Final = 20_000
"""A report from another process is valid for this many milliseconds."""

_log = logging.getLogger(__name__)


class _PeerReport(NamedTuple):
    """A report from another process: its own time, the time when it was first read here, and its contents by table."""

    at: int
    heard: int
    tables: dict[str, list[Any]]


class Maintenance:
    """Maintains the tables in memory. All times come from `millebornes.web.store.clock.now`."""

    def __init__(self, store: Store, live: dict[str, LiveTable], lifetimes: Lifetimes) -> None:
        self._store: Final = store
        self._live: Final = live
        self._lifetimes: Final = lifetimes
        self._process: Final = secrets.token_hex(16)
        self._touched = 0
        self._others: dict[str, _PeerReport] = {}
        self._clock_monitor: Final = ClockMonitor(wall(), uptime())

    async def update_presence(self, time: int) -> None:
        """For all tables with viewers, record which seats are away at ``time`` and which are back."""
        for name, table in list(self._live.items()):
            if not table.state.is_listed and not table.presence.was_active_since(time - QUIET_SHARED_AFTER):
                continue  # there is no one who would notice
            try:
                await table.update_presence(time)
            except ApiError:  # the table has expired
                self._live.pop(name, None)
            except (SQLAlchemyError, OSError) as error:
                _log.warning("table %s: presence cannot be recorded: %s", name, cause(error))

    async def exchange(self, time: int) -> None:
        """Report to other processes which players are present here, and read the reports of these processes."""
        if not self._store.is_shared:
            return
        here = {name: table.presence.to_list(time) for name, table in self._live.items()}
        body = encode({name: seats for name, seats in here.items() if seats is not None}).decode()
        rows = await self._store.exchange(self._process, time, body)
        before, self._others = self._others, {}
        for process, at, text in rows:
            report = before.get(process)
            if report is None or report.at != at:
                report = _PeerReport(at, time, msgspec.json.decode(text))
            self._others[process] = report
        others = [report for report in self._others.values() if report.heard > time - REPORT_VALID_FOR]
        for name, table in list(self._live.items()):
            table.presence.receive_reports(
                [(report.heard, report.tables[name]) for report in others if name in report.tables]
            )

    async def tidy(self, time: int, wall: int, uptime: int) -> list[str]:
        """Record which tables are in use, and delete abandoned tables. Return the names of the deleted tables.

        Because the machine's clock may be wrong, nothing is deleted in the first hour after the start or after a jump
        of the clock, and tables that were last used before a jump count as used now. The times come from the functions
        in `millebornes.web.store.clock`.
        """
        shown = self._clock_monitor.check(wall, uptime)
        if shown is not None:
            seconds = (wall - shown.until) / 1000
            _log.warning("the machine's clock has jumped by %.0f s; no table will be deleted for an hour", seconds)
            if abs(wall - shown.until) > HOUR:
                await self._store.count_as_now(shown.since, shown.until, wall)
        tables, since = self._live.items(), self._touched
        used = [name for name, table in tables if table.presence.listeners or table.presence.was_active_since(since)]
        await self._store.touch(used, wall)
        self._touched = time
        gone: list[str] = []
        while self._clock_monitor.is_reliable(uptime) and (some := await self._store.expire(self._lifetimes, wall)):
            gone += some
            for name in some:
                table = self._live.pop(name, None)
                if table is not None:
                    await table.close()
        return gone
