"""Compile kernels with documented features of Numba only: its decorators and its own cache.

Compilation takes longer than with `millebornes.kernels.compiler`, and every call of a kernel needs Numba. This module
is used if the other one doesn't fit the installed version of Numba.
"""

import contextlib
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numba
from numba import config
from numba.core import event

from millebornes.kernels.notice import announce_compiling
from millebornes.kernels.store import KernelStore, sources_beside

__all__ = ["CachedKernel", "for_numba"]


class _Notice(event.Listener):  # type: ignore[misc]  # Numba has no types
    """Announces compilations, because Numba doesn't say whether it compiles code or loads it from its cache."""

    def on_start(self, event: Any) -> None:
        announce_compiling()

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _Notice())


class CachedKernel:
    """A function that Numba compiles when Python or a kernel first calls it, once per combination of argument types.

    The code is stored in a folder inside that of ``store``, if it is writable. The function refers to other kernels
    through `for_numba`.
    """

    def __init__(self, function: types.FunctionType, options: dict[str, Any], store: KernelStore) -> None:
        self._function: Final = function
        self._folder: Final = store.folder and store.folder / sources_beside(Path(function.__code__.co_filename))
        self.dispatcher: Final = self._decorated(numba.njit, options)

    def __call__(self, *args: Any) -> Any:
        """Call the compiled function from Python."""
        return self.dispatcher(*args)

    def address(self, signature: Any) -> int:
        """Return the address of the code for a signature, which C code could call."""
        self._code = self._decorated(lambda **options: numba.cfunc(signature, **options), {"nopython": True})
        return int(self._code.address)

    def bare_code(self, _signature: Any) -> None:
        """Return None, because Numba can't write object files for C."""

    def _decorated(self, decorator: Callable[..., Any], options: dict[str, Any]) -> Any:
        if self._folder is not None:
            with _cache_in(self._folder), contextlib.suppress(RuntimeError):  # the folder isn't writable
                return decorator(cache=True, **options)(self._function)
        return decorator(**options)(self._function)


def for_numba(made: Any) -> Any:
    """Return the object by which functions compiled by Numba refer to a kernel or another declared object."""
    return made.dispatcher if isinstance(made, CachedKernel) else made


@contextlib.contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Make Numba use the folder as the cache for all functions decorated in this block.

    Other functions keep their cache.
    """
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before
