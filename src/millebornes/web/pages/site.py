"""What all pages share: how a template becomes a response, and the cookies that browsers keep."""

import gzip
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from millebornes.i18n import N_
from millebornes.web.http.routes import keep_cookie
from millebornes.web.pages.assets import Assets
from millebornes.web.pages.errors import HEADS, error_text
from millebornes.web.pages.locale_text import words_of
from millebornes.web.pages.templates import Templates
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.service import Service

MIN_BYTES: Final = 800
"""A page with fewer bytes than this is sent uncompressed."""
PROBE: Final = "cookies"
"""The name of the cookie that every page sets in a new browser. It shows whether the browser accepts cookies."""


def check_cookies(request: Request) -> None:
    """Raise `ApiError` if a browser sends no cookies. It would lose its seat or its settings at once.

    Browsers that accept cookies have got one with the page that contains the form.
    """
    if not request.cookies:
        raise ApiError(400, "no_cookies", "this browser sends no cookies, which the pages need to remember its seat")


def back_of(request: Request) -> str:
    """Return the address of the page that the request comes from, if it is one of ours, or else of the home page."""
    try:
        parts = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return "/"
    return parts.path if parts.netloc == request.headers.get("host") and parts.path else "/"


class Site:
    """The pages of a service, which share their limits with the API."""

    def __init__(self, service: Service) -> None:
        self.service: Final = service
        self.limits: Final = service.limits
        self.assets: Final = Assets()
        self.templates: Final = Templates(self.assets)

    def base_url(self, request: Request) -> str:
        """Return the address that people use for the server. By default, it is the address in the request."""
        return (self.service.settings.public_url or str(request.base_url)).rstrip("/")

    def page(self, request: Request, name: str, refused: ApiError | None = None, /, **context: Any) -> Response:
        """Return a filled-in template as a response, compressed if the browser accepts this.

        If something was ``refused``, the page has the status of the error and says why.
        """
        words, status = words_of(request), 200 if refused is None else refused.status
        context["problem"] = context.get("problem", "") if refused is None else error_text(refused, words)
        address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        body = self.templates.text(name, words, address=address, base_url=self.base_url(request), **context).encode()
        headers = {"vary": "accept-encoding, accept-language, cookie"}
        if len(body) >= MIN_BYTES and "gzip" in request.headers.get("accept-encoding", ""):
            body = gzip.compress(body, 5, mtime=0)
            headers["content-encoding"] = "gzip"
        if refused is not None and refused.retry_after is not None:
            headers["retry-after"] = str(refused.retry_after)
        made = Response(body, status, headers, media_type="text/html; charset=utf-8")
        if not request.cookies:
            self.keep(made, PROBE, "yes")
        return made

    def error_page(self, request: Request, error: ApiError) -> Response:
        """Return the page for an error."""
        head = words_of(request).translate(HEADS.get(error.status, N_("That didn't work")))
        again = back_of(request) if error.error == "no_cookies" else None
        return self.page(request, "error.html", error, head=head, again=again)

    def keep(self, response: Response, name: str, value: str, days: int = 365, path: str = "/") -> None:
        """Set a cookie that scripts in the browser can't read, for some days from now."""
        keep_cookie(response, name, value, days * 86_400, self.service.settings, path)
