"""The cache folder, and the files of compiled code in it.

The folder is named after a hash of all kernel sources, of versions, and of whether bounds are checked, because a kernel
depends on code from other modules. Its files are also named after the processor. Whatever is in the folder, reading a
file returns exactly what was written, or None, and never raises an error.
"""

import contextlib
import functools
import hashlib
import importlib.util
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import llvmlite
import llvmlite.binding as llvm
import numpy
import platformdirs

__all__ = [
    "BOUNDS_CHECKED",
    "KERNEL_PACKAGES",
    "KernelStore",
    "cache_folder",
    "is_prepared",
    "mark_prepared",
    "open_folder",
    "processor",
    "remove_unused",
    "sources_beside",
    "store",
]

BOUNDS_CHECKED: Final = os.environ.get("NUMBA_BOUNDSCHECK", "0").strip() not in ("", "0")
"""Whether kernels check each memory access, following the setting of Numba."""

KERNEL_PACKAGES: Final = (
    "kernels",
    "rules",
    "rules/clauses",
    "policies",
    "policies/maxims",
    "search",
    "arena",
    "data",
    "envs",
)
"""Folders of this package that can contain kernels. The name of the cache folder depends on all their sources."""

CODE_SETTINGS: Final = (
    "BOUNDSCHECK CPU_FEATURES CPU_NAME DEBUGINFO DISABLE_JIT ENABLE_AVX LOOP_VECTORIZE OPT SLP_VECTORIZE"
).split()
"""Settings of Numba that change its code, if they are set in the environment (such as ``NUMBA_OPT``)."""

MAX_BYTES: Final = 1 << 28
"""The largest size of a file that can be ours, in bytes."""
OWN: Final = 0o700
OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
ROOT: Final = 0
MAX_UNUSED_SECONDS: Final = 30 * 24 * 3600.0
"""Seconds after which a folder that no program has opened is assumed to belong to a version no longer installed."""
STAMP: Final = "prepared"
PACKAGE: Final = Path(__file__).parent.parent


# ---------------------------------------------------------------- folders


def open_folder(folder: Path) -> Path | None:
    """Create a folder for compiled code, or use an existing one. Returns None if it can't be used.

    Code from this folder is run, so it must belong to this user (or to root), and no one else may be able to write to
    it. Anything else of that name is removed. A folder that can't be written to may still contain code compiled
    earlier. The folder's modification time is set to now, for `remove_unused`.
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
    """Remove the folders in ``base`` that match ``pattern`` and were last opened more than a month ago.

    A program that still uses such a folder has its code in memory, and compiles again what it finds missing. Links,
    and folders that belong to someone else, are kept.
    """
    before = time.time() - MAX_UNUSED_SECONDS
    with contextlib.suppress(OSError):
        for folder in base.glob(pattern):
            with contextlib.suppress(OSError):
                found = folder.lstat()
                if stat.S_ISDIR(found.st_mode) and found.st_mtime < before and _is_safe(folder):
                    # Rename it first, so that no program finds it with only part of its files.
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
    if not hasattr(os, "geteuid"):  # Windows, where a user's folder is private
        return True
    return found.st_uid in (os.geteuid(), ROOT) and not found.st_mode & OTHERS_WRITE


# ---------------------------------------------------------------- files


class KernelStore:
    """A folder of named files, each of which starts with a checksum. If the folder is None, nothing is stored."""

    def __init__(self, folder: Path | None) -> None:
        self.folder: Final = folder
        self.used: Final[set[str]] = set()
        """The names of files read or written here."""
        self.refuses = False
        """Whether the latest file could not be written."""

    def read(self, name: str) -> bytes | None:
        """Return the data written under a name, or None if it is missing or damaged."""
        if self.folder is None:
            return None
        try:
            # Without O_NONBLOCK, opening a pipe of that name would wait.
            number = os.open(
                self.folder / name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
            )
            with os.fdopen(number, "rb") as file:
                found = os.fstat(number)
                if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_BYTES:
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
        """Write data under a name, completely or not at all, and return whether that was possible.

        The file is not synced. If a crash damages it, the checksum shows that, and the kernel is compiled again.
        """
        if self.folder is None:
            return False
        temporary, self.refuses = None, True
        try:
            self.folder.mkdir(mode=OWN, exist_ok=True)  # it may have been removed
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
    """Rename a file, even if there is a folder at the new path."""
    try:
        temporary.replace(path)
    except OSError:
        if not path.is_dir() or path.is_symlink():
            raise
        shutil.rmtree(path)
        temporary.replace(path)


# ---------------------------------------------------------------- names


@functools.cache
def processor() -> str:
    """Return a hash of the processor and of Numba's settings, on which machine code depends besides its source."""
    asked = [(name, os.environ.get(f"NUMBA_{name}")) for name in CODE_SETTINGS]
    features = llvm.get_host_cpu_features().flatten()
    key = repr((llvm.get_process_triple(), llvm.get_host_cpu_name(), features, asked))
    return hashlib.sha256(key.encode()).hexdigest()[:16]


