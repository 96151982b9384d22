"""The routes of the HTTP interface and their responses."""

from typing import Any, Final, TypeVar

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from millebornes.i18n import LANGUAGES, translator
from millebornes.schema import api
from millebornes.table.messages import PHRASES, encode
from millebornes.web.http import requests
from millebornes.web.http.bot import play_over
from millebornes.web.http.metrics import Metrics, may_read
from millebornes.web.http.openapi import openapi
from millebornes.web.http.requests import cookie_of
from millebornes.web.http.stream import EventStream, table_events
from millebornes.web.http.table_commands import TABLE_COMMANDS, Call, TableCommand
from millebornes.web.store.backends import StoreError
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.seat_registry import Claim, SeatAccess, Seated, hash_of
from millebornes.web.tables.service import ServerSettings, Service

DAYS: Final = 30
Body = TypeVar("Body", bound=msgspec.Struct)


def refusal(error: ApiError) -> Response:
    """Return an error as a JSON response."""
    return answer(error.to_dict(), error.status, error.retry_after)


def answer(data: Any, status: int = 200, retry_after: int | None = None) -> Response:
    """Return plain data as a JSON response."""
    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
    return Response(encode(data), status, headers, media_type="application/json")


async def _body(request: Request, kind: type[Body]) -> Body:
    return requests.read_body(await requests.read_whole(request), kind)


def keep_token(response: Response, table: str, token: str, settings: ServerSettings) -> None:
    """Store the token for a seat in the browser, for `DAYS` days from now."""
    keep_cookie(response, cookie_of(table), token, DAYS * 86_400, settings)


def keep_cookie(
    response: Response, name: str, value: str, seconds: int, settings: ServerSettings, path: str = "/"
) -> None:
    """Set a cookie that scripts in the browser can't read."""
    is_secure = settings.public_url is not None and settings.public_url.startswith("https:")
    response.set_cookie(name, value, max_age=seconds, path=path, httponly=True, samesite="lax", secure=is_secure)


