"""The table at which a game is played: the game loop drives it; keys and mouse go to the `TableInput`."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual import events
from textual.app import SystemCommand
from textual.binding import BindingType

from millebornes.cards import Card
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.session.saving import Saver
from millebornes.storage import Preferences
from millebornes.texts.narration import Narrator
from millebornes.themes import theme
from millebornes.tui.full.choices import Mode
from millebornes.tui.full.commands import Commands
from millebornes.tui.full.game_driver import Decided, GameDriver, TakenBack
from millebornes.tui.full.keys import TABLE_KEYS
from millebornes.tui.full.mouse import Mouse
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.table_view import TableView

__all__ = ["TableScreen"]

BANNER: float = 1.5
"""Seconds for which a coup fourré stays in the middle of the screen."""


class TableScreen(TableView):
    """The full-screen table; it is the screen of a `GameDriver`."""

    BINDINGS: ClassVar[list[BindingType]] = TABLE_KEYS

    def __init__(self, session: GameSession, saver: Saver, _: Translator) -> None:
        super().__init__(session, saver, _)
        self.commands = Commands(self)
        self.mouse = Mouse(self)

    async def prepare(self) -> None:
        """Sit down and play."""
        self.ghost.display = self.banner.display = False
        self._lay_out()
        self.run_worker(GameDriver(self.loop, self).run(), name="game", exclusive=True)

    def on_resize(self, event: events.Resize) -> None:
        """The terminal has another size."""
        self.mouse.forget()
        self._lay_out()

    # ------------------------------------------------------------------ what the driver of the game loop wants

    async def pause(self, seconds: float) -> None:
        """Wait, unless something is pressed."""
        await self.input.pause(seconds)

    async def coup_called(self, text: str) -> None:
        """A coup fourré is an event: it rings, and stands in the middle of the screen for a moment."""
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

    async def keyboard(self, seat: int) -> None:
        """Let the keyboard pass to a person."""
        await self.input.keyboard(seat)

    async def turn(self, seat: int, drawn: Sequence[Card]) -> Decided:
        """A person's turn."""
        return await self.input.turn(seat, drawn)

    async def coup(self, seat: int, holds: bool) -> Decided:
        """The question of a coup fourré."""
        return await self.input.coup(seat, holds)

    async def extension(self, seat: int) -> Decided:
        """The choice at the goal."""
        return await self.input.extension(seat)

    async def end_of_hand(self, text: str) -> None:
        """Show the score; returns when another hand or match is wanted."""
        while True:
            answer = await self.app.push_screen_wait(SheetScreen(self.session, self.loop.viewer(), text, self._))
            if answer == "undo":
                raise TakenBack
            if answer == "save":
                await self.commands.save()
            elif answer == "review":
                await self.commands.review()
            elif answer == "yes":
                return
            elif await self.commands.part():
                # As in the classic game: who could not save plays on, and can try again.
                self.say(self._("The game continues."))
                return

    # ------------------------------------------------------------------ what the app wants

    def follow(self, preferences: Preferences) -> None:
        """Preferences have changed."""
        session = self.session
        sorts = preferences.sort and not session.preferences.sort
        session.preferences = preferences
        if sorts:
            self.input.sort_hands()
        words = theme(self.mille.card_theme)
        if words is not session.theme:
            session.theme = words
            session.narrator = Narrator(session.participants, words, self._)
        if self.is_mounted:
            self.redraw(self.scene.deciding)

    def ask_to_leave(self) -> None:
        """Ask what becomes of the game, and leave."""
        self.commands.command("quit")

    def palette(self) -> Iterable[SystemCommand]:
        """Return the commands for the list of commands."""
        return self.commands.palette()

    def end_game(self) -> tuple[int, str]:
        """Save at once; return the exit status and what to say."""
        return self.saver.end()

    def let_go(self) -> None:
        """Let go of the game and its file."""
        self.session.close()
        self.saver.release()

    # ------------------------------------------------------------------ keys and mouse

    def action_table(self, action: str) -> None:
        """A key of the key map, or a click on a choice; one typed ahead of a dialogue is no answer to the table.

        The letter that says yes in this language does so where a question is asked, whatever else it means.
        """
        says_yes = self.input.is_yes_or_no and self._.traits.yes_key in self.mille.keymap.get(action, ())
        self.commands.act("yes" if says_yes and "y" in self.mille.keymap["yes"] else action)

    def on_key(self, event: events.Key) -> None:
        """A key without a meaning of its own says yes, if it is the letter for it in this language, or ends a pause."""
        if event.key == self._.traits.yes_key and "y" in self.mille.keymap["yes"]:
            self.commands.act("yes")
        elif self.input.mode is Mode.WATCH:
            self.input.command("confirm")

    def takes(self, event: events.Event) -> bool:
        """Tell the mouse what comes for it, in its order: the queues of the widgets below it have none."""
        taken = super().takes(event)
        if taken and isinstance(event, events.MouseEvent) and not event.is_forwarded:
            self.mouse.take(event)
        return taken

    def on_screen_suspend(self) -> None:
        """Something comes to lie above the table, whose keys mean nothing then."""
        self.mouse.forget()
        self.choices.visible = False

    def on_screen_resume(self) -> None:
        """The table can be seen again."""
        super().on_screen_resume()
        self.choices.visible = True

    def drop_grip(self) -> None:
        """The mouse lets go of a card."""
        self.mouse.forget()
