"""The games of a browser for the list on its home page, which contains games in progress and finished games."""

from types import SimpleNamespace
from typing import Final

from starlette.requests import Request

from millebornes.roster import ROSTER
from millebornes.table.facts import LogError
from millebornes.table.state import TableState
from millebornes.web.http.requests import COOKIE
from millebornes.web.pages.browser_record import MatchCounts
from millebornes.web.pages.hands import hand_address
from millebornes.web.pages.tables import finished_hands, headline_of
from millebornes.web.tables.analyses import HandName
from millebornes.web.tables.errors import ApiError
from millebornes.web.tables.seat_registry import hash_of
from millebornes.web.tables.service import Service
from millebornes.words.activity import words_at
from millebornes.words.editions import rules_title
from millebornes.words.words import Words

MAX_ASKED: Final = 40
"""At most this many seats are looked up, because a browser may have cookies for many tables that no longer exist."""
MAX_SHOWN: Final = 8
"""The list contains at most this many games."""


async def games_of(service: Service, request: Request, words: Words) -> list[SimpleNamespace]:
    """Return the games of a browser, based on its cookies. Tables that can't be read are left out."""
    found: list[SimpleNamespace] = []
    seats = [(name.removeprefix(COOKIE), token) for name, token in request.cookies.items() if name.startswith(COOKIE)]
    for table, token in reversed(seats[-MAX_ASKED:]):  # browsers send the oldest cookie first
        if len(found) == MAX_SHOWN:
            break
        key = await service.store.key(hash_of(token))
        if key is None or key.purpose != "seat" or key.table != table:
            continue
        try:
            live = await service.table(table)
        except (ApiError, LogError):
            continue
        if live.state.is_cancelled:
            continue
        found.append(entry_of(live.state, key.seat, words))
    return sorted(found, key=lambda entry: (entry.is_over, not entry.is_turn))


def entry_of(state: TableState, seat: int, words: Words) -> SimpleNamespace:
    """Return the entry for a table, as one of its seats sees it.

    ``points`` are each side's points in the match, starting with the own side. ``review`` is the address of the last
    finished hand, or "". ``level`` is the level of the computer players on the other side, or "" if a person plays
    there. ``matches`` counts the finished matches.
    """
    words = words_at(state, words)
    participants, match = words.participants, state.match
    others = [participants.seat_with_level(n) for n, name in enumerate(state.names) if n != seat and name is not None]
    is_turn = state.status == "playing" and state.turn == seat and state.window is None
    order, finished = participants.own_first(seat), finished_hands(state)
    table, (level, matches) = state.created.table, _matches(state, seat)
    return SimpleNamespace(
        table=table,
        others=", ".join(others),
        cars=order,
        rules=rules_title(state.rules, words.translate),
        headline=headline_of(state, "turn" if is_turn else "", seat, words),
        points=[] if match is None else [state.overall[side] for side in order],
        is_turn=is_turn,
        is_over=state.status == "match_over",
        review=hand_address(HandName(table, state.number, finished[-1])) if finished else "",
        level=level,
        matches=matches,
    )


def _matches(state: TableState, seat: int) -> tuple[str, MatchCounts]:
    """Return the level on the other side, or "" if its players have several, and the matches so far."""
    own = state.rules.side_of(seat)
    others = {place for n, place in enumerate(state.places) if state.rules.side_of(n) != own}
    level = others.pop() if len(others) == 1 and state.rules.sides == 2 and sum(state.humans) == 1 else ""
    if state.match is None or level not in ROSTER:
        return "", MatchCounts()
    won, lost = state.games[own], state.games[1 - own]
    return level, MatchCounts(won, lost, state.number - (state.status != "match_over") - won - lost)
