"""The driver of the game loop on the full screen.

The driver passes on questions and events at a pace that people can follow.

The driver doesn't use any widgets. It runs in the event loop and does slow work in a thread, so that the screen never
has to wait.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from millebornes.cards import Card
from millebornes.game import Action, Move
from millebornes.session import requests
from millebornes.session.game_loop import GameLoop

__all__ = ["Decided", "GameDriver", "GameScreen", "Questions", "TakenBack"]

Decided = tuple[Move, int | None]
"""A move, and the place (from 1) from which its card is taken."""

T = TypeVar("T")


class TakenBack(Exception):
    """Raised when a move has been taken back, because the current question no longer makes sense."""


class GameScreen(Protocol):
    """The parts of the screen that the driver uses."""

    def show(self, viewer: int | None, turn: int | None = None) -> None:
        """Show the table as ``viewer`` may see it, or as everyone may if it is None. ``turn`` is the seat to move."""

    def warn(self, text: str) -> None:
        """Show a warning to the players."""

    async def coup_called(self, text: str) -> None:
        """Celebrate a coup fourré that was called."""

    async def end_of_hand(self, text: str) -> None:
        """Show the score. Return when the players want another hand or match. Raises `TakenBack`."""


class Questions(Protocol):
    """The questions that the driver asks. Each method returns when the person has answered, or raises `TakenBack`."""

    async def pause(self, seconds: float) -> None:
        """Wait for this many seconds, or until the player presses a key."""

    async def keyboard(self, seat: int) -> None:
        """Ask people to pass the keyboard to a seat."""

    async def turn(self, seat: int, drawn: Sequence[Card]) -> Decided:
        """Ask the person in a seat for a move."""

    async def coup(self, seat: int, holds: bool) -> Decided:
        """Ask the person in a seat about a coup fourré."""

    async def extension(self, seat: int) -> Decided:
        """Ask the person in a seat whether to extend the trip (R6.2)."""


class GameDriver:
    """Drives a game loop on a screen, until its task is cancelled."""

    def __init__(self, loop: GameLoop, screen: GameScreen, questions: Questions) -> None:
        self._loop = loop
        self._screen = screen
        self._questions = questions
        self._seen = 0.0
        """The time at which the latest event became visible. It is 0 before the first event of a hand."""
        self._end = ""
        """A sentence that says how the hand or the match ended."""

    async def run(self) -> None:
        """Play until the task is cancelled."""
        while True:
            self._loop.answer(await self._answer(self._loop.request))

    async def _answer(self, request: requests.Request) -> requests.Answer:
        match request:
            case requests.Event():
                await self._tell(request)
            case requests.Trouble(text):
                self._screen.warn(text)
            case requests.Ask(questions, turn):
                try:
                    return await self._ask(questions[0], turn)
                except TakenBack:
                    seat = self._loop.latest_person()
                    if seat is None or self._loop.session.undo_point(seat) is None:
                        return await self._answer(request)  # no one has made a decision in this hand yet
                    return requests.TakeBack(seat)
            case requests.Compute():
                choice = await _in_thread(request.run)
                if choice.move is not None and choice.move.action is not Action.PASS:  # R5.5: a pass must take no time
                    await self._let_see()
                return choice
            case _save:
                return await _in_thread(request.run)
        return None

    async def _let_see(self) -> None:
        """Wait until the latest event has been visible for as long as the preferences say."""
        left = self._seen + self._loop.session.preferences.pace - time.monotonic()
        if self._seen and left > 0:
            await self._questions.pause(left)

    async def _ask(self, question: requests.Question, turn: int | None) -> requests.Answer:
        screen, ask = self._screen, self._questions
        match question:
            case requests.PassKeyboard(seat):
                screen.show(None, turn)
                await ask.keyboard(seat)
                return requests.Continue(seat)
            case requests.Another():
                await screen.end_of_hand(self._end)
                return requests.Continue()
        screen.show(question.seat, turn)
        match question:
            case requests.Turn(seat, drawn):
                decided = await ask.turn(seat, drawn)
            case requests.Coup(seat, _safety, holds):
                decided = await ask.coup(seat, holds)
            case _extension:
                decided = await ask.extension(question.seat)
        return requests.PersonMove(question.seat, *decided)

    async def _tell(self, event: requests.Event) -> None:
        viewer = self._loop.viewer()
        lines = event.lines(viewer)
        match event.kind:
            case requests.EventKind.HAND:
                self._seen = 0.0
            case requests.EventKind.MOVE:
                self._seen = time.monotonic()
            case requests.EventKind.END:
                self._end = lines[0]
            case requests.EventKind.WINDOW_CLOSES:
                pass
            case _other:
                return
        self._screen.show(viewer, event.turn)
        if event.move is not None and event.move.action is Action.COUP:
            await self._screen.coup_called(lines[0])


async def _in_thread(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, work)
