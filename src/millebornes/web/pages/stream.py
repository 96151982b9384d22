"""The stream of a page, which sends the changing parts as HTML whenever the table has changed."""

import contextlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from millebornes.web.http.stream import BEAT, ENDING
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.presence import Listener
from millebornes.web.tables.seat_registry import SeatAccess
from millebornes.web.tables.service import Service

Render = Callable[[int], Awaitable[tuple[int, str]]]
"""A function that makes the changing parts for who has seen a version, and returns their version and HTML."""

_log: Final = logging.getLogger(__name__)


async def page_events(
    service: Service, who: SeatAccess, shown: int, render: Render, others: Sequence[SeatAccess] = ()
) -> AsyncGenerator[bytes]:
    """Yield events ``table`` with the changing parts of a page, and beats. ``shown`` is the version that it shows.

    There is an event for each version, even if this viewer sees no difference, so that all get them at the same times.

    All tabs of a browser share one stream, so it also has news of ``others``. These events, ``news``, contain only the
    table, its version and, if its page has to be shown again, an exclamation mark.
    """
    table, beat = who.table, service.settings.beat
    told: dict[str, int] = {}
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(table.presence.listening(who.seat, beat))
        watched = [
            (other, stack.enter_context(other.table.presence.listening(other.seat, beat, listener))) for other in others
        ]
        while not service.is_closing.is_set():
            listener.clear()
            news = [line for other, each in watched if (line := _news(other, each, told))]
            if news:
                for other in others:
                    if await service.is_over(other):
                        return  # the stream begins again with the seats as they are now
                yield "".join(news).encode()
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
            elif not news and not await listener.news():
                yield BEAT


def _news(other: SeatAccess, listener: Listener, told: dict[str, int]) -> str:
    """Return an event if a table has a version that its tab hasn't been told, or if the tab has to show it again."""
    table, again = other.table, listener.is_refreshed
    if not again and told.get(table.name) == table.published:
        return ""
    listener.is_refreshed = False
    told[table.name] = table.published
    return f"event: news\ndata: {table.name} {table.published}{' !' if again else ''}\n\n"
