"""Saving in the line game: messages from the autosave, and the questions of the command S."""

import os
from pathlib import Path
from typing import Final

from millebornes.errors import SaveError, printable
from millebornes.i18n import Translator, is_no, is_yes, words
from millebornes.session.game_session import GameSession
from millebornes.session.saving import Saver
from millebornes.session.troubles import not_saved
from millebornes.storage import AutosaveSlot, typed_path
from millebornes.tui.plain.console import Console
from millebornes.tui.plain.setup import confirm

__all__ = ["Saving"]

_BACK: Final = frozenset({"-", "−", "–"})


class Saving:
    """Saves one session. ``slot`` is the slot for its autosave, or None if no folder is writable."""

    def __init__(self, console: Console, session: GameSession, slot: AutosaveSlot | None, _: Translator) -> None:
        self._console = console
        self._session = session
        self._ = _
        self.saver: Final = Saver(session, slot, _)

    def auto(self) -> None:
        """Save the game in its slot after a move. If that fails, report it once."""
        trouble = self.saver.auto()
        if trouble:
            self._console.say(trouble)

    def ask(self) -> bool:
        """For the command S, ask where to save. Enter accepts the suggested file. Return whether the game was saved."""
        _, console = self._, self._console
        while True:
            suggested = self.saver.suggested()
            text = _("Type the name of a file. Enter chooses {path}; a hyphen goes back to the game.")
            name = console.ask(
                _("File name (Enter: {path}; a hyphen goes back):").format(path=suggested),
                help=[text.format(path=suggested)],
            )
            if name in _BACK:
                console.say(_("Not saved."))
                return False
            try:
                path = typed_path(name or suggested)
            except SaveError as error:
                console.say(not_saved(error, _))
                continue
            question = self.saver.overwriting(path)
            if question is not None and not confirm(console, question, _, default=False):
                continue
            if self._try(path):
                return True

    def part(self) -> bool:
        """Ask what to do with the game.

        Return whether the player leaves, in which case everything has been prepared.
        """
        _, console, saver = self._, self._console, self.saver
        if saver.is_settled:
            saver.forget()
            return True
        trouble = saver.attempt_before_leaving()
        while True:
            if trouble:
                console.say(trouble)
            console.say(saver.outlook())
            ways = saver.ways_out
            if "save" not in ways:
                if confirm(console, _("Quit?"), _, default=True):
                    saver.forget()
                    return True
                return False
            answer = console.ask(self._choices(), help=[saver.outlook()]).casefold()
            if answer == "q":
                answer = "" if saver.keeps else "d"
            if "leave" in ways and (not answer or is_yes(answer)):
                status, trouble = saver.leave()
                if status == 0:
                    return True
            elif is_no(answer):
                return False
            elif answer == "s":
                if self.ask():
                    console.say(saver.leave()[1])
                    return True
            elif answer == "d" or answer in words("delete"):
                if confirm(console, saver.deletion(), _, default=False):
                    saver.abandon()
                    return True
            else:
                console.say(_("Please type one of these letters."))

    def _choices(self) -> str:
        _, file = self._, self._session.file
        if not self.saver.keeps:
            if self.saver.can_save:
                return _(
                    "Enter tries again, S saves it to a file of your choice, Q quits without saving, N keeps playing:"
                )
            return _("S saves it to a file of your choice, Q quits without saving, N keeps playing:")
        if file is None or not os.path.exists(file):  # noqa: PTH110 # raises nothing
            return _("Enter quits, S saves it to a file of your choice, D deletes it, N keeps playing:")
        return _("Enter quits, S saves it to another file, D quits without saving, N keeps playing:")

    def _try(self, path: Path) -> bool:
        trouble = self.saver.save(path)
        self._console.say(trouble or self._("Saved in {path}.").format(path=printable(str(path))))
        if trouble is None:
            self.auto()
        return trouble is None

    def leave(self) -> int:
        """Save in the best available place and report it, because the input or program is ending.

        Return the exit status.
        """
        status, text = self.saver.end()
        try:
            if text:
                self._console.say(text)
            self._console.flush()
        except (OSError, ValueError):
            pass  # the terminal has disappeared, so no one would see the message
        return status
