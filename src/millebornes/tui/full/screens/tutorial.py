"""The tutorial on the full screen: the usual table, and a window that tells the learner what to do and why."""

import asyncio
import dataclasses
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.geometry import Region
from textual.widgets import Static

from millebornes.game import Action, Hand, Move
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.session.saving import Unsaved
from millebornes.session.tutorial import Tutorial
from millebornes.table.questions import SeatQuestion
from millebornes.themes import theme
from millebornes.tui.controller import ChosenMove
from millebornes.tui.full.screens.app import FullScreenApp
from millebornes.tui.full.screens.commands import Commands
from millebornes.tui.full.screens.dialogs import Confirm
from millebornes.tui.full.screens.input import TableInput
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.table import TableScreen
from millebornes.tui.full.widgets.board import put_at
from millebornes.words.words import Words

NARROWEST: Final = 24
"""If there are fewer columns beside the table, the lessons cover the top of the table."""

LESSON_ROWS: Final = 17
"""The maximum number of rows for a lesson. The table's own window stays visible below it."""

LEAST_WINDOW: Final = 9


NEW: Final = 2  # the first lessons, of which there are this many, explain how to use a card


class LessonWindow(VerticalScroll, can_focus=False):
    """The lesson and, below it, the advice after a wrong attempt (``#lesson-text`` and ``#lesson-nudge``)."""

    def __init__(self, _: Translator) -> None:
        super().__init__(id="lesson")
        self._ = _
        self._text = Static("", id="lesson-text", markup=False)
        self._nudge = Static("", id="lesson-nudge", markup=False)
        self._nudge.display = False

    def compose(self) -> ComposeResult:
        """Yield the lesson and the advice."""
        yield self._text
        yield self._nudge

    def teach(self, text: str, number: int, of: int) -> None:
        """Show a lesson."""
        self.border_title = self._("Lesson {number} of {n}").format(number=number, n=of)
        self.tell(text)

    def tell(self, text: str) -> None:
        """Show some text from its beginning."""
        self._text.update(text)
        self.nudge("")
        self.scroll_home(animate=False)

    def nudge(self, text: str) -> None:
        """Advise the learner what to do instead. The advice stays until the next text appears."""
        self._nudge.display = bool(text)
        self._nudge.update(f"☛ {text}")
        if text:
            self.call_after_refresh(self.scroll_end, animate=False)

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        """Show the keys that scroll the lesson if it is long."""
        self.border_subtitle = self._("PgUp PgDn") if shown else ""


