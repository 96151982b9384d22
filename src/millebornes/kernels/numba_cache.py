"""Kernels by what Numba documents alone: its decorators, and its own cache.

This is slower to compile than `millebornes.kernels.compiler` and needs Numba whenever a kernel is called. It is used
where that module doesn't fit the version of Numba.
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
    """Says that something is compiled; Numba reports nothing where it loads what it has kept."""

    def on_start(self, event: Any) -> None:
        announce_compiling()

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _Notice())


class CachedKernel:
    """A function that Numba compiles, for each kind of arguments, when Python or a kernel first calls it with them.

    It is kept below the folder of ``store``, where there is one that can be written to. The function names other
    kernels by `for_numba`.
    """

    def __init__(self, function: types.FunctionType, options: dict[str, Any], store: KernelStore) -> None:
        self._function: Final = function
        self._folder: Final = store.folder and store.folder / sources_beside(Path(function.__code__.co_filename))
        self.dispatcher: Final = self._decorated(numba.njit, options)

    def __call__(self, *args: Any) -> Any:
        """Call it as Python does."""
        return self.dispatcher(*args)

    def address(self, signature: Any) -> int:
        """Where code for a signature lies that C could call."""
        self._code = self._decorated(lambda **options: numba.cfunc(signature, **options), {"nopython": True})
        return int(self._code.address)

    def bare_code(self, _signature: Any) -> None:
        """An object file for C, which Numba does not make."""

    def _decorated(self, decorator: Callable[..., Any], options: dict[str, Any]) -> Any:
        if self._folder is not None:
            with _cache_in(self._folder), contextlib.suppress(RuntimeError):  # nothing can be written there
                return decorator(cache=True, **options)(self._function)
        return decorator(**options)(self._function)


def for_numba(made: Any) -> Any:
    """What functions that Numba compiles are to name in place of something made here."""
    return made.dispatcher if isinstance(made, CachedKernel) else made


@contextlib.contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Let Numba keep in a folder what is decorated meanwhile; other functions stay where they are."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before
