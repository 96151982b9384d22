"""Locks: a saved game is played by one program at a time.

A lock is a file of its own that a program keeps open and locked; the system lets it go when the program ends, however
it ends. It lies in the data folder, as a save may lie where nothing else can be written, or nothing else is wanted.
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
"""Seconds."""

_held: Final[dict[Path, "FileLock"]] = {}
"""What this program holds, by the lock's file."""
_guard: Final = threading.Lock()


class FileLock:
    """The lock ``path``, held by this object until `release`."""

    def __init__(self, path: Path, stream: IO[bytes]) -> None:
        self.path: Final = path
        self._stream: IO[bytes] | None = stream

    @classmethod
    def take(cls, path: Path) -> "FileLock | None":
        """Take a lock; None when somebody else has it. Raises `OSError` when there can be none at that place."""
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
            stream.close()  # its holder removed it between our opening it and our locking it

    def fileno(self) -> int:
        """The descriptor of its file: a process that inherits it holds the lock, too."""
        assert self._stream is not None
        return self._stream.fileno()

    def release(self, *, remove: bool = False) -> None:
        """Let others have it; ``remove`` takes its file away too."""
        if self._stream is None:
            return
        stream, self._stream = self._stream, None
        if sys.platform == "win32":  # removes no file that is open; who opened it meanwhile keeps it
            stream.close()
        if remove:
            with contextlib.suppress(OSError):
                self.path.unlink()
        stream.close()


def hold_save(path: Path) -> None:
    """Keep other programs from playing the saved game ``path``, until `let_go` or the end of this program.

    To hold what one holds already changes nothing. Raises `SaveError` while another program holds it. Where no locks
    can be had (the data folder cannot be written), nothing is held and nobody refused.
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
                time.sleep(PAUSE)  # `is_played_elsewhere` has it for a moment
                lock = FileLock.take(file)
        except OSError:
            return
        if lock is None:
            raise played_elsewhere(path)
        _held[file] = lock


def let_go(path: Path | None = None) -> None:
    """Let other programs play a saved game that was held, or without a path all that were."""
    with _guard:
        files = list(_held) if path is None else [lock_file(path)]
        locks = [_held.pop(file) for file in files if file in _held]
    for lock in locks:
        lock.release(remove=True)


def is_played_elsewhere(path: Path) -> bool:
    """Whether another program holds a saved game now."""
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
    """The error for a saved game that another program plays."""
    return SaveError(f"{path}: this game is being played by another running program")


def lock_file(path: Path) -> Path:
    """The lock's file: the same for all names of a save, links to it included."""
    real = os.path.normcase(os.path.realpath(path))
    return data_folder() / "locks" / f"{hashlib.sha256(os.fsencode(real)).hexdigest()[:32]}.lock"


def _open(path: Path) -> IO[bytes]:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)  # a pipe in its place must not keep us waiting
    descriptor = os.open(path, flags, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "not a regular file")
    return open(descriptor, "r+b", buffering=0)  # noqa: PTH123 # it is open already


def _is_still(path: Path, stream: IO[bytes]) -> bool:
    """Whether the file that was opened is still the one of that name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(stream.fileno()))
    except FileNotFoundError:
        return False


def _lock(stream: IO[bytes]) -> bool:
    """Lock an open file; False when somebody else has. Raises `OSError` where files cannot be locked."""
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
    except (BlockingIOError, PermissionError):  # the second on some network drives
        return False
    return True
