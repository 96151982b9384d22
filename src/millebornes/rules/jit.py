"""The one decorator for kernels, and where their compiled code is kept.

The cache folder is named after a hash of all kernel sources, of versions, and of whether bounds are checked, for a
kernel is made of what other modules say. Its files are named after the processor, too (`millebornes.rules.processor`).
"""

import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import llvmlite
import numpy
import platformdirs

from millebornes.rules.declared import Declared
from millebornes.rules.kernel_store import KernelStore, open_folder, remove_unused
from millebornes.rules.processor import processor

__all__ = [
    "KERNEL_PACKAGES",
    "cache_folder",
    "callback",
    "inner_kernel",
    "is_prepared",
    "kernel",
    "mark_prepared",
]

STAMP: Final = "prepared"

BOUNDS_CHECKED: Final = os.environ.get("NUMBA_BOUNDSCHECK", "0").strip() not in ("", "0")
"""Whether kernels check each access to memory, as Numba is asked to."""

KERNEL_PACKAGES: Final = tuple(
    f"millebornes.{name}"
    for name in (
        "rules",
        "rules.clauses",
        "policies",
        "policies.maxims",
        "search",
        "simulation",
        "envs",
        "lab",
        "training",
    )
)
"""Packages that may hold kernels; the cache folder depends on all their sources."""


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


def _source_hash() -> str:
    versions = f"{sys.version_info[:2]} {_version_of_numba()} {llvmlite.__version__} {numpy.__version__}"
    digest = hashlib.sha256(f"{versions} {BOUNDS_CHECKED}".encode())
    root = Path(__file__).parent.parent
    for package in KERNEL_PACKAGES:
        folder = root.joinpath(*package.split(".")[1:])
        for path in sorted(folder.glob("*.py")):
            text = path.read_bytes()
            if b"kernel" in text or package.startswith("millebornes.rules"):
                digest.update(path.name.encode() + b"\0" + text)
    return digest.hexdigest()[:16]


def _choose_folder() -> Path | None:
    """The cache folder.

    In MILLEBORNES_CACHE, else in the platform's; None where it cannot be used (kernels are then compiled anew).
    """
    chosen = os.environ.get("MILLEBORNES_CACHE")
    base = Path(chosen) if chosen else Path(platformdirs.user_cache_dir("millebornes", appauthor=False))
    folder = base / f"kernels-{_source_hash()}"
    is_new = not folder.is_dir()
    opened = open_folder(folder)
    if is_new and opened is not None:  # the first start of a version: others may be gone
        remove_unused(base, "kernels-*")
    return opened


cache_folder: Final = _choose_folder()
"""Where compiled kernels are kept, or None where they cannot be."""

store: Final = KernelStore(cache_folder)
"""Files in that folder."""
_callbacks: Final[list[Declared]] = []
"""What must not go, for others know its address."""


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


Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function with Numba when it is first called, and keep the result in the cache folder."""
    return cast(Function, _kernel(function, forceinline=False))


def inner_kernel(function: Function, *, portable: Function | None = None) -> Function:
    """A kernel that is always copied into its callers: for the few small functions of the innermost loops.

    ``portable`` gives the same on any processor, where ``function`` needs one like this computer's.
    """
    return cast(Function, _kernel(function, forceinline=True, portable=portable))


def callback(signature: Any, function: Callable[..., Any]) -> int:
    """Compile a plain function for one signature as C code, and keep it in the cache folder; its address."""
    compiled = _kernel(function, forceinline=False)
    _callbacks.append(compiled)
    return int(compiled.made.address(signature))


def _kernel(function: Callable[..., Any], *, forceinline: bool, portable: Callable[..., Any] | None = None) -> Declared:
    def make() -> object:
        from millebornes.rules.compiling import Kernel

        options = {"nopython": True, "nogil": True, "boundscheck": BOUNDS_CHECKED, "forceinline": forceinline}
        return Kernel(function, options, store)

    return Declared(make, function, portable)