class Api:
    """The API of a service, with its `routes`."""

    def __init__(self, service: Service) -> None:
        self.service: Final = service
        self.metrics: Final = Metrics()
        self.limits: Final = service.limits

    @property
    def routes(self) -> list[BaseRoute]:
        """All routes with their methods."""
        table = "/api/tables/{table}"
        return [
            Route("/api/openapi.json", self._guarded(self._described), methods=["GET"]),
            Route("/api/tables", self._guarded(self._create), methods=["POST"]),
            Route("/api/join/{code}", self._guarded(self._join), methods=["POST"]),
            Route("/api/resume/{code}", self._guarded(self._resume), methods=["POST"]),
            Route("/api/lobby", self._guarded(self._lobby), methods=["GET"]),
            Route("/api/lobby/{table}/join", self._guarded(self._join_listed), methods=["POST"]),
            Route("/api/phrases", self._guarded(self._phrases), methods=["GET"]),
            Route(table, self._guarded(self._look), methods=["GET"]),
            *(
                Route(f"{table}/{command.name}", self._guarded(self._command(command)), methods=["POST"])
                for command in TABLE_COMMANDS
            ),
            Route(f"{table}/seats/{{seat}}", self._guarded(self._place), methods=["POST"]),
            Route(f"{table}/events", self._guarded(self._events), methods=["GET"]),
            Route(f"{table}/transcript", self._guarded(self._transcript), methods=["GET"]),
            WebSocketRoute(f"{table}/bot", self._bot),
            Route("/healthz", self._guarded(self._health), methods=["GET"]),
            Route("/metrics", self._guarded(self._metrics), methods=["GET"]),
        ]

    # ------------------------------------------------------------------ access and limits

    def _guarded(self, endpoint: requests.Endpoint) -> requests.Endpoint:
        """Wrap an endpoint so that every response is JSON, including errors."""
        return requests.guarded(endpoint, self.limits, lambda _request, error: refusal(error))

    async def _who(self, request: HTTPConnection, *, acts: bool = False) -> SeatAccess:
        """Return the access of a program with a token, or of a browser."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme:
            with self.limits.count_failures(requests.address_of(request)):
                if scheme.lower() != "bearer":
                    raise ApiError(401, "token", "Authorization: it must be Bearer TOKEN")
            return await requests.seat_of(self.service, request, token.strip(), strict=True, acts=acts)
        return await requests.seat_by_cookie(self.service, request, acts=acts)

    @staticmethod
    def _claim(request: Request, key: str | None = None) -> Claim:
        def held(table: str) -> list[str]:
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            tokens = [token.strip()] if scheme.lower() == "bearer" else []
            cookie = request.cookies.get(cookie_of(table))
            return tokens if cookie is None else [*tokens, cookie]

        return Claim(key=key, held=held)

    def _seated(self, seated: Seated) -> Response:
        """Return the response to a request for a seat. In browsers, the token is stored where scripts can't read it."""
        data = api.SeatedAnswer(table=seated.table, seat=seated.seat, token=seated.token)
        made = answer(data, 201 if seated.is_new else 200)
        keep_token(made, seated.table, seated.token, self.service.settings)
        return made

    # ------------------------------------------------------------------ tables

    async def _create(self, request: Request) -> Response:
        self.limits.spend("tables", requests.address_of(request))
        setup = requests.game_setup(await _body(request, api.TableBody), self.service.settings)
        made = await self.service.create(setup)
        data = api.SeatedAnswer(
            table=made.table,
            seat=made.seat,
            token=made.token,
            invitations=tuple(None if code is None else f"/join/{code}" for code in made.codes),
            link=None if made.link is None else f"/join/{made.link}",
        )
        answered = answer(data, 201)
        if made.token is not None:
            keep_token(answered, made.table, made.token, self.service.settings)
        return answered

    async def _join(self, request: Request) -> Response:
        self.limits.spend("join", requests.address_of(request))
        body = await _body(request, api.JoinBody)
        code, claim = str(request.path_params["code"]), self._claim(request, body.key)
        return self._seated(await self.service.seating.join(code, body.name, body.seat, claim))

    async def _resume(self, request: Request) -> Response:
        self.limits.spend("join", requests.address_of(request))
        claim = self._claim(request, (await _body(request, api.ResumeBody)).key)
        with self.limits.count_failures(requests.address_of(request)):
            return self._seated(await self.service.seating.resume(str(request.path_params["code"]), claim))

    async def _lobby(self, _request: Request) -> Response:
        return answer(api.LobbyAnswer(tables=tuple(await self.service.lobby())))

    async def _join_listed(self, request: Request) -> Response:
        self.limits.spend("join", requests.address_of(request))
        body = await _body(request, api.JoinBody)
        table, claim = str(request.path_params["table"]), self._claim(request, body.key)
        return self._seated(await self.service.seating.join_listed(table, body.seat, body.name, claim))

    async def _phrases(self, request: Request) -> Response:
        language = request.query_params.get("language", "en")
        if language not in LANGUAGES:
            raise ApiError(400, "language", f"language: it must be one of {', '.join(LANGUAGES)}")
        _ = translator(language)
        return answer(api.PhrasesAnswer(phrases={name: _(text) for name, text in PHRASES.items()}))

    async def _look(self, request: Request) -> Response:
        who = await self._who(request)
        found = await who.table.look(who.seat)
        if await self.service.is_over(who):  # seats have changed in the meantime
            who = await self._who(request)
            found = await who.table.look(who.seat)
        made = answer(found)
        cookie = request.cookies.get(cookie_of(who.table.name))
        if who.seat is not None and cookie is not None and hash_of(cookie) == who.hash:
            keep_token(made, who.table.name, cookie, self.service.settings)  # valid for another 30 days
        return made

    def _command(self, command: TableCommand) -> requests.Endpoint:
        async def endpoint(request: Request) -> Response:
            who = await self._who(request, acts=True)
            body = await _body(request, command.body)
            return answer(await command.execute(Call(self.service, request, who), body), command.status)

        return endpoint

    async def _place(self, request: Request) -> Response:
        who = await self._who(request, acts=True)
        place, seat = requests.place_of(await _body(request, api.PlaceBody)), str(request.path_params["seat"])
        if not seat.isascii() or not seat.isdigit() or len(seat) > 2:
            raise ApiError(404, "no_seat", "there is no such seat at this table")
        return answer(await self.service.seating.place(who, int(seat), place))

    async def _events(self, request: Request) -> Response:
        who = await self._who(request)
        after = requests.version_of(request)
        if after > who.table.published:
            await who.table.refresh()  # another process has sent later messages
        leave = self.limits.enter(requests.address_of(request), who.name)
        return EventStream(table_events(self.service, who, after), leave)

    async def _transcript(self, request: Request) -> Response:
        who = await self._who(request)
        number, state = request.query_params.get("match"), who.table.state
        if number is not None:
            if not number.isascii() or not number.isdigit() or len(number) > 9:
                raise ApiError(400, "malformed", "match: it must be the number of a match, counted from 1")
            state = await requests.match_of(self.service, request, who.table, int(number))
        self.limits.spend("past", requests.address_of(request))
        text = await self.service.archive.transcript(state, requests.address_of(request))
        headers = {"content-disposition": f'attachment; filename="millebornes-{who.table.name}.jsonl"'}
        return Response(text, headers=headers, media_type="application/jsonl; charset=utf-8")

    async def _bot(self, socket: WebSocket) -> None:
        address = requests.address_of(socket)
        try:
            self.limits.spend("any", address)
            who = await self._who(socket, acts=True)
            _ = who.own
            leave = self.limits.enter(address, who.name)
        except ApiError as error:
            await socket.send_denial_response(refusal(error))
            return
        await play_over(self.service, who, socket, leave)

    # ------------------------------------------------------------------ the server itself

    async def _described(self, _request: Request) -> Response:
        return answer(openapi())

    async def _health(self, _request: Request) -> Response:
        try:
            await self.service.store.check()
        except (StoreError, SQLAlchemyError, OSError) as error:
            return answer({"error": "storage", "text": str(error)}, 503)
        return answer({"ok": True})

    async def _metrics(self, request: Request) -> Response:
        if not may_read(request, self.service.settings.metrics_token):
            raise HTTPException(404)  # the same response as for an unknown address
        return Response(self.metrics.text(self.service), media_type="text/plain; version=0.0.4; charset=utf-8")
