"""Saving behind every screen: the autosave after every move, the player's own file, and the last save of all."""

import contextlib
import datetime
import itertools
import os
from pathlib import Path
from typing import Literal

from millebornes.errors import SaveError, printable
from millebornes.i18n import Translator
from millebornes.session.game_session import GameSession
from millebornes.session.invocation import play_command
from millebornes.session.troubles import not_saved, why
from millebornes.storage import AutosaveSlot, SaveWriter, hold_save, is_slot, let_go, refuse_overwrite

__all__ = ["Saver", "Unsaved", "WayOut"]

WayOut = Literal["leave", "save", "delete", "stay"]
"""What can become of a game on leaving: it is kept where it can be, saved in a file, not kept, or it continues."""


class Saver:
    """Saves one session. ``slot`` is where it saves itself, None where nothing can be written.

    A game in which no person has decided anything yet is not kept on leaving: there is nothing to go on with.
    """

    def __init__(self, session: GameSession, slot: AutosaveSlot | None, _: Translator) -> None:
        self._session = session
        self._slot = slot
        self._ = _
        self._writer = SaveWriter()
        self._failed = False
        """Whether the latest move is not in the slot."""
        self._file_failed = False
        """Whether the file could not be written when that was tried last."""
        if session.file is not None:
            with contextlib.suppress(SaveError):  # said when it is to be saved there
                hold_save(session.file)

    def auto(self) -> str | None:
        """Save into the slot; the text to show when that does not work, once until it works again."""
        warned = self._failed
        trouble = self.attempt()
        return None if warned else trouble

    def attempt(self) -> str | None:
        """Save into the slot, where there is one; the text to show when that does not work."""
        if self._slot is None:
            return None
        try:
            self._slot.write(self._session.saved())
        except SaveError as error:
            self._failed = True
            return not_saved(error, self._)
        self._failed = False
        return None

    def refuse(self, path: Path) -> SaveError | None:
        """Why the player may not save in a file; None when they may."""
        if is_slot(path):  # it is emptied when the game ends, or taken by another game
            return SaveError(f"{path}: games save themselves in files of this name; choose another one")
        return refuse_overwrite(path)

    def overwriting(self, path: Path) -> str | None:
        """The question before another saved game is written over; None where a file may be written as it is, or not."""
        if path == self._session.file or not os.path.isfile(path) or self.refuse(path) is not None:  # noqa: PTH113
            return None
        text = self._("There is a saved game in {path} already. Write over it?")
        return text.format(path=printable(str(path)))

    def save(self, path: Path) -> str | None:
        """Save in a file of the player's; the text that says why not, or None when it is done.

        The game's own save does not know of the file before the next `auto`.
        """
        before = self._session.file
        moves = before is None or os.path.realpath(before) != os.path.realpath(path)
        self._session.file = path
        try:
            reason = self.refuse(path)
            if reason is not None:
                raise reason
            hold_save(path)
            self._writer.write(self._session.saved(), path)
        except (SaveError, ValueError) as error:
            self._session.file = before
            if moves:
                let_go(path)
            return not_saved(error if isinstance(error, SaveError) else SaveError(str(error)), self._)
        self._file_failed = False
        if before is not None and moves:
            let_go(before)
        return None

    @property
    def keeps(self) -> bool:
        """Whether leaving keeps the game without asking for a file, as far as that has worked until now."""
        return self.is_wanted and (self._own_file is not None or (self._slot is not None and not self._failed))

    @property
    def can_save(self) -> bool:
        """Whether there is a place where the game can be saved without asking for a file; that may fail."""
        return self._session.file is not None or self._slot is not None

    @property
    def is_wanted(self) -> bool:
        """Whether the game is to be there later: it has been begun, or its own file is there already."""
        return self._session.saved().is_begun or self._has_file

    @property
    def _own_file(self) -> Path | None:
        """The player's file that leaving writes."""
        return None if self._file_failed else self._session.file

    @property
    def _has_file(self) -> bool:
        return self._session.file is not None and os.path.exists(self._session.file)  # noqa: PTH110 # raises nothing

    @property
    def is_settled(self) -> bool:
        """Whether leaving asks nothing: the match is over and has been counted, so there is nothing to go on with."""
        return self._session.is_over and self._session.file is None

    def attempt_before_leaving(self) -> str | None:
        """Save into the slot before the person is asked; the text that says why not. A file is saved on leaving."""
        return self.attempt() if self.is_wanted and self._session.file is None else None

    @property
    def ways_out(self) -> tuple[WayOut, ...]:
        """What can be chosen on leaving, the usual way first."""
        if not self.is_wanted:
            return ("leave", "stay")
        return ("leave", "save", "delete", "stay") if self.can_save else ("save", "delete", "stay")

    def outlook(self) -> str:
        """What becomes of the game on leaving, and how to go on with it."""
        _, file = self._, self._own_file
        if not self.is_wanted:
            return _("No move has been made yet, so there is nothing to keep.")
        if not self.keeps:
            return self._remainder()
        if file is None:
            return _("The game is kept. To continue it, type: {command}").format(command=play_command())
        text = _("The game is saved in {path}. To continue it, type: {command}")
        return text.format(path=printable(str(file)), command=play_command(file))

    def _remainder(self) -> str:
        """What is there of a game that cannot be saved as it stands: what was saved before."""
        _, saved = self._, []
        for path in (self._session.file, None if self._slot is None else self._slot.path):
            with contextlib.suppress(OSError):
                if path is not None:
                    saved.append((path.stat().st_mtime, path))
        if not saved:
            return _("The game is lost if you quit without saving it in a file.")
        last, path = max(saved)
        time = datetime.datetime.fromtimestamp(last).strftime("%H:%M:%S")
        text = _("If you quit now, you lose what you played after {time}. The game as it was then is in {path}.")
        return text.format(time=time, path=printable(str(path)))

    def deletion(self) -> str:
        """The question before a game is left without being kept."""
        _, file = self._, self._session.file
        if not self.keeps:
            return _("Quit without saving?") + " " + self._remainder()
        if not self._has_file:
            return _("Delete this game for good?")
        return _("Quit without saving? What was played since {path} was last saved is deleted.").format(
            path=printable(str(file))
        )

    def suggested(self) -> Path:
        """A file to save in where no other is wanted: its own, else a new one in the current folder."""
        if self._session.file is not None:
            return self._session.file
        names = (f"millebornes{'' if n == 1 else f'-{n}'}.jsonl" for n in itertools.count(1))
        return next(path for path in map(Path, names) if not os.path.lexists(path))

    def forget(self) -> None:
        """The game has been saved elsewhere, or is not wanted: the slot is empty again."""
        if self._slot is not None:
            self._slot.clear()

    def abandon(self) -> None:
        """The game is left for good. What was saved before stays where the game could not be saved as it stands."""
        if self.keeps or not self.is_wanted:
            self.forget()

    def leave(self) -> tuple[int, str]:
        """Keep the game where it fits best; the exit status, and what to say: how to go on, or why it cannot be kept.

        Says nothing of a game that has not been begun.
        """
        _, session = self._, self._session
        if not self.is_wanted:
            self.forget()
            return 0, ""
        troubles = []
        if session.file is not None:
            try:
                self._writer.write(session.saved(), session.file)
            except SaveError as error:
                self._file_failed = True
                text = _("Not saved in {path}: {reason}.")
                troubles.append(text.format(path=printable(str(session.file)), reason=why(error, _)))
            else:
                self.forget()
                return self._told(session.file)
        if self._slot is not None:
            try:
                self._slot.write(session.saved())
                path = self._slot.keep() if session.is_over else self._slot.path
            except SaveError as error:
                self._failed = True
                troubles.append(not_saved(error, _))
            else:
                if path != self._slot.path:
                    return 0, " ".join([*troubles, self._told(path)[1]])
                text = _("The game is saved in {path}. To continue: {command}")  # the next start offers it
                told = text.format(path=printable(str(path)), command=play_command())
                return 0, " ".join([*troubles, told])
        if not troubles:
            troubles.append(_("The game could not be saved. {reason}.").format(reason=_("no writable folder found")))
        return 1, " ".join(troubles)

    def end(self) -> tuple[int, str]:
        """As `leave`, where nobody can be asked: says too what becomes of a game that could not be saved."""
        status, text = self.leave()
        return status, f"{text} {self._remainder()}" if status else text

    def _told(self, path: Path) -> tuple[int, str]:
        text = self._("The game is saved in {path}. To continue: {command}")
        return 0, text.format(path=printable(str(path)), command=play_command(path))

    def release(self) -> None:
        """Let other programs have the slot, and the player's own file."""
        if self._session.file is not None:
            let_go(self._session.file)
        if self._slot is not None:
            with contextlib.suppress(OSError):
                self._slot.release()


class Unsaved(Saver):
    """Saves nothing on leaving: lessons and questions of practice are no games to go on with."""

    def leave(self) -> tuple[int, str]:
        """Keep nothing, and say nothing."""
        return 0, ""
