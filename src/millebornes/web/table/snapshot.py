"""A table at one moment, as one viewer sees it."""

from millebornes.schema.api import AbsentObject, CommitmentObject, TableAnswer, WindowObject
from millebornes.session.answers import moves_for
from millebornes.session.requests import Question
from millebornes.web.table.lengths import is_complete
from millebornes.web.table.state import TableState

__all__ = ["picture"]


def picture(
    state: TableState, seat: int | None, question: Question | None, time: int, spectators: int = 0
) -> TableAnswer:
    """The table as a seat sees it, or a spectator (None).

    ``question`` is what the seat is asked and may still answer; ``time`` is now, in milliseconds since 1970;
    ``spectators`` look on.
    """
    sitting, status = state.sitting, state.status
    own, public = (None if seat is None else state.view(seat)), state.view(None)
    shown = None if public is None else public.to_dict()
    if shown is not None:
        del shown["seat"], shown["hand"]
    legal: tuple[str, ...] = ()
    phase = None
    view = None if own is None else own.to_object()
    if question is not None and sitting is not None and view is not None:
        legal = tuple(sorted(map(str, moves_for(question, sitting))))
        phase = view.phase
    is_over = sitting is not None and status in {"hand_over", "match_over"}
    scores = None
    if is_over and sitting is not None and sitting.hand.is_over:
        scores = tuple(sheet.to_object() for sheet in sitting.hand.scores)
    window, opened, commitment = state.window, state.open, state.commitment
    return TableAnswer(
        table=state.created.table,
        version=state.version,
        status=status,
        complete=is_complete(state),
        rules={"edition": state.rules.edition, **state.rules.settings()},
        seats=state.rules.seats,
        sides=state.rules.sides,
        names=tuple(state.shown_names),
        seat=seat,
        view=view,
        public=shown,
        phase=phase,
        legal=legal,
        turn=state.turn,
        away=tuple(sorted(state.away)),
        absent=tuple(AbsentObject(seat=n, left=max(0, until - time)) for n, until in sorted(state.absent.items())),
        spectators=spectators,
        clocks=None if state.clocks is None else state.clocks.to_object(time),
        match=1 if sitting is None else sitting.number,
        match_target=state.created.match_target,
        shuffle=None
        if opened is None or commitment is None
        else CommitmentObject(hand=opened.fact.hand, commitment=commitment),
        window=None
        if window is None
        else WindowObject(ms=window.until - window.opened, left=max(0, window.until - time)),
        scores=scores,
        winner=sitting.winner if sitting is not None and status == "match_over" else None,
    )
