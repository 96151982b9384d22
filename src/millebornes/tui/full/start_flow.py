"""The way to the table, from the command line, a saved game or the start screen."""

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING

from millebornes.errors import MilleBornesError, SaveError, printable
from millebornes.session.setup import Start
from millebornes.session.troubles import why
from millebornes.session.unfinished import resume, take_save, unreadable_games
from millebornes.storage import hold_save, let_go, open_slot, save_path, unfinished
from millebornes.themes import theme
from millebornes.tui.full.app import FullScreenApp
from millebornes.tui.full.screens.dialogs import Confirm, Reader

if TYPE_CHECKING:
    from millebornes.tui.full.screens.start import StartChoice
    from millebornes.tui.full.screens.table import TableScreen

__all__ = ["MilleApp"]


class MilleApp(FullScreenApp):
    """The full-screen game. The app finds out what to play and sets the table."""

    table: "TableScreen | None"

    async def begin(self) -> None:
        """Find out what to play, and then play it. Raises `MilleBornesError` if the app has to end because of it."""
        await _begin(self)

    def load_screens(self) -> None:
        """Import the table's screen. This method runs in a thread after the rules are loaded."""
        import millebornes.tui.full.screens.table  # noqa: F401


async def _begin(app: FullScreenApp) -> None:
    """Find out what to play, and then play or leave. Raises `SaveError` if a save can't be read."""
    options, _ = app.options, app._
    if app.key_faults:
        lines = [*app.key_faults, "", _("The usual keys are used instead.")]
        await app.push_screen_wait(Reader(_("Custom keys"), lines, _))
    if options.tutorial:
        await _teach(app)
    message = "\n".join(unreadable_games(_))
    if message and (options.save is not None or options.rules is not None):
        app.trouble = "\n".join(filter(None, [app.trouble, message]))
    while True:
        asked = False
        if options.save is not None:
            start = await _from_file(app, save_path(options.save))
        elif options.rules is not None:
            start = Start(setup=app.options.setup(app._))
        else:
            start, asked = await _from_screen(app, None, message), True
        if start is None:
            app.exit(0)
            return
        await app.ready.wait()
        if app.is_leaving:
            return
        try:
            await app.get_ready(start)
            _sit_down(app, start)
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


async def _from_file(app: FullScreenApp, path: Path) -> Start | None:
    """Resume the game in a file. If the file doesn't exist, a new game can be saved there."""
    _ = app._
    if not os.path.lexists(path):
        hold_save(path)
        # A mistyped name must not start a different game, but it is fine to start a new game under a new name.
        if app.options.rules is not None:
            return Start(setup=app.options.setup(_), file=path)
        question = _("There's no file {path}. Start a new game and save it there?").format(path=printable(str(path)))
        if not await app.push_screen_wait(Confirm(question, _, default=True)):
            raise SaveError(f"{path}: there is no such file")
        return await _from_screen(app, path)
    slot = take_save(path)
    if slot is None:
        slot = unfinished(path)
        if slot is not None:
            question = _("You played on after this game was last saved. Resume where you left off?")
            if await app.push_screen_wait(Confirm(question, _, default=True)):
                path = slot.path
            else:
                app.trouble = _("It's kept as {path}.").format(path=printable(str(slot.keep())))
                slot.release()
                slot = None
    await app.ready.wait()
    return resume(path, slot)


async def _teach(app: FullScreenApp) -> None:
    await app.ready.wait()
    from millebornes.tui.full.screens.tutorial import teach

    await teach(app)


async def _from_screen(app: FullScreenApp, file: Path | None, message: str = "") -> Start | None:
    """Show the start screen until the player has chosen. ``message`` says why the last choice couldn't be started."""
    from millebornes.tui.full.screens.start import StartScreen

    while True:
        screen = StartScreen(
            app.preferences,
            language=app._.language,
            names=app.options.names,
            seed=app.options.seed,
            practice=app.options.practice,
            message=message,
            changed=app.follow,
        )
        choice: StartChoice | None = await app.push_screen_wait(screen)
        app.follow(screen.preferences)
        if choice is None:
            return None
        app.speak(choice.language)
        if choice.kind == "new":
            assert choice.setup is not None
            return Start(setup=choice.setup, file=file)
        await app.ready.wait()
        if choice.kind == "tutorial":
            await _teach(app)
            continue
        assert choice.save is not None
        try:
            return resume(choice.save, take_save(choice.save))
        except SaveError as error:
            message = str(error)


def _sit_down(app: FullScreenApp, start: Start) -> None:
    """Set the table. If the game has no slot for its autosave, it gets one."""
    from millebornes.session.game_session import GameSession
    from millebornes.session.new_game import game_of
    from millebornes.session.saving import Saver
    from millebornes.tui.full.screens.table import TableScreen

    slot, _ = start.slot, app._
    if start.setup is not None and app.options.rules is not None:
        app.prefer(last_game=app.options.last_game(start.setup))
    game = game_of(start, app.preferences)
    if app.options.manual_pick is not None:
        changed = dataclasses.replace(game.preferences, manual_pick=app.options.manual_pick)
        game = dataclasses.replace(game, preferences=changed)
    session = GameSession(game, start.file, theme(app.card_theme), _)
    if slot is None:
        try:
            slot = open_slot()
        except SaveError as error:
            app.trouble = _("This game can't be saved automatically: {reason}.").format(reason=why(error, _))
    app.preferences = session.preferences
    table = TableScreen(session, Saver(session, slot, _), _)
    app.table = table
    app.push_screen(table)
    if app.trouble:
        app.notify(app.trouble, severity="warning", markup=False, timeout=10)
