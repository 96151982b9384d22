"""How people take a seat: with an invitation, from the lobby, or with the private link to their seat."""

import base64
import hmac
from typing import Final
from urllib.parse import quote, unquote

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from millebornes.player_names import HUMAN
from millebornes.roster import DEFAULT_PLAYER, first_choices, level_word
from millebornes.shown import clean_name
from millebornes.table.seats import OPEN
from millebornes.table.setup import GameSetup
from millebornes.web.http.requests import address_of, cookie_of
from millebornes.web.http.routes import DAYS, keep_token
from millebornes.web.pages.browser_record import BrowserRecord
from millebornes.web.pages.forms import Form, number_of, read_form
from millebornes.web.pages.games import games_of
from millebornes.web.pages.locale_text import words_of
from millebornes.web.pages.site import Site, check_cookies
from millebornes.web.store.store import ANY, Key
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.seat_registry import Claim, Seated, hash_of, new_token
from millebornes.web.tables.service import Made
from millebornes.words.activity import words_at
from millebornes.words.editions import edition_title, terms_text, title_with

SIGNATURE_BYTES: Final = 16
BROWSER: Final = "browser"
"""The name of the cookie that identifies a browser at all tables and owns the browser's mistakes."""
RECORD: Final = "record"
"""The name of the cookie that stores the matches against computer players."""
NAME: Final = "name"
"""The name of the cookie that stores the name a person has entered."""


