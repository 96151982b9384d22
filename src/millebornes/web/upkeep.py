"""What a server does beside the games: who is there, and tables that nobody returns to."""

import logging
import secrets
from typing import Final

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from millebornes.web.attendance import QUIET_SHARED
from millebornes.web.backends import cause
from millebornes.web.errors import ApiError
from millebornes.web.expiry import Lifetimes
from millebornes.web.live import LiveTable
from millebornes.web.messages import encode
from millebornes.web.store import Store

__all__ = ["Upkeep"]

_log = logging.getLogger(__name__)


class Upkeep:
    """For the tables in the memory of one process; all times are in milliseconds since 1970."""

    def __init__(self, store: Store, live: dict[str, LiveTable], lifetimes: Lifetimes) -> None:
        self._store: Final = store
        self._live: Final = live
        self._lifetimes: Final = lifetimes
        self._process: Final = secrets.token_hex(16)
        self._touched = 0

    async def attend(self, time: int) -> None:
        """Note at all tables where somebody is who is away at a time, and who is back."""
        for name, table in list(self._live.items()):
            if not table.state.is_listed and not table.attendance.since(time - QUIET_SHARED):
                continue  # nobody would be told
            try:
                await table.attend(time)
            except ApiError:  # it has expired
                self._live.pop(name, None)
            except (SQLAlchemyError, OSError) as error:
                _log.warning("table %s: who is there cannot be noted: %s", name, cause(error))

    async def exchange(self, time: int) -> None:
        """Tell other processes who is here, and learn who is there."""
        if not self._store.is_shared:
            return
        here = {name: table.attendance.to_list(time) for name, table in self._live.items()}
        body = encode({name: told for name, told in here.items() if told is not None}).decode()
        others = [msgspec.json.decode(text) for text in await self._store.exchange(self._process, time, body)]
        for name, table in list(self._live.items()):
            table.attendance.hear([other[name] for other in others if name in other])

    async def tidy(self, time: int) -> list[str]:
        """Note which tables are in use, and let go of those that nobody has returned to; their names."""
        used = [name for name, table in self._live.items() if table.listeners or table.attendance.since(self._touched)]
        await self._store.touch(used, time)
        self._touched = time
        gone: list[str] = []
        while some := await self._store.expire(self._lifetimes, time):
            gone += some
            for name in some:
                table = self._live.pop(name, None)
                if table is not None:
                    await table.close()
        return gone
