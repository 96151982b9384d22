"""Saving as the player sees it: what the autosave has to say, and the questions of the command S."""

from pathlib import Path

from millebornes.errors import SaveError, printable
from millebornes.i18n import Translator
from millebornes.storage import AutosaveSlot, save_path
from millebornes.tui.plain.console import Console
from millebornes.tui.plain.setup import confirm
from millebornes.tui.sitting.saving import Saver
from millebornes.tui.sitting.sitting import Sitting

__all__ = ["Saving"]


class Saving:
    """Saves one sitting. ``slot`` is where it saves itself, None where nothing can be written."""

    def __init__(self, console: Console, sitting: Sitting, slot: AutosaveSlot | None, _: Translator) -> None:
        self._console = console
        self._sitting = sitting
        self._ = _
        self._saver = Saver(sitting, slot, _)

    def auto(self) -> None:
        """Save into the slot, after every move; says it once when that does not work."""
        trouble = self._saver.auto()
        if trouble:
            self._console.say(trouble)

    def ask(self) -> bool:
        """The dialogue of S. Returns whether the game has been saved; an empty name goes back to the game."""
        _, console = self._, self._console
        sitting = self._sitting
        if sitting.file is not None:
            question = _("Save on the same file, {path}?").format(path=printable(str(sitting.file)))
            if confirm(console, question, _, default=True) and self._try(sitting.file):
                return True
        while True:
            name = console.ask(_("File name (Enter alone goes back to the game):"))
            if not name:
                console.say(_("Not saved."))
                return False
            try:
                path = save_path(name)
            except SaveError as error:
                console.say(_("The game could not be saved. {reason}.").format(reason=error))
                continue
            if path != sitting.file and path.is_file() and self._saver.refuse(path) is None:
                question = _("There is a saved game in {path} already. Write over it?").format(
                    path=printable(str(path))
                )
                if not confirm(console, question, _, default=False):
                    continue
            if self._try(path):
                return True

    def _try(self, path: Path) -> bool:
        trouble = self._saver.save(path)
        self._console.say(trouble or self._("Saved in {path}.").format(path=printable(str(path))))
        if trouble is None:
            self.auto()
        return trouble is None

    def leave(self) -> int:
        """The input has ended, or the program is told to end: save where it fits best, tell where; the exit status."""
        status, text = self._saver.leave()
        try:
            self._console.say(text)
            self._console.flush()
        except (OSError, ValueError):
            pass  # the terminal has gone away; nobody is left to tell
        return status

    def forget(self) -> None:
        """The game has been saved elsewhere, or is not wanted: the slot is empty again."""
        self._saver.forget()
