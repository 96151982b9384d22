"""Compile kernels using only documented features of Numba: its decorators and its own cache.

This compiles more slowly than `millebornes.kernels.compiler`, and needs Numba whenever a kernel is called. It is used
if that module doesn't fit the installed version of Numba.
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
    """Announces compilations. Numba reports nothing when it loads code from its cache."""

    def on_start(self, event: Any) -> None:
        announce_compiling()

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _Notice())


class CachedKernel:
    """A function that Numba compiles when Python or a kernel first calls it, once per combination of argument types.

    It is stored under the folder of ``store``, if there is one that can be written to. The function refers to other
    kernels by `for_numba`.
    """

    def __init__(self, function: types.FunctionType, options: dict[str, Any], store: KernelStore) -> None:
        self._function: Final = function
        self._folder: Final = store.folder and store.folder / sources_beside(Path(function.__code__.co_filename))
        self.dispatcher: Final = self._decorated(numba.njit, options)

    def __call__(self, *args: Any) -> Any:
        """Call it from Python."""
        return self.dispatcher(*args)

    def address(self, signature: Any) -> int:
        """Return the address of code that C could call, for a signature."""
        self._code = self._decorated(lambda **options: numba.cfunc(signature, **options), {"nopython": True})
        return int(self._code.address)

    def bare_code(self, _signature: Any) -> None:
        """Return None, because Numba doesn't make object files for C."""

    def _decorated(self, decorator: Callable[..., Any], options: dict[str, Any]) -> Any:
        if self._folder is not None:
            with _cache_in(self._folder), contextlib.suppress(RuntimeError):  # the folder can't be written to
                return decorator(cache=True, **options)(self._function)
        return decorator(**options)(self._function)


def for_numba(made: Any) -> Any:
    """Return the object that functions compiled by Numba use for an object made here."""
    return made.dispatcher if isinstance(made, CachedKernel) else made


@contextlib.contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Make Numba cache functions decorated in this block in a folder. Other functions are not affected."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before
