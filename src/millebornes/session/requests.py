"""What the game loop asks its driver for, and what the driver answers."""

import enum
from collections.abc import Callable
from typing import NamedTuple

from millebornes.cards import Card
from millebornes.game import Move
from millebornes.texts.narration import Narration, heard

__all__ = [
    "Another",
    "Answer",
    "Ask",
    "Compute",
    "ComputerMove",
    "Continue",
    "Coup",
    "Event",
    "EventKind",
    "Extension",
    "PassKeyboard",
    "PersonMove",
    "Question",
    "RecordResult",
    "Request",
    "Save",
    "TakeBack",
    "Trouble",
    "Turn",
    "Work",
]

# ---------------------------------------------------------------- questions


class PassKeyboard(NamedTuple):
    """To the people at one screen: the keyboard passes to ``seat``; no hand may be seen there until it has.

    Answered by `Continue` of the seat.
    """

    seat: int


class Turn(NamedTuple):
    """To a seat: its turn. ``drawn`` are the cards that it has just been dealt for it, for this seat alone.

    Answered by a `PersonMove`. Where cards are picked by hand, ``drawn`` is empty and `GameSession.pick` comes first.
    """

    seat: int
    drawn: tuple[Card, ...]


class Coup(NamedTuple):
    """To a seat: whether it calls a coup fourré with ``safety`` (R5.1, R5.6). Answered by a `PersonMove`.

    ``holds``: whether it can, which this seat alone may know; else a pass is the only answer (R5.5).
    """

    seat: int
    safety: Card
    holds: bool


class Extension(NamedTuple):
    """To a seat: whether it extends the trip (R6.2). Answered by a `PersonMove`."""

    seat: int


class Another(NamedTuple):
    """To everybody: whether to play another hand, or another match if that is over. Answered by `Continue`."""

    seat: None = None


Question = PassKeyboard | Turn | Coup | Extension | Another
"""What people are asked. ``seat`` is who is asked, None for everybody."""


class Ask(NamedTuple):
    """Questions that stand open, one for each screen at most; any of them may be answered next.

    ``turn`` is the seat that the table waits for, as far as everybody may know it.
    """

    questions: tuple[Question, ...]
    turn: int | None = None


# ---------------------------------------------------------------- work


class Compute(NamedTuple):
    """Work: let the computer player at ``seat`` choose its move. Nobody may see when this is asked for (R5.5)."""

    seat: int
    run: Callable[[], "ComputerMove"]


class Save(NamedTuple):
    """Work: let the game save itself. ``run`` returns what to tell people when that has not worked, else None."""

    run: Callable[[], str | None]


class RecordResult(NamedTuple):
    """Work: keep the hand or match that is over for the statistics. ``run`` returns as that of `Save`."""

    run: Callable[[], str | None]


Work = Compute | Save | RecordResult
"""What takes a while; the answer is what ``run()`` returns."""

# ---------------------------------------------------------------- news


class EventKind(enum.Enum):
    """What has happened."""

    HAND = "hand"
    """A hand begins, or is gone on with."""
    MOVE = "move"
    """A seat has moved; a pass is no event (R5.5)."""
    PASSED_OVER = "passed over"
    """Seats without cards have been passed over (R2.6)."""
    TURN = "turn"
    """A seat is to decide in its turn: it has drawn what it draws, or its cards lie ready."""
    WINDOW_OPENS = "window opens"
    """A coup fourré can be called now, for all that everybody can tell; until the next event."""
    WINDOW_CLOSES = "window closes"
    """The coup fourré has not been called."""
    FORFEIT = "forfeit"
    """A computer player has lost the match by breaking the protocol or the rules."""
    TAKEN_BACK = "taken back"
    """A seat has taken its latest move back (in practice)."""
    END = "end"
    """The hand is over, or the match by a forfeit."""


class Event(NamedTuple):
    """Something has happened that everybody may notice. Not answered.

    ``seat`` did it, ``move`` is what it played; ``turn`` is the seat that the table waits for now, as far as everybody
    may know it; ``narrations`` tell it to each viewer.
    """

    kind: EventKind
    turn: int | None = None
    narrations: tuple[Narration, ...] = ()
    seat: int | None = None
    move: Move | None = None

    def lines(self, viewer: int | None) -> list[str]:
        """What a viewer is told of it: a seat, or None for who sits nowhere."""
        return heard(self.narrations, viewer)


class Trouble(NamedTuple):
    """Something went wrong that people should be told; the game goes on. Not answered."""

    text: str


Request = Ask | Compute | Save | RecordResult | Event | Trouble

# ---------------------------------------------------------------- answers


class PersonMove(NamedTuple):
    """A person's move; ``place`` (from 1) is where its card is taken from, None for the usual one."""

    seat: int
    move: Move
    place: int | None = None


class Continue(NamedTuple):
    """Go on: the person at ``seat`` has the keyboard, or (None) another hand is wanted."""

    seat: int | None = None


class TakeBack(NamedTuple):
    """In practice, instead of any answer: a person's seat goes back to its latest decision in this hand."""

    seat: int


class ComputerMove(NamedTuple):
    """What a computer player has chosen; ``error`` instead where it broke the protocol or the rules."""

    move: Move | None
    error: Exception | None = None


Answer = PersonMove | Continue | TakeBack | ComputerMove | str | None
