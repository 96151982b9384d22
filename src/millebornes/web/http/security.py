"""The checks before each request: its host name, its origin, and the headers to add to its response."""

import logging
import re
import time
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from millebornes.table.messages import encode
from millebornes.web.http.logs import LoggedRequest, log_request, route_of
from millebornes.web.http.metrics import is_private
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.service import ServerSettings

CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
"""The content security policy: no inline scripts or styles, nothing from other sites, and no frames."""

HEADERS: Final = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""The headers of every response, including refusals."""

CLIENT_GONE: Final = 499
"""The status to log if the client disconnects before the response. It is the same as in nginx."""

_SAFE: Final = frozenset(("GET", "HEAD", "OPTIONS"))
_SCHEMES: Final = {"ws": "http", "wss": "https"}
_HOST: Final = re.compile(r"(?P<name>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{0,5}))?")
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f\ufffd]")
"""Characters that none of our addresses contain: control characters, and the replacement for bytes that aren't text."""
_log = logging.getLogger(__name__)


def check_origin(scope: Scope, settings: ServerSettings, *, by_cookie: bool = False) -> None:
    """Raise `ApiError` for a request that comes from a page of another site.

    Browsers send the origin of a request. A command that is authorised ``by_cookie`` must have an origin. Programs send
    a token, so they don't need one.
    """
    headers = Headers(scope=scope)
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None:
        if origin.lower() not in _own_origins(scope, headers.get("host", "").lower(), settings):
            raise ApiError(403, "origin", "this request comes from a page of another site")
    elif site not in {None, "same-origin", "none"} or (by_cookie and site is None):
        raise ApiError(403, "origin", "this request does not come from a page of this site")


def _own_origins(scope: Scope, host: str, settings: ServerSettings) -> set[str]:
    """Return the origins of our pages.

    Origins include the scheme, because browsers treat unencrypted pages as another site.
    """
    public = None if settings.public_url is None else urlsplit(settings.public_url)
    found = set() if public is None else {f"{public.scheme}://{public.netloc}".lower()}
    if public is None or public.netloc.lower() != host:
        found.add(f"{_SCHEMES.get(scope['scheme'], scope['scheme'])}://{host}")
    return found


class SecurityMiddleware:
    """Middleware around the whole application, which checks each request."""

    def __init__(
        self,
        app: ASGIApp,
        settings: ServerSettings,
        count: Callable[[int, float], None],
        refused: Callable[[Request, ApiError], Awaitable[Response]],
    ) -> None:
        """Wrap ``app``.

        ``count`` is called with the status of each response and the seconds it took. ``refused`` turns an error into a
        response.
        """
        self._inner: Final = app
        self._settings: Final = settings
        self._count: Final = count
        self._refused: Final = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, pass it on, and add headers to its response."""
        if scope["type"] not in {"http", "websocket"}:
            await self._inner(scope, receive, send)
            return
        _drop_escaped_cookies(scope)
        begun, status, is_hidden = time.perf_counter(), 0, False

        async def send_with_headers(message: Message) -> None:
            nonlocal status, is_hidden
            if message["type"] in {"http.response.start", "websocket.http.response.start"}:
                status = message["status"]
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
                answer.setdefault("cache-control", "no-store")
            elif message["type"] == "websocket.accept":
                status = 101
            if message["type"] == "http.response.start":
                seconds = time.perf_counter() - begun
                is_hidden = is_private(scope, seconds)
                if not is_hidden:
                    self._count(message["status"], seconds)
            await send(message)

        try:
            self._check_host(Headers(scope=scope))
            if _UNSEEN.search(scope["path"]):
                raise ApiError(404, "no_address", "there is nothing at this address; part of it isn't text")
            if scope["type"] == "websocket" or scope["method"] not in _SAFE:
                check_origin(scope, self._settings)
        except ApiError as error:
            await _refuse(scope, receive, send_with_headers, error)
            if self._settings.log_requests:
                log_request(_asked(scope, error.status, 0.0))
            return
        try:
            await self._inner(scope, receive, send_with_headers)
        except ClientDisconnect:
            status = CLIENT_GONE
        except Exception as error:
            _log.error("%s failed", scope.get("method", "WS"), exc_info=error)
            has_begun, status = status, 500
            await self._fail(scope, receive, send_with_headers, bool(has_begun))
        finally:
            if self._settings.log_requests and not is_hidden:
                log_request(_asked(scope, status, 1000 * (time.perf_counter() - begun)))

    async def _fail(self, scope: Scope, receive: Receive, send: Send, has_begun: bool) -> None:
        """Respond that an error has occurred.

        If the response has already begun, end it, because it is too late to say more.
        """
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1011, "reason": "something went wrong on the server"})
        elif has_begun:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        else:
            error = ApiError(500, "failed", "something went wrong on the server; it has been logged there")
            try:
                answer = await self._refused(Request(scope, receive), error)
            except Exception as again:  # the page can't be shown either
                _log.error("the page of an error failed", exc_info=again)
                answer = _plain(error)
            await answer(scope, receive, send)

    def _check_host(self, headers: Headers) -> None:
        """Raise `ApiError` if a host name isn't the server's. The name of another site could point to this server."""
        found = _HOST.fullmatch(headers.get("host", ""))
        if found is None or int(found["port"] or 0) > 65_535:
            raise ApiError(400, "host", "Host: it must be a name or an address, with or without a port")
        hosts = self._settings.hosts
        if hosts is not None and found["name"].strip("[]").lower() not in hosts:
            raise ApiError(
                400, "host", "this server doesn't answer to this name; start it with --public-url to allow the name"
            )


def _asked(scope: Scope, status: int, ms: float) -> LoggedRequest:
    parameters = scope.get("path_params") if "endpoint" in scope else None
    route = route_of(scope["path"], parameters)
    table = (parameters or {}).get("table") if status < 400 else None
    client = scope.get("client")
    method = "WS" if scope["type"] == "websocket" else scope["method"]
    return LoggedRequest(method, route, table, status, ms, client[0] if client else "")


def _plain(error: ApiError) -> Response:
    return Response(encode(error.to_dict()), error.status, media_type="application/json")


async def _refuse(scope: Scope, receive: Receive, send: Send, error: ApiError) -> None:
    if scope["type"] == "http":
        await _plain(error)(scope, receive, send)
        return
    await receive()
    if "websocket.http.response" in scope.get("extensions", {}):
        await _plain(error)(scope, receive, send)
    else:
        await WebSocketClose(1008, str(error))(scope, receive, send)


def _drop_escaped_cookies(scope: Scope) -> None:
    """Remove the cookies with a backslash from a request.

    We set none, and before Python 3.11.10, undoing the escapes takes time that grows with the square of their number.
    """
    if any(name == b"cookie" and b"\\" in value for name, value in scope["headers"]):
        scope["headers"] = [
            (name, _unescaped(value) if name == b"cookie" else value) for name, value in scope["headers"]
        ]


def _unescaped(cookies: bytes) -> bytes:
    return b";".join(cookie for cookie in cookies.split(b";") if b"\\" not in cookie)
