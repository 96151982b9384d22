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

BOUNDS_CHECKED: Final = os.environ.get("NUMBA_BOUNDSCHECK", "0").strip() not in ("", "0")
"""Whether kernels check each memory access. Numba's own setting decides this."""

KERNEL_PACKAGES: Final = tuple("kernels rules rules/clauses policies search arena data envs".split())
"""The folders of this package that can contain kernels. The name of the cache folder depends on their source files."""

COMPILED_PACKAGES: Final = ("rules", "rules/clauses", "policies")
"""The folders in which kernels also compile functions and numbers from files that don't mention kernels."""

CODE_SETTINGS: Final = (
    "BOUNDSCHECK CPU_FEATURES CPU_NAME DEBUGINFO DISABLE_JIT ENABLE_AVX LOOP_VECTORIZE OPT SLP_VECTORIZE"
).split()
"""The settings of Numba that change its code, if they are set in the environment (for example ``NUMBA_OPT``)."""

OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
ROOT: Final = 0
MAX_UNUSED_SECONDS: Final = 30 * 24 * 3600.0
"""Seconds since a folder was last opened, after which the version that used it is assumed to be uninstalled."""
STAMP: Final = "prepared"
PACKAGE: Final = Path(__file__).parent.parent
CARDS: Final = PACKAGE / "cards.py"


# ---------------------------------------------------------------- folders


def open_folder(folder: Path) -> Path | None:
    """Create a folder for compiled code, or use the existing one, and return its path, or None if it can't be used.

    The program runs code from it, so it must belong to the current user (or to root), and no one else may write to it.
    If it isn't writable, it may still contain code. Its modification time becomes the current time, for
    `remove_unused`.
    """
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_safe(folder):
        return None
    with contextlib.suppress(OSError):
        os.utime(folder)
    return folder


def remove_unused(base: Path) -> None:
    """Remove the folders for compiled code in ``base`` that were last opened more than a month ago.

    A program that is still using such a folder has its code in memory, and compiles whatever it finds missing later.
    """
    before = time.time() - MAX_UNUSED_SECONDS
    for folder in base.glob("kernels-*"):
        with contextlib.suppress(OSError):
            if folder.lstat().st_mtime < before and not folder.is_symlink() and _is_safe(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_safe(folder: Path) -> bool:
    try:
        status = folder.stat()
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    if not hasattr(os, "geteuid"):  # Windows, where a user's folder is private by default
        return True
    return status.st_uid in (os.geteuid(), ROOT) and not status.st_mode & OTHERS_WRITE


# ---------------------------------------------------------------- files


class KernelStore:
    """A folder of named files, each of which starts with a checksum. If the folder is None, nothing is stored."""

    def __init__(self, folder: Path | None) -> None:
        self.folder: Final = folder
        self.refuses = False
        """Whether the last attempt to write a file failed."""

    def read(self, name: str) -> bytes | None:
        """Return the data stored under a name, or None if the file is missing or damaged."""
        if self.folder is None:
            return None
        try:
            data = (self.folder / name).read_bytes()
        except OSError:
            return None
        size = hashlib.sha256().digest_size
        if hashlib.sha256(data[size:]).digest() != data[:size]:
            return None
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
            self.folder.mkdir(mode=0o700, exist_ok=True)  # the folder may have been removed
            number, made = tempfile.mkstemp(prefix=".", dir=self.folder)
            temporary = Path(made)
            with os.fdopen(number, "wb") as file:
                file.write(hashlib.sha256(data).digest() + data)
            temporary.replace(self.folder / name)
        except OSError:
            if temporary is not None:
                with contextlib.suppress(OSError):
                    temporary.unlink()
            return False
        self.refuses = False
        return True


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
    digest = hashlib.sha256(start.encode())
    for path in files:
        try:
            text = path.read_bytes()
        except OSError:  # a function typed into an interpreter, or a file that no longer exists
            continue
        if _is_compiled(path, text):
            digest.update(path.name.encode() + b"\0" + text)
    return digest.hexdigest()[:16]


def _is_compiled(path: Path, text: bytes) -> bool:
    if path == CARDS or any(path.parent == PACKAGE / name for name in COMPILED_PACKAGES):
        return True
    return b"kernel" in text


def _version_of_numba() -> bytes:
    """Return the file with Numba's version, because importing Numba takes long."""
    spec = importlib.util.find_spec("numba")
    return Path(spec.origin).with_name("_version.py").read_bytes() if spec and spec.origin else b""


def _choose_folder() -> Path | None:
    """Return the folder in MILLEBORNES_CACHE or in the platform's cache folder, or None if it can't be used."""
    chosen = os.environ.get("MILLEBORNES_CACHE")
    base = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("millebornes", appauthor=False))
    versions = f"{sys.version_info[:2]} {_version_of_numba()!r} {llvmlite.__version__} {numpy.__version__}"
    sources = [CARDS, *(path for name in KERNEL_PACKAGES for path in sorted((PACKAGE / name).glob("*.py")))]
    folder = base / f"kernels-{_hash_of(sources, f'{versions} {BOUNDS_CHECKED}')}"
    is_new = not folder.is_dir()
    opened = open_folder(folder)
    if is_new and opened is not None:  # the first run of a version: older ones may be unused
        remove_unused(base)
    return opened


cache_folder: Final = _choose_folder()
"""The folder in which compiled kernels are stored, or None if they can't be stored."""

store: Final = KernelStore(cache_folder)
"""The files in the cache folder."""


# ---------------------------------------------------------------- prepared kernels


_found: Final[set[Path]] = set()
"""The marks whose files have all been found by this process."""


def is_prepared(what: str) -> bool:
    """Return whether all kernels for a player or a purpose are stored for this processor, so that it is quick.

    The folder is searched until the answer is yes, and then not again: what disappears later is compiled again.
    """
    if cache_folder is None:
        return False
    mark = cache_folder / f"{STAMP}-{what}-{processor()}"
    if mark not in _found:
        names = KernelStore(cache_folder).read(mark.name)
        if names is None or not _files_in(cache_folder).issuperset(names.decode().splitlines()):
            return False
        _found.add(mark)
    return True


def mark_prepared(what: str) -> None:
    """Record that all kernels for a player or a purpose are stored, together with everything else in the folder."""
    if cache_folder is not None and not store.refuses:
        files = ((name, name.rpartition("/")[2]) for name in _files_in(cache_folder))
        names = sorted(name for name, last in files if not last.startswith((STAMP, ".")))
        names = [name for name in names if ".tmp" not in name]  # Numba is just writing it
        KernelStore(cache_folder).write(f"{STAMP}-{what}-{processor()}", "\n".join(names).encode())


def _files_in(folder: Path) -> set[str]:
    """Return the names of all files below a folder. Asking for hundreds of files one by one would take longer."""
    start = len(str(folder)) + 1
    files = (os.path.join(place, name) for place, _folders, names in os.walk(folder) for name in names)  # noqa: PTH118
    return {file[start:].replace(os.sep, "/") for file in files}
