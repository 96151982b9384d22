"""The stream of a page, which sends the changing parts as HTML whenever the table has changed."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable
from typing import Any, Final, Generic, TypeVar

from sqlalchemy.exc import SQLAlchemyError
from starlette.types import Send

from millebornes.web.api.stream import BEAT, ENDING, EventStream
from millebornes.web.errors import ApiError
from millebornes.web.service import Service
from millebornes.web.table.live import SeatAccess

__all__ = ["PageStream", "SharedWork"]

_log = logging.getLogger(__name__)
Made = TypeVar("Made")
Render = Callable[[int], Awaitable[tuple[int, str]]]
"""A function that makes the changing parts for who has seen a version, and returns their version and HTML."""


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
        self, service: Service, who: SeatAccess, after: int, close: Callable[[], None], render: Render
    ) -> None:
        super().__init__(service, who, after, close)
        self._render: Final = render

    async def _write(self, send: Send) -> None:
        try:
            await super()._write(send)
        except (OSError, TimeoutError, ApiError, SQLAlchemyError):
            raise  # the reader has disconnected, or the storage isn't responding; the page will ask again
        except Exception:
            _log.exception("the page of table %s cannot be shown", self._who.table.name)
            raise

    async def _events(self) -> AsyncIterator[bytes]:
        """Yield the parts for every version, so that all viewers get them at the same times."""
        who, service, shown = self._who, self._service, self._after
        with who.table.listening(who.seat, service.settings.beat) as listener:
            while not service.is_closing.is_set():
                listener.clear()
                if listener.is_refreshed or who.table.published != shown:
                    listener.is_refreshed = False
                    messages = who.table.messages(shown)
                    may_be_over = messages is None or any(message.event in ENDING for message in messages)
                    if may_be_over and await service.is_over(who):
                        return  # the seat was resumed in another browser, has become free or was swapped
                    shown, html = await self._render(shown)
                    yield _framed(shown, html)
                elif not await listener.news():
                    yield BEAT


def _framed(version: int, html: str) -> bytes:
    lines = "".join(f"data: {line}\n" for line in html.splitlines() if line.strip())
    return f"id: {version}\nevent: table\n{lines}\n".encode()
