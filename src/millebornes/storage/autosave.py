"""Autosave: a running game is saved in its slot after every move.

A slot is a file in the folder for saves. It has a lock, so that two running games never overwrite each other.
"""

import contextlib
import datetime
import itertools
import os
from pathlib import Path
from typing import Final

from millebornes.errors import SaveError
from millebornes.storage.files import refusal, rename_to_free, saves_folder, sweep
from millebornes.storage.locks import FileLock, is_played_elsewhere, played_elsewhere
from millebornes.storage.saves import SavedGame, SaveWriter, file_text, is_begun, peek

MAX_SLOTS: Final = 16
"""The maximum number of games in slots. When another game starts, the oldest moves to a separate file."""


class AutosaveSlot:
    """A slot that this process has locked. Creating the object never fails, but `write` can raise `SaveError`."""

    def __init__(self, path: Path, lock: FileLock) -> None:
        self.path = path
        self._lock = lock
        self._writer = SaveWriter()

    def write(self, game: SavedGame) -> None:
        """Save the current state of the game in the slot. Raises `SaveError`."""
        self._writer.write(game, self.path)

    def clear(self) -> None:
        """Delete the saved game."""
        with contextlib.suppress(OSError):
            self.path.unlink()

    def keep(self) -> Path:
        """Move the saved game to a separate file, so that new games can't replace it. Raises `SaveError`."""
        stamp = datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S")
        names = (self.path.with_name(f"game-{stamp}{'' if n == 1 else f'-{n}'}.jsonl") for n in itertools.count(1))
        try:
            return rename_to_free(self.path, names)
        except OSError as error:
            raise refusal(Path(error.filename2 or error.filename), error) from None

    def release(self) -> None:
        """Release the slot for other processes."""
        self._lock.release()


def open_slot() -> AutosaveSlot:
    """Return a free and empty slot. Raises `SaveError` if it can't be written to."""
    _sweep_old(saves_folder())
    used, trouble = _latest_first(), None
    for path in [*(path for path in _paths() if path not in used), *reversed(used)]:
        try:
            slot = _try(path, create=True)
            if slot is None:
                continue
            try:
                if os.path.lexists(path):
                    slot.keep()
            except SaveError:
                slot.release()
                raise
        except SaveError as error:  # for example, something other than a file has the name of the lock
            trouble = trouble or error
        else:
            return slot
    raise trouble or SaveError(f"{saves_folder()}: {MAX_SLOTS} games are already being played")


def unfinished(file: Path | None = None) -> AutosaveSlot | None:
    """Return the slot with the latest unfinished game that isn't being played in another program, or None.

    If ``file`` is given, only a game that was continued from this save counts. Damaged files and files from newer
    versions are skipped and left as they are. Games in which no move has been made are deleted.
    """
    for path in _latest_first():
        with contextlib.suppress(SaveError):
            slot = _try(path)
            if slot is None:
                continue
            with contextlib.suppress(SaveError):
                verified = peek(path)
                if not is_begun(verified):
                    slot.clear()
                elif not verified.save.get("finished") and (
                    file is None or verified.save.get("file") == file_text(file)
                ):
                    return slot
            slot.release()
    return None


def slot_of(path: Path) -> AutosaveSlot | None:
    """Lock and return the slot of a file, or None if it has none. Raises `SaveError` if the game is being played."""
    slot = _try(saves_folder() / path.name) if is_slot(path) else None
    if slot is None and (is_slot(path) or is_played_elsewhere(path)):
        raise played_elsewhere(path)
    return slot


def is_slot(path: Path) -> bool:
    """Return whether a file is an autosave slot."""
    folder = saves_folder()
    return os.path.realpath(path.parent) == os.path.realpath(folder) and folder / path.name in _paths()


def _paths() -> list[Path]:
    return [saves_folder() / f"autosave-{n}.jsonl" for n in range(1, MAX_SLOTS + 1)]


def _latest_first() -> list[Path]:
    dated: list[tuple[float, Path]] = []
    for path in _paths():
        with contextlib.suppress(OSError):
            dated.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(dated, reverse=True)]


def _try(path: Path, *, create: bool = False) -> AutosaveSlot | None:
    """Lock a slot and return it, or return None if another process has locked it. Raises `SaveError`."""
    lock = path.with_suffix(".lock")
    try:
        if create:
            path.parent.mkdir(parents=True, exist_ok=True)
        held = FileLock.take(lock)
    except OSError as error:
        raise refusal(lock, error) from None
    return None if held is None else AutosaveSlot(path, held)


def _sweep_old(folder: Path) -> None:
    """Delete the temporary files in a folder if one is older than an hour, so that its program was killed."""
    hour_ago = datetime.datetime.now().timestamp() - 3600
    with contextlib.suppress(OSError):
        if any(left.stat().st_mtime < hour_ago for left in folder.glob(".*.tmp")):
            sweep(folder)
