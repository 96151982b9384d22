"""The ASGI application: the API for programs and the pages for people."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from millebornes.web.http.routes import Api, refusal
from millebornes.web.http.security import SecurityMiddleware
from millebornes.web.pages.errors import wants_page
from millebornes.web.pages.routes import Pages
from millebornes.web.store.store import open_store
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.service import ServerSettings, Service

_KNOWN: Final = {
    404: ("no_address", "there is nothing at this address; /api/openapi.json describes what there is"),
    405: ("method", "this address does not take this method"),
}


class App:
    """An application (`asgi`) that serves the tables in a database. Its lifespan opens the database if necessary."""

    def __init__(self, database: str, settings: ServerSettings) -> None:
        self.service: Service | None = None
        self._database: Final = database
        self._settings: Final = settings
        self.asgi: Final = Starlette(
            lifespan=self._lifespan,
            middleware=[Middleware(SecurityMiddleware, settings=settings, count=self._count, refused=self._refuse)],
            exception_handlers={HTTPException: self._refused},
        )
        self._api: Api | None = None
        self._pages: Pages | None = None

    async def open(self) -> Service:
        """Open the database if it isn't open yet. Raises `millebornes.web.store.backends.StoreError`."""
        if self.service is None:
            self.service = Service(await open_store(self._database), self._settings)
        return self.service

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        service = await self.open()
        self._api = Api(service)
        self._pages = Pages(service)
        app.router.routes[:] = [*self._api.routes, *self._pages.routes]
        await service.start()
        try:
            yield
        finally:
            await service.close()

    async def end_streams(self) -> None:
        """End all streams. Give them a moment to send their last messages before the connections are closed."""
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

    async def _refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        word, text = _KNOWN.get(error.status_code, ("refused", str(error.detail)))
        if self._api is not None:
            try:
                self._api.limits.spend("any", request.client.host if request.client is not None else "")
            except ApiError as too_much:
                return await self._refuse(request, too_much)
        made = await self._refuse(request, ApiError(error.status_code, word, text))
        for name, value in (error.headers or {}).items():
            made.headers[name] = value
        return made

    async def _refuse(self, request: Request, error: ApiError) -> Response:
        """Return an error as a page if a person made the request, or as JSON for a program."""
        if self._pages is not None and wants_page(request):
            return self._pages.site.error_page(request, error)
        return refusal(error)


def make_app(database: str, settings: ServerSettings | None = None) -> App:
    """Return the application for the database at ``sqlite:///FILE`` or ``postgresql://…``."""
    return App(database, settings or ServerSettings())
