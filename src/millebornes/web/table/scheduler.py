"""What a table has to do next without any person, and when."""

import enum
from typing import Final, NamedTuple

from millebornes.web.table.state import TableState

__all__ = ["MAX_HANDS", "USUAL_PACE", "Pace", "ScheduledStep", "StepKind", "due_of", "steps_of"]

MAX_HANDS: Final = 50
"""Hands of a match that computer players play among themselves; nobody may be watching any more."""


class Pace(NamedTuple):
    """How long things take at every table, in milliseconds.

    ``entropy`` is how long seats have to give their share in a shuffle, ``move`` how long the table stays as it is
    before a computer player moves, ``hand`` how long a finished hand stays where only computer players sit. ``even``
    is what every answer around the window of a coup fourré takes, or a multiple of it, so that no time tells what had
    to be done (R5.5); 0: whatever it takes.
    """

    entropy: int = 1000
    move: int = 800
    hand: int = 4000
    even: int = 20


USUAL_PACE: Final = Pace()


class StepKind(enum.Enum):
    """What there is to do."""

    SHUFFLE = "shuffle"
    """Commit to a seed for the next hand, or deal it at once where a seed was given."""
    DEAL = "deal"
    THINK = "think"
    """Let a computer player move."""
    CALL = "call"
    """Let a computer player that may be asked for a coup fourré think. All do, asked or not (R5.5)."""
    CLOSE = "close"
    """End the window of a coup fourré."""
    FLAG = "flag"
    """Move for a person whose time is up."""


class ScheduledStep(NamedTuple):
    """Something to do, when (milliseconds since 1970), and for which seat."""

    task: StepKind
    due: int
    seat: int | None = None


def steps_of(state: TableState, pace: Pace) -> list[ScheduledStep]:
    """What is to be done, the steps beside each other; none where the table waits for people."""
    status = state.status
    if not state.is_full:
        return []
    if status == "waiting":
        return [_before_hand(state, pace)]
    if status == "playing":
        return _in_hand(state, pace)
    if status == "hand_over" and not any(state.humans) and state.next_hand[1] <= MAX_HANDS:
        return [ScheduledStep(StepKind.SHUFFLE, state.at + pace.hand)]
    return []


def _before_hand(state: TableState, pace: Pace) -> ScheduledStep:
    if state.open is None:
        return ScheduledStep(StepKind.SHUFFLE, state.at)
    is_ready = all(seat in state.open.seeds for seat in state.present if seat not in state.absent)
    return ScheduledStep(StepKind.DEAL, state.at if is_ready else state.at + pace.entropy)


def _in_hand(state: TableState, pace: Pace) -> list[ScheduledStep]:
    seat, window = state.deciding(), state.window
    assert seat is not None
    if window is None:
        if state.is_played_for(seat):
            return [ScheduledStep(StepKind.THINK, state.at + pace.move, seat)]
        runs = state.clocks is not None and state.clocks.running == seat
        return [ScheduledStep(StepKind.FLAG, state.clocks.due, seat)] if runs and state.clocks is not None else []
    assert state.session is not None
    thinking = (other for other in state.session.hand.entitled if state.is_played_for(other))
    return [
        ScheduledStep(StepKind.CLOSE, window.until),
        *(ScheduledStep(StepKind.CALL, window.think_at, other) for other in thinking),
    ]


def due_of(state: TableState, pace: Pace) -> int | None:
    """When the table goes on by itself at the latest; None where it waits for people."""
    return min((step.due for step in steps_of(state, pace) if step.task is not StepKind.CALL), default=None)
