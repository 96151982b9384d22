"""Errors as pages: a sentence, and a way back."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from millebornes.i18n import N_
from millebornes.web.pages.templates import Templates
from millebornes.web.pages.wording import words_of

__all__ = ["error_page", "wants_page"]

_HEADS: Final = {
    403: N_("That is not for you"),
    404: N_("There is nothing here"),
    405: N_("There is nothing here"),
    409: N_("Too late"),
    429: N_("Not so fast"),
    500: N_("Something went wrong"),
    503: N_("The storage does not answer"),
}

_TEXTS: Final = {
    "no_address": N_("There is no page at this address. It may have been copied in part."),
    "no_table": N_("There is no such table. It may have been given up, or the address was copied in part."),
    "no_invitation": N_("There is no such invitation. The address may have been copied in part."),
    "no_spectators": N_("Only those who sit at this table may look on."),
    "taken": N_("Somebody has taken this seat already. You can set up a table of your own."),
    "token": N_("You do not sit at this table, so you can only look on."),
    "origin": N_("This came from a page of another site, so nothing was done."),
    "too_many": N_("That was too much at once. Wait a moment, and try again."),
    "failed": N_("Something went wrong in the server. It has been noted there; nothing that you did is lost."),
    "storage": N_("The storage does not answer. Nothing that was acknowledged is lost; try again in a moment."),
    "no_hand": N_("There is no such hand, or it is still being played."),
    "name": N_("A name needs at least one character that can be shown."),
}


def wants_page(request: Request) -> bool:
    """Whether a browser asks, that would show an error in JSON as it is."""
    path = request.url.path
    return "text/html" in request.headers.get("accept", "") and not path.startswith("/api/")


def error_page(templates: Templates, request: Request, status: int, word: str, text: str) -> Response:
    """The page for an error: of the same status, in the reader's language as far as that sentence is known."""
    words = words_of(request)
    head = _HEADS.get(status, N_("That did not work"))
    shown = words.translate(_TEXTS[word]) if word in _TEXTS else text[:1].upper() + text[1:]
    return templates.page(request, "error.html", words, status, head=words.translate(head), text=shown)
