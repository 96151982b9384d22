"""The OpenAPI description of the API, which is available at ``/api/openapi.json``."""

import functools
from typing import Any, Final

import msgspec

from millebornes._version import __version__
from millebornes.i18n import LANGUAGES
from millebornes.schema import api
from millebornes.schema.documents import kinds
from millebornes.web.http.table_commands import TABLE_COMMANDS

_WORDS: Final = {
    400: "malformed",
    401: "no token, or one that opens nothing here",
    403: "not your seat or turn",
    404: "there is none",
    409: "too late, or too early",
    413: "too long",
    422: "not legal by the rules",
    429: "too much at once",
    503: "the storage isn't responding",
}


def _of(kind: type[msgspec.Struct]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _answers(kind: type[msgspec.Struct] | None, status: int, *errors: int) -> dict[str, Any]:
    content = {} if kind is None else {"content": {"application/json": {"schema": _of(kind)}}}
    found: dict[str, Any] = {str(status): {"description": "done", **content}}
    for error in (400, *errors, 429, 503):
        found[str(error)] = _refusal(error)
    return found


def _seated(*errors: int) -> dict[str, Any]:
    """Return the responses to a request for a seat. The status is 200 if the person already has a seat at the table."""
    found = _answers(api.SeatedAnswer, 201, *errors)
    return {"200": {**found["201"], "description": "you sit there already; nothing has changed"}, **found}


def _refusal(error: int) -> dict[str, Any]:
    described: dict[str, Any] = {
        "description": _WORDS[error],
        "content": {"application/json": {"schema": _of(api.ErrorAnswer)}},
    }
    if error in {429, 503}:
        described["headers"] = {"Retry-After": {"schema": {"type": "integer"}}}
    return described


def _post(
    summary: str, body: type[msgspec.Struct] | None, answers: dict[str, Any], *, open_: bool = False
) -> dict[str, Any]:
    found: dict[str, Any] = {"summary": summary, "responses": answers}
    answers["413"] = _refusal(413)
    if body is not None:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": _of(body)}}}
    if not open_:
        found["security"] = [{"token": []}, {"cookie": []}]
    return {"post": found}


def _get(summary: str, answers: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    return {"get": {"summary": summary, "parameters": list(parameters), "responses": answers}}


def _query(name: str, text: str) -> dict[str, Any]:
    schema = {"type": "integer", "minimum": 0}
    return {"name": name, "in": "query", "required": False, "description": text, "schema": schema}


@functools.cache
def openapi() -> dict[str, Any]:
    """Return the description in OpenAPI 3.1."""
    template = "#/components/schemas/{name}"
    _shapes, components = msgspec.json.schema_components(kinds("api").values(), ref_template=template)
    in_path = {"name": "table", "in": "path", "required": True, "schema": {"type": "string"}}
    in_code = {"name": "code", "in": "path", "required": True, "schema": {"type": "string"}}
    in_seat = {"name": "seat", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
    common = (401, 403, 404)
    stream = {"description": "server-sent events", "content": {"text/event-stream": {"schema": _of(api.StreamEvent)}}}
    lines = {"description": "a transcript", "content": {"application/jsonl": {"schema": {"type": "string"}}}}
    table = "/api/tables/{table}"
    paths: dict[str, Any] = {
        "/api/tables": _post("Set up a table", api.TableBody, _answers(api.SeatedAnswer, 201), open_=True),
        "/api/join/{code}": _post("Take the seat of an invitation", api.JoinBody, _seated(404, 409), open_=True),
        "/api/resume/{code}": _post("Take a seat up in another browser", api.ResumeBody, _seated(404), open_=True),
        "/api/lobby": _get("Tables that anybody may sit down at", _answers(api.LobbyAnswer, 200)),
        "/api/lobby/{table}/join": _post(
            "Take a seat at a table of the lobby", api.JoinBody, _seated(404, 409), open_=True
        ),
        "/api/phrases": _get(
            "The phrases that can be said by a name",
            _answers(api.PhrasesAnswer, 200),
            {"name": "language", "in": "query", "required": False, "schema": {"enum": list(LANGUAGES)}},
        ),
        table: _get("The table as this seat, or a spectator, sees it", _answers(api.TableAnswer, 200, *common)),
        **{
            f"{table}/{command.name}": _post(
                command.summary,
                None if command.body is api.EmptyBody else command.body,
                _answers(command.answer, command.status, *common, *command.errors),
            )
            for command in TABLE_COMMANDS
        },
        f"{table}/seats/{{seat}}": _post(
            "Free a seat before the first deal, or give it to a computer player",
            api.PlaceBody,
            _answers(api.PlacedAnswer, 200, *common, 409),
        ),
        f"{table}/events": _get(
            "What happens, as it happens",
            {**_answers(None, 200, *common), "200": stream},
            _query("after", "the version from which to go on"),
        ),
        f"{table}/transcript": _get(
            "The finished hands",
            {**_answers(None, 200, *common), "200": lines},
            _query("match", "the number of the match, from 1; the present one by default"),
        ),
        "/healthz": _get(
            "Whether it can serve, and write",
            {"200": {"description": "yes"}, "429": _answers(None, 200)["429"], "503": {"description": "no"}},
        ),
        "/metrics": _get(
            "Counts for Prometheus, for this machine or with a secret",
            {
                "200": {"description": "counts"},
                "404": {"description": "not for you"},
                "429": _answers(None, 200)["429"],
            },
        ),
    }
    for path, found in paths.items():
        if "{table}" in path:
            found["parameters"] = [in_path, in_seat] if "{seat}" in path else [in_path]
        elif "{code}" in path:
            found["parameters"] = [in_code]
    return {
        "openapi": "3.1.0",
        "info": {"title": "millebornes", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "seat-TABLE"},
            },
        },
    }
