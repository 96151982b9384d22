"""``millebornes practise`` on the full screen: the table of the game, with one decision at a time."""

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import HorizontalGroup, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.geometry import Region, Size
from textual.widgets import Button, Static

from millebornes.analysis.exercises.exercise import Exercise
from millebornes.analysis.exercises.practice_session import AnswerOutcome, PracticeSession
from millebornes.analysis.records import MoveEstimate
from millebornes.game import Move
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.session.puzzle import session_of
from millebornes.themes import theme
from millebornes.tui.full.screens.app import FullScreenApp
from millebornes.tui.full.screens.commands import Commands
from millebornes.tui.full.screens.input import Choice
from millebornes.tui.full.screens.popups import Popup
from millebornes.tui.full.screens.start_flow import run_app
from millebornes.tui.full.screens.tutorial import LessonTable
from millebornes.tui.full.widgets.board import put_at
from millebornes.tui.full.widgets.layout import NARROW
from millebornes.tui.plain import PlayOptions
from millebornes.words.moves import describe_move
from millebornes.words.practice import (
    SAVED,
    again_line,
    answer_lines,
    cost_text,
    origin_line,
    question_line,
    summary_lines,
    verdict,
)
from millebornes.words.words import TableWords, Words

BAR: Final = 10  # the length of the longest bar, in columns
MOVE_WIDTH: Final = 36
COST_WIDTH: Final = 18

BESIDE: Final = 14
"""The number of columns outside the list of moves: the window, the space around it, and the scroll bar."""


class AnswerScreen(Popup[str]):
    """Shows how good an answer was, and the reasons. The result is ``"next"``, or ``"quit"`` to end the session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,h,n", "close", show=False),
        Binding("q,delete", "quit_practice", show=False),
    ]
    KEYS: ClassVar[str] = "#answer-text"

    def __init__(self, outcome: AnswerOutcome, lines: Sequence[str], words: TableWords) -> None:
        super().__init__()
        self.outcome = outcome
        self._lines = tuple(lines)
        self._words = words
        self._ = words.translate

    def compose(self) -> ComposeResult:
        """Lay out the verdict, the reasons and the moves."""
        _, outcome = self._, self.outcome
        style = "$success" if outcome.is_right else "$error" if outcome.move is not None else ""
        with Vertical(id="answer", classes="window") as window:
            window.border_title = _("The answer")
            window.border_subtitle = _("Enter: continue · Q: stop")
            with VerticalScroll(id="answer-text"):
                told = verdict(outcome, self._words)
                yield Static(Content.styled(told, f"bold {style}".strip()), id="answer-verdict")
                yield Static("\n".join(self._lines), id="answer-why", markup=False)
                yield Static(self._moves(), id="answer-moves")
            with HorizontalGroup(classes="buttons"):
                yield Button(_("Continue (Enter)"), id="answer-next", classes="back", compact=True)
                yield Button(_("Stop (Q)"), id="answer-quit", compact=True)

    def on_resize(self, _event: Resize) -> None:
        """Leave out the bars if they don't fit."""
        self.query_one("#answer-moves", Static).update(self._moves())

    def _moves(self) -> Content:
        moves = self.outcome.exercise.moves
        width = max(len(self._text(found)) for found in moves)
        bar = BAR if width + COST_WIDTH + BAR + 4 <= self.app.size.width - BESIDE else 0
        return Content("\n").join([self._line(found, width, bar) for found in moves])

    def _line(self, found: MoveEstimate, width: int, longest: int) -> Content:
        """Return the line of a move. ``longest`` is the number of columns for the longest bar."""
        exercise, _ = self.outcome.exercise, self._
        is_best, is_chosen = found.move == exercise.best, found.move == self.outcome.move
        mark = "★" if is_best else "▸" if is_chosen else "\u00a0"  # a space at the start of a line would disappear
        cost = _("best") if is_best else cost_text(found, exercise, _)
        widest = max(other.loss for other in exercise.moves)
        bar = "▪" * round(found.loss * longest / widest) if widest else ""
        return Content.assemble(
            Content.styled(f"{mark} {self._text(found).ljust(width)} ", "bold" if is_best or is_chosen else ""),
            cost.rjust(COST_WIDTH),
            Content.styled(f" {bar}" if bar else "", "$error"),
        )

    def _text(self, found: MoveEstimate) -> str:
        text = describe_move(found.move, self.outcome.exercise.seat, self._words)
        return text if len(text) <= MOVE_WIDTH else text[: MOVE_WIDTH - 1] + "…"

    def _action_close(self) -> None:
        self.dismiss("next")

    @on(Button.Pressed, "#answer-quit")
    def _action_quit_practice(self) -> None:
        self.dismiss("quit")


