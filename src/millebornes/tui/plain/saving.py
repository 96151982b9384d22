"""Saving as the player sees it: the autosave behind the scenes, and the questions of the command S."""

from pathlib import Path

from millebornes.errors import SaveError
from millebornes.i18n import Translator
from millebornes.storage import AutosaveSlot, SaveWriter, refuse_overwrite
from millebornes.tui.plain.console import Console
from millebornes.tui.plain.setup import confirm
from millebornes.tui.sitting.sitting import Sitting

__all__ = ["Saving"]


class Saving:
    """Saves one sitting. ``slot`` is where it saves itself, None where nothing can be written."""

    def __init__(self, console: Console, sitting: Sitting, slot: AutosaveSlot | None, _: Translator) -> None:
        self._console = console
        self._sitting = sitting
        self._slot = slot
        self._ = _
        self._writer = SaveWriter()
        self._warned = False

    def auto(self) -> None:
        """Save into the slot, after every move; says it once when that does not work."""
        if self._slot is None:
            return
        try:
            self._slot.write(self._sitting.saved())
            self._warned = False
        except SaveError as error:
            if not self._warned:
                self._console.say(self._("This game cannot save itself: {reason}.").format(reason=error))
            self._warned = True

    def ask(self) -> bool:
        """The dialogue of S. Returns whether the game has been saved; an empty name goes back to the game."""
        _, console = self._, self._console
        sitting = self._sitting
        if sitting.file is not None:
            question = _("Save on the same file, {path}?").format(path=sitting.file)
            if confirm(console, question, _, default=True) and self._try(sitting.file):
                return True
        while True:
            name = console.ask(_("File name (Enter alone goes back to the game):"))
            if not name:
                console.say(_("Not saved."))
                return False
            path = Path(name).expanduser().absolute()
            if path != sitting.file and path.is_file() and refuse_overwrite(path) is None:
                question = _("There is a saved game in {path} already. Write over it?").format(path=path)
                if not confirm(console, question, _, default=False):
                    continue
            if self._try(path):
                return True

    def _try(self, path: Path) -> bool:
        _ = self._
        before = self._sitting.file
        self._sitting.file = path
        try:
            self._writer.write(self._sitting.saved(), path)
        except (SaveError, ValueError) as error:
            self._sitting.file = before
            self._console.say(_("The game could not be saved. {reason}.").format(reason=str(error).rstrip(".")))
            return False
        self._console.say(_("Saved in {path}.").format(path=path))
        self.auto()
        return True

    def leave(self) -> int:
        """The input has ended, or the program is told to end: save where it fits best, tell where; the exit status."""
        _, sitting = self._, self._sitting
        reasons = []
        if sitting.file is not None:
            try:
                self._writer.write(sitting.saved(), sitting.file)
            except SaveError as error:
                reasons.append(str(error))
            else:
                self.forget()
                return self._told(sitting.file)
        if self._slot is not None:
            try:
                self._slot.write(sitting.saved())
                path = self._slot.keep() if sitting.is_over else self._slot.path
            except SaveError as error:
                reasons.append(str(error))
            else:
                return self._told(path)
        self._say(
            _("The game could not be saved. {reason}.").format(
                reason="; ".join(reasons) or _("No folder can be written")
            )
        )
        return 1

    def _told(self, path: Path) -> int:
        self._say(self._("The game is saved in {path}. To go on: millebornes play {path}").format(path=path))
        return 0

    def _say(self, text: str) -> None:
        try:
            self._console.say(text)
            self._console.flush()
        except (OSError, ValueError):
            pass  # the terminal has gone away; nobody is left to tell

    def forget(self) -> None:
        """The game has been saved elsewhere, or is not wanted: the slot is empty again."""
        if self._slot is not None:
            self._slot.clear()
