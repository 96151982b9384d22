"""How long the log of a table may become. Reading it takes some 25 ms a hand, so it doesn't grow for ever."""

from typing import Final

from millebornes.web.errors import ApiError
from millebornes.web.table.events import Away, Back, Fact, Rekeyed, Returned, Said, Waited
from millebornes.web.table.state import TableState

__all__ = ["LAST_MATCH", "MOST_FACTS", "MOST_HANDS", "check_room", "has_room", "is_complete"]

MOST_HANDS: Final = 200
"""Hands that a table plays, in all its matches together."""
LAST_MATCH: Final = 150
"""Hands after which no other match begins, so that the one in play comes to its end."""
MOST_FACTS: Final = 50_000
"""Facts of a log, about twice as many as `MOST_HANDS` take; from then on only the hand in play adds any."""

_BESIDE: Final = (Said, Returned, Waited, Rekeyed, Away, Back)
"""What people can add as often as they like; not that they leave, as the others would wait for them."""


def has_room(state: TableState) -> bool:
    """Whether the log takes more than what the hand in play needs."""
    return state.seq < MOST_FACTS


def is_complete(state: TableState) -> bool:
    """Whether no other hand is dealt at a table."""
    most = LAST_MATCH if state.status == "match_over" else MOST_HANDS
    return state.hands >= most or not has_room(state)


def check_room(state: TableState, fact: Fact) -> None:
    """Raises `ApiError` (complete) for a fact that the log of a table has no room for."""
    if isinstance(fact, _BESIDE) and not has_room(state):
        raise ApiError(409, "complete", "this table is complete: its log is full; set up another one")
