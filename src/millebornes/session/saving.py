"""Saving behind every screen: the autosave after every move, the player's own file, and the last save of all."""

import contextlib
import itertools
import os
import shlex
from pathlib import Path

from millebornes.errors import SaveError, printable
from millebornes.i18n import Translator
from millebornes.session.sitting import Sitting
from millebornes.storage import AutosaveSlot, SaveWriter, hold_save, is_slot, let_go, refuse_overwrite

__all__ = ["Saver", "shell_word"]


def shell_word(path: Path) -> str:
    """A file's name as it is typed in a shell, also where it holds blanks, control characters or bytes of no text."""
    name = str(path)
    if name.isprintable():
        return shlex.quote(name)
    codes = (chr(byte) if 32 <= byte < 127 and byte not in b"\\'" else f"\\x{byte:02x}" for byte in os.fsencode(name))
    return f"$'{''.join(codes)}'"


class Saver:
    """Saves one sitting. ``slot`` is where it saves itself, None where nothing can be written.

    A game in which no person has decided anything yet is not kept on leaving: there is nothing to go on with.
    """

    def __init__(self, sitting: Sitting, slot: AutosaveSlot | None, _: Translator) -> None:
        self._sitting = sitting
        self._slot = slot
        self._ = _
        self._writer = SaveWriter()
        self._warned = False
        if sitting.file is not None:
            with contextlib.suppress(SaveError):  # said when it is to be saved there
                hold_save(sitting.file)

    def auto(self) -> str | None:
        """Save into the slot; the text to show when that does not work, once until it works again."""
        if self._slot is None:
            return None
        try:
            self._slot.write(self._sitting.saved())
        except SaveError as error:
            warned, self._warned = self._warned, True
            return None if warned else self._("This game cannot save itself: {reason}.").format(reason=error)
        self._warned = False
        return None

    def refuse(self, path: Path) -> SaveError | None:
        """Why the player may not save in a file; None when they may."""
        if is_slot(path):  # it is emptied when the game ends, or taken by another game
            return SaveError(f"{path}: games save themselves in files of this name; choose another one")
        return refuse_overwrite(path)

    def save(self, path: Path) -> str | None:
        """Save in a file of the player's; the text that says why not, or None when it is done.

        The game's own save does not know of the file before the next `auto`.
        """
        before = self._sitting.file
        moves = before is None or os.path.realpath(before) != os.path.realpath(path)
        self._sitting.file = path
        try:
            reason = self.refuse(path)
            if reason is not None:
                raise reason
            hold_save(path)
            self._writer.write(self._sitting.saved(), path)
        except (SaveError, ValueError) as error:
            self._sitting.file = before
            if moves:
                let_go(path)
            return self._("The game could not be saved. {reason}.").format(reason=printable(str(error)).rstrip("."))
        if before is not None and moves:
            let_go(before)
        return None

    @property
    def keeps(self) -> bool:
        """Whether leaving keeps the game without asking for a file."""
        return self.is_wanted and (self._slot is not None or self._sitting.file is not None)

    @property
    def is_wanted(self) -> bool:
        """Whether the game is to be there later: it has been begun, or its own file is there already."""
        file = self._sitting.file
        return self._sitting.saved().is_begun or (file is not None and file.exists())

    def outlook(self) -> str:
        """What becomes of the game on leaving, and how to go on with it."""
        _, file = self._, self._sitting.file
        if not self.is_wanted:
            return _("No move has been made yet, so there is nothing to keep.")
        if not self.keeps:
            return _("The game cannot save itself: it is lost unless you save it in a file.")
        if file is None:
            return _("The game is kept. To go on with it, type: millebornes play")
        text = _("The game is saved in {path}. To go on with it, type: millebornes play {file}")
        return text.format(path=printable(str(file)), file=shell_word(file))

    def deletion(self) -> str:
        """The question before a game is left without being kept."""
        _, file = self._, self._sitting.file
        if file is None or not file.exists():
            return _("Delete this game for good?")
        return _("Quit without saving? What was played since {path} was last saved is deleted.").format(
            path=printable(str(file))
        )

    def suggested(self) -> Path:
        """A file to save in where no other is wanted: its own, else a new one in the current folder."""
        if self._sitting.file is not None:
            return self._sitting.file
        names = (f"millebornes{'' if n == 1 else f'-{n}'}.jsonl" for n in itertools.count(1))
        return next(path for path in map(Path, names) if not os.path.lexists(path))

    def forget(self) -> None:
        """The game has been saved elsewhere, or is not wanted: the slot is empty again."""
        if self._slot is not None:
            self._slot.clear()

    def leave(self) -> tuple[int, str]:
        """Keep the game where it fits best; the exit status, and what to say: how to go on, or why it cannot be kept.

        Says nothing of a game that has not been begun.
        """
        _, sitting = self._, self._sitting
        if not self.is_wanted:
            self.forget()
            return 0, ""
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
                if path == self._slot.path:  # the next start offers it
                    return 0, _("The game is saved in {path}. To go on: millebornes play").format(path=path)
                return self._told(path)
        text = _("The game could not be saved. {reason}.")
        return 1, text.format(reason=_.join(reasons) or _("no writable folder found"))

    def _told(self, path: Path) -> tuple[int, str]:
        text = self._("The game is saved in {path}. To go on: millebornes play {file}")
        return 0, text.format(path=printable(str(path)), file=shell_word(path))

    def release(self) -> None:
        """Let other programs have the slot, and the player's own file."""
        if self._sitting.file is not None:
            let_go(self._sitting.file)
        if self._slot is not None:
            with contextlib.suppress(OSError):
                self._slot.release()
