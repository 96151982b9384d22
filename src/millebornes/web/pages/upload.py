"""The page on which you can upload a transcript in order to look at it and review it."""

import email.policy
from email.parser import BytesParser
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from millebornes.cards import CODES
from millebornes.errors import MilleBornesError
from millebornes.i18n import Translator
from millebornes.notation import read_match
from millebornes.shown import clean_name
from millebornes.texts.participants import names_with_levels
from millebornes.web.api.requests import address_of, read_whole
from millebornes.web.errors import ApiError
from millebornes.web.pages.hands import hand_address
from millebornes.web.pages.locale_text import words_of
from millebornes.web.pages.site import Site
from millebornes.web.server.guard import check_origin
from millebornes.web.table.analyses import HandName
from millebornes.web.table.events import Created, HandDealt, Joined, TableEvent, write_event
from millebornes.web.table.seats import OPEN
from millebornes.web.table.state import MAX_HANDS_BEFORE_MATCH

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
            _, address = words_of(request).translate, address_of(request)
            log = await service.threads.run(address, lambda: _log_of(text, service.settings.window, _))
            size = sum(len(write_event(event)) for event in log)
            self.site.limits.check("bytes", address, size)
            self.site.limits.charge("bytes", address, size)
            state = await service.keep(log, uploaded=size)
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


def _log_of(transcript: bytes, coup_window: int, _: Translator) -> list[TableEvent]:
    """Return the log of a new table with the finished hands in a transcript. All its seats are empty.

    ``coup_window`` is in milliseconds. ``_`` determines the language for the levels of computer players. Raises
    `ApiError` (transcript) if the transcript can't be read, has no finished hand, or has too many.
    """
    try:
        match = read_match(transcript.splitlines(keepends=True))
    except MilleBornesError as error:
        raise ApiError(400, "transcript", str(error)) from None
    hands = [hand for hand in match.hands if hand.is_over]
    if not 1 <= len(hands) <= MAX_HANDS_BEFORE_MATCH:
        text = f"the transcript has {len(hands)} finished hands; there must be 1 to {MAX_HANDS_BEFORE_MATCH}"
        raise ApiError(400, "transcript", text)
    seats = range(match.rules.seats)
    created = Created.new(
        match.rules,
        places=(OPEN,) * len(seats),
        name="",
        match_target=match.match_target,
        spectators=True,
        coup_window=coup_window,
    )
    names = names_with_levels(match.players, match.players, _) if match.players else [""] * len(seats)
    joined = [Joined(at=created.at, seat=seat, name=clean_name(names[seat]) or f"{seat + 1}") for seat in seats]
    number = hands[0].first + 1  # the number of the match determines the seat that begins
    dealt = [
        HandDealt(
            at=created.at,
            match=number,
            hand=place,
            deck=" ".join(CODES[card] for card in hand.deck or ()),
            moves=tuple(move.text for move in hand.moves),
        )
        for place, hand in enumerate(hands, 1)
    ]
    return [created, *joined, *dealt]