class LessonTable(TableScreen):
    """A table with a window that explains what to do. Nothing that happens at this table is saved."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "lesson(-1)", show=False),
        Binding("pagedown", "lesson(1)", show=False),
    ]

    def __init__(self, session: GameSession, _: Translator, lessons: Tutorial | None = None) -> None:
        super().__init__(session, Unsaved(session, None, _), _, lessons)
        self.lesson = LessonWindow(_)

    def compose(self) -> ComposeResult:
        """Lay out the table with the lesson on top of it."""
        yield from super().compose()
        yield self.lesson

    async def close(self, result: str | None) -> None:
        """Close the table, with everything that was opened over it, such as the list of keys."""
        while self in self.app.screen_stack[:-1]:  # `dismiss` closes the screen on top, whichever it is
            await self.app.pop_screen()
        self.dismiss(result)

    def _split_window(self, most: int, least: int) -> None:
        place = self._plan.window
        rows = place.height if place.height < most + least else most
        put_at(self.lesson, Region(place.x, place.y, place.width, rows))
        put_at(self.window, Region(place.x, place.y + rows, place.width, place.height - rows))

    def _action_lesson(self, pages: int) -> None:
        self.lesson.scroll_relative(y=pages * max(1, self.lesson.size.height - 1), animate=False)


class _TutorialCommands(Commands):
    """The commands of the table. Some of them have another meaning here."""

    _table: "TutorialTable"

    async def save(self) -> bool:
        self._table.say(self._("The tutorial isn't saved; you can start it again whenever you like."))
        return True

    async def part(self, *, to_start: bool = False) -> bool:
        if await self._table.app.push_screen_wait(Confirm(self._("Leave the tutorial?"), self._, default=True)):
            await self._table.close(None)
        return True

    def _hint(self) -> None:
        self._table.remind()


class _LessonInput(TableInput):
    """Shows the lesson before each question, and makes the move that the learner asked for on Enter."""

    _display: "TutorialTable"

    def command(self, action: str) -> bool:
        table = self._display
        if action == "confirm" and self._controller.is_yes_or_no and table.advised is not None:
            self.make(table.advised)
            return True
        if action in {"back", "use", "discard"}:
            table.forget_advice()
        return super().command(action)

    async def ask(self, question: SeatQuestion) -> ChosenMove:
        self._display.teach(self._session.hand)
        return await super().ask(question)


class TutorialTable(LessonTable):
    """The table for a tutorial. It closes when the hand is over. If a move doesn't fit the lesson, it asks again."""

    def __init__(self, lessons: Tutorial, session: GameSession, _: Translator) -> None:
        super().__init__(session, _, lessons)
        self.lessons = lessons
        self.commands = _TutorialCommands(self)
        self.input = _LessonInput(self.controller, self)
        self.advised: Move | None = None
        """The move that the learner asked for, while the advice to make it is shown. Enter makes it."""

    def _lay_out(self) -> None:
        super()._lay_out()
        if self._plan.window.width < NARROWEST:
            put_at(self.lesson, Region(0, 0, self.size.width, max(3, min(7, self.size.height // 3))))
        else:
            self._split_window(LESSON_ROWS, LEAST_WINDOW)

    def teach(self, hand: Hand) -> None:
        """Show the lesson that belongs to the next decision."""
        self.advised = None
        made, of = self.lessons.progress(hand)
        how = self._how(hand, is_new=made < NEW)
        self.lesson.teach("\n\n".join(filter(None, [self.lessons.lesson(hand), how])), made + 1, of)

    def _how(self, hand: Hand, *, is_new: bool) -> str:
        """Return which keys or clicks make the right move, or "" if the learner already knows them."""
        _, keys = self._, {action: self.key_for(action) for action in ("use", "discard", "yes", "no")}
        match self.lessons.next_move(hand):
            case Move(action=Action.COUP | Action.EXTEND):
                return _("Press {key} for yes.").format(key=keys["yes"])
            case Move(action=Action.FINISH | Action.PASS):
                return _("Press {key} for no.").format(key=keys["no"])
            case Move(action=Action.DISCARD) if self.session.preferences.one_key:
                return _("To discard a card, press Shift and its number, or right-click it.")
            case Move(action=Action.DISCARD):
                text = _("To discard a card, press {key}, its number and Enter, or right-click it.")
                return text.format(key=keys["discard"])
            case Move() if is_new and self.session.preferences.one_key:
                return _("To use a card, press its number or click it twice.")
            case Move() if is_new:
                text = _("To use a card, press {key}, its number and Enter, or click it twice.")
                return text.format(key=keys["use"])
        return ""

    def remind(self) -> None:
        """Tell the learner what to do, and type the move for them, so that Enter makes it."""
        hand, _ = self.session.hand, self._
        move = self.lessons.next_move(hand)
        if move is not None and self.scene.deciding:
            keys = {"enter": self.key_for("confirm"), "back": self.key_for("back")}
            how = _("Press {enter} to do it, or {back} to go back.").format(**keys)
            self.advised = None
            self.suggest(move.card)
            self.input.propose(move)
            self.advised = move
            self.lesson.nudge(f"{self.lessons.advice(hand)} {how}")

    def select(self, place: int | None) -> None:
        """Mark the card at a place. If the learner chooses another card, remove the advice."""
        super().select(place)
        if self.advised is not None and (place is None or self.input.slots.card_at(place) is not self.advised.card):
            self.forget_advice()

    def nudge(self, text: str) -> None:
        """Say in the window of the lesson why a move doesn't fit it."""
        self.forget_advice()
        self.lesson.nudge(text)

    def forget_advice(self) -> None:
        """Remove the advice, if the learner asked for any."""
        if self.advised is not None:
            self.advised = None
            self.lesson.nudge("")

    async def end_of_hand(self, text: str) -> None:
        """Show the score, explain its parts, and close the table."""
        closing = f"{text}\n\n{self.lessons.closing}"
        await self.app.push_screen_wait(SheetScreen(self.session, self.loop.viewer, closing, self._, asking=False))
        await self.close(None)
        await asyncio.Future()  # the table closes, so nothing should follow


async def teach(app: FullScreenApp) -> None:
    """Run the tutorial in a worker after the rules are loaded. Return when it is over or the learner leaves."""
    _ = app._
    tutorial = Tutorial(Words(_, theme(app.card_theme)))
    session = tutorial.session(dataclasses.replace(app.preferences, manual_pick=False))
    table = TutorialTable(tutorial, session, _)
    app.table = table
    try:
        await app.push_screen_wait(table)
    finally:
        app.table = None
        session.close()
