"""The log of a table: the state that it determines, and the data that is stored for each event."""

from collections.abc import Iterable
from typing import Any

from millebornes.web.server.moments import wall
from millebornes.web.storage.store import Write
from millebornes.web.table.events import Created, HandDealt, LogError, TableEvent
from millebornes.web.table.messages import encode
from millebornes.web.table.scheduler import Pace, due_of
from millebornes.web.table.snapshot import entry_of
from millebornes.web.table.state import TableState

__all__ = ["fold", "take", "write_of"]


def fold(log: list[TableEvent]) -> TableState:
    """Return the state that a log determines. Raises `LogError` if it is damaged or doesn't begin with a new table."""
    if not log or not isinstance(log[0], Created):
        raise LogError("the log does not begin with a table")
    state = TableState(log[0])
    deals = [n for n, event in enumerate(log) if isinstance(event, HandDealt)]
    kept = deals[-2] if len(deals) > 1 else 0  # earlier messages aren't kept
    state.is_brief = kept > 0
    take(state, log[:kept])
    state.is_brief = False
    take(state, log[kept:])
    return state


def take(state: TableState, log: Iterable[TableEvent]) -> None:
    """Apply the events of a log to a state. If one can't follow, raises `LogError`, which never names cards."""
    for event in log:
        place = state.seq + 1
        try:
            state.apply(event)
        except LogError:
            raise
        except Exception as error:
            kind = type(error).__name__
            raise LogError(f"event {place} of the log does not follow from those before it ({kind})") from None


def write_of(state: TableState, event: TableEvent, pace: Pace, **more: Any) -> Write:
    """Return the `Write` that stores the event which led to ``state``. ``more`` contains additional fields for it."""
    created, due = state.created, due_of(state, pace)
    entry = entry_of(state) if created.listed else None
    return Write(
        table=created.table,
        seq=state.seq,
        event=event,
        status=state.status,
        due=None if due is None else wall() + max(0, due - state.latest),
        listed=created.listed,
        lobby=None if entry is None else encode(entry).decode(),
        **more,
    )
