"""Writing a file so that at every moment either the old or the new one is there, whole."""

import contextlib
import glob
import os
import stat
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from millebornes.errors import SaveError
from millebornes.storage.refusals import refusal

__all__ = ["replace_file", "write_atomically"]

TEMPORARY: Final = ".tmp"
"""How the names of temporary files end; one that a killed program left behind is removed by the next write."""

PAUSES: Final = (0.01, 0.03, 0.1, 0.3, 0.6)
"""Seconds between the tries on Windows, where no file is replaced that another program has open (a virus scanner)."""


def write_atomically(path: Path, data: bytes | Iterable[bytes], mode: int = 0o666) -> None:
    """Replace a file's content in one step, and see it on the disk before returning.

    ``data`` is the whole, or its parts one after the other. A symbolic link is followed. The folder must exist; a new
    file gets the permissions of ``mode`` less the process's mask, an existing one keeps its own. Raises `SaveError`
    that says what went wrong; the old file is then untouched.
    """
    try:
        _write(path, (data,) if isinstance(data, bytes) else data, mode)
    except OSError as error:
        raise refusal(path, error) from None
    except ValueError as error:  # a name that no file can have
        raise SaveError(f"{str(path)!r}: cannot be written ({error})") from None


def _write(path: Path, parts: Iterable[bytes], new_mode: int) -> None:
    target = Path(os.path.realpath(path))
    mode = None
    with contextlib.suppress(FileNotFoundError):
        found = target.stat()
        if not stat.S_ISREG(found.st_mode):
            raise OSError(0, "not a regular file")
        if not os.access(target, os.W_OK):
            raise PermissionError(0, "the file is read-only")
        mode = stat.S_IMODE(found.st_mode)
    temporary = target.with_name(f".{target.name[:200]}.{os.getpid()}-{os.urandom(4).hex()}{TEMPORARY}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), new_mode)
    try:
        try:
            for part in parts:
                view = memoryview(part)
                while view:
                    view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if mode is not None:
            temporary.chmod(mode)
        replace_file(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def replace_file(source: Path, target: Path) -> None:
    """Rename a file over another one. Raises `OSError`, on Windows after some tries only."""
    for pause in PAUSES if sys.platform == "win32" else ():
        try:
            source.replace(target)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    source.replace(target)


def _sync_folder(folder: Path) -> None:
    """Make the new name last too, where folders can be synced (not on Windows, nor on some network drives)."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sweep(folder: Path, name: str = "") -> None:
    """Remove temporary files that killed programs left in a folder of our own, or those of one file in any folder."""
    for left in folder.glob(f".{glob.escape(name)}{'.' if name else ''}*{TEMPORARY}"):
        with contextlib.suppress(OSError):
            left.unlink()
