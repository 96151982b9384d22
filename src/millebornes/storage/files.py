"""Choose folders for files, write files in one step, and explain errors of the operating system."""

import contextlib
import errno
import glob
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import platformdirs

from millebornes.errors import SaveError
from millebornes.i18n import N_

NAME = "millebornes"


def _folder(name: str, usual: Callable[..., Path]) -> Path:
    home = os.environ.get("MILLEBORNES_HOME")
    return Path(home) / name if home else usual(NAME, appauthor=False)


def cache_folder() -> Path:
    """Return the folder for files that can be created again (MILLEBORNES_CACHE). It may not exist yet."""
    chosen = os.environ.get("MILLEBORNES_CACHE")
    return Path(chosen) if chosen else _folder("cache", platformdirs.user_cache_path)


def data_folder() -> Path:
    """Return the folder for saved games and other data. The folder may not exist yet."""
    return _folder("data", platformdirs.user_data_path)


def config_folder() -> Path:
    """Return the folder for preferences. The folder may not exist yet."""
    return _folder("config", platformdirs.user_config_path)


def logs_folder() -> Path:
    """Return the folder for the logs of other programs, such as bots. The folder may not exist yet."""
    return _folder("logs", platformdirs.user_log_path)


def saves_folder() -> Path:
    """Return the folder for autosaves. The folder may not exist yet."""
    return data_folder() / "saves"


_FULL: Final = N_("the disk is full")
_FORBIDDEN: Final = N_("permission was denied")

_REASONS: Final = {
    "ENOSPC": _FULL,
    "EDQUOT": N_("your disk quota is used up"),
    "EFBIG": N_("the file would be larger than this system allows"),
    "EROFS": N_("the disk is read-only"),
    "EACCES": _FORBIDDEN,
    "EPERM": _FORBIDDEN,
    "ENOENT": N_("the folder does not exist"),
    "ENOTDIR": N_("the folder does not exist"),
    "EISDIR": N_("there is a folder with that name"),
    "EIO": N_("the disk reported an error"),
    "ENAMETOOLONG": N_("the name is too long"),
}
"""The reasons for failures, by the name of the error. Not every operating system has all of these errors."""

_BY_NUMBER: Final = {number: reason for name, reason in _REASONS.items() if (number := getattr(errno, name, None))}

_WINDOWS: Final = {32: N_("another program has it open"), 33: N_("another program has it open"), 39: _FULL, 112: _FULL}
"""The reasons for Windows errors that errno describes less precisely."""


def reason_of(error: OSError) -> str:
    """Return the reason for an error, which can be translated unless the operating system words it."""
    windows = _WINDOWS.get(getattr(error, "winerror", None) or 0)
    return windows or _BY_NUMBER.get(error.errno or 0) or error.strerror or str(error)


def refusal(path: Path, error: OSError, what: str = "cannot be written") -> SaveError:
    """Return an error that says that a file can't be written (or another ``what``), and why."""
    reason = reason_of(error)
    return SaveError(f"{path}: {what} ({reason})", reason)


TEMPORARY: Final = ".tmp"
"""The extension of temporary files. If a program is killed and leaves one behind, the next write removes it."""

PAUSES: Final = (0.01, 0.03, 0.1, 0.3, 0.6)
"""The pauses in seconds in which Windows programs, such as virus scanners, may close a file to be replaced."""


def write_atomically(path: Path, data: bytes | Iterable[bytes], mode: int = 0o666) -> None:
    """Replace the contents of a file in one step, and return after they are on the disk.

    ``data`` contains the new contents, either as a whole or in parts. If the path is a symbolic link, its target is
    replaced. The folder must exist. A new file gets the permissions ``mode`` minus the umask of the process, and an
    existing file keeps its permissions. If this fails, the old file is unchanged, and a `SaveError` with the reason is
    raised.
    """
    try:
        _write(path, (data,) if isinstance(data, bytes) else data, mode)
    except OSError as error:
        raise refusal(path, error) from None
    except ValueError as error:  # the path isn't a valid file name
        raise SaveError(f"{str(path)!r}: cannot be written ({error})") from None


def _write(path: Path, parts: Iterable[bytes], new_mode: int) -> None:
    target = Path(os.path.realpath(path))
    mode = None
    with contextlib.suppress(FileNotFoundError):
        status = target.stat()
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "not a regular file")
        if not os.access(target, os.W_OK):
            raise PermissionError(0, "the file is read-only")
        mode = stat.S_IMODE(status.st_mode)
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


def read_whole(path: Path, what: str) -> bytes | None:
    """Return the contents of a file, or None if there is no file. Raises a `SaveError` that calls it ``what``."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SaveError(f"{path}: {what} cannot be read ({error.strerror or error})") from None


def refuse_device(path: Path, what: str) -> None:
    """Raise a `SaveError` if a path names a device or a pipe, which can't be ``what``. Reading one may never end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise SaveError(f"{path}: isn't a regular file; it cannot be {what}")


def replace_file(source: Path, target: Path) -> None:
    """Rename a file so that it replaces another. Raises `OSError`, on Windows after several attempts."""
    for pause in PAUSES if sys.platform == "win32" else ():
        try:
            source.replace(target)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    source.replace(target)


def rename_to_free(path: Path, names: Iterable[Path]) -> Path:
    """Rename a file to the first of ``names`` that is free, and return this name. Raises `OSError`.

    Each name is tried by creating an empty file, so that two programs never choose the same one.
    """
    for name in names:
        try:
            os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        try:
            return path.replace(name)
        except OSError:
            with contextlib.suppress(OSError):
                if not name.stat().st_size:  # on a network drive, the file may have been renamed in spite of the error
                    name.unlink()
            raise
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))


def _sync_folder(folder: Path) -> None:
    """Make the new file name permanent too. Windows and some network drives can't do this."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sweep(folder: Path, name: str = "") -> None:
    """Delete temporary files that killed programs left in a folder of ours, perhaps only those of one file."""
    for left in folder.glob(f".{glob.escape(name)}{'.' if name else ''}*{TEMPORARY}"):
        with contextlib.suppress(OSError):
            left.unlink()


def make_room(folder: Path, room: int, pattern: str = "*", *, smallest: int = 0) -> None:
    """Delete the oldest files in one of our folders until the others take up at most ``room`` bytes.

    The latest file is always kept. Each file counts as at least ``smallest`` bytes.
    """
    files = []
    for path in folder.glob(pattern):
        with contextlib.suppress(OSError):
            status = path.lstat()
            files.append((status.st_mtime_ns, max(smallest, status.st_size), path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files)[:-1]:
        if total <= room:
            return
        with contextlib.suppress(OSError):
            path.unlink()
        total -= size
