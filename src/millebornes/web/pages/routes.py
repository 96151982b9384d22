"""The routes of the pages."""

import asyncio
import dataclasses
import functools
import json
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final
from urllib.parse import quote, unquote

import msgspec
from msgspec import UNSET
from starlette.convertors import register_url_convertor
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from millebornes.game import InformationState, Match
from millebornes.player_names import HUMAN
from millebornes.roster import DEFAULT_PLAYER, ROSTER, first_choices
from millebornes.schema.api import NextBody, PlaceBody, RematchBody
from millebornes.table.facts import LogError
from millebornes.table.messages import PHRASES
from millebornes.table.setup import GameSetup
from millebornes.table.state import TableState
from millebornes.themes import THEMES, theme
from millebornes.web.http import requests
from millebornes.web.http.requests import cookie_of
from millebornes.web.http.routes import DAYS
from millebornes.web.http.security import check_origin
from millebornes.web.http.stream import EventStream
from millebornes.web.http.table_commands import TABLE_COMMANDS, Call, TableCommand, next_hand
from millebornes.web.pages import forms
from millebornes.web.pages.errors import error_text, failure_text
from millebornes.web.pages.guide import guide_page
from millebornes.web.pages.hands import deal_page, hand_address, hand_page, match_at, review_part, wanted_review
from millebornes.web.pages.joining import JoinPages, name_of
from millebornes.web.pages.locale_text import APPEARANCES, LANGUAGE_NAMES, PageWords, words_of
from millebornes.web.pages.model import new_key
from millebornes.web.pages.practice import PracticePages
from millebornes.web.pages.rulebook import rules_page
from millebornes.web.pages.site import Site, back_of, check_cookies
from millebornes.web.pages.stream import Render, page_events
from millebornes.web.pages.tables import hint_model, hint_note, may_hint, table_model
from millebornes.web.pages.upload import UploadPages
from millebornes.web.tables.analyses import HandName, make_hint, make_review
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.seat_registry import SeatAccess
from millebornes.web.tables.service import Service

MAX_TABLES: Final = 100
"""A browser's stream has news of at most this many other tables."""

SHARED_FOR: Final = 1.0
"""The changing parts of a page that were made for one spectator are sent to all spectators for this many seconds."""


register_url_convertor("number", forms.NumberConvertor())