@functools.cache
def sources_beside(path: Path) -> str:
    """Return a hash of the kernel sources that belong with a file outside this package, or "" for files inside it.

    These are all sources in the file's outermost package, or only the file if it isn't in a package. The sources of
    this package are already part of the name of the cache folder.
    """
    if path.is_relative_to(PACKAGE):
        return ""
    top = path
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    return _hash_of(sorted(top.rglob("*.py")) if top.is_dir() else [top], path.name)


def _hash_of(files: Iterable[Path], start: str) -> str:
    """Return a hash of those files that contain kernels, and of everything in `rules`."""
    digest = hashlib.sha256(start.encode())
    for path in files:
        try:
            text = path.read_bytes()
        except OSError:  # typed into an interpreter, or no longer on disk
            continue
        if b"kernel" in text or path.parent in (PACKAGE / "rules", PACKAGE / "rules" / "clauses"):
            digest.update(path.name.encode() + b"\0" + text)
    return digest.hexdigest()[:16]


def _version_of_numba() -> str:
    """Return a string that depends on Numba's version, without the long time that importing Numba takes."""
    found = importlib.util.find_spec("numba")
    try:
        text = Path(found.origin).with_name("_version.py").read_bytes() if found and found.origin else b""
    except OSError:
        text = b""
    if not text:
        import numba

        return str(numba.__version__)
    return hashlib.sha256(text).hexdigest()


def _choose_folder() -> Path | None:
    """Return the cache folder, or None if it can't be used.

    It is in MILLEBORNES_CACHE, or else in the platform's cache folder. Without a folder, kernels are compiled again
    each time.
    """
    chosen = os.environ.get("MILLEBORNES_CACHE")
    base = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("millebornes", appauthor=False))
    versions = f"{sys.version_info[:2]} {_version_of_numba()} {llvmlite.__version__} {numpy.__version__}"
    sources = (path for name in KERNEL_PACKAGES for path in sorted((PACKAGE / name).glob("*.py")))
    folder = base / f"kernels-{_hash_of(sources, f'{versions} {BOUNDS_CHECKED}')}"
    is_new = not folder.is_dir()
    opened = open_folder(folder)
    if is_new and opened is not None:  # the first start of a version: older ones may be unused
        remove_unused(base, "kernels-*")
    return opened


cache_folder: Final = _choose_folder()
"""The folder in which compiled kernels are kept, or None if they can't be kept."""

store: Final = KernelStore(cache_folder)
"""The files in that folder."""


# ---------------------------------------------------------------- prepared kernels

_found: Final[set[tuple[Path, str]]] = set()
"""The folders and purposes known to be prepared."""


def _list_of(what: str) -> str:
    """Return the name of the file that lists the kernels of a player or a purpose, for this processor."""
    return f"{STAMP}-{what}-{processor()}"


def is_prepared(what: str) -> bool:
    """Return whether all kernels that a player or a purpose needs are stored, so that no use of them takes long.

    The files must be for this processor, because code compiled on another one is no use here.
    """
    if cache_folder is None:
        return False
    if (cache_folder, what) in _found:
        return True
    names = KernelStore(cache_folder).read(_list_of(what))
    if names is None or not all((cache_folder / name).is_file() for name in names.decode().split()):
        return False
    _found.add((cache_folder, what))
    return True


def mark_prepared(what: str) -> None:
    """Record that these kernels are stored. The list contains all kernels that this process has used so far."""
    if cache_folder is not None and not store.refuses:
        names = " ".join(sorted(name for name in store.used if not name.startswith(STAMP)))
        KernelStore(cache_folder).write(_list_of(what), names.encode())
