"""The autosave: a game in play writes itself into a slot of its own after every move.

A slot is a file in the saves folder and a lock on it, so that two games at once do not write over each other.
"""

import contextlib
import datetime
from pathlib import Path
from typing import IO, Final

from millebornes.errors import SaveError
from millebornes.storage.atomic import sweep
from millebornes.storage.folders import saves_folder
from millebornes.storage.saves import SavedGame, SaveWriter, is_begun, peek
from millebornes.storage.seal import Sealed

__all__ = ["AutosaveSlot", "open_slot", "slot_of", "unfinished"]

SLOTS: Final = 16
"""Unfinished games that wait to be offered; when another comes, the oldest gets a file of its own."""

MOST_KEPT: Final = 1000


class AutosaveSlot:
    """A slot that this process holds. Raises nothing when made; `write` raises `SaveError`."""

    def __init__(self, path: Path, lock: IO[bytes]) -> None:
        self.path = path
        self._lock: IO[bytes] | None = lock
        self._writer = SaveWriter()

    def write(self, game: SavedGame) -> None:
        """Save the game as it stands. Raises `SaveError`."""
        self._writer.write(game, self.path)

    def peek(self) -> Sealed:
        """What the slot holds. Raises `SaveError`."""
        return peek(self.path)

    def clear(self) -> None:
        """Forget the saved game."""
        with contextlib.suppress(OSError):
            self.path.unlink()

    def keep(self) -> Path:
        """Give the saved game a file of its own in the same folder, safe from new games. Raises `SaveError`."""
        stamp = datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S")
        for n in range(1, MOST_KEPT):
            path = self.path.with_name(f"game-{stamp}{'' if n == 1 else f'-{n}'}.jsonl")
            if not path.exists():
                try:
                    self.path.rename(path)
                except OSError as error:
                    raise SaveError(f"{path}: cannot be written ({error.strerror or error})") from None
                return path
        raise SaveError(f"{self.path.parent}: too many saved games")

    def release(self) -> None:
        """Let other processes have the slot."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def open_slot() -> AutosaveSlot:
    """A free slot that holds no game. Raises `SaveError` when nothing can be written there."""
    for n in range(1, SLOTS + 1):
        slot = _try(n, create=True)
        if slot is not None:
            if not slot.path.exists():
                return slot
            slot.release()
    for n in reversed(_latest_first()):
        slot = _try(n, create=True)
        if slot is not None:
            try:
                slot.keep()
            except SaveError:
                slot.release()
                raise
            return slot
    raise SaveError(f"{saves_folder()}: {SLOTS} games are being played already")


def unfinished(file: Path | None = None) -> AutosaveSlot | None:
    """The slot with the latest unfinished game that no running program plays, or None.

    With ``file``: only a game that was begun from that save. Damaged or newer files are passed over, and left alone; a
    game in which nothing has been played is deleted.
    """
    for n in _latest_first():
        with contextlib.suppress(SaveError):
            slot = _try(n, create=False)
            if slot is None:
                continue
            with contextlib.suppress(SaveError):
                sealed = slot.peek()
                if not is_begun(sealed):
                    slot.clear()
                elif not sealed.save.get("finished") and (file is None or sealed.save.get("file") == str(file)):
                    return slot
            slot.release()
    return None


def _latest_first() -> list[int]:
    """The numbers of the slots that hold something."""
    found: list[tuple[float, int]] = []
    for n in range(1, SLOTS + 1):
        with contextlib.suppress(OSError):
            found.append((_path(n).stat().st_mtime, n))
    return [n for _, n in sorted(found, reverse=True)]


def slot_of(path: Path) -> AutosaveSlot | None:
    """The slot that a file is, locked; None for any other file. Raises `SaveError` while its game is being played."""
    for n in range(1, SLOTS + 1):
        if path == _path(n).absolute():
            slot = _try(n, create=False)
            if slot is None:
                raise SaveError(f"{path}: this game is being played by another running program")
            return slot
    return None


def _path(n: int) -> Path:
    return saves_folder() / f"autosave-{n}.jsonl"


def _try(n: int, *, create: bool) -> AutosaveSlot | None:
    """Take the lock of a slot; None when another process has it. Raises `SaveError`."""
    path = _path(n)
    lock = path.with_suffix(".lock")
    try:
        if create:
            path.parent.mkdir(parents=True, exist_ok=True)
            if n == 1:
                _sweep_old(path.parent)
        stream = lock.open("ab")
    except OSError as error:
        raise SaveError(f"{lock}: cannot be written ({error.strerror or error})") from None
    if not _lock(stream):
        stream.close()
        return None
    return AutosaveSlot(path, stream)


def _sweep_old(folder: Path) -> None:
    """Temporary files are in use for moments only; those of before today's last hour were left by killed programs."""
    hour_ago = datetime.datetime.now().timestamp() - 3600
    with contextlib.suppress(OSError):
        if any(left.stat().st_mtime < hour_ago for left in folder.glob(".*.tmp")):
            sweep(folder)


def _lock(stream: IO[bytes]) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
