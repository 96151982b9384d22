"""The log of a table: the state that its facts determine."""

from collections.abc import Iterable

from millebornes.table.facts import Created, Fact, HandDealt, LogError
from millebornes.table.state import TableState


def fold(log: list[Fact]) -> TableState:
    """Return the state that a log determines. Raises `LogError` if it is damaged or doesn't begin with a new table."""
    if not log or not isinstance(log[0], Created):
        raise LogError("the log does not begin with a table")
    state = TableState(log[0])
    deals = [n for n, fact in enumerate(log) if isinstance(fact, HandDealt)]
    kept = deals[-2] if len(deals) > 1 else 0  # earlier messages aren't kept
    state.is_brief = kept > 0
    apply_all(state, log[:kept])
    state.is_brief = False
    apply_all(state, log[kept:])
    return state


def apply_all(state: TableState, log: Iterable[Fact]) -> None:
    """Apply the facts of a log to a state. If a fact can't follow, raises `LogError`, which never names cards."""
    for fact in log:
        place = state.seq + 1
        try:
            state.apply(fact)
        except LogError:
            raise
        except Exception as error:
            kind = type(error).__name__
            raise LogError(f"fact {place} of the log does not follow from those before it ({kind})") from None
