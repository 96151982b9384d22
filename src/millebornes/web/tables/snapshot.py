"""A table at one moment, as one viewer sees it."""

from millebornes.editions import Rules
from millebornes.schema import api
from millebornes.table.messages import settings_of
from millebornes.table.questions import SeatQuestion
from millebornes.table.state import TableState, is_complete


def snapshot_of(
    state: TableState, seat: int | None, question: SeatQuestion | None, time: int, spectators: int = 0
) -> api.TableAnswer:
    """Return the table as a seat sees it, or as a spectator does if ``seat`` is None.

    ``question`` is the question that the seat can still answer. ``time`` is the current time, in milliseconds since
    1970. ``spectators`` is the number of spectators.
    """
    hand, status = state.hand, state.status
    own, public = (None if seat is None else state.view(seat)), state.view(None)
    shown = None if public is None else public.to_dict()
    if shown is not None:
        del shown["seat"], shown["hand"]
    view = None if own is None else own.to_object()
    asked = None if question is None else own
    scores = None
    if hand is not None and hand.is_over and status in {"hand_over", "match_over"}:
        scores = tuple(sheet.to_object() for sheet in hand.scores)
    window, opened, commitment = state.window, state.open, state.commitment
    return api.TableAnswer(
        table=state.created.table,
        version=state.version,
        status=status,
        complete=is_complete(state),
        rules=settings_of(state.rules),
        seats=state.rules.seats,
        sides=state.rules.sides,
        names=tuple(state.shown_names),
        seat=seat,
        view=view,
        public=shown,
        phase=None if view is None or asked is None else view.phase,
        legal=() if asked is None else tuple(sorted(map(str, asked.legal_moves))),
        turn=state.turn,
        away=tuple(sorted(state.away)),
        absent=tuple(api.AbsentObject(seat=n, left=max(0, until - time)) for n, until in sorted(state.absent.items())),
        spectators=spectators,
        clocks=None if state.clocks is None else state.clocks.to_object(time),
        match=state.number,
        match_target=state.created.match_target,
        shuffle=None
        if opened is None or commitment is None
        else api.CommitmentObject(hand=opened.fact.hand, commitment=commitment),
        window=None
        if window is None
        else api.WindowObject(ms=window.until - window.opened, left=max(0, window.until - time)),
        scores=scores,
        winner=state.winner if status == "match_over" else None,
        proposal=_proposal(state),
        request=None
        if state.requested is None
        else api.RequestObject(
            seat=state.requested.seat, what=state.requested.what, asked=tuple(sorted(state.concerned))
        ),
    )


def _proposal(state: TableState) -> api.ProposalObject | None:
    found = state.proposal
    if found is None:
        return None
    return api.ProposalObject(
        seat=found.seat,
        agreed=tuple(sorted(state.agreed)),
        rules=settings_of(Rules.parse(found.rules)),
        match_target=found.match_target,
        coup_window_ms=found.coup_window,
        swap=found.swap,
    )


def entry_of(state: TableState) -> api.LobbyObject | None:
    """Return the entry for a table in the lobby, or None if the lobby doesn't show it."""
    if not state.is_listed:
        return None
    created, rules = state.created, state.rules
    return api.LobbyObject(
        table=created.table,
        created=created.at,
        edition=rules.edition,
        set=rules.changes(),
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
    """Return a clock in the units that requests use, which are seconds, and whole numbers if possible."""
    parts = {"initial_s": initial / 1000, "increment_s": increment / 1000}
    return {name: int(part) if part.is_integer() else part for name, part in parts.items()}
