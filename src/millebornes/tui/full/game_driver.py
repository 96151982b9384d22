"""The driver of the game loop on the full screen: computer players at a pace that can be followed, questions, news.

Knows nothing of widgets. Runs in the event loop, with what takes a while in a thread, so that the screen never waits.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from millebornes.cards import Card
from millebornes.game import Action, Move
from millebornes.session import requests
from millebornes.session.game_loop import GameLoop

__all__ = ["Decided", "GameDriver", "GameScreen", "TakenBack"]

Decided = tuple[Move, int | None]
"""A move, and the place (from 1) that its card is taken from."""

T = TypeVar("T")


class TakenBack(Exception):
    """A move is to be taken back: whatever is being asked is no question any more."""


class GameScreen(Protocol):
    """What the driver needs of the screen. Every question returns when it has been answered, or raises `TakenBack`."""

    def show(self, viewer: int | None, turn: int | None = None) -> None:
        """Show the table as a seat may see it, None: as everybody may; ``turn`` is whose turn it is."""

    def warn(self, text: str) -> None:
        """Tell what went wrong."""

    async def pause(self, seconds: float) -> None:
        """Wait, unless a key says to go on."""

    async def coup_called(self, text: str) -> None:
        """A coup fourré has been called: make something of it."""

    async def keyboard(self, seat: int) -> None:
        """Let the keyboard pass to a person."""

    async def turn(self, seat: int, drawn: Sequence[Card]) -> Decided:
        """A person's turn."""

    async def coup(self, seat: int, holds: bool) -> Decided:
        """The question of a coup fourré."""

    async def extension(self, seat: int) -> Decided:
        """The choice at the goal (R6.2)."""

    async def end_of_hand(self, text: str) -> None:
        """Show the score; returns when another hand or match is wanted."""


class GameDriver:
    """Drives a game loop on a screen, until its task is cancelled."""

    def __init__(self, loop: GameLoop, screen: GameScreen) -> None:
        self._loop = loop
        self._screen = screen
        self._seen = 0.0
        """When the latest event came into sight; 0 before the first one of a hand."""
        self._end = ""
        """How the hand, or the match, has ended."""

    async def run(self) -> None:
        """Play on and on."""
        while True:
            self._loop.answer(await self._answer(self._loop.request))

    async def _answer(self, request: requests.Request) -> requests.Answer:
        """Do what the game loop wants."""
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
                        return await self._answer(request)  # nobody has decided anything in this hand
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
        """What happened last is in sight for the time of the pace."""
        left = self._seen + self._loop.session.preferences.pace - time.monotonic()
        if self._seen and left > 0:
            await self._screen.pause(left)

    async def _ask(self, question: requests.Question, turn: int | None) -> requests.Answer:
        """Put a question to the person whom it concerns."""
        screen = self._screen
        match question:
            case requests.PassKeyboard(seat):
                screen.show(None, turn)
                await screen.keyboard(seat)
                return requests.Continue(seat)
            case requests.Another():
                await screen.end_of_hand(self._end)
                return requests.Continue()
        screen.show(question.seat, turn)
        match question:
            case requests.Turn(seat, drawn):
                decided = await screen.turn(seat, drawn)
            case requests.Coup(seat, _safety, holds):
                decided = await screen.coup(seat, holds)
            case _extension:
                decided = await screen.extension(question.seat)
        return requests.PersonMove(question.seat, *decided)

    async def _tell(self, event: requests.Event) -> None:
        """Show what has happened."""
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
