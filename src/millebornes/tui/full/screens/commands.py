"""The commands that concern the whole game, such as save, quit, help and preferences."""

import functools
from collections.abc import Callable, Iterable
from pathlib import Path

from textual.app import SystemCommand

from millebornes.commands.table import Command
from millebornes.errors import SaveError, printable
from millebornes.session import requests
from millebornes.storage import typed_path
from millebornes.tui.controller import Outcome, Refusal, Switched, Told
from millebornes.tui.full.screens.dialogs import AskName, Confirm, LeaveScreen, Reader
from millebornes.tui.full.screens.input import TakenBack
from millebornes.tui.full.screens.readers import ReviewScreen
from millebornes.tui.full.screens.sheet import SheetScreen
from millebornes.tui.full.screens.table_view import TableView
from millebornes.tui.full.terminal.keys import ACTIONS, KEYMAP, key_name
from millebornes.tui.full.widgets.names import in_columns, legend
from millebornes.words.troubles import not_saved


class Commands:
    """Runs the commands that concern the whole table. Dialogues run in workers, so the table keeps responding."""

    def __init__(self, table: TableView) -> None:
        self._table = table
        self._ = table._
        self._controller = table.controller

    def act(self, action: str) -> None:
        """Treat an action as an answer or, if it isn't one, run it. Do nothing during a dialogue."""
        if not self._table.is_busy and not self._table.input.command(action):
            self.command(action)

    def command(self, action: str) -> None:
        """Run an action from the key map. An action that is unknown or not possible now does nothing."""
        table = self._table
        if table.is_busy:
            return
        match action:
            case "quit":
                table.run_worker(self.part(), group="commands")
            case "save":
                table.run_worker(self.save(), group="commands")
            case "redraw":
                table.app.refresh(layout=True)
                table.redraw(table.scene.deciding)
            case "suspend":
                table.app.action_suspend_process()
            case "palette":
                table.app.action_command_palette()
            case "scores":
                screen = SheetScreen(table.session, table.scene.viewer, "", self._, asking=False)
                table.app.push_screen(screen)
            case "log":
                table.show_log()
            case "help":
                table.app.push_screen(Reader(self._("Keys"), self.help_lines(), self._))
            case "hint":
                self._hint()
            case "settings":
                self._settings()
            case "statistics":
                from millebornes.tui.full.screens.statistics import StatisticsScreen

                table.app.push_screen(StatisticsScreen(self._))
            case _other if action.upper() in Command.__members__:
                with table.input.same_card():
                    outcome = self._controller.do(Command[action.upper()])
                self._show(outcome, action)

    def palette(self) -> Iterable[SystemCommand]:
        """Return the commands for the command palette, with their keys."""
        table = self._table
        for command in Command:
            action, text = command.action, command.value.key_help
            if command is Command.PICK and not table.session.preferences.manual_pick:
                continue  # the cards are drawn automatically
            if text and command.value.in_palette:
                keys = " ".join(key_name(key, self._) for key in table.mille.keymap.get(action, ()))
                yield SystemCommand(self._(text), keys, functools.partial(self.act, action))

    def help_lines(self) -> list[str]:
        """Return a line for each key that says what it does, followed by the marks and the short names of cards."""
        _, keymap = self._, self._table.mille.keymap
        rows = []
        for action, text in ACTIONS.items():
            keys = [key_name(key, _) for key in keymap.get(action, ()) if not key.startswith("shift+")]
            if keymap.get(action) == KEYMAP[action]:  # some usual keys are digits in some languages
                keys = [key for key in keys if _.digits(key) == key]
            if keys:
                rows.append((" ".join(keys), _(text)))
        mouse = [
            "",
            _("With the mouse: click a card, then the pile or the side that it goes to."),
            _("Click a card twice to use it, or right-click it to discard it."),
        ]
        cards = [
            "",
            _("The marks on your cards: [1] you can use it, ▶1◀ you've chosen it, ★ a hint suggests it."),
            "",
            _("The cards, with the short names and codes that stand for them where there's little room:"),
            *legend(self._table.session.words, symbols=self._table.mille.has_symbols),
        ]
        return [*in_columns(rows), *mouse, *cards]

    def _show(self, outcome: Outcome | None, action: str) -> None:
        """Show what a command has led to, or do what it asks of the screen."""
        table, _ = self._table, self._
        match outcome:
            case Refusal(text):
                table.say(text, "error")
            case Told("", [text]):
                table.say(text, "coup")
            case Told(heading, lines):
                table.app.push_screen(Reader(heading, lines, _))
            case requests.TakeBack(seat):
                if not table.input.interrupt(TakenBack(seat)):
                    table.say(_("Wait until the game asks you for something."), "error")
            case Switched(name, text):
                if name == "window":
                    table.count(False)
                table.mille.prefer(_, **{name: getattr(table.session.preferences, name)})
                if text:
                    table.say(text)
            case None if action == "counts":
                table.count(not table.scene.counts)

    async def review(self) -> None:
        """Show the review of the finished match. Return when the player closes it."""
        table = self._table
        screen = ReviewScreen(table.session, self._, ascii_only=not table.mille.has_symbols)
        await table.app.push_screen_wait(screen)

    def _hint(self) -> None:
        table = self._table
        refusal = self._controller.no_hint()
        if refusal is None:
            table.run_worker(self._show_hint(), group="commands")
        else:
            table.say(refusal.text, "error")

    async def _show_hint(self) -> None:
        from millebornes.tui.full.screens.hint import HintScreen

        table, controller = self._table, self._controller
        if controller.no_hint() is not None:  # a move that was typed before has been made by now
            return
        screen = HintScreen(controller.view, controller.thoughts(), table.session.words)
        move = await table.app.push_screen_wait(screen)
        if move is not None:
            table.input.make(move)
        elif screen.is_advised:
            table.suggest(screen.moves[0].card)

    def _settings(self) -> None:
        from millebornes.tui.full.screens.settings import SettingsScreen

        self._table.app.push_screen(SettingsScreen(self._, playing=True))

    async def save(self) -> bool:
        """For S, ask where to save the game. Return whether it was saved. An empty name returns to the game."""
        table, _ = self._table, self._
        app, session, trouble = table.app, table.session, ""
        if session.file is not None:
            question = _("Save to the same file, {path}?").format(path=printable(str(session.file)))
            if await app.push_screen_wait(Confirm(question, _, default=True)):
                trouble = self._save_in(session.file)
                if not trouble:
                    return True
        while True:
            question = _("File name (Esc goes back to the game):")
            name = await app.push_screen_wait(AskName(question, _, value=str(table.saver.suggested()), trouble=trouble))
            if not name:
                table.say(_("Not saved."))
                return False
            try:
                path, trouble = typed_path(name), ""
            except SaveError as error:
                trouble = not_saved(error, _)
                continue
            overwriting = table.saver.overwriting(path)
            if overwriting is not None and not await app.push_screen_wait(Confirm(overwriting, _)):
                continue
            trouble = self._save_in(path)
            if not trouble:
                return True

    def _save_in(self, path: Path) -> str:
        """Return the reason why the game couldn't be saved, or ""."""
        table = self._table
        if trouble := table.saver.save(path):
            return trouble
        table.say(self._("Saved in {path}.").format(path=printable(str(path))))
        if warning := table.saver.auto():
            table.warn(warning)
        return ""

    async def part(self, *, to_start: bool = False) -> bool:
        """For Q, DELETE or Ctrl-C, ask whether to leave, and then leave. Return True if the game continues.

        With ``to_start``, the player doesn't leave the program, but returns to the start screen if it has one.
        """
        table = self._table
        leave = table.mille.return_to_start if to_start else table.mille.leave
        if table.saver.is_settled:
            return self._leave(leave)
        trouble = table.saver.attempt_before_leaving() or ""
        while True:
            answer = await table.app.push_screen_wait(LeaveScreen(table.saver, self._, trouble))
            if answer == "stay":
                return True
            if answer == "delete":
                if await table.app.push_screen_wait(Confirm(table.saver.deletion(), self._)):
                    return self._leave(leave)
            elif answer == "leave" or await self.save():
                status, text = table.saver.leave()
                if not status:
                    leave(0, text)
                    return False
                trouble = text

    def _leave(self, leave: Callable[[int, str], None]) -> bool:
        """Leave the game without saving it."""
        self._table.saver.abandon()
        leave(0, "")
        return False
