"""Locks, so that only one program at a time plays a saved game.

A lock is a separate file that a program keeps open and locked. The system releases it when the program ends, even after
a crash. Locks are in the data folder, because the folder of a save may be read-only or should not get other files.
"""

import contextlib
import hashlib
import os
import stat
import sys
import threading
import time
from pathlib import Path
from typing import IO, Final

from millebornes.errors import SaveError
from millebornes.storage.files import data_folder

__all__ = ["FileLock", "hold_save", "is_played_elsewhere", "let_go", "lock_file", "played_elsewhere"]

TRIES: Final = 3
PAUSE: Final = 0.05
"""The pause between attempts, in seconds."""

_held: Final[dict[Path, "FileLock"]] = {}
"""The locks of this program, by lock file."""
_guard: Final = threading.Lock()


class FileLock:
    """The lock file ``path``, held by this object until `release`."""

    def __init__(self, path: Path, stream: IO[bytes]) -> None:
        self.path: Final = path
        self._stream: IO[bytes] | None = stream

    @classmethod
    def take(cls, path: Path) -> "FileLock | None":
        """Return the lock, or None if another holder has it. Raises `OSError` if there can be no lock at that path."""
        while True:
            stream = _open(path)
            try:
                if not _lock(stream):
                    stream.close()
                    return None
                if _is_still(path, stream):
                    return cls(path, stream)
            except BaseException:
                stream.close()
                raise
            stream.close()  # the previous holder removed it after we opened it and before we locked it

    def fileno(self) -> int:
        """Return the file descriptor of the lock. A process that inherits it also holds the lock."""
        assert self._stream is not None
        return self._stream.fileno()

    def release(self, *, remove: bool = False) -> None:
        """Release the lock. ``remove`` also deletes its file."""
        if self._stream is None:
            return
        stream, self._stream = self._stream, None
        if sys.platform == "win32":  # Windows can't remove an open file, so this fails if someone else has opened it
            stream.close()
        if remove:
            with contextlib.suppress(OSError):
                self.path.unlink()
        stream.close()


def hold_save(path: Path) -> None:
    """Keep other programs from playing the saved game ``path``, until `let_go` or the end of this program.

    Holding a save again changes nothing. Raises `SaveError` if another program holds it. If locks are impossible
    because the data folder can't be written, nothing is held and there is no error.
    """
    file = lock_file(path)
    with _guard:
        if file in _held:
            return
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock.take(file)
            for _ in range(TRIES):
                if lock is not None:
                    break
                time.sleep(PAUSE)  # `is_played_elsewhere` holds it for a moment
                lock = FileLock.take(file)
        except OSError:
            return
        if lock is None:
            raise played_elsewhere(path)
        _held[file] = lock


def let_go(path: Path | None = None) -> None:
    """Release a saved game for other programs or, without a path, all that this program holds."""
    with _guard:
        files = list(_held) if path is None else [lock_file(path)]
        locks = [_held.pop(file) for file in files if file in _held]
    for lock in locks:
        lock.release(remove=True)


def is_played_elsewhere(path: Path) -> bool:
    """Return whether another program holds a saved game now."""
    file = lock_file(path)
    with _guard:
        if file in _held or not os.path.exists(file):  # noqa: PTH110 # raises nothing
            return False
        try:
            lock = FileLock.take(file)
        except OSError:
            return False
        if lock is None:
            return True
        lock.release(remove=True)
        return False


def played_elsewhere(path: Path) -> SaveError:
    """Return the error for a saved game that another program is playing."""
    return SaveError(f"{path}: this game is being played by another running program")


def lock_file(path: Path) -> Path:
    """Return the lock file of a save. All names of the save, including links, have the same one."""
    real = os.path.normcase(os.path.realpath(path))
    return data_folder() / "locks" / f"{hashlib.sha256(os.fsencode(real)).hexdigest()[:32]}.lock"


def _open(path: Path) -> IO[bytes]:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)  # don't wait if the name belongs to a pipe
    descriptor = os.open(path, flags, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "not a regular file")
    return open(descriptor, "r+b", buffering=0)  # noqa: PTH123 # it is open already


def _is_still(path: Path, stream: IO[bytes]) -> bool:
    """Return whether the open file is still the one with this name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(stream.fileno()))
    except FileNotFoundError:
        return False


def _lock(stream: IO[bytes]) -> bool:
    """Lock an open file, or return False if another program has locked it. Raises `OSError` if locks are impossible."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except PermissionError:
            return False
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # PermissionError on some network drives
        return False
    return True
