"""Saving on every screen: the autosave after each move, the player's own file, and the final save on leaving."""

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
from millebornes.storage import AutosaveSlot, SaveWriter, hold_save, let_go, refuse_overwrite
from millebornes.storage.autosave import is_slot
from millebornes.words.troubles import not_saved, why

WayOut = Literal["leave", "save", "delete", "stay"]
"""What a player can do on leaving: keep the game if possible, save it in a file, delete it, or stay and continue."""


class Saver:
    """Saves one session. ``slot`` is the place for its autosave, or None if no folder is writable.

    A game is not kept on leaving until a person has made a decision, because there is nothing to continue.
    """

    def __init__(self, session: GameSession, slot: AutosaveSlot | None, _: Translator) -> None:
        self._session = session
        self._slot = slot
        self._ = _
        self._writer = SaveWriter()
        self._failed = False
        """Whether the slot is missing the latest move."""
        self._file_failed = False
        """Whether the last attempt to write the player's file failed."""
        if session.file is not None:
            with contextlib.suppress(SaveError):  # reported when the player saves there
                hold_save(session.file)

    def auto(self) -> str | None:
        """Save the game in its slot. Return an error message, but only for the first of several failures in a row."""
        warned = self._failed
        trouble = self.attempt()
        return None if warned else trouble

    def attempt(self) -> str | None:
        """Save the game in its slot, if it has one. Return an error message if that fails."""
        if self._slot is None:
            return None
        try:
            self._slot.write(self._session.saved())
        except SaveError as error:
            self._failed = True
            return not_saved(error, self._)
        self._failed = False
        return None

    def overwriting(self, path: Path) -> str | None:
        """Return the question to ask before overwriting another saved game, or None if there is none to ask."""
        if path == self._session.file or not os.path.isfile(path):  # noqa: PTH113
            return None
        try:
            _refuse(path)
        except SaveError:  # reported when the player saves there
            return None
        text = self._("{path} already exists. Replace it?")
        return text.format(path=printable(str(path)))

    def save(self, path: Path) -> str | None:
        """Save the game in the player's file. Return None, or the reason why it failed."""
        before = self._session.file
        moves = before is None or os.path.realpath(before) != os.path.realpath(path)
        self._session.file = path
        try:
            _refuse(path)
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
        """Whether leaving would keep the game without asking for a file, if saving works as it did the last time."""
        return self.is_wanted and (self._own_file is not None or (self._slot is not None and not self._failed))

    @property
    def can_save(self) -> bool:
        """Whether the game can be saved without asking for a file. The attempt may still fail."""
        return self._session.file is not None or self._slot is not None

    @property
    def is_wanted(self) -> bool:
        """Whether the game should be kept for later, because it has begun or its file already exists."""
        return self._session.saved().is_begun or self.has_file

    @property
    def _own_file(self) -> Path | None:
        """The player's own file, if it is written on leaving."""
        return None if self._file_failed else self._session.file

    @property
    def has_file(self) -> bool:
        """Whether the player's own file exists."""
        return self._session.file is not None and os.path.exists(self._session.file)  # noqa: PTH110 # raises nothing

    @property
    def is_settled(self) -> bool:
        """Whether the player can leave without a question, because the match is over and has been recorded."""
        return self._session.is_over and self._session.file is None

    def attempt_before_leaving(self) -> str | None:
        """Save in the slot, if no file is saved on leaving, before asking. Return an error message."""
        return self.attempt() if self.is_wanted and self._session.file is None else None

    @property
    def ways_out(self) -> tuple[WayOut, ...]:
        """The player's choices on leaving, the usual choice first."""
        if not self.is_wanted:
            return ("leave", "stay")
        return ("leave", "save", "delete", "stay") if self.can_save else ("save", "delete", "stay")

    def outlook(self) -> str:
        """Return a sentence about what happens to the game on leaving, and how to continue it."""
        _, file = self._, self._own_file
        if not self.is_wanted:
            return _("There's nothing to save yet.")
        if not self.keeps:
            return self._remainder()
        if file is None:
            return _("Your game is saved. To resume it, type: {command}").format(command=play_command())
        text = _("Your game is saved in {path}. To resume it, type: {command}")
        return text.format(path=printable(str(file)), command=play_command(file))

    def _remainder(self) -> str:
        """Return a sentence about the last successful save, if the current state can't be saved."""
        _, saved = self._, []
        for path in (self._session.file, None if self._slot is None else self._slot.path):
            with contextlib.suppress(OSError):
                if path is not None:
                    saved.append((path.stat().st_mtime, path))
        if not saved:
            return _("If you quit without saving to a file, you lose this game.")
        last, path = max(saved)
        time = datetime.datetime.fromtimestamp(last).strftime("%H:%M:%S")
        text = _("If you quit now, you lose what you played after {time}. The game as it was then is in {path}.")
        return text.format(time=time, path=printable(str(path)))

    def deletion(self) -> str:
        """Return the question to ask before leaving a game without keeping it."""
        _, file = self._, self._session.file
        if not self.keeps:
            return _("Quit without saving?") + " " + self._remainder()
        if not self.has_file:
            return _("Delete this game? You can't get it back.")
        return _("Quit without saving? You lose everything since {path} was last saved.").format(
            path=printable(str(file))
        )

    def suggested(self) -> Path:
        """Return a file to suggest for saving: the game's current file, or a new one in the current folder."""
        if self._session.file is not None:
            return self._session.file
        names = (f"millebornes{'' if n == 1 else f'-{n}'}.jsonl" for n in itertools.count(1))
        return next(path for path in map(Path, names) if not os.path.lexists(path))

    def forget(self) -> None:
        """Empty the slot, because the game is saved elsewhere or the player doesn't want to keep it."""
        if self._slot is not None:
            self._slot.clear()

    def abandon(self) -> None:
        """Discard the game. If its current state couldn't be saved, earlier saves are kept."""
        if self.keeps or not self.is_wanted:
            self.forget()

    def leave(self) -> tuple[int, str]:
        """Save the game in the best available place. Return the exit status and a message for the player.

        The message says how to continue, or why saving failed. It is empty for a game that hasn't begun.
        """
        _, file, session = self._, self._session.file, self._session
        if not self.is_wanted:
            self.forget()
            return 0, ""
        told, troubles = _("Your game is saved in {path}. To resume it: {command}"), []
        if file is not None:
            try:
                self._writer.write(session.saved(), file)
            except SaveError as error:
                self._file_failed = True
                text = _("Not saved in {path}: {reason}.")
                troubles.append(text.format(path=printable(str(file)), reason=why(error, _)))
            else:
                self.forget()
                return 0, told.format(path=printable(str(file)), command=play_command(file))
        if self._slot is not None:
            try:
                self._slot.write(session.saved())
                kept = self._slot.keep() if session.is_over else None  # others are offered at the next start
            except SaveError as error:
                self._failed = True
                troubles.append(not_saved(error, _))
            else:
                path = printable(str(kept or self._slot.path))
                return 0, " ".join([*troubles, told.format(path=path, command=play_command(kept))])
        if not troubles:
            troubles.append(_("The game couldn't be saved. {reason}.").format(reason=_("no writable folder found")))
        return 1, " ".join(troubles)

    def end(self) -> tuple[int, str]:
        """Do the same as `leave` when no one can be asked, and mention an earlier save if it fails."""
        status, text = self.leave()
        return status, f"{text} {self._remainder()}" if status else text

    def release(self) -> None:
        """Release the slot and the player's file, so that other programs can use them."""
        if self._session.file is not None:
            let_go(self._session.file)
        if self._slot is not None:
            with contextlib.suppress(OSError):
                self._slot.release()


class Unsaved(Saver):
    """A saver for lessons and practice questions, which there is no reason to save."""

    def leave(self) -> tuple[int, str]:
        """Return success and no message, without saving anything."""
        return 0, ""


def _refuse(path: Path) -> None:
    """Raise `SaveError` if a player can't be stored in a saved game."""
    if is_slot(path):  # the slot is emptied when the game ends, or another game takes it
        raise SaveError(f"{path}: this name is reserved for games that save themselves; choose another one")
    refuse_overwrite(path)
