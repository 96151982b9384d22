"""What stands before every request: the name it was asked under, where it comes from, and how its answer is framed."""

import logging
import time
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from millebornes.web.errors import ApiError
from millebornes.web.logs import Asked, log_request, route_of
from millebornes.web.messages import encode
from millebornes.web.metrics import is_private
from millebornes.web.service import Settings

__all__ = ["CSP", "Guard", "check_origin"]

CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
"""No inline script or style, nothing from elsewhere, in no frame."""

HEADERS: Final = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

_SAFE: Final = frozenset(("GET", "HEAD", "OPTIONS"))
_log = logging.getLogger(__name__)


def check_origin(headers: Headers, settings: Settings, *, by_cookie: bool = False) -> None:
    """Raises `ApiError` for a request that another site's page has made.

    Browsers send where a request comes from. A command that proves itself ``by_cookie`` has to say it; programs, which
    send a token, need not.
    """
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None:
        allowed = {headers.get("host", "").lower()}
        if settings.public_url is not None:
            allowed.add(urlsplit(settings.public_url).netloc.lower())
        if urlsplit(origin).netloc.lower() not in allowed or "://" not in origin:
            raise ApiError(403, "origin", "this request comes from a page of another site")
    elif site not in {None, "same-origin", "none"} or (by_cookie and site is None):
        raise ApiError(403, "origin", "this request does not come from a page of this site")


class Guard:
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp, settings: Settings, count: Callable[[int, float], None]) -> None:
        """``count`` is told the status of each answer and the seconds it took."""
        self._inner: Final = app
        self._settings: Final = settings
        self._count: Final = count

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, pass on, and frame the answer."""
        if scope["type"] not in {"http", "websocket"}:
            await self._inner(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            self._check_host(headers)
            if scope["type"] == "websocket" or scope["method"] not in _SAFE:
                check_origin(headers, self._settings)
        except ApiError as error:
            await _refuse(scope, receive, send, error)
            if self._settings.log_requests:
                log_request(_asked(scope, error.status, 0.0))
            return
        begun, status, is_hidden = time.perf_counter(), 0, False

        async def framed(message: Message) -> None:
            nonlocal status, is_hidden
            if message["type"] in {"http.response.start", "websocket.http.response.start"}:
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = 101
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
                answer.setdefault("cache-control", "no-store")
                seconds = time.perf_counter() - begun
                is_hidden = is_private(scope, seconds)
                if not is_hidden:
                    self._count(message["status"], seconds)
            await send(message)

        try:
            await self._inner(scope, receive, framed)
        except Exception:
            status = 500
            raise
        finally:
            if self._settings.log_requests and not is_hidden:
                log_request(_asked(scope, status, 1000 * (time.perf_counter() - begun)))

    def _check_host(self, headers: Headers) -> None:
        """Raises `ApiError` for a name that is not the server's: a page of another site that points its name here."""
        hosts = self._settings.hosts
        if hosts is None:
            return
        name = urlsplit(f"//{headers.get('host', '')}").hostname
        if name not in hosts:
            raise ApiError(400, "host", "this server is not to be asked under this name; start it with --public-url")


def _asked(scope: Scope, status: int, ms: float) -> Asked:
    """What may be noted of a request. The addresses of pages, and of the API, end in what is found at a route."""
    parameters = scope.get("path_params") if "endpoint" in scope else None
    route = route_of(scope["path"], parameters)
    table = (parameters or {}).get("table") if status < 400 else None
    client = scope.get("client")
    method = "WS" if scope["type"] == "websocket" else scope["method"]
    return Asked(method, route, table, status, ms, client[0] if client else "")


async def _refuse(scope: Scope, receive: Receive, send: Send, error: ApiError) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": str(error)})
        return
    body = encode(error.to_dict())
    lines = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": error.status, "headers": lines})
    await send({"type": "http.response.body", "body": body})
