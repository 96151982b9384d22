"""The full-screen game in a terminal, and the way to its table: the command line, a saved game or the start screen."""

import atexit
import contextlib
import dataclasses
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from millebornes.errors import MilleBornesError, SaveError
from millebornes.i18n import translator
from millebornes.session.new_game import Start, game_of
from millebornes.session.unfinished import resume, take_save, unreadable_games
from millebornes.shown import in_ascii
from millebornes.storage import SavedGame, hold_save, let_go, load_preferences, open_slot, save_path, unfinished
from millebornes.table.setup import GameSetup
from millebornes.themes import theme
from millebornes.tui.full.screens.app import FullScreenApp
from millebornes.tui.full.screens.dialogs import Confirm
from millebornes.tui.full.terminal.driver import say_last, terminal_driver
from millebornes.tui.full.terminal.keys import load_keys
from millebornes.words.troubles import PLAYED_ON, kept_as, no_file_question, not_autosaved

if TYPE_CHECKING:
    from millebornes.tui.full.screens.start import StartChoice
    from millebornes.tui.full.screens.table import TableScreen
    from millebornes.tui.plain import PlayOptions


class MilleApp(FullScreenApp):
    """The full-screen game. The app finds out what to play and sets the table."""

    table: "TableScreen | None"

    def load_screens(self) -> None:
        """Import the table's screen. This method runs in a thread after the rules are loaded."""
        import millebornes.tui.full.screens.table  # noqa: F401

    async def begin(self) -> None:
        """Find out what to play, and then play or leave."""
        options, _ = self.options, self._
        if options.tutorial:
            await self._teach()
        message = "\n".join(unreadable_games(_))
        if message and (options.save is not None or options.setup is not None):
            self.trouble = "\n".join(filter(None, [self.trouble, message]))
        while True:
            asked = False
            if options.save is not None:
                start = await self._from_file(save_path(options.save))
            elif options.setup is not None:
                start = Start(options.setup)
            else:
                start, asked = await self._from_screen(None, message), True
            if start is None:
                self.exit(0)
                return
            await self.ready.wait()
            if self.is_leaving:
                return
            try:
                if start.game is options.setup:
                    self.prefer(self._, last_game=options.setup.to_dict())
                game = game_of(start, self.preferences, self._)
                await self.get_ready(game)
                self._sit_down(start, game)
            except MilleBornesError as error:  # for example, a program that doesn't start
                if start.slot is not None:
                    start.slot.release()
                if start.file is not None:
                    let_go(start.file)
                if not asked:
                    raise
                message = str(error)
            else:
                return

    def return_to_start(self, status: int, farewell: str) -> None:
        """Close the table and show the start screen. What the command line asked for has been played."""
        table, self.table = self.table, None
        assert table is not None
        table.session.close()
        table.saver.release()
        self.options = dataclasses.replace(self.options, save=None, setup=None, seed=None, tutorial=False)
        self.key_faults, self.trouble = (), ""
        with contextlib.suppress(SaveError):  # reported when the app began
            self.preferences = load_preferences()
        self.run_worker(self._return(table, farewell), name="returning")

    async def _return(self, table: "TableScreen", farewell: str) -> None:
        while table in self.screen_stack:
            await self.pop_screen()
        if farewell:
            self.notify(farewell, markup=False)
        await self._begin()

    async def _from_file(self, path: Path) -> Start | None:
        _ = self._
        if not os.path.lexists(path):
            hold_save(path)
            # A mistyped name must not start a different game, but it is fine to start a new game under a new name.
            if self.options.setup is not None:
                return Start(self.options.setup, file=path)
            if not await self.push_screen_wait(Confirm(no_file_question(path, _), _, default=True)):
                raise SaveError(f"{path}: there is no such file")
            return await self._from_screen(path)
        slot = take_save(path)
        if slot is None:
            slot = unfinished(path)
            if slot is not None:
                if await self.push_screen_wait(Confirm(_(PLAYED_ON), _, default=True)):
                    path = slot.path
                else:
                    self.trouble = kept_as(slot.keep(), _)
                    slot.release()
                    slot = None
        await self.ready.wait()
        return resume(path, slot)

    async def _teach(self) -> None:
        await self.ready.wait()
        from millebornes.tui.full.screens.tutorial import teach

        await teach(self)

    async def _from_screen(self, file: Path | None, message: str = "") -> Start | None:
        """Show the start screen until the player has chosen. ``message`` is the reason why no game has started."""
        from millebornes.tui.full.screens.start import StartScreen

        while True:
            screen = StartScreen(self.options.offered(self.preferences.last_game), self._, message=message)
            choice: StartChoice | None = await self.push_screen_wait(screen)
            if choice is None:
                return None
            self._ = translator(screen.language)
            if isinstance(choice, GameSetup):
                return Start(choice, file=file)
            await self.ready.wait()
            if choice == "tutorial":
                await self._teach()
                continue
            try:
                return resume(choice, take_save(choice))
            except SaveError as error:
                message = str(error)

    def _sit_down(self, start: Start, game: SavedGame) -> None:
        """Set the table. If the game has no slot for its autosave, it gets one."""
        from millebornes.session.game_session import GameSession
        from millebornes.session.saving import Saver
        from millebornes.tui.full.screens.table import TableScreen

        slot, _ = start.slot, self._
        if self.options.manual_pick is not None:
            changed = dataclasses.replace(game.preferences, manual_pick=self.options.manual_pick)
            game = dataclasses.replace(game, preferences=changed)
        session = GameSession(game, start.file, theme(self.card_theme), _)
        if slot is None:
            try:
                slot = open_slot()
            except SaveError as error:
                self.trouble = not_autosaved(error, _)
        self.preferences = session.preferences
        table = TableScreen(session, Saver(session, slot, _), _)
        self.table = table
        self.push_screen(table)
        if self.trouble:
            self.notify(self.trouble, severity="warning", markup=False, timeout=10)


def play_full(options: "PlayOptions") -> int:
    """Play on the full screen and return the exit status. Raises `MilleBornesError` if a save can't be read."""
    return run_app(MilleApp, options)


def run_app(make: Callable[..., FullScreenApp], *arguments: object) -> int:
    """Run an app in this terminal, given its class and the first arguments. Return its exit status.

    While it is closing, Ctrl-C makes the program end sooner. Raises the `MilleBornesError` that ended the app.
    """
    keys = load_keys()
    app = make(*arguments, keys.keys, terminal_driver(), key_faults=keys.faults)

    def hurry(number: int, frame: FrameType | None) -> None:
        if not app.is_leaving:
            signal.default_int_handler(number, frame)
        _part(app)
        os._exit(app.return_code or app.return_value or 0)  # no work is lost if a computer player is still thinking

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, hurry)
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    status = app.run()
    let_go()
    _part(app)
    if app.failure is not None:
        raise app.failure
    return app.return_code or status or 0


def _part(app: FullScreenApp) -> None:
    """Print the app's farewell, but only once."""
    farewell, app.farewell = app.farewell, ""
    say_last(farewell if app.has_symbols else in_ascii(farewell))
