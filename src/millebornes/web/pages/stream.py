"""The stream of a page: its pieces as HTML again whenever the table has gone on, for whoever looks at it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable
from typing import Any, Final, Generic, TypeVar

from sqlalchemy.exc import SQLAlchemyError
from starlette.types import Send

from millebornes.web.api.stream import ENDING, EventStream
from millebornes.web.errors import ApiError
from millebornes.web.service import SeatAccess, Service
from millebornes.web.table.live import now

__all__ = ["PageStream", "SharedWork", "Tabs"]

_log = logging.getLogger(__name__)
Made = TypeVar("Made")
Render = Callable[[int], Awaitable[tuple[int, str]]]
"""The pieces for a viewer who has seen a version: the version they show, and their HTML."""


class Tabs:
    """The open streams of each seat, so that what one tab does in private reaches the seat's other tabs, and no one's.

    A coup fourré that is let go has no version (R5.5), so nothing else would tell them.
    """

    def __init__(self) -> None:
        self._open: Final[dict[tuple[str, int | None], set[asyncio.Event]]] = {}

    def add(self, who: SeatAccess, tab: asyncio.Event) -> None:
        """A tab is opened."""
        self._open.setdefault((who.table.name, who.seat), set()).add(tab)

    def remove(self, who: SeatAccess, tab: asyncio.Event) -> None:
        """It is closed."""
        key = (who.table.name, who.seat)
        self._open[key].discard(tab)
        if not self._open[key]:
            del self._open[key]

    def refresh(self, who: SeatAccess) -> None:
        """Let all tabs of a seat show the table anew."""
        for tab in self._open.get((who.table.name, who.seat), ()):
            tab.set()


class SharedWork(Generic[Made]):
    """Work that many ask for at the same moment, done once for all of them."""

    def __init__(self, seconds: float) -> None:
        """``seconds`` is how long a result is used."""
        self._seconds: Final = seconds
        self._tasks: Final[dict[Hashable, asyncio.Task[Made]]] = {}

    async def get(self, what: Hashable, make: Callable[[], Coroutine[Any, Any, Made]]) -> Made:
        """What ``make`` gives, now or a moment ago. Raises what it raises."""
        task = self._tasks.get(what)
        if task is None:
            loop = asyncio.get_running_loop()
            task = self._tasks[what] = loop.create_task(make())
            loop.call_later(self._seconds, self._tasks.pop, what, None)
        return await asyncio.shield(task)


class PageStream(EventStream):
    """Server-sent events ``table``, whose id is a version and whose data are the pieces of the page; and beats."""

    def __init__(
        self, service: Service, who: SeatAccess, after: int, close: Callable[[], None], render: Render, tabs: Tabs
    ) -> None:
        super().__init__(service, who, after, close)
        self._render: Final = render
        self._tabs: Final = tabs

    async def _write(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await self._send(send, b"retry: 1000\nevent: beat\ndata: {}\n\n")
        try:
            async for piece in self._pieces():
                await self._send(send, b"event: beat\ndata: {}\n\n" if piece is None else _framed(*piece))
        except (OSError, TimeoutError, ApiError, SQLAlchemyError):
            raise  # the reader is gone, or the storage does not answer; the page asks again
        except Exception:
            _log.exception("the page of table %s cannot be shown", self._who.table.name)
            raise
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pieces(self) -> AsyncIterator[tuple[int, str] | None]:
        """What there is to send, as it happens; None is a beat.

        There is a piece for every version, also where this viewer has nothing to see of it, so that all get one at
        the same times.
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
                        return  # the seat was taken up in another browser, or is free again
                    shown, html = await self._render(shown)
                    yield shown, html
                    continue
                left = beat_at - loop.time()
                if left <= 0:
                    yield None
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
    """Wait until either is set, or so long."""
    waiting = [asyncio.ensure_future(event.wait()) for event in (one, other)]
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