class Pages:
    """The pages of a service. The pages share their limits with the API."""

    def __init__(self, service: Service) -> None:
        self.service: Final = service
        self.site: Final = Site(service)
        self._limits: Final = service.limits
        self._who: Final = functools.partial(requests.seat_by_cookie, service)
        self._joining: Final = JoinPages(self.site)
        self._practice: Final = PracticePages(self.site, self._joining)
        self._upload: Final = UploadPages(self.site)
        self._shared: Final[dict[Hashable, asyncio.Task[tuple[int, str]]]] = {}

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """All routes with their methods."""
        table = "/t/{table}"
        pages: dict[str, requests.Endpoint] = {
            "/": self._joining.home,
            "/new": self._new,
            "/join/{code}": self._joining.invited,
            "/lobby/{table}": self._joining.listed,
            "/resume/{code}": self._joining.kept,
            "/settings": self._settings,
            "/upload": self._upload.form,
            "/practice": self._practice.next,
            "/practice/{exercise}": self._practice.question,
            "/guide": functools.partial(guide_page, self.site),
            "/rules": functools.partial(rules_page, self.site),
            "/rules/{edition}": functools.partial(rules_page, self.site),
            table: self._table,
            f"{table}/part": self._part,
            f"{table}/stream": self._stream,
            f"{table}/hands/{{hand:number}}": self._hand,
            f"{table}/hands/{{hand:number}}/review": self._reviewing,
            f"{table}/hands/{{hand:number}}/practice": self._hand_endpoint(self._practice.first_mistake),
            f"{table}/hands/{{hand:number}}/practice/{{exercise}}": self._hand_endpoint(self._practice.mistake),
            f"{table}/deals/{{hand:number}}": self._deal,
        }
        posts: dict[str, requests.Endpoint] = {
            "/new": self._create,
            "/join/{code}": self._joining.join,
            "/lobby/{table}": self._joining.join_listed,
            "/resume/{code}": self._joining.resume,
            "/settings": self._set,
            "/find": self._joining.find,
            "/upload": self._upload.upload,
            "/practice/{exercise}": self._practice.answer,
            **{f"{table}/{command.name}": self._command(command) for command in TABLE_COMMANDS},
            "/practice/{exercise}/table": self._continue_exercise,
            f"{table}/hands/{{hand:number}}/table": self._continue_hand,
            f"{table}/rematch": self._rematch,
            f"{table}/seats": self._place,
            f"{table}/hint": self._hint,
            f"{table}/hands/{{hand:number}}/review": self._review,
            f"{table}/hands/{{hand:number}}/practice": self._hand_endpoint(self._practice.store_mistakes, acts=True),
            f"{table}/hands/{{hand:number}}/practice/{{exercise}}": self._hand_endpoint(
                self._practice.answer_mistake, acts=True
            ),
        }
        return [
            *(Route(path, self._guarded(page), methods=["GET"]) for path, page in pages.items()),
            *(Route(path, self._guarded(form), methods=["POST"]) for path, form in posts.items()),
            Route("/static/{path:path}", self._guarded(self.site.assets.answer), methods=["GET"]),
            Route("/manifest.webmanifest", self._guarded(self._manifest), methods=["GET"]),
        ]

    def _guarded(self, endpoint: requests.Endpoint) -> requests.Endpoint:
        async def recognised(request: Request) -> Response:
            is_old = await self._joining.recognise(request)
            made = await endpoint(request)
            return self._joining.set_browser_cookie(request, made) if is_old else made

        return requests.guarded(recognised, self._limits, self._refused)

    def _refused(self, request: Request, error: ApiError) -> Response:
        """Return an error as a page or, for the script on a page that is already open, as a sentence."""
        if getattr(request.state, "is_flood", False):  # a whole page would cost more than the request that is refused
            words, headers = words_of(request), {"retry-after": str(error.retry_after)}
            return Response(error_text(error, words), error.status, headers, media_type="text/plain; charset=utf-8")
        if request.headers.get("hx-request") == "true":
            return self.site.page(request, "notice.html", error)
        return self.site.error_page(request, error)

    # ------------------------------------------------------------------ before the game

    async def _new(self, request: Request) -> Response:
        return self._setup(request, {"with": request.query_params.get("with", "")}, name_of(request))

    def _setup(self, request: Request, form: forms.Form, name: str, refused: ApiError | None = None) -> Response:
        friends = form.get("with") == "friends"
        setup = forms.setup_of(words_of(request), with_friends=friends, form=form)
        field = "" if refused is None else refused.error
        return self.site.page(request, "new.html", refused, setup=setup, friends=friends, field=field, name=name)

    async def _create(self, request: Request) -> Response:
        check_cookies(request)
        self._limits.spend("tables", requests.address_of(request))
        form = await forms.read_form(request)
        try:
            setup = forms.wanted_setup(form, self.service.settings, words_of(request))
            claim = self._joining.claim(request)
            made = await self.service.create(setup, claim)
        except ApiError as error:
            return self._setup(request, form, form.get("name", ""), error)
        answer = self._joining.at_table(request, made, claim)
        if any(made.codes):  # only hashes are stored, so only this browser can show the codes again
            shown = quote(json.dumps([*made.codes, made.link], separators=(",", ":")))
            name, path = f"invitations-{made.table}", f"/t/{made.table}"
            self.site.keep(answer, name, shown, DAYS, path)
        return self._joining.set_name_cookie(answer, form)

    async def _settings(self, request: Request) -> Response:
        themes = [theme(name) for name in THEMES]
        return self.site.page(request, "settings.html", appearances=APPEARANCES, themes=themes, back=back_of(request))

    async def _set(self, request: Request) -> Response:
        check_cookies(request)
        form = await forms.read_form(request)
        back = form.get("back", "/")
        made = RedirectResponse(back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/", 303)
        allowed: dict[str, Mapping[str, Any]] = {
            "language": LANGUAGE_NAMES,
            "appearance": APPEARANCES,
            "cards": dict.fromkeys(THEMES),
        }
        for name, values in allowed.items():
            if form.get(name) in values:
                self.site.keep(made, name, form[name])
        return made

    async def _manifest(self, request: Request) -> Response:
        icon, _ = self.site.assets.url, words_of(request).translate
        data = {
            "name": "Mille Bornes",
            "short_name": "Mille Bornes",
            "description": _("The classic French card game"),
            "start_url": "/",
            "display": "standalone",
            "background_color": "#14324a",
            "theme_color": "#14324a",
            "icons": [
                {"src": icon(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
                for size, purpose in ((192, "any"), (512, "any"), (512, "maskable"))
            ],
        }
        return Response(json.dumps(data), media_type="application/manifest+json")

    # ------------------------------------------------------------------ at the table

    async def _table(self, request: Request) -> Response:
        redirect = await self._joining.redirect_to_seat(request, str(request.path_params["table"]))
        if redirect is not None:
            return redirect
        who = await self._who(request)
        context = await self._shown(request, who, words_of(request), 0)
        watch = f"{self.site.base_url(request)}/t/{who.table.name}"
        return self.site.page(request, "table.html", phrases=PHRASES, watch=watch, **context)

    async def _shown(self, request: Request, who: SeatAccess, words: PageWords, after: int) -> dict[str, Any]:
        """Return the table as its templates show it to a viewer, with the activity since a version."""
        model = await self._model(who, words)
        while await self.service.is_over(who):  # seats have changed in the meantime, and someone else has this one
            who = await self._who(request)
            model = await self._model(who, words)
        if who.seat is not None and model.can_hint:
            hints, name = self.service.hints, _decision(who.table.state, who.seat)
            found, progress = hints.result(name), hints.progress(name)
            if found is not None or progress is not None:
                model.hint = hint_model(found, who.table.state, who.seat, model.hand, words)
                model.hint.note = "" if progress is None else hint_note(progress, words, is_first=hints.is_first)
            model.hint_problem = failure_text(hints.failure(name), words)
        links = self._links(request, who)
        levels = first_choices(words.translate) if model.status == "waiting" else {}
        return {
            "t": model,
            "key": new_key(),
            "links": links,
            "levels": levels,
            "usual": DEFAULT_PLAYER,
            "after": after,
            "can_pair_again": model.is_creator and who.table.can_pair_again,
        }

    async def _model(self, who: SeatAccess, words: PageWords) -> SimpleNamespace:
        auto_pass, time = who.seat in who.table.auto_pass_seats, who.table.time
        return await who.table.show(
            who.seat,
            lambda state, asked: table_model(state, who.seat, asked, words, time=time.now, auto_pass=auto_pass),
        )

    def _links(self, request: Request, who: SeatAccess) -> list[tuple[int, str]]:
        """Return the invitations to the seats that are still open, if this browser created the table."""
        text = request.cookies.get(f"invitations-{who.table.name}")
        if text is None:
            return []
        try:
            codes = msgspec.json.decode(unquote(text), type=list[str | None])
        except msgspec.DecodeError:
            return []
        names = who.table.state.names
        if len(codes) != len(names) + 1:
            return []
        free = [seat for seat, name in enumerate(names) if name is None]
        found = [(seat, code) for seat in free if (code := codes[who.table.state.origins[seat]]) is not None]
        if codes[-1] is not None and free and (len(free) > 1 or not found):
            found.insert(0, (len(names), codes[-1]))  # this invitation is valid for any of them
        return [(seat, f"{self.site.base_url(request)}/join/{code}") for seat, code in found]

    def _pieces(self, request: Request, who: SeatAccess) -> Render:
        """Return a function that makes the changing parts of the page, with the activity since a version."""
        words = words_of(request)

        async def alone(after: int) -> tuple[int, str]:
            context = await self._shown(request, who, words, after)
            return context["t"].version, self.site.templates.text("pieces.html", words, **context)

        async def together(after: int) -> tuple[int, str]:
            viewers = (who.table.name, who.table.published, after, words.language, words.theme.name, words.appearance)
            task = self._shared.get(viewers)
            if task is None:
                loop = asyncio.get_running_loop()
                task = self._shared[viewers] = loop.create_task(alone(after))
                loop.call_later(SHARED_FOR, self._shared.pop, viewers, None)
            return await asyncio.shield(task)

        # All spectators get the same parts. At a popular table, making them for each spectator would delay other
        # viewers.
        return alone if who.seat is not None or self._links(request, who) else together

    async def _part(self, request: Request) -> Response:
        """Return the changing parts once, for browsers that can't keep a stream open."""
        who = await self._who(request)
        await who.table.refresh()
        _version, html = await self._pieces(request, who)(requests.version_of(request))
        return Response(html, media_type="text/html; charset=utf-8")

    async def _stream(self, request: Request) -> Response:
        who, after = await self._who(request), requests.version_of(request)
        if after > who.table.published:
            await who.table.refresh()
        names = dict.fromkeys(request.query_params.getlist("also"))
        names.pop(who.table.name, None)
        others = [other for name in list(names)[:MAX_TABLES] if (other := await self._other(request, name)) is not None]
        leave = self._limits.enter(requests.address_of(request), who.name)
        return EventStream(page_events(self.service, who, after, self._pieces(request, who), others), leave)

    async def _other(self, request: Request, table: str) -> SeatAccess | None:
        """Return a browser's access to another table that it shows, or None if it can't see the table."""
        address = requests.address_of(request)
        self._limits.spend("any", address)
        try:
            with self._limits.count_failures(address, 401, 404):
                return await self.service.seat(table, request.cookies.get(cookie_of(table)), strict=False)
        except (ApiError, LogError):
            return None

    def _command(self, command: TableCommand) -> requests.Endpoint:
        async def endpoint(request: Request) -> Response:
            who, form = await self._who(request, acts=True), await forms.read_form(request)
            try:
                made: Any = await command.execute(Call(self.service, request, who), forms.body_of(form, command.body))
            except ApiError as error:
                if (command.name, error.error) != ("entropy", "dealt"):
                    raise
                made = None  # a page can't prevent being late; in that case, zeros count as its contribution
            match command.name:
                case "leave":
                    return self._left(request, who)
                case "resume-link":
                    link = self.site.base_url(request) + made.link
                    return self.site.page(request, "resume.html", link=link, table=who.table.name)
                case _other:
                    return self._done(request, who)

        return endpoint

    async def _place(self, request: Request) -> Response:
        who, form = await self._who(request, acts=True), await forms.read_form(request)
        place = requests.place_of(PlaceBody(place=form.get("place", "")))
        free = [seat for seat, name in enumerate(who.table.state.names) if name is None]
        for seat in free if form.get("seat") == "all" else [forms.number_of(form, "seat")]:
            await self.service.seating.place(who, seat, place)
        return self._done(request, who)

    async def _rematch(self, request: Request) -> Response:
        who, form = await self._who(request, acts=True), await forms.read_form(request)
        target = form.get("target", "")
        wanted = RematchBody(
            edition=form.get("edition") or UNSET,
            match_target=forms.number_of(form, "target") if target else None,
            swap=_swap_of(form),
        )
        key = requests.check_key(form.get("key", "")) or None
        body = NextBody(version=forms.number_of(form, "version"), key=key, settings=wanted)
        await next_hand(Call(self.service, request, who), body)
        return self._done(request, who)

    async def _hint(self, request: Request) -> Response:
        who = await self._who(request, acts=True)
        seat, state = who.own, who.table.state
        self._limits.spend("hint", f"{who.table.name} {seat}")
        if not may_hint(state, seat):
            raise ApiError(403, "no_hints", "hints are only for games against computers")
        if state.match is None or state.question(seat) is None:
            raise ApiError(409, "turn", "this seat has nothing to decide now")
        seen = InformationState.of_match(state.match, seat)
        task = functools.partial(make_hint, seen, self.service.settings.hint_bounds)
        address = requests.address_of(request)
        self.service.hints.ask(
            _decision(state, seat), task, address, lambda: who.table.presence.refresh_pages(who.seat)
        )
        return self._done(request, who)

    def _left(self, request: Request, who: SeatAccess) -> Response:
        if who.table.state.names[who.own] is not None:
            return self._done(request, who)
        who.table.presence.refresh_pages(who.seat)
        made = RedirectResponse("/", 303)
        made.delete_cookie(cookie_of(who.table.name))
        return made

    def _done(self, request: Request, who: SeatAccess) -> Response:
        """Redirect to the table. A script gets an empty response instead, and the change from its stream."""
        who.table.presence.refresh_pages(who.seat)
        if request.headers.get("hx-request") == "true":
            return Response(status_code=204, headers={"x-version": str(who.table.published)})
        return RedirectResponse(f"/t/{who.table.name}", 303)

    # ------------------------------------------------------------------ finished hands

    def _hand_endpoint(
        self, page: Callable[[Request, SeatAccess], Awaitable[Response]], *, acts: bool = False
    ) -> requests.Endpoint:
        async def endpoint(request: Request) -> Response:
            who, _state = await self._match(request, await self._who(request, acts=acts))
            return await page(request, who)

        return endpoint

    async def _hand(self, request: Request) -> Response:
        who, state = await self._match(request, await self._who(request))
        name, match = wanted_review(request, state)
        return await self._at_moment(request, who, state, await self._resume_review(request, name, match))

    async def _at_moment(
        self, request: Request, who: SeatAccess, state: TableState, refused: ApiError | None, *, waits: bool = True
    ) -> Response:
        """Return the page of a finished hand. If its review ``waits``, it isn't made yet, as ``refused`` says."""
        made = functools.partial(hand_page, self.site, request, who, state, refused, waits=waits)
        return await self.service.threads.run(requests.address_of(request), made)

    async def _resume_review(self, request: Request, name: HandName, match: Match) -> ApiError | None:
        """Begin a review again that a restart has cut off. Return the error if it has to wait, or None."""
        reviews = self.service.reviews
        if reviews.is_known(name) or not await self.service.store.is_review_requested(*name):
            return None
        try:
            self._begin_review(request, name, match)
        except ApiError as error:
            return error
        return None

    def _begin_review(self, request: Request, name: HandName, match: Match) -> None:
        def done() -> None:
            self.service.run_in_background(self.service.store.clear_review_request(*name))

        task = functools.partial(make_review, match, name.hand, self.service.settings.review_worlds)
        self.service.reviews.ask(name, task, requests.address_of(request), done)

    async def _review(self, request: Request) -> Response:
        who = await self._who(request, acts=True)
        self._limits.spend("review", requests.address_of(request))
        form = await forms.read_form(request)
        who, state = await self._match(request, who)
        name, match = wanted_review(request, state)
        try:
            self._begin_review(request, name, match)
        except ApiError as refused:
            return await self._at_moment(request, who, state, refused, waits=False)
        if self.service.reviews.progress(name) is not None:
            await self.service.store.request_review(*name)
        step = forms.number_of(form, "step") if "step" in form else 0
        return RedirectResponse(f"{hand_address(name)}&step={step}", 303)

    async def _reviewing(self, request: Request) -> Response:
        who = await self._who(request)
        match = forms.number_of(request.query_params, "match")
        name = HandName(who.table.name, match, int(request.path_params["hand"]))
        if request.headers.get("hx-request") != "true":
            return RedirectResponse(hand_address(name), 303)
        refused = None
        if not self.service.reviews.is_known(name) and await self.service.store.is_review_requested(*name):
            _who, state = await self._match(request, who)
            refused = await self._resume_review(request, *wanted_review(request, state))
        return review_part(self.site, request, name, refused)

    async def _continue_hand(self, request: Request) -> Response:
        """Create a table that continues from a step of a finished hand, with computer players in the other seats."""
        who, form = await self._who(request, acts=True), await forms.read_form(request)
        who, state = await self._match(request, who)
        seat = who.own
        match = match_at(request, state, forms.number_of(form, "step"))
        places = [place if place in ROSTER else DEFAULT_PLAYER for place in state.places]
        seen, spectators = InformationState.of_match(match, seat), state.created.spectators
        return await self._begin(request, seen, places, state.names[seat] or "", spectators=spectators)

    async def _continue_exercise(self, request: Request) -> Response:
        check_origin(request.scope, self.service.settings, by_cookie=True)
        seen = await self._practice.seen(request)
        return await self._begin(request, seen, [DEFAULT_PLAYER] * seen.rules.seats, "")

    async def _begin(
        self, request: Request, seen: InformationState, places: list[str], name: str, *, spectators: bool = True
    ) -> Response:
        check_cookies(request)
        self._limits.spend("tables", requests.address_of(request))
        claim = self._joining.claim(request)
        places[seen.seat] = HUMAN
        setup = GameSetup(rules=seen.rules, places=tuple(places), match_target=None, spectators=spectators)
        setup = setup.with_names((name or name_of(request) or words_of(request).translate("You"),))
        return self._joining.at_table(request, await self.service.create(setup, claim, seen), claim)

    async def _deal(self, request: Request) -> Response:
        who, state = await self._match(request, await self._who(request))
        return deal_page(self.site, request, who, state)

    async def _match(self, request: Request, who: SeatAccess) -> tuple[SeatAccess, TableState]:
        """Return a viewer's access with the seat that they had in the match that an address names, and that match.

        Without a name, it is the table's latest match. Seats can change between matches.
        """
        await who.table.refresh()
        state = who.table.state
        if "match" in request.query_params:
            number = forms.number_of(request.query_params, "match")
            state = await requests.match_of(self.service, request, who.table, number)
        if who.seat is None:
            return who, state
        return dataclasses.replace(who, seat=state.origins.index(who.table.state.origins[who.seat])), state


def _swap_of(form: forms.Form) -> tuple[int, int] | None:
    one, _x, other = form.get("swap", "").partition("-")
    return (forms.number_of({"swap": one}, "swap"), forms.number_of({"swap": other}, "swap")) if one else None


def _decision(state: TableState, seat: int) -> str:
    """Return the name of a seat's decision, which contains nothing secret, such as the number of passes (R5.5)."""
    return f"seat {seat} at table {state.created.table} (question {state.question_version})"
