"""The one decorator for kernels, and where their compiled code is kept.

Numba's own cache does not notice when a function in *another* module changes, so the cache folder is named after a
hash of
all kernel sources, of Numba's version and of whether bounds are checked.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy
import platformdirs
from numba.core import config

__all__ = ["KERNEL_PACKAGES", "cache_folder", "callback", "inner_kernel", "is_prepared", "kernel", "mark_prepared"]

STAMP: Final = "prepared"
GAME: Final = "game"

KERNEL_PACKAGES: Final = tuple(
    f"millebornes.{name}" for name in ("rules", "players", "players.search", "simulation", "lab", "training")
)
"""Packages that may hold kernels; the cache folder depends on all their sources."""


def _source_hash() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {numpy.__version__} {bool(config.BOUNDSCHECK)}".encode())
    root = Path(__file__).parent.parent
    for package in KERNEL_PACKAGES:
        folder = root.joinpath(*package.split(".")[1:])
        for path in sorted(folder.glob("*.py")):
            text = path.read_bytes()
            if b"kernel" in text or path.parent.name == "rules":
                digest.update(path.name.encode() + b"\0" + text)
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _choose_folder() -> Path | None:
    """The cache folder.

    MILLEBORNES_CACHE, else the platform's; None where neither can be written (kernels are then compiled anew).
    """
    chosen = os.environ.get("MILLEBORNES_CACHE")
    base = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("millebornes", appauthor=False))
    folder = base / f"kernels-{_source_hash()}"
    return folder if _writable(folder) else None


cache_folder: Final = _choose_folder()
"""Where compiled kernels are kept, or None where no folder can be written."""


def is_prepared(what: str = GAME) -> bool:
    """Whether the kernels that a game, or a player of this name, needs were compiled before: then no use takes long."""
    return cache_folder is not None and (cache_folder / f"{STAMP}-{what}").exists()


def mark_prepared(what: str = GAME) -> None:
    """Remember that these kernels are compiled."""
    if cache_folder is not None:
        with contextlib.suppress(OSError):
            (cache_folder / f"{STAMP}-{what}").touch()


Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function with Numba when it is first called, and keep the result in the cache folder."""
    return _compile(function, forceinline=False)


def inner_kernel(function: Function) -> Function:
    """A kernel that is always copied into its callers: for the few small functions of the innermost loops."""
    return _compile(function, forceinline=True)


def callback(signature: Any, function: Callable[..., Any]) -> Any:
    """Compile a plain function for one signature as C code with an ``address``, and keep it in the cache folder."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder or "")
    try:
        return numba.cfunc(signature, cache=cache_folder is not None)(function)
    finally:
        config.CACHE_DIR = before


def _compile(function: Function, *, forceinline: bool) -> Function:
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder or "")
    try:
        compiled: Function = numba.njit(function, cache=cache_folder is not None, nogil=True, forceinline=forceinline)
    finally:
        config.CACHE_DIR = before
    return compiled
