"""The next steps at a table that don't need a person, and the times for them."""

import enum
from typing import Final, NamedTuple

from millebornes.table.state import TableState

MAX_HANDS: Final = 50
"""The maximum number of hands in a match between computer players, because no one may be watching."""


class Pace(NamedTuple):
    """The pace of all tables, in milliseconds.

    ``entropy`` is the time that seats have for their contributions to a shuffle. ``move`` is the pause before a
    computer player moves, and ``hand`` is the pause after a hand at a table with only computer players. All answers
    around the window of a coup fourré take ``even`` or a multiple of it, so that their duration doesn't reveal how much
    work there was (R5.5). If ``even`` is 0, answers take only as long as they need.
    """

    entropy: int = 1000
    move: int = 800
    hand: int = 4000
    even: int = 20


USUAL_PACE: Final = Pace()


class StepKind(enum.Enum):
    """The kinds of step that a table takes by itself."""

    SHUFFLE = "shuffle"
    """Commit to a seed for the next hand. If the table has a seed, deal the hand at once."""
    DEAL = "deal"
    THINK = "think"
    """Make a move for a computer player."""
    CALL = "call"
    """Let a computer player think about a coup fourré, whether or not it is asked (R5.5)."""
    CLOSE = "close"
    """Close the window of a coup fourré."""
    FILL = "fill"
    """Give an open seat to a computer player, because no person has taken it."""
    FLAG = "flag"
    """Move for a person who has run out of time."""


class ScheduledStep(NamedTuple):
    """A step with its time (milliseconds since 1970) and its seat."""

    task: StepKind
    due: int
    seat: int | None = None


def steps_of(state: TableState, pace: Pace) -> list[ScheduledStep]:
    """Return the next steps, which don't depend on each other. If the table is waiting for people, there are none."""
    status = state.status
    if state.is_cancelled:
        return []
    if not state.is_full:
        fill = state.created.fill
        return [] if fill is None else [ScheduledStep(StepKind.FILL, state.created.at + fill)]
    if status == "waiting":
        return [_before_hand(state, pace)]
    if status == "playing":
        return _in_hand(state, pace)
    if state.is_agreed:
        return [ScheduledStep(StepKind.SHUFFLE, state.at)]
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
    assert state.match is not None
    thinking = (other for other in state.match.hand.entitled if state.is_played_for(other))
    return [
        ScheduledStep(StepKind.CLOSE, window.until),
        *(ScheduledStep(StepKind.CALL, window.think_at, other) for other in thinking),
    ]


def due_of(state: TableState, pace: Pace) -> int | None:
    """Return the latest time at which the table will continue by itself, or None if it is waiting for people."""
    return min((step.due for step in steps_of(state, pace) if step.task is not StepKind.CALL), default=None)
