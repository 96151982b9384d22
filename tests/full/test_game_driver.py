"""The driver of the game loop on the full screen, with something simpler in the place of the screen."""

import asyncio
import contextlib
import dataclasses
import random
from typing import Any, cast

from millebornes.game import Action, Move
from millebornes.session.game_loop import GameLoop
from millebornes.session.requests import Ask, PersonMove
from millebornes.table.questions import SeatQuestion
from millebornes.tui.controller import ChosenMove
from millebornes.tui.full.screens.table import GameDriver
from tests.session.driving import HUMAN, answer_question, session


class Enough(Exception):
    """The test has seen enough."""


@dataclasses.dataclass
class FakeScreen:
    """Answers at random, and keeps what it was asked to do."""

    loop: GameLoop
    rng: random.Random
    most: int = 400
    done: list[tuple[object, ...]] = dataclasses.field(default_factory=list)

    def _keep(self, *what: object) -> None:
        self.done.append(what)
        if len(self.done) > self.most:
            raise Enough

    def show(self, viewer: int | None, turn: int | None = None) -> None:
        self._keep("show", viewer, turn)

    def warn(self, text: str) -> None:
        self._keep("warn", text)

    @property
    def input(self) -> Any:
        return self

    async def pause(self, seconds: float) -> None:
        self._keep("pause", seconds)

    async def coup_called(self, text: str) -> None:
        self._keep("coup called", text)

    async def keyboard(self, seat: int) -> None:
        assert self.done[-1] == ("show", None, self._question_turn())
        self._keep("keyboard", seat)

    async def ask(self, question: SeatQuestion) -> ChosenMove:
        assert self.done[-1] == ("show", question.seat, self._question_turn())
        self._keep(type(question).__name__.lower(), question.seat)
        answer = answer_question(question, self.loop, self.rng)
        assert isinstance(answer, PersonMove)
        return ChosenMove(answer.move, answer.place)

    async def end_of_hand(self, text: str) -> None:
        self._keep("end", text)

    def _question_turn(self) -> int | None:
        assert isinstance(self.loop.request, Ask)
        return self.loop.request.turn


def drive(screen: FakeScreen) -> None:
    async def run() -> None:
        with contextlib.suppress(Enough):
            await GameDriver(cast(Any, screen)).run()

    asyncio.run(run())


def test_what_happens_stays_in_sight_for_the_pace_and_a_pass_takes_no_time() -> None:
    passes = pauses = 0
    for seed in range(20):
        loop = GameLoop(session(HUMAN, "random", seed=str(seed), target=None, pace=3600))
        screen = FakeScreen(loop, random.Random(seed), most=300)
        drive(screen)
        moments = [hand.at(ply) for hand in loop.session.match.hands for ply in range(1, hand.ply + 1)]
        moves = [now.move for now in moments if now.parent is not None and now.parent.seat == 1]
        paused = [seconds for what, *more in screen.done if what == "pause" for seconds in more]
        assert all(isinstance(seconds, float) and 3500 < seconds <= 3600 for seconds in paused)
        quiet = moves.count(Move(Action.PASS))
        assert len(paused) <= len(moves) - quiet + 1
        passes, pauses = passes + quiet, pauses + len(paused)
    assert passes
    assert pauses


def test_the_keyboard_passes_with_no_hand_on_the_screen() -> None:
    screen = FakeScreen(GameLoop(session(HUMAN, HUMAN)), random.Random(1))
    drive(screen)
    assert {what for what, *_more in screen.done} >= {"show", "keyboard", "turn", "coup"}
    holder = None
    for what, *more in screen.done:
        if what == "keyboard":
            holder = more[0]
        elif what in {"turn", "coup", "extension"}:
            assert more == [holder]
