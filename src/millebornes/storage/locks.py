"""Locks that let only one program at a time play a saved game.

A lock is a separate file that the program keeps open and locked. The operating system releases the lock when the
program ends, even after a crash. Lock files are in the data folder, because the folder of a save may be read-only, and
shouldn't get additional files.
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

TRIES: Final = 3
PAUSE: Final = 0.05
"""The pause between attempts, in seconds."""

_held: Final[dict[Path, "FileLock"]] = {}
"""The locks that this program holds, by lock file."""
_guard: Final = threading.Lock()


class FileLock:
    """A lock on the lock file ``path``, which this object holds until `release` is called."""

    def __init__(self, path: Path, stream: IO[bytes]) -> None:
        self.path: Final = path
        self._stream: IO[bytes] | None = stream

    @classmethod
    def take(cls, path: Path) -> "FileLock | None":
        """Return the lock, or None if it is taken. Raises `OSError` if there can't be a lock at this path."""
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
            stream.close()  # the previous holder removed the file after we opened it and before we locked it

    def fileno(self) -> int:
        """Return the file descriptor of the lock file. A process that inherits it also holds the lock."""
        assert self._stream is not None
        return self._stream.fileno()

    def release(self, *, remove: bool = False) -> None:
        """Release the lock. If ``remove`` is true, also delete the lock file."""
        if self._stream is None:
            return
        stream, self._stream = self._stream, None
        if sys.platform == "win32":  # this fails on Windows if another program has the file open
            stream.close()
        if remove:
            with contextlib.suppress(OSError):
                self.path.unlink()
        stream.close()


def hold_save(path: Path) -> None:
    """Keep other programs from playing the saved game at ``path`` until `let_go` is called or this program ends.

    Holding the same game again has no effect. Raises `SaveError` if another program is playing the game. If locking is
    impossible because the data folder isn't writable, nothing is locked and no error is raised.
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
                time.sleep(PAUSE)  # `is_played_elsewhere` may hold the lock for a moment
                lock = FileLock.take(file)
        except OSError:
            return
        if lock is None:
            raise played_elsewhere(path)
        _held[file] = lock


def let_go(path: Path | None = None) -> None:
    """Let other programs play a saved game again or, without a path, all games that this program holds."""
    with _guard:
        files = list(_held) if path is None else [lock_file(path)]
        locks = [_held.pop(file) for file in files if file in _held]
    for lock in locks:
        lock.release(remove=True)


def is_played_elsewhere(path: Path) -> bool:
    """Return whether another program is playing a saved game at the moment."""
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
    """Return an error that says that another program is playing this saved game."""
    return SaveError(f"{path}: this game is being played by another running program")


def lock_file(path: Path) -> Path:
    """Return the path of the lock file for a save, which is the same for all names of the save."""
    real = os.path.normcase(os.path.realpath(path))
    return data_folder() / "locks" / f"{hashlib.sha256(os.fsencode(real)).hexdigest()[:32]}.lock"


def _open(path: Path) -> IO[bytes]:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)  # don't block if the name belongs to a pipe
    descriptor = os.open(path, flags, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "not a regular file")
    return open(descriptor, "r+b", buffering=0)  # noqa: PTH123 # it is open already


def _is_still(path: Path, stream: IO[bytes]) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(stream.fileno()))
    except FileNotFoundError:
        return False


def _lock(stream: IO[bytes]) -> bool:
    """Lock an open file. Return False if another program has locked it. Raises `OSError` if there are no locks."""
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
