"""The page on which you can upload a transcript in order to look at it and review it."""

import asyncio
import email.policy
from email.parser import BytesParser
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from millebornes.web.api.requests import address_of, read_whole
from millebornes.web.errors import ApiError
from millebornes.web.pages.hands import hand_address
from millebornes.web.pages.locale_text import words_of
from millebornes.web.pages.site import Site
from millebornes.web.server.guard import check_origin
from millebornes.web.table.analyses import HandName
from millebornes.web.table.uploads import log_of

__all__ = ["UploadPages"]

MAX_UPLOAD: Final = 1024 * 1024
"""The maximum size of a form with a transcript in bytes, which is several times the size of the longest matches."""


class UploadPages:
    """The page with the upload form, and the action of its button."""

    def __init__(self, site: Site) -> None:
        self.site: Final = site

    async def form(self, request: Request) -> Response:
        """Show the upload form."""
        return self.site.page(request, "upload.html")

    async def upload(self, request: Request) -> Response:
        """Create a table with the hands of a transcript, and redirect to the first hand."""
        service = self.site.service
        check_origin(request.scope, service.settings, by_cookie=True)
        self.site.limits.spend("tables", address_of(request))
        data = await read_whole(request, MAX_UPLOAD)
        try:
            text = _file_of(request.headers.get("content-type", ""), data)
            log = await asyncio.to_thread(log_of, text, service.settings.window, words_of(request).translate)
            state = await service.keep(log)
        except ApiError as error:
            return self.site.page(request, "upload.html", error)
        assert state.session is not None
        return RedirectResponse(hand_address(HandName(state.created.table, state.session.number, 1)), 303)


def _file_of(content_type: str, data: bytes) -> bytes:
    head = b"Content-Type: " + content_type.encode("latin-1", "replace") + b"\r\n\r\n"
    form = BytesParser(policy=email.policy.HTTP).parsebytes(head + data)
    for part in form.iter_parts():
        if part.get_param("name", header="content-disposition") == "file":
            found = part.get_payload(decode=True)
            if isinstance(found, bytes):
                return found
    raise ApiError(400, "malformed", "file: the form contains none")
