"""Taking a seat: by an invitation, from the lobby, or by the private link of a seat that one has already."""

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from millebornes.web import commands
from millebornes.web.api import keep_token
from millebornes.web.errors import ApiError
from millebornes.web.limits import Limits
from millebornes.web.pages.forms import read_form
from millebornes.web.pages.templates import Templates
from millebornes.web.pages.wording import words_of
from millebornes.web.reading import address_of
from millebornes.web.service import Service

__all__ = ["Entrance"]


class Entrance:
    """The pages by which people come to a seat. Opening one seats nobody, as previews of links do so; a button does."""

    def __init__(self, service: Service, templates: Templates, limits: Limits) -> None:
        self.service: Final = service
        self.templates: Final = templates
        self._limits: Final = limits

    def _seated(self, table: str, token: str) -> Response:
        made = RedirectResponse(f"/t/{table}", 303)
        keep_token(made, table, token, self.service.settings)
        return made

    async def invited(self, request: Request) -> Response:
        """An invitation is only shown; whoever previews a link takes no seat."""
        words, code = words_of(request), str(request.path_params["code"])
        found = await self.service.store.key(commands.hash_of(code))
        if found is None or found.purpose != "join":
            self._limits.spend("wrong", address_of(request))
            raise ApiError(404, "no_invitation", "there is no such invitation")
        state = (await self.service.table(found.table)).state
        hosts = [name for name in state.shown_names if name]
        taken = state.names[found.seat] is not None
        context: dict[str, Any] = {
            "code": code,
            "table": found.table,
            "hosts": hosts,
            "taken": taken,
            "rules": state.rules,
        }
        return self.templates.page(request, "join.html", words, **context)

    async def join(self, request: Request) -> Response:
        """The button of an invitation."""
        self._limits.spend("join", address_of(request))
        form = await read_form(request)
        table, _seat, token = await self.service.join(str(request.path_params["code"]), form.get("name", ""))
        return self._seated(table, token)

    async def join_listed(self, request: Request) -> Response:
        """A free seat at a table of the lobby."""
        self._limits.spend("join", address_of(request))
        form = await read_form(request)
        wanted = str(request.path_params["table"])
        table, _seat, token = await self.service.join_listed(wanted, None, form.get("name", ""))
        return self._seated(table, token)

    async def kept(self, request: Request) -> Response:
        """A private link is only shown, as an invitation is."""
        code = str(request.path_params["code"])
        try:
            await self.service.resumed_by(code)
        except ApiError:
            self._limits.spend("wrong", address_of(request))
            raise
        return self.templates.page(request, "resume.html", words_of(request), code=code, link="")

    async def resume(self, request: Request) -> Response:
        """The button of a private link."""
        self._limits.spend("join", address_of(request))
        try:
            table, _seat, token = await self.service.resume(str(request.path_params["code"]))
        except ApiError:
            self._limits.spend("wrong", address_of(request))
            raise
        return self._seated(table, token)
