"""The cache folder, and the files of compiled code in it.

A kernel depends on code from other modules, so the folder is named after a hash of all kernel sources, the relevant
versions, and whether memory accesses are checked. The names of its files also depend on the processor. Whatever the
folder contains, reading a file returns either exactly what was written or None, and never raises an error.
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
"""Whether kernels check each memory access. Numba's own setting decides this."""

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
"""The folders of this package that can contain kernels.

The name of the cache folder depends on all source files in them.
"""

CODE_SETTINGS: Final = (
    "BOUNDSCHECK CPU_FEATURES CPU_NAME DEBUGINFO DISABLE_JIT ENABLE_AVX LOOP_VECTORIZE OPT SLP_VECTORIZE"
).split()
"""The settings of Numba that change its code, if they are set in the environment (for example ``NUMBA_OPT``)."""

MAX_BYTES: Final = 1 << 28
"""The maximum size of a stored file, in bytes. Larger files can't be ours."""
OWN: Final = 0o700
OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
ROOT: Final = 0
MAX_UNUSED_SECONDS: Final = 30 * 24 * 3600.0
"""Seconds since a folder was last opened, after which the version that used it is assumed to be uninstalled."""
STAMP: Final = "prepared"
PACKAGE: Final = Path(__file__).parent.parent


# ---------------------------------------------------------------- folders


def open_folder(folder: Path) -> Path | None:
    """Create a folder for compiled code, or use the existing one, and return its path.

    Returns None if the folder can't be used. The program runs code from this folder, so it must belong to the current
    user (or to root), and no one else may be able to write to it. Anything else with this name is removed. A folder
    that isn't writable may still contain code that was compiled earlier. The folder's modification time is set to the
    current time, which `remove_unused` relies on.
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

    A program that is still using such a folder has its code in memory, and compiles whatever it finds missing later.
    Links and folders that belong to other users are kept.
    """
    before = time.time() - MAX_UNUSED_SECONDS
    with contextlib.suppress(OSError):
        for folder in base.glob(pattern):
            with contextlib.suppress(OSError):
                found = folder.lstat()
                if stat.S_ISDIR(found.st_mode) and found.st_mtime < before and _is_safe(folder):
                    # Rename it first, so that no program can find it with some of its files already removed.
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
    if not hasattr(os, "geteuid"):  # Windows, where a user's folder is private by default
        return True
    return found.st_uid in (os.geteuid(), ROOT) and not found.st_mode & OTHERS_WRITE


# ---------------------------------------------------------------- files


class KernelStore:
    """A folder of named files, each of which starts with a checksum. If the folder is None, nothing is stored."""

    def __init__(self, folder: Path | None) -> None:
        self.folder: Final = folder
        self.used: Final[set[str]] = set()
        """The names of all files read or written through this object."""
        self.refuses = False
        """Whether the last attempt to write a file failed."""

    def read(self, name: str) -> bytes | None:
        """Return the data stored under a name, or None if the file is missing or damaged."""
        if self.folder is None:
            return None
        try:
            # Without O_NONBLOCK, opening a pipe with that name would block.
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
        """Store data under a name, either completely or not at all, and return whether it was possible.

        The file isn't flushed to the disk. If a crash damages it, the checksum reveals the damage and the kernel is
        compiled again.
        """
        if self.folder is None:
            return False
        temporary, self.refuses = None, True
        try:
            self.folder.mkdir(mode=OWN, exist_ok=True)  # the folder may have been removed
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
    """Rename a file to a path, even if a folder already has that path."""
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
    """Return a hash of the processor and Numba's settings, which affect the machine code as much as its source does."""
    asked = [(name, os.environ.get(f"NUMBA_{name}")) for name in CODE_SETTINGS]
    features = llvm.get_host_cpu_features().flatten()
    key = repr((llvm.get_process_triple(), llvm.get_host_cpu_name(), features, asked))
    return hashlib.sha256(key.encode()).hexdigest()[:16]


@functools.cache
def sources_beside(path: Path) -> str:
    """Return a hash of the kernel sources that belong with a file outside this package, or "" for a file inside it.

    They are all source files of the outermost package around the file, or only the file itself if it isn't in a
    package. The name of the cache folder already depends on the sources of this package.
    """
    if path.is_relative_to(PACKAGE):
        return ""
    top = path
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    return _hash_of(sorted(top.rglob("*.py")) if top.is_dir() else [top], path.name)


def _hash_of(files: Iterable[Path], start: str) -> str:
    """Return a hash of the files that contain kernels, and of all files in `rules`."""
    digest = hashlib.sha256(start.encode())
    for path in files:
        try:
            text = path.read_bytes()
        except OSError:  # a function typed into an interpreter, or a file that no longer exists
            continue
        if b"kernel" in text or path.parent in (PACKAGE / "rules", PACKAGE / "rules" / "clauses"):
            digest.update(path.name.encode() + b"\0" + text)
    return digest.hexdigest()[:16]


def _version_of_numba() -> str:
    """Return a string that depends on the version of Numba, without importing it, which would take long."""
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

    MILLEBORNES_CACHE sets the folder. The default is inside the platform's cache folder. Without a cache folder,
    kernels are compiled again in every run.
    """
    chosen = os.environ.get("MILLEBORNES_CACHE")
    base = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("millebornes", appauthor=False))
    versions = f"{sys.version_info[:2]} {_version_of_numba()} {llvmlite.__version__} {numpy.__version__}"
    sources = (path for name in KERNEL_PACKAGES for path in sorted((PACKAGE / name).glob("*.py")))
    folder = base / f"kernels-{_hash_of(sources, f'{versions} {BOUNDS_CHECKED}')}"
    is_new = not folder.is_dir()
    opened = open_folder(folder)
    if is_new and opened is not None:  # the first run of a version: older ones may be unused
        remove_unused(base, "kernels-*")
    return opened


cache_folder: Final = _choose_folder()
"""The folder in which compiled kernels are stored, or None if they can't be stored."""

store: Final = KernelStore(cache_folder)
"""The files in the cache folder."""


# ---------------------------------------------------------------- prepared kernels

_found: Final[set[tuple[Path, str]]] = set()
"""The folders and purposes that are known to be prepared."""


def _list_of(what: str) -> str:
    """Return the name of the file that lists the kernels for a player or a purpose on this processor."""
    return f"{STAMP}-{what}-{processor()}"


def is_prepared(what: str) -> bool:
    """Return whether all kernels for a player or a purpose are stored, so that using them never takes long.

    They must have been compiled for this processor.
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
    """Record that all kernels for a player or a purpose are stored.

    The list contains all kernels that this process has used so far.
    """
    if cache_folder is not None and not store.refuses:
        names = " ".join(sorted(name for name in store.used if not name.startswith(STAMP)))
        KernelStore(cache_folder).write(_list_of(what), names.encode())
