"""The driver of the game loop on the full screen: questions, events, and computer players at a pace people can follow.

It knows nothing of widgets. It runs in the event loop and does slow work in a thread, so that the screen never waits.
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
"""A move, and the place (from 1) that its card comes from."""

T = TypeVar("T")


class TakenBack(Exception):
    """A move is taken back, so the current question no longer applies."""


class GameScreen(Protocol):
    """The part of the screen that the driver uses."""

    def show(self, viewer: int | None, turn: int | None = None) -> None:
        """Show the table as ``viewer`` may see it, or as everyone may (None). ``turn`` is the seat whose turn it is."""

    def warn(self, text: str) -> None:
        """Show a warning."""

    async def coup_called(self, text: str) -> None:
        """Celebrate a coup fourré that was called."""

    async def end_of_hand(self, text: str) -> None:
        """Show the score. Returns when the players want another hand or match, or raises `TakenBack`."""


class Questions(Protocol):
    """The part of the input that the driver uses. Questions return when they are answered, or raise `TakenBack`."""

    async def pause(self, seconds: float) -> None:
        """Wait, unless the player presses a key to continue."""

    async def keyboard(self, seat: int) -> None:
        """Pass the keyboard to a person."""

    async def turn(self, seat: int, drawn: Sequence[Card]) -> Decided:
        """Ask a person for their move."""

    async def coup(self, seat: int, holds: bool) -> Decided:
        """Ask about a coup fourré."""

    async def extension(self, seat: int) -> Decided:
        """Ask whether to extend the trip at the goal (R6.2)."""


class GameDriver:
    """Drives a game loop on a screen, until its task is cancelled."""

    def __init__(self, loop: GameLoop, screen: GameScreen, questions: Questions) -> None:
        self._loop = loop
        self._screen = screen
        self._questions = questions
        self._seen = 0.0
        """When the latest event became visible, or 0 before the first event of a hand."""
        self._end = ""
        """How the hand or the match ended."""

    async def run(self) -> None:
        """Play until cancelled."""
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
                        return await self._answer(request)  # no one has made a decision in this hand
                    return requests.TakeBack(seat)
            case requests.Compute():
                choice = await _in_thread(request.run)
                if choice.move is not None and choice.move.action is not Action.PASS:  # R5.5: a pass takes no time
                    await self._let_see()
                return choice
            case _save:
                return await _in_thread(request.run)
        return None

    async def _let_see(self) -> None:
        """Wait until the latest event has been visible for the time set by the pace."""
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
