"""The description of the API at ``/api/openapi.json``."""

import functools
from typing import Any, Final

import msgspec

from millebornes._version import __version__
from millebornes.i18n import LANGUAGES
from millebornes.web.bodies import BODIES, Nothing
from millebornes.web.table_commands import TABLE_COMMANDS

__all__ = ["openapi"]

_ERROR: Final = {
    "type": "object",
    "required": ["error", "text"],
    "properties": {
        "error": {"type": "string", "description": "a word for programs"},
        "text": {"type": "string", "description": "a sentence for people"},
    },
}
_VERSION: Final = {
    "type": "object",
    "required": ["version"],
    "properties": {"version": {"type": "integer", "description": "the messages of the table so far"}},
}
_SEATED: Final = {
    "type": "object",
    "required": ["table", "seat", "token"],
    "properties": {
        "table": {"type": "string"},
        "seat": {"type": ["integer", "null"]},
        "token": {"type": ["string", "null"]},
        "invitations": {"type": "array", "items": {"type": ["string", "null"]}},
        "link": {"type": ["string", "null"], "description": "an invitation to any open seat"},
    },
}
_PLACED: Final = {
    "type": "object",
    "required": ["version", "invitation"],
    "properties": {
        "version": {"type": "integer"},
        "invitation": {"type": ["string", "null"], "description": "a new one, to a seat that has been freed"},
    },
}
_TABLE: Final = {
    "type": "object",
    "required": "table version status rules names seat view public phase legal".split(),
    "properties": {
        "table": {"type": "string"},
        "version": {"type": "integer"},
        "status": {"enum": ["waiting", "playing", "hand_over", "match_over"]},
        "complete": {"type": "boolean", "description": "no more hands are dealt at this table"},
        "rules": {"type": "object"},
        "names": {"type": "array", "items": {"type": ["string", "null"]}},
        "seat": {"type": ["integer", "null"]},
        "view": {"type": ["object", "null"], "description": "VIEW of the bot protocol"},
        "public": {"type": ["object", "null"], "description": "VIEW less what one seat alone sees"},
        "phase": {"enum": ["play", "coup", "opening", "extend", None]},
        "legal": {"type": "array", "items": {"type": "string"}},
        "away": {
            "type": "array",
            "items": {"type": "integer"},
            "description": "seats that have left; a computer player decides for them",
        },
        "absent": {
            "type": "array",
            "description": "seats of which nothing is heard; once nothing is left, the others may choose",
            "items": {
                "type": "object",
                "required": ["seat", "left"],
                "properties": {"seat": {"type": "integer"}, "left": {"type": "integer", "description": "in ms"}},
            },
        },
        "spectators": {"type": "integer", "description": "how many look on"},
        "clocks": {
            "type": ["object", "null"],
            "required": ["initial_ms", "increment_ms", "left", "running"],
            "properties": {
                "initial_ms": {"type": "integer"},
                "increment_ms": {"type": "integer"},
                "left": {"type": "array", "items": {"type": ["integer", "null"]}, "description": "by seat, in ms"},
                "running": {"type": ["integer", "null"], "description": "the seat whose clock runs"},
            },
        },
    },
}
_LOBBY: Final = {
    "type": "object",
    "required": ["tables"],
    "properties": {
        "tables": {
            "type": "array",
            "items": {
                "type": "object",
                "required": "table edition set seats sides names free".split(),
                "properties": {
                    "table": {"type": "string"},
                    "edition": {"type": ["string", "null"]},
                    "set": {"type": "object", "description": "settings that differ from the edition's"},
                    "seats": {"type": "integer"},
                    "sides": {"type": "integer"},
                    "names": {"type": "array", "items": {"type": ["string", "null"]}},
                    "free": {"type": "array", "items": {"type": "integer"}, "description": "open seats"},
                    "match_target": {"type": ["integer", "null"]},
                    "coup_window_ms": {"type": "integer"},
                    "clock": {"type": ["object", "null"], "description": "as in Clock"},
                    "spectators": {"type": "boolean"},
                    "created": {"type": "integer", "description": "in ms since 1970"},
                },
            },
        }
    },
}
_LINK: Final = {"type": "object", "required": ["link"], "properties": {"link": {"type": "string"}}}
_COMMANDS: Final[dict[str, dict[str, Any]]] = {"resume-link": _LINK, "asking": {"type": "object"}}
"""What commands answer that do not answer with the version of the table."""
_PHRASES: Final = {
    "type": "object",
    "required": ["phrases"],
    "properties": {"phrases": {"type": "object", "additionalProperties": {"type": "string"}}},
}
_EVENT: Final = {
    "type": "object",
    "required": ["event", "data"],
    "properties": {
        "id": {"type": "string", "description": "the version of the table; none for a beat"},
        "event": {"type": "string", "description": "a type of message, or beat, or snapshot"},
        "data": {"type": "string", "contentMediaType": "application/json"},
        "retry": {"type": "integer"},
    },
}
_WORDS: Final = {
    400: "malformed",
    401: "no token, or one that opens nothing here",
    403: "not your seat or turn",
    404: "there is none",
    409: "too late, or too early",
    413: "too long",
    422: "not legal by the rules",
    429: "too much at once",
    503: "the storage does not answer",
}


