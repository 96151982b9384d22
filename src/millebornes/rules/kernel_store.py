"""Files of compiled code: whatever lies in the folder, reading finds what was written or nothing, and never fails."""

import contextlib
import hashlib
import os
import shutil
import stat
import tempfile
import time
from pathlib import Path
from typing import Final

__all__ = ["KernelStore", "open_folder", "remove_unused"]

MOST: Final = 1 << 28
"""Bytes of a file that may be ours."""
OWN: Final = 0o700
OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
ROOT: Final = 0
UNUSED: Final = 30 * 24 * 3600.0
"""Seconds after which a folder that no program has opened is taken to belong to a version that is gone."""


def open_folder(folder: Path) -> Path | None:
    """Make a folder for compiled code, or take the one that is there; None where it cannot be used.

    What is read from it is run, so it must belong to this user (or to root), and nobody else may write to it. Something
    else of that name is removed. A folder that cannot be written to may still hold what was compiled before. The time
    of its last change becomes now, for `remove_unused`.
    """
    with contextlib.suppress(OSError):
        if not folder.is_dir():
            folder.unlink(missing_ok=True)
            folder.mkdir(mode=OWN, parents=True, exist_ok=True)
    if not (_is_safe(folder) and os.access(folder, os.R_OK | os.X_OK)):
        return None
    with contextlib.suppress(OSError):
        os.utime(folder)
    return folder


def remove_unused(base: Path, pattern: str) -> None:
    """Remove the folders in ``base`` with such names that were last opened more than a month ago.

    A program that still uses one has its code in memory, and compiles again what it finds missing. Links, and what
    belongs to somebody else, stay.
    """
    before = time.time() - UNUSED
    with contextlib.suppress(OSError):
        for folder in base.glob(pattern):
            with contextlib.suppress(OSError):
                found = folder.lstat()
                if stat.S_ISDIR(found.st_mode) and found.st_mtime < before and _is_safe(folder):
                    # Renamed first: no program may find it with a part of its files.
                    doomed = folder.with_name(f"{folder.name}.{os.getpid()}")
                    folder.rename(doomed)
                    shutil.rmtree(doomed, ignore_errors=True)


def _is_safe(folder: Path) -> bool:
    try:
        found = folder.stat()
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode):
        return False
    if not hasattr(os, "geteuid"):  # Windows, where the folder of a user is private
        return True
    return found.st_uid in (os.geteuid(), ROOT) and not found.st_mode & OTHERS_WRITE


class KernelStore:
    """A folder of files by name, each with a checksum in front; None instead of a folder keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self.folder: Final = folder
        self.used: Final[set[str]] = set()
        """What was read here, or written."""
        self.refuses = False
        """Whether the latest file could not be written."""

    def read(self, name: str) -> bytes | None:
        """What was written under a name; None where that is not there as it was written."""
        if self.folder is None:
            return None
        try:
            # A pipe of that name would otherwise be waited for.
            number = os.open(
                self.folder / name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
            )
            with os.fdopen(number, "rb") as file:
                found = os.fstat(number)
                if not stat.S_ISREG(found.st_mode) or found.st_size > MOST:
                    return None
                data = file.read()
        except OSError:
            return None
        size = hashlib.sha256().digest_size
        if hashlib.sha256(data[size:]).digest() != data[:size]:
            return None
        self.used.add(name)
        return data[size:]

    def write(self, name: str, data: bytes) -> bool:
        """Keep data under a name, whole or not at all; whether that was possible.

        It is not synced: what a crash damages is found by its checksum, and compiled again.
        """
        if self.folder is None:
            return False
        temporary, self.refuses = None, True
        try:
            self.folder.mkdir(mode=OWN, exist_ok=True)  # somebody may have removed it
            number, made = tempfile.mkstemp(prefix=".", dir=self.folder)
            temporary = Path(made)
            with os.fdopen(number, "wb") as file:
                file.write(hashlib.sha256(data).digest() + data)
            _put(temporary, self.folder / name)
        except OSError:
            if temporary is not None:
                with contextlib.suppress(OSError):
                    temporary.unlink()
            return False
        self.refuses = False
        self.used.add(name)
        return True


def _put(temporary: Path, path: Path) -> None:
    """Rename a file, even to where a folder lies."""
    try:
        temporary.replace(path)
    except OSError:
        if not path.is_dir() or path.is_symlink():
            raise
        shutil.rmtree(path)
        temporary.replace(path)
