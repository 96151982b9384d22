"""Taking a seat: by an invitation, from the lobby, or by the private link of a seat that one has already."""

from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from millebornes.editions import edition
from millebornes.roster import DEFAULT_PLAYER, ROSTER
from millebornes.web.api.requests import address_of
from millebornes.web.api.routes import DAYS, cookie_of, keep_cookie, keep_token
from millebornes.web.errors import ApiError
from millebornes.web.pages.errors import error_text
from millebornes.web.pages.forms import Form, number_of, read_form
from millebornes.web.pages.locale_text import words_of
from millebornes.web.pages.templates import Templates
from millebornes.web.server.limits import Limits
from millebornes.web.service import Service
from millebornes.web.storage.store import ANY, Key
from millebornes.web.table.commands import new_token
from millebornes.web.table.seat_registry import Claim, Seated

__all__ = ["JoinPages"]

BROWSER: Final = "browser"
"""The cookie by which a browser is known again at all tables."""


class JoinPages:
    """The pages by which people come to a seat. Opening one seats nobody, as previews of links do so; a button does."""

    def __init__(self, service: Service, templates: Templates, limits: Limits) -> None:
        self.service: Final = service
        self.templates: Final = templates
        self._limits: Final = limits

    def claim(self, request: Request) -> Claim:
        """By what a browser that asks for a seat is known again: by itself, or by the seat that it has."""

        def held(table: str) -> list[str]:
            token = request.cookies.get(cookie_of(table))
            return [] if token is None else [token]

        return Claim(browser=_browser_of(request) or new_token(), held=held)

    def know(self, request: Request, answer: Response, claim: Claim | None = None) -> Response:
        """Let a browser be known again, so that a seat that it takes is its own even where the answer is lost."""
        value = (claim or self.claim(request)).browser
        keep_cookie(answer, BROWSER, str(value), DAYS * 86_400, self.service.settings)
        return answer

    def _seated(self, request: Request, seated: Seated, claim: Claim) -> Response:
        made = RedirectResponse(f"/t/{seated.table}", 303)
        keep_token(made, seated.table, seated.token, self.service.settings)
        return self.know(request, made, claim)

    async def led_back(self, request: Request, table: str) -> Response | None:
        """To the table again, with the token of the seat, for a browser that sits there and was never told."""
        if _browser_of(request) is None or len(table) > 32:
            return None
        claim = self.claim(request)
        try:
            held = await self.service.seating.holder(table, claim)
        except ApiError:  # there is no such table, which the page says
            return None
        if held is None or held.token == request.cookies.get(cookie_of(table)):
            return None
        return self._seated(request, held, claim)

    async def invited(self, request: Request) -> Response:
        """An invitation is only shown; whoever previews a link takes no seat, and whoever has one is led to it."""
        code, claim = str(request.path_params["code"]), self.claim(request)
        with self._limits.guessing(address_of(request)):
            found = await self.service.seating.invitation(code)
        held = await self.service.seating.holder(found.table, claim)
        if held is not None:
            return self._seated(request, held, claim)
        return self.know(request, await self._invitation(request, code, found, {}), claim)

    async def _invitation(
        self, request: Request, code: str, found: Key, form: Form, problem: ApiError | None = None
    ) -> Response:
        """The page of an invitation, shown again with what was filled in where there is a ``problem`` with it."""
        words, state = words_of(request), (await self.service.table(found.table)).state
        free = [seat for seat, name in enumerate(state.names) if name is None]
        context: dict[str, Any] = {
            "code": code,
            "table": found.table,
            "hosts": [name for name in state.shown_names if name],
            "taken": not free if found.seat == ANY else found.seat not in free,
            "free": free if found.seat == ANY and len(free) > 1 else [],
            "rules": state.rules,
            "form": form,
            "problem": "" if problem is None else error_text(problem, words),
        }
        status = 200 if problem is None else problem.status
        return self.templates.page(request, "join.html", words, status, **context)

    async def join(self, request: Request) -> Response:
        """The button of an invitation."""
        self._limits.spend("join", address_of(request))
        code, form, claim = str(request.path_params["code"]), await read_form(request), self.claim(request)
        seat = number_of(form, "seat") if form.get("seat") else None
        try:
            seated = await self.service.seating.join(code, form.get("name", ""), seat, claim)
        except ApiError as error:
            if error.error not in {"name", "taken"}:
                raise
            found = await self.service.seating.invitation(code)
            return self.know(request, await self._invitation(request, code, found, form, error), claim)
        return self._seated(request, seated, claim)

    async def listed(self, request: Request) -> Response:
        """The address that the button of the lobby leads to, opened by itself: the table."""
        return RedirectResponse(f"/t/{request.path_params['table']}", 303)

    async def home(self, request: Request) -> Response:
        """The first page, with the tables of the lobby."""
        return await self._home(request, {})

    async def _home(self, request: Request, form: Form, problem: ApiError | None = None) -> Response:
        """The first page, shown again with what was filled in where there is a ``problem`` with it."""
        words = words_of(request)
        tables = [
            {
                **msgspec.structs.asdict(entry),
                "title": words.translate(edition(entry.edition).title) if entry.edition else "",
                "names": [name for name in entry.names if name],
            }
            for entry in await self.service.lobby()
        ]
        context: dict[str, Any] = {
            "tables": tables,
            "problem": "" if problem is None else error_text(problem, words),
            "wanted": request.path_params.get("table"),
            "typed": form.get("name", ""),
            "opponents": {
                name: words.translate(known.first_choice) for name, known in ROSTER.items() if known.first_choice
            },
            "usual": DEFAULT_PLAYER,
        }
        status = 200 if problem is None else problem.status
        page = self.templates.page(request, "home.html", words, status, **context)
        return self.know(request, page) if tables else page

    async def join_listed(self, request: Request) -> Response:
        """A free seat at a table of the lobby."""
        self._limits.spend("join", address_of(request))
        form, claim, table = await read_form(request), self.claim(request), str(request.path_params["table"])
        try:
            seated = await self.service.seating.join_listed(table, None, form.get("name", ""), claim)
        except ApiError as error:
            if error.error != "name":
                raise
            return await self._home(request, form, error)
        return self._seated(request, seated, claim)

    async def kept(self, request: Request) -> Response:
        """A private link is only shown, as an invitation is."""
        code, claim = str(request.path_params["code"]), self.claim(request)
        with self._limits.guessing(address_of(request)):
            _link, held = await self.service.seating.resumed_by(code, claim)
        if held is not None:
            return self._seated(request, held, claim)
        page = self.templates.page(request, "resume.html", words_of(request), code=code, link="")
        return self.know(request, page, claim)

    async def resume(self, request: Request) -> Response:
        """The button of a private link."""
        self._limits.spend("join", address_of(request))
        claim = self.claim(request)
        with self._limits.guessing(address_of(request)):
            seated = await self.service.seating.resume(str(request.path_params["code"]), claim)
        return self._seated(request, seated, claim)


def _browser_of(request: Request) -> str | None:
    """What a browser is known by; None where it is not known yet."""
    value = request.cookies.get(BROWSER, "")
    return value if 20 <= len(value) <= 64 else None
