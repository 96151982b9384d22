"""The stream of a page, which sends the changing parts as HTML whenever the table has changed."""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from millebornes.web.api.stream import BEAT, ENDING
from millebornes.web.errors import ApiError
from millebornes.web.service import Service
from millebornes.web.table.live import SeatAccess

__all__ = ["Render", "page_events"]

Render = Callable[[int], Awaitable[tuple[int, str]]]
"""A function that makes the changing parts for who has seen a version, and returns their version and HTML."""

_log: Final = logging.getLogger(__name__)


async def page_events(service: Service, who: SeatAccess, shown: int, render: Render) -> AsyncGenerator[bytes]:
    """Yield events ``table`` with the changing parts of a page, and beats. ``shown`` is the version that it shows.

    There is an event for each version, even if this viewer sees no difference, so that all get them at the same times.
    """
    table = who.table
    with table.listening(who.seat, service.settings.beat) as listener:
        while not service.is_closing.is_set():
            listener.clear()
            if listener.is_refreshed or table.published != shown:
                listener.is_refreshed = False
                messages = table.messages(shown)
                may_be_over = messages is None or any(message.event in ENDING for message in messages)
                if may_be_over and await service.is_over(who):
                    return  # the seat was resumed in another browser, has become free or was swapped
                try:
                    shown, html = await render(shown)
                except (OSError, ApiError, SQLAlchemyError):
                    raise  # the storage isn't responding; the page will ask again
                except Exception:
                    _log.exception("the page of table %s cannot be shown", table.name)
                    raise
                lines = "".join(f"data: {line}\n" for line in html.splitlines() if line.strip())
                yield f"id: {shown}\nevent: table\n{lines}\n".encode()
            elif not await listener.news():
                yield BEAT
