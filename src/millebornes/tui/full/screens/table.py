"""The table on which a game is played. A driver runs the game loop, and keys and mouse actions go to a `TableInput`."""

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import ClassVar, TypeVar

from textual import events
from textual.app import SystemCommand
from textual.binding import BindingType

from millebornes.game import Action
from millebornes.i18n import Translator
from millebornes.session import requests
from millebornes.session.game_session import GameSession
from millebornes.session.saving import Saver
from millebornes.session.tutorial import Tutorial
from millebornes.storage import Preferences
from millebornes.themes import theme
from millebornes.tui.full.screens.commands import Commands
from millebornes.tui.full.screens.input import Mode, TakenBack
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.table_view import TableView
from millebornes.tui.full.terminal.keys import TABLE_KEYS
from millebornes.tui.full.widgets.hand import CardView, DiscardPile, DrawPile
from millebornes.tui.full.widgets.side import SideView
from millebornes.words.narration import Narrator

T = TypeVar("T")

LEFT, RIGHT = 1, 3  # the buttons of the mouse

BANNER: float = 1.5  # A coup fourré stays in the middle of the screen for this many seconds


class TableScreen(TableView):
    """The full-screen table. A `GameDriver` uses it as its screen."""

    BINDINGS: ClassVar[list[BindingType]] = TABLE_KEYS

    def __init__(self, session: GameSession, saver: Saver, _: Translator, lessons: Tutorial | None = None) -> None:
        super().__init__(session, saver, _, lessons)
        self.commands = Commands(self)

    async def _prepare(self) -> None:
        self.banner.display = False
        self._lay_out()
        self.run_worker(GameDriver(self).run(), name="game", exclusive=True)

    def on_resize(self, event: events.Resize) -> None:
        """Adapt to the new size of the terminal."""
        self._lay_out()

    async def coup_called(self, text: str) -> None:
        """Celebrate a coup fourré with a bell and a large text in the middle of the screen."""
        self.ring()
        self.banner.update(f"★  {self.session.theme.coup.upper()} !  ★\n\n{text}")
        self.banner.display = True
        if self.session.preferences.pace > 0:
            await self.input.pause(max(BANNER, self.session.preferences.pace))
            self._hide_banner()
        else:
            self.set_timer(BANNER, self._hide_banner)

    def _hide_banner(self) -> None:
        self.banner.display = False

    async def end_of_hand(self, text: str) -> None:
        """Show the score. Return when the players want another hand or match."""
        while True:
            answer = await self.app.push_screen_wait(SheetScreen(self.session, self.loop.viewer, text, self._))
            if answer == "undo":
                undone = self.controller.undo()
                if isinstance(undone, requests.TakeBack):
                    raise TakenBack(undone.seat)
                self.warn(undone.text)
            elif answer == "save":
                await self.commands.save()
            elif answer == "review":
                await self.commands.review()
            elif answer == "yes":
                return
            elif await self.commands.part(to_start=answer == "no" and self.session.is_over):
                # As in the classic game, a player whose game couldn't be saved continues, and can try again.
                self.say(self._("The game continues."))
                return
            else:
                await asyncio.Future[None]()  # the table is about to disappear, and its worker with it

    def follow(self, preferences: Preferences) -> None:
        """Apply preferences that have changed."""
        session = self.session
        with self.input.same_card():
            session.change(preferences)
        words = theme(self.mille.card_theme)
        if words is not session.theme:
            session.theme = words
            session.narrator = Narrator(session.words)
        if self.is_mounted:
            self.redraw(self.scene.deciding)

    def ask_to_leave(self) -> None:
        """Ask the player what to do with the game, and leave."""
        self.commands.command("quit")

    def palette(self) -> Iterable[SystemCommand]:
        """Return the table's commands for the command palette."""
        return self.commands.palette()

    def _action_table(self, action: str) -> None:
        """Run the action of a key or of a choice that was clicked.

        In a yes/no question, the letter for yes in this language means yes, even if it has another meaning elsewhere.
        """
        says_yes = self.controller.is_yes_or_no and self._.traits.yes_key in self.mille.keymap.get(action, ())
        self.commands.act("yes" if says_yes and "y" in self.mille.keymap["yes"] else action)

    def on_key(self, event: events.Key) -> None:
        """Handle keys without an action. The letter for yes in this language answers yes, and any key ends a pause."""
        keys = self.mille.keymap["yes"]
        if event.key == self._.traits.yes_key and event.key not in keys and "y" in keys:
            self.commands.act("yes")
        elif self.input.mode is Mode.WATCH:
            self.input.go_on()

    def on_click(self, event: events.Click) -> None:
        """Handle a click on a card, a pile or a side. While other players move, any click makes them faster."""
        asked, part = self.input, event.widget
        if self.is_busy or not self.is_visible:
            return
        if asked.mode is Mode.WATCH:
            asked.command("confirm")
        elif isinstance(part, CardView):
            if part.is_as_pressed:
                self._card_clicked(part, event.button)
            else:
                self.say(self._("The cards have changed in the meantime. Look at them again."), "error")
        elif asked.mode is Mode.TARGET and isinstance(part, SideView):
            asked.aim(part.number)
        elif asked.mode is Mode.TURN and isinstance(part, DrawPile):
            asked.pick()
        elif asked.mode is Mode.TURN and asked.place is not None and isinstance(part, DiscardPile):
            asked.decide(Action.DISCARD, asked.place)
        elif asked.mode is Mode.TURN and asked.place is not None and isinstance(part, SideView):
            asked.decide(Action.PLAY, asked.place, part.number)

    def _card_clicked(self, view: CardView, button: int) -> None:
        asked, place = self.input, view.number
        if asked.mode is Mode.TARGET:  # this card isn't a side, so the player means another card
            asked.command("back")
        if asked.mode is not Mode.TURN:
            asked.command(f"card_{place}")
        elif view.card is None and place == asked.slots.size + 1 and self.scene.must_pick:
            asked.pick()
        elif button == RIGHT:
            asked.decide(Action.DISCARD, place)
        elif button == LEFT and asked.place == place:
            asked.decide(asked.verb or Action.PLAY, place)
        elif button == LEFT:
            asked.mark(place)

    def on_screen_suspend(self) -> None:
        """Hide the choices, because their keys do nothing while another screen is on top."""
        self.input.forget_ahead()
        self.choices.visible = False

    def on_screen_resume(self) -> None:
        """Show the choices again."""
        super().on_screen_resume()
        self.input.forget_ahead()
        self.choices.visible = True


class GameDriver:
    """Drives the game loop of a table at a pace that people can follow. Slow work is done in a thread."""

    def __init__(self, table: "TableScreen") -> None:
        self._loop = table.loop
        self._screen = table
        self._questions = table.input
        self._seen = 0.0
        """The time at which the latest event became visible. It is 0 before the first event of a hand."""
        self._end = ""  # a sentence that says how the hand or the match ended

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
            case requests.Ask(question, turn):
                try:
                    return await self._ask(question, turn)
                except TakenBack as back:
                    return requests.TakeBack(back.seat)
            case requests.Compute():
                choice = await _in_thread(request.run)
                if choice.move is not None and choice.move.action is not Action.PASS:  # R5.5: a pass must take no time
                    await self._let_see()
                return choice
            case _save:
                return await _in_thread(request.run)
        return None

    async def _let_see(self) -> None:
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
        return requests.PersonMove(question.seat, *await ask.ask(question))

    async def _tell(self, event: requests.Event) -> None:
        viewer = self._loop.viewer
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