class JoinPages:
    """The pages that lead to a seat. People take a seat by pressing a button, because link previews open pages too."""

    def __init__(self, site: Site) -> None:
        self.site: Final = site
        self.service: Final = site.service
        self._limits: Final = site.limits

    def claim(self, request: Request) -> Claim:
        """Return how to recognise a browser that asks for a seat: by its cookie, or by the seat that it already has."""

        def held(table: str) -> list[str]:
            token = request.cookies.get(cookie_of(table))
            return [] if token is None else [token]

        return Claim(browser=_browser_of(request) or new_token(), held=held)

    async def recognise(self, request: Request) -> bool:
        """Read the cookie that identifies a browser, for all that follows. Return whether the cookie has to be renewed.

        Only a cookie that a server on this database has signed counts. A cookie from before cookies were signed counts
        if the browser has stored mistakes. All others are treated as those of new browsers.
        """
        value = request.cookies.get(BROWSER, "")
        browser, _dot, signature = value.partition(".")
        if signature and value.isascii():
            is_ours = hmac.compare_digest(signature, self._signature(browser))
            request.state.browser = browser if is_ours else None
            return False
        is_known = 20 <= len(value) <= 64 and await self.service.store.mistakes.has(hash_of(value))
        request.state.browser = value if is_known else None
        return is_known

    def _signature(self, browser: str) -> str:
        found = hmac.digest(self.service.store.secret.encode(), f"browser {browser}".encode(), "sha256")
        return base64.urlsafe_b64encode(found[:SIGNATURE_BYTES]).decode().rstrip("=")

    def set_browser_cookie(self, request: Request, answer: Response, claim: Claim | None = None) -> Response:
        """Set the cookie that identifies a browser, which keeps its seat even if the answer with the token is lost."""
        value = str((claim or self.claim(request)).browser)
        self.site.keep(answer, BROWSER, f"{value}.{self._signature(value)}")
        return answer

    def set_name_cookie(self, answer: Response, form: Form) -> Response:
        """Set the cookie that stores the name a person has entered, so that the name is suggested next time."""
        name = clean_name(form.get("name", ""))
        if name:
            self.site.keep(answer, NAME, quote(name), DAYS)
        return answer

    def at_table(self, request: Request, made: Made | Seated, claim: Claim) -> Response:
        """Return a redirect to a table, with the token for the seat that this browser has there, if it has one."""
        answer = RedirectResponse(f"/t/{made.table}", 303)
        if made.token is not None:
            keep_token(answer, made.table, made.token, self.service.settings)
        return self.set_browser_cookie(request, answer, claim)

    async def redirect_to_seat(self, request: Request, table: str) -> Response | None:
        """Return a redirect to the table with the token, if the browser has a seat but never received the answer."""
        if _browser_of(request) is None:
            return None
        claim = self.claim(request)
        try:
            held = await self.service.seating.holder(table, claim)
        except ApiError:  # the table doesn't exist, which its page will say
            return None
        if held is None or held.token == request.cookies.get(cookie_of(table)):
            return None
        return self.at_table(request, held, claim)

    async def invited(self, request: Request) -> Response:
        """Show an invitation. If the browser already has a seat at the table, redirect it there."""
        code, claim = str(request.path_params["code"]), self.claim(request)
        with self._limits.count_failures(address_of(request)):
            found = await self.service.seating.invitation(code)
        held = await self.service.seating.holder(found.table, claim)
        if held is not None:
            return self.at_table(request, held, claim)
        return self.set_browser_cookie(request, await self._invitation(request, code, found, {}), claim)

    async def _invitation(
        self, request: Request, code: str, found: Key, form: Form, problem: ApiError | None = None
    ) -> Response:
        words, state = words_of(request), (await self.service.table(found.table)).state
        free = [seat for seat, name in enumerate(state.names) if name is None]
        return self.site.page(
            request,
            "join.html",
            problem,
            code=code,
            table=found.table,
            hosts=[
                name for n, name in enumerate(words_at(state, words).participants.names) if state.names[n] is not None
            ],
            cancelled=state.is_cancelled,
            taken=not free if found.seat == ANY else found.seat not in free,
            free=free if found.seat == ANY and len(free) > 1 else [],
            rules=state.rules,
            terms=terms_text(state.rules, state.created.match_target, words.translate),
            form={"name": name_of(request)} | dict(form),
        )

    async def join(self, request: Request) -> Response:
        """Take a seat, when the button on an invitation is pressed."""
        check_cookies(request)
        self._limits.spend("join", address_of(request))
        code, form, claim = str(request.path_params["code"]), await read_form(request), self.claim(request)
        seat = number_of(form, "seat") if form.get("seat") else None
        try:
            seated = await self.service.seating.join(code, form.get("name", ""), seat, claim)
        except ApiError as error:
            if error.error not in {"name", "taken"}:
                raise
            found = await self.service.seating.invitation(code)
            return self.set_browser_cookie(request, await self._invitation(request, code, found, form, error), claim)
        return self.set_name_cookie(self.at_table(request, seated, claim), form)

    async def find(self, request: Request) -> Response:
        """Find an opponent: take a seat opposite a person who is waiting, or create a table and wait there."""
        check_cookies(request)
        self._limits.spend("tables", address_of(request))
        claim, form, words = self.claim(request), await read_form(request), words_of(request)
        name = form.get("name") or name_of(request) or words.translate("Guest")
        setup = GameSetup(places=(HUMAN, OPEN), listed=True, fill=self.service.settings.fill_after).with_names((name,))
        return self.at_table(request, await self.service.find(setup, claim), claim)

    async def listed(self, request: Request) -> Response:
        """Redirect to the table if someone opens the address of a button in the lobby directly."""
        return RedirectResponse(f"/t/{request.path_params['table']}", 303)

    async def home(self, request: Request, form: Form | None = None, problem: ApiError | None = None) -> Response:
        """Show the home page, including the tables in the lobby. It keeps the values in a form with a problem."""
        words = words_of(request)
        tables = [
            {
                **msgspec.structs.asdict(entry),
                "title": title_with(
                    edition_title(entry.edition, words.translate), entry.set if entry.edition else {}, words.translate
                ),
                "names": [name for name in entry.names if name],
            }
            for entry in await self.service.lobby()
        ]
        games, kept = await games_of(self.service, request, words), request.cookies.get(RECORD, "")
        record = BrowserRecord(kept)
        for game in games:
            if game.level:
                record.count(game.table, game.level, game.matches)
        page = self.site.page(
            request,
            "home.html",
            problem,
            tables=tables,
            wanted=request.path_params.get("table"),
            typed=(form or {}).get("name") or name_of(request),
            opponents=first_choices(words.translate),
            usual=DEFAULT_PLAYER,
            mistakes=await self._waiting(request),
            games=games,
            record={level_word(level, words.translate): counts for level, counts in record.levels.items()},
        )
        if record.text not in {"", kept}:
            self.site.keep(page, RECORD, record.text)
        return self.set_browser_cookie(request, page)  # so that a double click on "Find an opponent" is one browser

    async def _waiting(self, request: Request) -> int:
        owner = owner_of(request)
        histories = {} if owner is None else await self.service.store.mistakes.histories(owner)
        if not histories:
            return 0
        from millebornes.analysis.exercises.practice_session import utc_now, waiting  # slow to load
        from millebornes.analysis.exercises.schedule import Boxes

        return waiting(histories.values(), Boxes(), utc_now())

    async def join_listed(self, request: Request) -> Response:
        """Take an open seat at a table in the lobby."""
        check_cookies(request)
        self._limits.spend("join", address_of(request))
        form, claim, table = await read_form(request), self.claim(request), str(request.path_params["table"])
        try:
            seated = await self.service.seating.join_listed(table, None, form.get("name", ""), claim)
        except ApiError as error:
            if error.error != "name":
                raise
            return await self.home(request, form, error)
        return self.set_name_cookie(self.at_table(request, seated, claim), form)

    async def kept(self, request: Request) -> Response:
        """Show the page for a private link, without using the link."""
        code, claim = str(request.path_params["code"]), self.claim(request)
        with self._limits.count_failures(address_of(request)):
            _link, held = await self.service.seating.resumed_by(code, claim)
        if held is not None:
            return self.at_table(request, held, claim)
        page = self.site.page(request, "resume.html", code=code, link="")
        return self.set_browser_cookie(request, page, claim)

    async def resume(self, request: Request) -> Response:
        """Resume a seat, when the button on the page for a private link is pressed."""
        check_cookies(request)
        self._limits.spend("join", address_of(request))
        claim = self.claim(request)
        with self._limits.count_failures(address_of(request)):
            seated = await self.service.seating.resume(str(request.path_params["code"]), claim)
        return self.at_table(request, seated, claim)


def name_of(request: Request) -> str:
    """Return the name that was entered in a browser the last time, or ""."""
    return clean_name(unquote(request.cookies.get(NAME, "")))


def owner_of(request: Request) -> str | None:
    """Return the value that identifies a browser in the database, or None if the browser has no cookie yet."""
    browser = _browser_of(request)
    return None if browser is None else hash_of(browser)


def _browser_of(request: Request) -> str | None:
    found: str | None = request.state.browser
    return found
