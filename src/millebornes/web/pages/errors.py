"""Errors in words."""

from typing import Final

from starlette.requests import Request

from millebornes.i18n import N_
from millebornes.web.tables.background import Failure
from millebornes.web.tables.errors import ApiError
from millebornes.words.words import Words

HEADS: Final = {
    403: N_("Not allowed"),
    404: N_("There's nothing here"),
    405: N_("There's nothing here"),
    409: N_("Too late"),
    429: N_("Too many requests"),
    500: N_("Something went wrong"),
    503: N_("Temporarily unavailable"),
}
"""The headings of error pages, by status."""

_TEXTS: Final = {
    "no_address": N_("There's no page at this address. Part of it may be missing."),
    "no_table": N_("We can't find that table. It may have expired, or part of the address may be missing."),
    "no_invitation": N_("We can't find that invitation. Part of the address may be missing."),
    "no_spectators": N_("Only the players can see this table."),
    "taken": N_("Someone has already taken this seat. You can watch the game or create your own table."),
    "token": N_("You don't have a seat at this table. You can watch the game."),
    "origin": N_("This request came from another site, so nothing has changed."),
    "too_many": N_("Please wait about {seconds} s, then try again."),
    "used_up": N_("Your network address has used as much of this server as it may. Try again in about {seconds} s."),
    "uploads": N_("This server has no room for another match. Try again tomorrow."),
    "damaged": N_("This table's record on the server is damaged, so the game can't continue."),
    "failed": N_("Something went wrong on our side. Your game is safe. Reload the page."),
    "storage": N_("The database isn't responding. No confirmed move has been lost. Please try again in a moment."),
    "no_hand": N_("There's no such hand, or it's still being played."),
    "name": N_("A name needs at least one visible character."),
    "stale": N_("The game has moved on. Look at the table again before you play."),
    "turn": N_("It isn't your decision right now. Wait for your turn."),
    "not_over": N_("There's no finished hand to continue from."),
    "dealt": N_("That hand has been dealt already."),
    "present": N_("That player is back."),
    "too_early": N_("That player may still come back. You can choose in {seconds} s."),
    "no_link": N_("This link no longer works. It may already have been used. Ask for a new one."),
    "no_step": N_("You can only play on from a moment before the end of the hand."),
    "no_match": N_("There's no such match at this table."),
    "not_open": N_("This table no longer offers a free seat on the home page."),
    "complete": N_("This table has reached its limit. Create another one to keep playing."),
    "rules": N_("This server's rules don't allow this table."),
    "open": N_("A table on the home page needs a seat for you and a free one."),
    "too_long": N_("That's too long."),
    "malformed": N_("We couldn't read that request. Nothing has changed. Go back and try again."),
    "method": N_("There's no page at this address. Part of it may be missing."),
    "no_hints": N_("You can ask for hints in games against computers only."),
    "no_exercise": N_("There's no such exercise. It may belong to another version of this program."),
    "not_playing": N_("There's no match in play right now."),
    "away": N_("You've left the table. Come back first."),
    "sides": N_("You can resign only at a table with two sides. Leave the table, or propose to end the match."),
    "requested": N_("Another player has asked for something. Answer that first."),
    "no_request": N_("Nobody is asking you to agree to anything right now."),
    "no_undo": N_("There's no move that you can take back now."),
    "no_edition": N_("There's no such edition. The rules page lists them all."),
    "creator": N_("Only the person who created the table can do that."),
    "cancelled": N_("This table has been cancelled. Create another one to play."),
    "no_cookies": N_(
        "Your browser doesn't accept cookies from this site. The site needs them to remember your seat. Allow cookies, "
        "then try again."
    ),
    "busy": N_("The server is busy. Try again in about {seconds} s."),
}


_FAILURES: Final = {
    Failure.BROKEN: N_("That failed, and the error has been logged. Try again."),
    Failure.LATE: N_("That took too long, so the server stopped it. Try again."),
    Failure.DROPPED: N_("Too many people are waiting, so this was dropped. Try again."),
}


def wants_page(request: Request) -> bool:
    """Return whether a request comes from a browser, which can't display errors in JSON properly."""
    return "text/html" in request.headers.get("accept", "") and not request.scope["path"].startswith("/api/")


def error_text(error: ApiError, words: Words) -> str:
    """Return an error as a sentence, translated into the reader's language if possible."""
    _ = words.translate
    if error.error == "illegal" and error.why is not None:
        why = words.theme.worded(_(error.why))
        return _("{text} ({clause})").format(text=why[:1].upper() + why[1:], clause=error.more["clause"])
    sentence = error.why or _TEXTS.get(error.error)
    if sentence is None:
        text = str(error)
        return text[:1].upper() + text[1:]
    seconds = error.retry_after or -(-error.more.get("left", 0) // 1000)
    return _(sentence).format(seconds=seconds)


def failure_text(failure: Failure | None, words: Words) -> str:
    """Return why a review or a hint wasn't made, or "" if nothing failed."""
    return "" if failure is None else words.translate(_FAILURES[failure])
