"""The ASGI application: the API, and beside it whatever pages there are."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from typing import Any, ClassVar, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from millebornes.web.api import Api, answer
from millebornes.web.guard import Guard
from millebornes.web.service import Service, Settings
from millebornes.web.store import open_store

__all__ = ["App", "make_app"]

_log = logging.getLogger(__name__)
_WORDS: Final = {404: "no_address", 405: "method"}


class App:
    """What serves the tables in one database. ``pages`` makes further routes for the service, once it stands.

    `asgi` is the application; the database is opened with its lifespan, if not before by `open`.
    """

    has_pages: ClassVar[bool] = False
    """Whether there is something to see for a person."""

    def __init__(self, database: str, settings: Settings) -> None:
        self.service: Service | None = None
        self._database: Final = database
        self._settings: Final = settings
        self.asgi: Final = Starlette(
            lifespan=self._lifespan,
            middleware=[Middleware(Guard, settings=settings, count=self._count)],
            exception_handlers={HTTPException: _refused, Exception: _failed},
        )
        self._api: Api | None = None

    async def open(self) -> Service:
        """Open the database, if that has not been done. Raises `millebornes.web.backends.StoreError`."""
        if self.service is None:
            self.service = Service(await open_store(self._database), self._settings)
        return self.service

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        service = await self.open()
        self._api = Api(service)
        app.router.routes[:] = [*self._api.routes, *self.pages(service)]
        await service.start()
        try:
            yield
        finally:
            await service.close()

    def pages(self, service: Service) -> Sequence[BaseRoute]:
        """The routes of pages; none here."""
        return ()

    async def end_streams(self) -> None:
        """End all streams, and wait a little for their last words, before the server cuts its connections."""
        if self.service is not None:
            self.service.end_streams()
            for _ in range(20):
                await asyncio.sleep(0.02)
                if not self.service.counts()["streams"]:
                    break
            await asyncio.sleep(0.02)

    def _count(self, status: int, seconds: float) -> None:
        if self._api is not None:
            self._api.metrics.count(status, seconds)


def make_app(database: str, settings: Settings | None = None) -> App:
    """The application for a database (``sqlite:///FILE`` or ``postgresql://…``)."""
    return App(database, settings or Settings())


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    texts: dict[int, str] = {
        404: "there is nothing at this address; /api/openapi.json describes what there is",
        405: "this address does not take this method",
    }
    word = _WORDS.get(error.status_code, "refused")
    made = answer({"error": word, "text": texts.get(error.status_code, str(error.detail))}, error.status_code)
    for name, value in (error.headers or {}).items():
        made.headers[name] = value
    return made


async def _failed(request: Request, error: Exception) -> Response:
    _log.error("%s failed", request.method, exc_info=error)
    text: dict[str, Any] = {"error": "failed", "text": "something went wrong in the server; it has been noted there"}
    return answer(text, 500)
