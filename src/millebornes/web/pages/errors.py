"""Errors as pages: a sentence, and a way back."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from millebornes.i18n import N_
from millebornes.web.errors import ApiError
from millebornes.web.pages.templates import Templates
from millebornes.web.pages.wording import Words, words_of

__all__ = ["error_page", "error_text", "wants_page"]

_HEADS: Final = {
    403: N_("That is not for you"),
    404: N_("There is nothing here"),
    405: N_("There is nothing here"),
    409: N_("Too late"),
    429: N_("Not so fast"),
    500: N_("Something went wrong"),
    503: N_("Not at the moment"),
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
    "stale": N_("The table has gone on in the meantime. Look again."),
    "turn": N_("You are not to decide now."),
    "not_over": N_("No hand has just ended."),
    "dealt": N_("That hand has been dealt already."),
    "present": N_("They are not away any more."),
    "too_early": N_("They may still come back. You can choose in {seconds} s."),
    "no_link": N_("There is no such link, or it has been used."),
    "no_match": N_("There is no such match at this table."),
    "not_open": N_("This table has no free seat on the first page any more."),
    "complete": N_("This table is complete. Set up another one to play on."),
    "rules": N_("This table cannot be played with the rules of this server."),
    "open": N_("A table on the first page needs a seat for you and a free one."),
    "too_long": N_("That is too long."),
    "malformed": N_("The server could not read that, so nothing was done."),
    "method": N_("There is no page at this address. It may have been copied in part."),
    "busy": N_("Too many reviews are wanted at the moment. Try again in a minute."),
}


def wants_page(request: Request) -> bool:
    """Whether a browser asks, that would show an error in JSON as it is."""
    path = request.url.path
    return "text/html" in request.headers.get("accept", "") and not path.startswith("/api/")


def error_text(error: ApiError, words: Words) -> str:
    """An error as a sentence in the reader's language, as far as that is known."""
    _ = words.translate
    if error.error == "illegal" and error.why is not None:
        why = _(error.why)
        return _("{text} ({clause})").format(text=why[:1].upper() + why[1:], clause=error.more["clause"])
    sentence = error.why or _TEXTS.get(error.error)
    if sentence is None:
        text = str(error)
        return text[:1].upper() + text[1:]
    return _(sentence).format(seconds=-(-error.more.get("left", 0) // 1000))


def error_page(templates: Templates, request: Request, error: ApiError) -> Response:
    """The page for an error, of the same status."""
    words = words_of(request)
    head = words.translate(_HEADS.get(error.status, N_("That did not work")))
    return templates.page(request, "error.html", words, error.status, head=head, text=error_text(error, words))
