"""The open lobby: tables with free seats, as they are shown to everybody."""

from millebornes.editions import edition
from millebornes.schema.api import LobbyObject
from millebornes.web.table.state import TableState

__all__ = ["entry_of"]


def entry_of(state: TableState) -> LobbyObject | None:
    """A table as it stands in the lobby; None where it does not."""
    if not state.is_listed:
        return None
    created, rules = state.created, state.rules
    own = rules.edition is None
    return LobbyObject(
        table=created.table,
        created=created.at,
        edition=rules.edition,
        set=rules.settings(short_deck=True) if own else edition(str(rules.edition)).differences(rules),
        seats=rules.seats,
        sides=rules.sides,
        names=tuple(state.shown_names),
        free=tuple(seat for seat, name in enumerate(state.names) if name is None),
        match_target=created.match_target,
        coup_window_ms=created.coup_window,
        clock=None if created.clock is None else _clock(*created.clock),
        spectators=created.spectators,
    )


def _clock(initial: int, increment: int) -> dict[str, float]:
    """A clock as it is asked for: in seconds, whole numbers where they are."""
    parts = {"initial_s": initial / 1000, "increment_s": increment / 1000}
    return {name: int(part) if part.is_integer() else part for name, part in parts.items()}
