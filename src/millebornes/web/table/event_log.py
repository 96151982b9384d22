"""The log of a table: the state that follows from it, and what is to be kept of each fact."""

from collections.abc import Iterable
from typing import Any

from millebornes.web.server.moments import wall
from millebornes.web.storage.store import Write
from millebornes.web.table.events import Created, Fact, HandDealt, LogError
from millebornes.web.table.messages import encode
from millebornes.web.table.scheduler import Pace, due_of
from millebornes.web.table.snapshot import entry_of
from millebornes.web.table.state import TableState

__all__ = ["fold", "take", "write_of"]


def fold(log: list[Fact]) -> TableState:
    """The state that follows from a log. Raises `LogError` for one that is damaged, or does not begin with a table."""
    if not log or not isinstance(log[0], Created):
        raise LogError("the log does not begin with a table")
    state = TableState(log[0])
    deals = [n for n, fact in enumerate(log) if isinstance(fact, HandDealt)]
    kept = deals[-2] if len(deals) > 1 else 0  # no earlier messages are kept
    state.is_brief = kept > 0
    take(state, log[:kept])
    state.is_brief = False
    take(state, log[kept:])
    return state


def take(state: TableState, log: Iterable[Fact]) -> None:
    """Apply facts of a log. Raises `LogError` for one that does not follow, without naming the cards that are in it."""
    for fact in log:
        place = state.seq + 1
        try:
            state.apply(fact)
        except LogError:
            raise
        except Exception as error:
            kind = type(error).__name__
            raise LogError(f"fact {place} of the log does not follow from those before it ({kind})") from None


def write_of(state: TableState, fact: Fact, pace: Pace, **more: Any) -> Write:
    """What is to be kept of a fact from which a state follows; ``more`` is what else `Write` holds."""
    created, due = state.created, due_of(state, pace)
    entry = entry_of(state) if created.listed else None
    return Write(
        table=created.table,
        seq=state.seq,
        fact=fact,
        status=state.status,
        due=None if due is None else wall() + max(0, due - state.latest),
        listed=created.listed,
        lobby=None if entry is None else encode(entry).decode(),
        **more,
    )
