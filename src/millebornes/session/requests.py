"""The requests of the game loop to its driver, and the driver's answers."""

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
    """Ask the people at one screen to pass the keyboard to ``seat``. Until they have, no hand may be shown there.

    The answer is `Continue` with that seat.
    """

    seat: int


class Turn(NamedTuple):
    """Ask ``seat`` for its move. ``drawn`` holds the cards that it has just drawn, for this seat's eyes only.

    The answer is a `PersonMove`. If the person picks cards by hand, ``drawn`` is empty and `GameSession.pick` comes
    first.
    """

    seat: int
    drawn: tuple[Card, ...]


class Coup(NamedTuple):
    """Ask ``seat`` whether it calls a coup fourré with ``safety`` (R5.1, R5.6). The answer is a `PersonMove`.

    ``holds`` is true if the seat holds the safety, which only this seat may know. If not, it can only pass (R5.5).
    """

    seat: int
    safety: Card
    holds: bool


class Extension(NamedTuple):
    """Ask ``seat`` whether it extends the trip (R6.2). The answer is a `PersonMove`."""

    seat: int


class Another(NamedTuple):
    """Ask everyone whether to play another hand, or another match if this one is over. The answer is `Continue`."""

    seat: None = None


Question = PassKeyboard | Turn | Coup | Extension | Another
"""A question to people. ``seat`` is the seat that is asked, None for everyone."""


class Ask(NamedTuple):
    """The open questions, at most one for each screen. Any of them may be answered next.

    ``turn`` is the seat that the table is waiting for, as far as everyone may know it.
    """

    questions: tuple[Question, ...]
    turn: int | None = None


# ---------------------------------------------------------------- work


class Compute(NamedTuple):
    """Let the computer player at ``seat`` choose its move. People must not see when this is requested (R5.5)."""

    seat: int
    run: Callable[[], "ComputerMove"]


class Save(NamedTuple):
    """Save the game. ``run`` returns a text to show if that failed, else None."""

    run: Callable[[], str | None]


class RecordResult(NamedTuple):
    """Add the hand or match that is over to the statistics. ``run`` returns the same as in `Save`."""

    run: Callable[[], str | None]


Work = Compute | Save | RecordResult
"""Work that takes a while. The answer is the result of ``run()``."""

# ---------------------------------------------------------------- news


class EventKind(enum.Enum):
    """The kinds of event."""

    HAND = "hand"
    """A hand begins or continues."""
    MOVE = "move"
    """A seat has moved. A pass isn't an event (R5.5)."""
    PASSED_OVER = "passed over"
    """Seats without cards have been passed over (R2.6)."""
    TURN = "turn"
    """A seat has to decide on its turn. It has drawn its cards, or they are ready to be picked."""
    WINDOW_OPENS = "window opens"
    """As far as everyone can know, a coup fourré can be called from now until the next event."""
    WINDOW_CLOSES = "window closes"
    """No one has called the coup fourré."""
    FORFEIT = "forfeit"
    """A computer player has lost the match because it broke the protocol or the rules."""
    TAKEN_BACK = "taken back"
    """A seat has taken back its latest move (in practice)."""
    END = "end"
    """The hand is over, or a forfeit has ended the match."""


class Event(NamedTuple):
    """Something has happened that everyone may notice. It has no answer.

    ``seat`` is the seat that acted and ``move`` the move it made. ``turn`` is the seat that the table is waiting for
    now, as far as everyone may know it. ``narrations`` describe the event for each viewer.
    """

    kind: EventKind
    turn: int | None = None
    narrations: tuple[Narration, ...] = ()
    seat: int | None = None
    move: Move | None = None

    def lines(self, viewer: int | None) -> list[str]:
        """Return the sentences that describe the event for ``viewer``: a seat, or None for a spectator."""
        return heard(self.narrations, viewer)


class Trouble(NamedTuple):
    """Something went wrong that people should know about. The game continues. It has no answer."""

    text: str


Request = Ask | Compute | Save | RecordResult | Event | Trouble

# ---------------------------------------------------------------- answers


class PersonMove(NamedTuple):
    """A person's move. ``place`` (from 1) is where its card is taken from, None for the usual place."""

    seat: int
    move: Move
    place: int | None = None


class Continue(NamedTuple):
    """Continue: the person at ``seat`` has the keyboard, or (None) people want another hand."""

    seat: int | None = None


class TakeBack(NamedTuple):
    """Takes back the latest decision of ``seat`` in this hand, in practice.

    It answers any question, and also comes instead of a computer player's move.
    """

    seat: int


class ComputerMove(NamedTuple):
    """The move that a computer player has chosen. If it broke the protocol or the rules, ``error`` is set instead."""

    move: Move | None
    error: Exception | None = None


Answer = PersonMove | Continue | TakeBack | ComputerMove | str | None