QUESTION_ROWS: Final = 9  # the number of rows for the window with the question
LEAST_LESSON: Final = Size(24, 3)
"""Without room for a window beside the table, the question takes the place of the log if that is at least so large."""
LEAST_WINDOW: Final = 5
"""If there are fewer rows for the table's own window below the question, the question takes all rows."""


class _PractiseCommands(Commands):
    """The commands of the table. Some of them have another meaning here."""

    _table: "PractiseTable"

    async def save(self) -> bool:
        self._table.say(self._(SAVED))
        return True

    async def part(self, *, to_start: bool = False) -> bool:
        await self._table.end("quit")
        return False

    def _hint(self) -> None:
        self._table.give_up()


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

    async def _prepare(self) -> None:
        self.banner.display = False
        self._lay_out()
        self.run_worker(self._put(), name="question", exclusive=True)

    def _lay_out(self) -> None:
        super()._lay_out()
        if self.size.width < NARROW or not self._plan.window.height:
            log = self._plan.log
            fits = log.width >= LEAST_LESSON.width and log.height >= LEAST_LESSON.height
            put_at(self.lesson, log if fits else Region())  # F4 still shows the log
        else:
            self._split_window(QUESTION_ROWS, LEAST_WINDOW)

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
            *answer_lines(outcome, self.session.words, listed=0),
            again_line(outcome, self.practice_session.now, _),
        ]
        if self.practice_session.trouble:
            self.warn(self.practice_session.trouble)
            self.practice_session.trouble = ""
        screen = AnswerScreen(outcome, lines, self.session.words)
        await self.end(await self.app.push_screen_wait(screen) or "next")

    async def _ask(self) -> Move:
        question = self.session.state.question(self.exercise.seat)
        assert question is not None
        return (await self.input.ask(question)).move

    def _question_text(self) -> str:
        key = self.key_for("hint")
        parts = [
            self._("What would you play here?"),
            origin_line(self.exercise, self._),
            self._("{key} shows the answer; {quit} stops.").format(key=key, quit=self.key_for("quit")),
        ]
        return "\n\n".join(filter(None, parts))

    def offer(self, choices: Sequence[Choice]) -> None:
        """Show the current choices. In practice, asking for a hint shows the answer."""
        super().offer([(key, self._("answer") if action == "hint" else text, action) for key, text, action in choices])

    def give_up(self) -> None:
        """Show the answer without waiting for a move."""
        if self._wish is not None and not self._wish.done():
            self._wish.set_result(None)

    async def end(self, result: str) -> None:
        """Close the table, but only once."""
        if not self._ended:
            self._ended = True
            await self.close(result)


class PractiseApp(FullScreenApp):
    """An app that asks the questions of a practice session instead of playing a game."""

    table: PractiseTable | None

    def __init__(self, practice_session: PracticeSession, options: PlayOptions, *more: Any, **settings: Any) -> None:
        super().__init__(options, *more, **settings)
        self.practice_session = practice_session

    async def begin(self) -> None:
        """Ask the questions one after another."""
        _, practice_session = self._, self.practice_session
        await self.ready.wait()
        while (exercise := practice_session.exercise) is not None and not self.is_leaving:
            session = session_of(exercise, self.preferences, Words(_, theme(self.card_theme)))
            self.table = table = PractiseTable(practice_session, exercise, session, _)
            if self.trouble:
                self.notify(self.trouble, severity="warning", markup=False, timeout=10)
                self.trouble = ""
            result: object = await self.push_screen_wait(table)
            self.table = None
            if result == "quit":
                break
        self.leave(0, "\n".join(summary_lines(practice_session, practice_session.now, _)))

    def _end_now(self) -> None:
        """End the session after a signal or a second Ctrl-C. All answers have been saved already."""
        if not self.is_leaving:
            self.leave(0, "\n".join(summary_lines(self.practice_session, self.practice_session.now, self._)))


def practise_full(practice_session: PracticeSession, options: PlayOptions) -> int:
    """Ask the questions of a practice session, and return the exit status. Each answer is saved.

    Raises `MilleBornesError` if an exercise can't be shown.
    """
    return run_app(PractiseApp, practice_session, options)
