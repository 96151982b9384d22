"""The stream of a page.

Whenever the table has changed, it sends the changing parts as HTML, as their viewer sees them.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable
from typing import Any, Final, Generic, TypeVar

from sqlalchemy.exc import SQLAlchemyError
from starlette.types import Send

from millebornes.web.api.stream import BEAT, ENDING, EventStream
from millebornes.web.errors import ApiError
from millebornes.web.service import SeatAccess, Service
from millebornes.web.table.live import now

__all__ = ["PageStream", "SharedWork", "Tabs"]

_log = logging.getLogger(__name__)
Made = TypeVar("Made")
Render = Callable[[int], Awaitable[tuple[int, str]]]
"""A function that makes the changing parts for a viewer who has seen a version.

It returns the version they show, and their HTML.
"""


class Tabs:
    """The open streams of each seat. A private action in one tab has to reach the seat's other tabs, but no one else.

    A pass on a coup fourré has no version (R5.5), so nothing else would notify these tabs.
    """

    def __init__(self) -> None:
        self._open: Final[dict[tuple[str, int | None], set[asyncio.Event]]] = {}

    def add(self, who: SeatAccess, tab: asyncio.Event) -> None:
        """Add a tab when it opens."""
        self._open.setdefault((who.table.name, who.seat), set()).add(tab)

    def remove(self, who: SeatAccess, tab: asyncio.Event) -> None:
        """Remove a tab when it closes."""
        key = (who.table.name, who.seat)
        self._open[key].discard(tab)
        if not self._open[key]:
            del self._open[key]

    def refresh(self, who: SeatAccess) -> None:
        """Refresh the table in all tabs of a seat."""
        for tab in self._open.get((who.table.name, who.seat), ()):
            tab.set()


class SharedWork(Generic[Made]):
    """Work that many viewers request at the same moment. The work is done only once for all of them."""

    def __init__(self, seconds: float) -> None:
        """``seconds`` is how long a result can be used."""
        self._seconds: Final = seconds
        self._tasks: Final[dict[Hashable, asyncio.Task[Made]]] = {}

    async def get(self, what: Hashable, make: Callable[[], Coroutine[Any, Any, Made]]) -> Made:
        """Return the result of ``make``, which may be from a moment ago. Raises the same errors as ``make``."""
        task = self._tasks.get(what)
        if task is None:
            loop = asyncio.get_running_loop()
            task = self._tasks[what] = loop.create_task(make())
            loop.call_later(self._seconds, self._tasks.pop, what, None)
        return await asyncio.shield(task)


class PageStream(EventStream):
    """Server-sent events. A ``table`` event has a version as its id and the changing parts of the page as its data."""

    def __init__(
        self, service: Service, who: SeatAccess, after: int, close: Callable[[], None], render: Render, tabs: Tabs
    ) -> None:
        super().__init__(service, who, after, close)
        self._render: Final = render
        self._tabs: Final = tabs

    async def _write(self, send: Send) -> None:
        try:
            await super()._write(send)
        except (OSError, TimeoutError, ApiError, SQLAlchemyError):
            raise  # the reader has disconnected, or the storage isn't responding; the page will ask again
        except Exception:
            _log.exception("the page of table %s cannot be shown", self._who.table.name)
            raise

    async def _events(self) -> AsyncIterator[bytes]:
        """Yield the changing parts as things happen, and beats if nothing happens for a while.

        A viewer gets the parts for every version, even if they look the same to this viewer. All viewers therefore get
        them at the same times.
        """
        who, service = self._who, self._service
        table, wake, own = who.table, asyncio.Event(), asyncio.Event()
        table.listeners.add(wake)
        table.presence.enter(who.seat)
        self._tabs.add(who, own)
        shown, loop = self._after, asyncio.get_running_loop()
        beat_at = loop.time() + service.settings.beat
        try:
            while not service.is_closing.is_set():
                wake.clear()
                if own.is_set() or table.published != shown:
                    own.clear()
                    narrations = table.messages(shown)
                    may_be_over = narrations is None or any(message.event in ENDING for message in narrations)
                    if may_be_over and await service.is_over(who):
                        return  # the seat was resumed in another browser, has become free or was swapped
                    shown, html = await self._render(shown)
                    yield _framed(shown, html)
                    continue
                left = beat_at - loop.time()
                if left <= 0:
                    yield BEAT
                    beat_at = loop.time() + service.settings.beat
                    continue
                await _first_of(wake, own, left)
        finally:
            table.listeners.discard(wake)
            table.presence.leave(who.seat, now())
            self._tabs.remove(who, own)


def _framed(version: int, html: str) -> bytes:
    lines = "".join(f"data: {line}\n" for line in html.splitlines() if line.strip())
    return f"id: {version}\nevent: table\n{lines}\n".encode()


async def _first_of(one: asyncio.Event, other: asyncio.Event, seconds: float) -> None:
    """Wait until one of the events is set, but at most for ``seconds``."""
    waiting = [asyncio.ensure_future(event.wait()) for event in (one, other)]
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
