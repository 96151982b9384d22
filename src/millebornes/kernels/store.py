"""The cache folder, and the files of compiled code in it.

The folder is named after a hash of all kernel sources, of versions, and of whether bounds are checked, because a kernel
is made of what other modules say. Its files are named after the processor, too. Whatever lies in the folder, reading
finds what was written or nothing, and never fails.
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
"""Whether kernels check each access to memory, as Numba is asked to."""

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
"""Folders of this package that may hold kernels; the name of the cache folder depends on all their sources."""

CODE_SETTINGS: Final = (
    "BOUNDSCHECK CPU_FEATURES CPU_NAME DEBUGINFO DISABLE_JIT ENABLE_AVX LOOP_VECTORIZE OPT SLP_VECTORIZE"
).split()
"""What changes the code that Numba makes, where its environment sets it (``NUMBA_OPT``)."""

MAX_BYTES: Final = 1 << 28
"""Bytes of a file that may be ours."""
OWN: Final = 0o700
OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
ROOT: Final = 0
MAX_UNUSED_SECONDS: Final = 30 * 24 * 3600.0
"""Seconds after which a folder that no program has opened is taken to belong to a version that is gone."""
STAMP: Final = "prepared"
PACKAGE: Final = Path(__file__).parent.parent


# ---------------------------------------------------------------- folders


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
    before = time.time() - MAX_UNUSED_SECONDS
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


# ---------------------------------------------------------------- files


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


# ---------------------------------------------------------------- names


@functools.cache
def processor() -> str:
    """A hash of what machine code depends on beside its source: the processor, and how Numba is told to compile."""
    asked = [(name, os.environ.get(f"NUMBA_{name}")) for name in CODE_SETTINGS]
    features = llvm.get_host_cpu_features().flatten()
    key = repr((llvm.get_process_triple(), llvm.get_host_cpu_name(), features, asked))
    return hashlib.sha256(key.encode()).hexdigest()[:16]


@functools.cache
def sources_beside(path: Path) -> str:
    """A hash of the kernel sources that belong with a file outside this package; empty for those of this package.

    They are all in the file's outermost package, or the file alone where it belongs to none. The name of the cache
    folder already depends on those of this package.
    """
    if path.is_relative_to(PACKAGE):
        return ""
    top = path
    while (top.parent / "__init__.py").is_file():
        top = top.parent
    return _hash_of(sorted(top.rglob("*.py")) if top.is_dir() else [top], path.name)


def _hash_of(files: Iterable[Path], start: str) -> str:
    """A hash of those files that hold kernels, and of all of `kernels` and `rules`."""
    digest = hashlib.sha256(start.encode())
    for path in files:
        try:
            text = path.read_bytes()
        except OSError:  # typed in, or not on the disk any more
            continue
        if b"kernel" in text or path.parent in (PACKAGE / "rules", PACKAGE / "rules" / "clauses"):
            digest.update(path.name.encode() + b"\0" + text)
    return digest.hexdigest()[:16]


def _version_of_numba() -> str:
    """Its version as one of its files tells it, for importing it takes longer than the start of a game may take."""
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
    """The cache folder.

    In MILLEBORNES_CACHE, else in the platform's; None where it cannot be used (kernels are then compiled anew).
    """
    chosen = os.environ.get("MILLEBORNES_CACHE")
    base = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("millebornes", appauthor=False))
    versions = f"{sys.version_info[:2]} {_version_of_numba()} {llvmlite.__version__} {numpy.__version__}"
    sources = (path for name in KERNEL_PACKAGES for path in sorted((PACKAGE / name).glob("*.py")))
    folder = base / f"kernels-{_hash_of(sources, f'{versions} {BOUNDS_CHECKED}')}"
    is_new = not folder.is_dir()
    opened = open_folder(folder)
    if is_new and opened is not None:  # the first start of a version: others may be gone
        remove_unused(base, "kernels-*")
    return opened


cache_folder: Final = _choose_folder()
"""Where compiled kernels are kept, or None where they cannot be."""

store: Final = KernelStore(cache_folder)
"""Files in that folder."""


# ---------------------------------------------------------------- what is complete

_found: Final[set[tuple[Path, str]]] = set()
"""What was found to be prepared, and where."""


def _list_of(what: str) -> str:
    """The file that lists the kernels of a player or a purpose, for this processor."""
    return f"{STAMP}-{what}-{processor()}"


def is_prepared(what: str) -> bool:
    """Whether the kernels that a player of this name, or a purpose, needs are kept: then no use takes long.

    Each is looked for, for this processor: what was compiled on another one is no use here.
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
    """Remember that these kernels are compiled, and kept: all that this process has used so far may be among them."""
    if cache_folder is not None and not store.refuses:
        names = " ".join(sorted(name for name in store.used if not name.startswith(STAMP)))
        KernelStore(cache_folder).write(_list_of(what), names.encode())
