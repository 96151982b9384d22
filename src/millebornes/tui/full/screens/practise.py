"""``millebornes practise`` on the full screen: the table of the game, with one decision at a time."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from textual.geometry import Region

from millebornes.analysis.exercises.exercise import Exercise
from millebornes.analysis.exercises.practice_session import PracticeSession
from millebornes.analysis.reports.practice_text import (
    again_line,
    answer_lines,
    origin_line,
    question_line,
    session_of,
    summary_lines,
)
from millebornes.game import Move, Phase
from millebornes.i18n import Translator
from millebornes.session.drawing import drawn_now
from millebornes.session.game_session import GameSession
from millebornes.themes import theme
from millebornes.tui.full.app import FullScreenApp
from millebornes.tui.full.commands import Commands
from millebornes.tui.full.input import Choice
from millebornes.tui.full.keys import KEYMAP
from millebornes.tui.full.launch import run_app
from millebornes.tui.full.screens.answer import AnswerScreen
from millebornes.tui.full.screens.dialogs import Reader
from millebornes.tui.full.screens.tutorial import LessonTable
from millebornes.tui.full.widgets.board import put_at
from millebornes.tui.full.widgets.layout import NARROW
from millebornes.tui.plain import PlayOptions

__all__ = ["PractiseApp", "PractiseTable", "practise_full"]

QUESTION_ROWS: Final = 9
"""The number of rows for the window with the question."""

LEAST_WINDOW: Final = 5
"""The minimum number of rows for the table's own window below the question.

If there are fewer, the question takes all rows.
"""


class _PractiseCommands(Commands):
    """The commands of the table. Some of them have another meaning here."""

    def __init__(self, table: "PractiseTable") -> None:
        super().__init__(table)
        self._asked = table

    async def save(self) -> bool:
        self._table.say(self._("Your answers are saved automatically."))
        return True

    async def part(self) -> bool:
        self._asked.end("quit")
        return False

    def _hint(self) -> None:
        self._asked.give_up()


class PractiseTable(LessonTable):
    """A table that asks for one decision. Its result is ``"next"``, or ``"quit"`` to end the session."""

    def __init__(
        self, practice_session: PracticeSession, exercise: Exercise, session: GameSession, _: Translator
    ) -> None:
        super().__init__(session, _)
        self.practice_session = practice_session
        self.exercise = exercise
        self.commands = _PractiseCommands(self)
        self._wish: asyncio.Future[Move | None] | None = None
        self._ended = False

    async def prepare(self) -> None:
        """Set the table and ask the question."""
        self.ghost.display = self.banner.display = False
        self._lay_out()
        self.run_worker(self._put(), name="question", exclusive=True)

    def _lay_out(self) -> None:
        super()._lay_out()
        if self.size.width < NARROW or not self._plan.window.height:
            put_at(self.lesson, Region())
        else:
            self._split_window(QUESTION_ROWS, LEAST_WINDOW)

    # ------------------------------------------------------------------ asking

    async def _put(self) -> None:
        _, seat = self._, self.exercise.seat
        self.lesson.border_title = question_line(self.practice_session, _)
        self.lesson.tell(self._question_text())
        self.show(seat, seat)
        self._wish = asyncio.get_running_loop().create_future()
        asking = asyncio.create_task(self._ask())
        either: set[asyncio.Future[Any]] = {asking, self._wish}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            asking.cancel()
        move = self._wish.result() if self._wish.done() else asking.result()
        outcome = self.practice_session.answer(move)
        lines = [
            *answer_lines(outcome, self.session.participants, self.session.theme, _, listed=0),
            again_line(outcome, self.practice_session.now, _),
        ]
        if self.practice_session.trouble:
            self.warn(self.practice_session.trouble)
            self.practice_session.trouble = ""
        screen = AnswerScreen(outcome, lines, self.session.participants, self.session.theme, _)
        self.end(await self.app.push_screen_wait(screen) or "next")

    async def _ask(self) -> Move:
        hand, seat = self.session.hand, self.exercise.seat
        if hand.phase in {Phase.COUP, Phase.OPENING}:
            move, _place = await self.input.coup(seat, True)
        elif hand.phase is Phase.EXTEND:
            move, _place = await self.input.extension(seat)
        else:
            move, _place = await self.input.turn(seat, drawn_now(hand))
        return move

    def _question_text(self) -> str:
        _ = self._
        key = self.key_for("hint")
        parts = [
            _("What would you play here?"),
            origin_line(self.exercise, _),
            _("{key} shows the answer; {quit} stops.").format(key=key, quit=self.key_for("quit")),
        ]
        return "\n\n".join(filter(None, parts))

    def offer(self, choices: Sequence[Choice]) -> None:
        """Show the current choices. In practice, asking for a hint shows the answer."""
        super().offer([(key, self._("answer") if action == "hint" else text, action) for key, text, action in choices])

    def give_up(self) -> None:
        """Show the answer without waiting for a move."""
        if self._wish is not None and not self._wish.done():
            self._wish.set_result(None)

    def end(self, result: str) -> None:
        """Close the table, but only once."""
        if not self._ended:
            self._ended = True
            self.dismiss(result)


class PractiseApp(FullScreenApp):
    """An app that asks the questions of a practice session instead of playing a game."""

    table: PractiseTable | None

    def __init__(
        self,
        practice_session: PracticeSession,
        options: PlayOptions,
        keymap: Mapping[str, Sequence[str]] = KEYMAP,
        **settings: Any,
    ) -> None:
        super().__init__(options, keymap, **settings)
        self.practice_session = practice_session

    async def begin(self) -> None:
        """Ask the questions one after another."""
        _, practice_session = self._, self.practice_session
        if self.key_faults:
            lines = [*self.key_faults, "", _("The usual keys are used instead.")]
            await self.push_screen_wait(Reader(_("Custom keys"), lines, _))
        await self.ready.wait()
        while (exercise := practice_session.exercise) is not None and not self.is_leaving:
            session = session_of(exercise, self.preferences, theme(self.card_theme), _)
            self.table = table = PractiseTable(practice_session, exercise, session, _)
            if self.trouble:
                self.notify(self.trouble, severity="warning", markup=False, timeout=10)
                self.trouble = ""
            result: object = await self.push_screen_wait(table)
            self.table = None
            if result == "quit":
                break
        self.leave(0, "\n".join(summary_lines(practice_session, practice_session.now, _)))

    def _told_to_end(self) -> None:
        """End the session after a signal or a second Ctrl-C. All answers have been saved already."""
        if not self.is_leaving:
            self.leave(0, "\n".join(summary_lines(self.practice_session, self.practice_session.now, self._)))


def practise_full(practice_session: PracticeSession, options: PlayOptions) -> int:
    """Ask the questions of a practice session on the full screen, and return the exit status.

    Each answer is saved. Raises `MilleBornesError` if an exercise can't be shown.
    """
    return run_app(
        lambda keymap, driver, faults: PractiseApp(practice_session, options, keymap, driver=driver, key_faults=faults)
    )
