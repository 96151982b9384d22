"""The course of a sitting: whose decision it is, computer players at a pace that can be followed, ends of hands.

Knows nothing of widgets; it drives a `Stage`. Runs in the event loop, with computer players in a thread, so that the
screen never waits for them.
"""

import asyncio
import datetime
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

from millebornes.cards import Card
from millebornes.errors import PlayerError, SaveError
from millebornes.game import Action, Hand, Move, Phase
from millebornes.i18n import Translator
from millebornes.players import PLAYERS
from millebornes.tui.sitting.record import Recorder
from millebornes.tui.sitting.saving import Saver
from millebornes.tui.sitting.sitting import Sitting

__all__ = ["Decided", "Flow", "Stage", "TakenBack"]

Decided = tuple[Move, int | None]
"""A move, and the place (from 1) that its card is taken from."""


class TakenBack(Exception):
    """A move is to be taken back: whatever is being asked is no question any more."""


class Stage(Protocol):
    """What the flow needs of the screen. Every question returns when it has been answered."""

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
        """Show the score; returns when another hand or match is wanted. Raises `TakenBack`."""


class Flow:
    """Plays a sitting on a stage, until its task is cancelled."""

    def __init__(self, sitting: Sitting, saver: Saver, stage: Stage, _: Translator) -> None:
        self.sitting = sitting
        self._saver = saver
        self._stage = stage
        self._ = _
        self._holder: int | None = None
        self._asked: tuple[int, int] | None = None
        """The moment whose question has been put to everybody (R5.5)."""
        self._announced: tuple[int, int] | None = None
        self._unsaved = True
        self._seen = 0.0
        """When the latest event came into sight."""
        self._recorder = Recorder(sitting)

    @property
    def viewer(self) -> int | None:
        """Who looks at the screen: a lone person always, else who has the keyboard."""
        cast = self.sitting.cast
        return self._holder if cast.is_shared else next(iter(cast.people), None)

    async def run(self) -> None:
        """Play on and on."""
        await self._autosave()
        while True:
            try:
                await self._go_on()
            except TakenBack:
                await self._undo()

    async def _go_on(self) -> None:
        """Do whatever comes next: a question, a move of a computer player, a person's turn, the end of a hand."""
        sitting = self.sitting
        self._announce()
        if sitting.loss is None and await self._answer():
            return
        if sitting.is_over or sitting.hand.is_over:
            await self._end_of_hand()
            return
        drawn = sitting.settle()
        seat = sitting.hand.seat
        assert seat is not None
        if sitting.table.player is not None:
            await self._play_computer()
            return
        await self._autosave()
        await self._give_keyboard(seat)
        self._stage.show(seat, seat)
        if sitting.hand.phase is Phase.EXTEND:
            await self._play(*await self._stage.extension(seat))
        else:
            await self._play(*await self._stage.turn(seat, drawn))

    def _announce(self) -> None:
        """Show which hand begins, once."""
        sitting = self.sitting
        hand = sitting.hand
        if self._announced == (sitting.number, sitting.match.hand_number) or hand.is_over or sitting.is_over:
            return
        self._announced = (sitting.number, sitting.match.hand_number)
        self._stage.show(self.viewer, next_turn(hand))

    def latest_person(self) -> int | None:
        """Whose move would be taken back: of who has the keyboard, else of the person who decided last in this hand."""
        if self.viewer is not None:
            return self.viewer
        return self.sitting.latest_person

    async def _undo(self) -> None:
        seat = self.latest_person()
        if seat is not None and self.sitting.undo(seat):
            self._asked = None
            self._holder = seat if self.sitting.cast.is_shared else None
            self._unsaved = True
            await self._autosave()

    # ------------------------------------------------------------------ moves

    async def _play(self, move: Move, place: int | None) -> None:
        sitting = self.sitting
        mover, before = sitting.hand.seat, len(sitting.log)
        sitting.play(move, place)
        self._unsaved = True
        self._stage.show(self.viewer, next_turn(sitting.hand))
        if len(sitting.log) > before:
            self._seen = time.monotonic()
        if mover in sitting.slots:
            await self._autosave()
        if move.action is Action.COUP:
            await self._stage.coup_called(sitting.log[before](self.viewer))

    async def _play_computer(self) -> None:
        """A computer player's move, not before what happened last has been in sight for the time of the pace."""
        move = await self._choose()
        if move is not None:
            await self._show_move(move)

    async def _choose(self) -> Move | None:
        """What the computer player to move chooses; None when it forfeits the match instead."""
        sitting = self.sitting
        seat = sitting.hand.seat
        try:
            return cast("Move", await self._in_thread(sitting.table.choose))
        except Exception as error:  # whatever a player of another package raises, it is its own fault
            if not isinstance(error, PlayerError) and seat is not None and sitting.seats[seat] in PLAYERS:
                raise
            sitting.lose(error)
        self._unsaved = True
        await self._autosave()
        return None

    async def _show_move(self, move: Move) -> None:
        if move.action is not Action.PASS:  # R5.5: neither does a pass show by the time it takes
            left = self._seen + self.sitting.preferences.pace - time.monotonic()
            if self._seen and left > 0:
                await self._stage.pause(left)
        await self._play(move, None)

    async def _autosave(self) -> None:
        """Save what has not been saved: after a person's move, and before a question.

        Computer players would make the same moves again (or, if they go by the clock, moves as good), so between these
        nothing of a person's can be lost.
        """
        if self._unsaved:
            self._unsaved = False
            await self.save()

    async def save(self) -> None:
        """Let the game save itself as it stands."""
        trouble = await self._in_thread(self._saver.auto)
        if trouble:
            self._stage.warn(trouble)

    async def _in_thread(self, work: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(None, work)

    # ------------------------------------------------------------------ coups fourrés

    async def _answer(self) -> bool:
        """R5.1, R5.5, R5.6: put the question of a coup fourré to whom it concerns. Returns whether a move was made."""
        sitting = self.sitting
        hand = sitting.hand
        real = hand.phase in {Phase.COUP, Phase.OPENING}
        if self._asked == sitting.moment or not (real or sitting.cast.is_shared):
            return False
        if sitting.cast.is_shared:
            return await self._answer_shared(real)
        if sitting.table.player is not None:
            await self._play_computer()
        else:
            await self._autosave()
            assert hand.seat is not None
            self._stage.show(hand.seat, next_turn(hand))
            await self._play(*await self._stage.coup(hand.seat, True))
        return True

    async def _answer_shared(self, real: bool) -> bool:
        """People share the screen: everybody entitled gets the same question, whether they hold the safety or not."""
        sitting = self.sitting
        if sitting.question is None:
            return False
        await self._autosave()
        holder = sitting.hand.seat if real else None
        answer = None
        if holder is not None and sitting.table.player is not None:
            answer = await self._choose()
            if answer is None:
                return True
            if answer.action is Action.COUP:
                await self._show_move(answer)
                return True
        for seat in sitting.entitled():
            if not sitting.cast.humans[seat]:
                continue
            await self._give_keyboard(seat)
            self._stage.show(seat, next_turn(sitting.hand))
            move, place = await self._stage.coup(seat, seat == holder)
            if seat == holder:
                answer = move
                if move.action is Action.COUP:
                    await self._play(move, place)
                    return True
        self._asked = sitting.moment
        if answer is None:
            return False
        await self._play(answer, None)
        return True

    async def _give_keyboard(self, seat: int) -> None:
        """Let a person look: where the keyboard is shared, the one before must not see, nor be seen."""
        if self.sitting.cast.is_shared and self._holder != seat:
            self._holder = None
            self._stage.show(None, seat)
            await self._stage.keyboard(seat)
            self._holder = seat

    # ------------------------------------------------------------------ ends

    async def _end_of_hand(self) -> None:
        sitting = self.sitting
        self._holder = None  # everybody may look at the screen, so no hand may be on it
        if sitting.loss is None:
            text = sitting.teller.hand_over(sitting.hand)(self.viewer)
        else:
            text = sitting.teller.forfeit(sitting.loss)(self.viewer)
        self._stage.show(self.viewer)
        await self._autosave()
        if trouble := await self._in_thread(self._record):
            self._stage.warn(trouble)
        await self._stage.end_of_hand(text)
        if sitting.is_over:
            sitting.next_match()
        else:
            sitting.next_hand()
        self._seen = 0.0
        self._unsaved = True
        await self._autosave()

    def _record(self) -> str | None:
        """Keep what is over for the statistics; a file that cannot be written is no reason to stop."""
        try:
            self._recorder.keep(datetime.datetime.now(datetime.UTC).astimezone())
        except SaveError as error:
            return str(error)
        return None


def next_turn(hand: Hand) -> int | None:
    """Whose turn everybody would say it is; nobody may learn that somebody is asked for a coup fourré (R5.5)."""
    return hand.apparent_seat
