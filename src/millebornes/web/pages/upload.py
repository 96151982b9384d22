"""The page on which you can upload a transcript in order to look at it and review it."""

import logging
from typing import Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from millebornes.cards import CODES
from millebornes.errors import MilleBornesError
from millebornes.i18n import Translator
from millebornes.notation import read_match
from millebornes.shown import clean_name
from millebornes.table.commands import create
from millebornes.table.facts import Fact, HandDealt, Joined, write_fact
from millebornes.table.seats import OPEN
from millebornes.table.setup import GameSetup
from millebornes.table.state import MAX_HANDS_BEFORE_MATCH
from millebornes.web.http.requests import address_of, read_whole
from millebornes.web.http.security import check_origin
from millebornes.web.pages.hands import hand_address
from millebornes.web.pages.locale_text import words_of
from millebornes.web.pages.site import Site
from millebornes.web.store.clock import now
from millebornes.web.tables.analyses import HandName
from millebornes.web.tables.errors import ApiError
from millebornes.words.participants import names_with_levels

MAX_UPLOAD: Final = 1024 * 1024
"""The maximum size of a form with a transcript in bytes, which is several times the size of the longest matches."""

MAX_PARTS: Final = 8
"""The maximum number of fields in the form."""
MAX_HEADERS: Final = 8
"""The maximum number of headers of a field."""
MAX_HEADER: Final = 1024
"""The maximum length of a header, in bytes."""

logging.getLogger("python_multipart").setLevel(logging.CRITICAL)  # it logs every fault in a form


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
            kind, _ = request.headers.get("content-type", ""), words_of(request).translate
            address, window = address_of(request), service.settings.window
            log = await service.threads.run(address, lambda: _log_of(_file_of(kind, data), window, _))
            size = sum(len(write_fact(event)) for event in log)
            self.site.limits.check("bytes", address, size)
            self.site.limits.charge("bytes", address, size)
            state = await service.keep(log, uploaded=size)
        except ApiError as error:
            return self.site.page(request, "upload.html", error)
        return RedirectResponse(hand_address(HandName(state.created.table, state.number, 1)), 303)


class _Form:
    """The first file with the name ``file`` in a form. Fields can't contain other fields."""

    def __init__(self) -> None:
        self.file: bytearray | None = None
        self._parts = 0
        self._header = b""
        self._value = b""
        self._reads = False

    def begin(self) -> None:
        """Begin a field."""
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise FormParserError(f"more than {MAX_PARTS} fields")
        self._reads = False

    def add_header(self, data: bytes, start: int, end: int) -> None:
        """Add to the name of a header."""
        self._header += data[start:end]

    def add_value(self, data: bytes, start: int, end: int) -> None:
        """Add to the value of a header."""
        self._value += data[start:end]

    def end_header(self) -> None:
        """Look for the field's name in a header."""
        if self._header.lower() == b"content-disposition" and self.file is None:
            _kind, options = parse_options_header(self._value)
            if options.get(b"name") == b"file":
                self.file, self._reads = bytearray(), True
        self._header = self._value = b""

    def add_data(self, data: bytes, start: int, end: int) -> None:
        """Add to the contents of a field."""
        if self._reads and self.file is not None:
            self.file += data[start:end]


def _file_of(content_type: str, data: bytes) -> bytes:
    """Return the file in a form. Raises `ApiError` if there is none, or if the form can't be read."""
    form = _Form()
    try:
        kind, options = parse_options_header(content_type) if len(content_type) <= MAX_HEADER else (b"", {})
        if kind != b"multipart/form-data" or not options.get(b"boundary"):
            raise FormParserError("it must be multipart/form-data with a boundary")
        parser = MultipartParser(
            options[b"boundary"],
            {
                "on_part_begin": form.begin,
                "on_header_field": form.add_header,
                "on_header_value": form.add_value,
                "on_header_end": form.end_header,
                "on_part_data": form.add_data,
            },
            max_header_count=MAX_HEADERS,
            max_header_size=MAX_HEADER,
        )
        parser.write(data)
    except (FormParserError, UnicodeError) as error:
        raise ApiError(400, "malformed", f"the form cannot be read: {error}") from None
    if form.file is None:
        raise ApiError(400, "malformed", "file: the form contains none")
    return bytes(form.file)


def _log_of(transcript: bytes, coup_window: int, _: Translator) -> list[Fact]:
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
    setup = GameSetup(rules=match.rules, places=(OPEN,) * len(seats), match_target=match.match_target)
    created = create(setup, now(), coup_window)
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