def _answers(kind: dict[str, Any] | None, status: int, *errors: int) -> dict[str, Any]:
    content = {} if kind is None else {"content": {"application/json": {"schema": kind}}}
    found: dict[str, Any] = {str(status): {"description": "done", **content}}
    for error in (400, *errors, 429, 503):
        found[str(error)] = _refusal(error)
    return found


def _seated(*errors: int) -> dict[str, Any]:
    """What whoever takes a seat is answered: 200 where they sit at the table already."""
    found = _answers(_SEATED, 201, *errors)
    return {"200": {**found["201"], "description": "you sit there already; nothing has changed"}, **found}


def _refusal(error: int) -> dict[str, Any]:
    described: dict[str, Any] = {
        "description": _WORDS[error],
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
    if error in {429, 503}:
        described["headers"] = {"Retry-After": {"schema": {"type": "integer"}}}
    return described


def _post(summary: str, body: str | None, answers: dict[str, Any], *, open_: bool = False) -> dict[str, Any]:
    found: dict[str, Any] = {"summary": summary, "responses": answers}
    answers["413"] = _refusal(413)
    if body is not None:
        schema = {"$ref": f"#/components/schemas/{body}"}
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
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
    """The document, in OpenAPI 3.1."""
    _shapes, components = msgspec.json.schema_components(BODIES, ref_template="#/components/schemas/{name}")
    in_path = {"name": "table", "in": "path", "required": True, "schema": {"type": "string"}}
    in_code = {"name": "code", "in": "path", "required": True, "schema": {"type": "string"}}
    in_seat = {"name": "seat", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
    common = (401, 403, 404)
    stream = {"description": "server-sent events", "content": {"text/event-stream": {"schema": _EVENT}}}
    lines = {"description": "a transcript", "content": {"application/jsonl": {"schema": {"type": "string"}}}}
    table = "/api/tables/{table}"
    paths: dict[str, Any] = {
        "/api/tables": _post("Set up a table", "Table", _answers(_SEATED, 201), open_=True),
        "/api/join/{code}": _post("Take the seat of an invitation", "Join", _seated(404, 409), open_=True),
        "/api/resume/{code}": _post("Take a seat up in another browser", "Resume", _seated(404), open_=True),
        "/api/lobby": _get("Tables that anybody may sit down at", _answers(_LOBBY, 200)),
        "/api/lobby/{table}/join": _post(
            "Take a seat at a table of the lobby", "JoinListed", _seated(404, 409), open_=True
        ),
        "/api/phrases": _get(
            "The phrases that can be said by a name",
            _answers(_PHRASES, 200),
            {"name": "language", "in": "query", "required": False, "schema": {"enum": list(LANGUAGES)}},
        ),
        table: _get("The table as this seat, or a spectator, sees it", _answers(_TABLE, 200, *common)),
        **{
            f"{table}/{command.name}": _post(
                command.summary,
                None if command.body is Nothing else command.body.__name__,
                _answers(_COMMANDS.get(command.name, _VERSION), command.status, *common, *command.errors),
            )
            for command in TABLE_COMMANDS
        },
        f"{table}/seats/{{seat}}": _post(
            "Free a seat before the first deal, or give it to a computer player",
            "Place",
            _answers(_PLACED, 200, *common, 409),
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
            "schemas": {"Error": _ERROR, **components},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "seat-TABLE"},
            },
        },
    }
