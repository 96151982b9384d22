"""The requests that the game loop makes of its driver, and the driver's answers."""

import enum
from collections.abc import Callable
from typing import NamedTuple

from millebornes.game import Move
from millebornes.table.questions import Coup as Coup
from millebornes.table.questions import Extension as Extension
from millebornes.table.questions import SeatQuestion
from millebornes.table.questions import Turn as Turn
from millebornes.words.narration import Narration, heard

# ---------------------------------------------------------------- questions


class PassKeyboard(NamedTuple):
    """Ask people to pass the keyboard to ``seat``, and show no hand until then. The answer is `Continue`."""

    seat: int


class Another(NamedTuple):
    """Ask everyone whether to play another hand, or another match if this one has ended. The answer is `Continue`."""

    seat: None = None


Question = PassKeyboard | SeatQuestion | Another
"""A question to people. Its ``seat`` is the seat that is asked, or None for everyone."""


class Ask(NamedTuple):
    """The open question. The table appears to be waiting for the seat ``turn``."""

    question: Question
    turn: int | None = None


# ---------------------------------------------------------------- work


class Compute(NamedTuple):
    """Request that the computer player in ``seat`` chooses its move. People must not notice this request (R5.5)."""

    seat: int
    run: Callable[[], "ComputerMove"]


class Save(NamedTuple):
    """Request that the game is saved. ``run`` returns an error message, or None if it succeeds."""

    run: Callable[[], str | None]


class RecordResult(NamedTuple):
    """Request that the finished hand or match is added to the statistics. ``run`` returns the same as for `Save`."""

    run: Callable[[], str | None]


Work = Compute | Save | RecordResult
"""A request for work that takes a while. The answer is the value that ``run()`` returns."""

# ---------------------------------------------------------------- news


class EventKind(enum.Enum):
    """The kinds of event."""

    HAND = "hand"
    """A hand begins or continues."""
    MOVE = "move"
    """A player has made a move. A pass causes no event (R5.5)."""
    PASSED_OVER = "passed over"
    """Seats without cards have missed a turn (R2.6)."""
    TURN = "turn"
    """A player's turn begins. The player's cards have been drawn or are ready to be picked."""
    WINDOW_CLOSES = "window closes"
    """No one has called the coup fourré."""
    FORFEIT = "forfeit"
    """A computer player has lost the match because it broke the protocol or the rules."""
    TAKEN_BACK = "taken back"
    """A seat has taken back its latest move (in practice)."""
    END = "end"
    """The hand is over, or a forfeit has ended the match."""


class Event(NamedTuple):
    """Something that happened and that everyone may know about. No answer is expected.

    ``seat`` is the seat that acted, and ``move`` is its move. ``turn`` is the seat that the table now appears to be
    waiting for. ``narrations`` describe the event to each viewer.
    """

    kind: EventKind
    turn: int | None = None
    narrations: tuple[Narration, ...] = ()
    seat: int | None = None
    move: Move | None = None

    def lines(self, viewer: int | None) -> list[str]:
        """Return the sentences that describe the event to ``viewer``, which is a seat, or None for a spectator."""
        return heard(self.narrations, viewer)


class Trouble(NamedTuple):
    """Something has gone wrong, and people should know about it. The game continues. No answer is expected."""

    text: str


Request = Ask | Compute | Save | RecordResult | Event | Trouble

# ---------------------------------------------------------------- answers


class PersonMove(NamedTuple):
    """A person's move. ``place`` (from 1) is the place of the card in the hand, or None for the usual place."""

    seat: int
    move: Move
    place: int | None = None


class Continue(NamedTuple):
    """The answer that the person in ``seat`` has the keyboard or, if it is None, that people want another hand."""

    seat: int | None = None


class TakeBack(NamedTuple):
    """Takes back the latest decision of ``seat`` in a practice hand. It answers any question or `Compute`."""

    seat: int


class ComputerMove(NamedTuple):
    """The move that a computer player has chosen, or an ``error`` if the player broke the protocol or the rules."""

    move: Move | None
    error: Exception | None = None


Answer = PersonMove | Continue | TakeBack | ComputerMove | str | None
