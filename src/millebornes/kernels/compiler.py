"""Compile kernels with Numba, and keep the machine code in Numba's own cache. Only documented features are used."""

import contextlib
import functools
import os
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm
import numba
from numba import config
from numba.core import event

from millebornes.kernels.notice import announce_compiling
from millebornes.kernels.store import KernelStore, sources_beside


class _Notice(event.Listener):  # type: ignore[misc]  # Numba has no types
    """Announces compilations, because Numba doesn't say whether it compiles code or loads it from its cache."""

    def on_start(self, event: Any) -> None:
        announce_compiling()

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _Notice())


class Kernel:
    """A function that Numba compiles when Python or a kernel first calls it, once per combination of argument types.

    The code is stored in a folder inside that of ``store``, if it is writable. The function refers to other kernels
    through `for_numba`.
    """

    def __init__(self, function: types.FunctionType, options: dict[str, Any], store: KernelStore) -> None:
        self._function: Final = function
        self._options: Final = options
        self._folder: Final = store.folder and store.folder / sources_beside(Path(function.__code__.co_filename))
        if self._folder is not None:
            _remove_damaged(self._folder)
        self.dispatcher: Final = self._decorated(numba.njit, options)

    def __call__(self, *args: Any) -> Any:
        """Call the compiled function from Python."""
        return self.dispatcher(*args)

    def address(self, signature: Any) -> int:
        """Return the address of the code for a signature, which C code could call."""
        self._code = self._decorated(lambda **options: numba.cfunc(signature, **options), {"nopython": True})
        return int(self._code.address)

    def bare_code(self, signature: Any) -> tuple[str, bytes] | None:
        """Compile the kernel for a signature, and return its name in the object file and the contents of that file.

        Returns None if the code needs more than what LLVM provides or generates, such as memset. The C function returns
        a status. Its first two parameters are the addresses of the result and of the exception.
        """
        compiled = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **self._options)(self._function)
        compiled.compile(signature)
        module = llvm.parse_assembly(compiled.inspect_llvm(compiled.signatures[0]))
        declared = [one.name for one in (*module.functions, *module.global_variables) if one.is_declaration]
        if not all(name.startswith("llvm.") for name in declared):
            return None
        exported = [one.name for one in module.functions if one.linkage is llvm.Linkage.external]
        name = next(name for name in exported if not name.startswith("llvm."))
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=config.CPU_NAME or llvm.get_host_cpu_name(),
            features=config.CPU_FEATURES or llvm.get_host_cpu_features().flatten(),
            opt=3,
            codemodel="jitdefault",
            jit=True,
        )
        return name, machine.emit_object(module)

    def _decorated(self, decorator: Callable[..., Any], options: dict[str, Any]) -> Any:
        if self._folder is not None:
            with _cache_in(self._folder), contextlib.suppress(RuntimeError):  # the folder isn't writable
                return decorator(cache=True, **options)(self._function)
        return decorator(**options)(self._function)


def for_numba(made: Any) -> Any:
    """Return the object by which functions compiled by Numba refer to a kernel or another declared object."""
    return made.dispatcher if isinstance(made, Kernel) else made


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


@functools.cache
def _remove_damaged(folder: Path) -> None:
    """Remove files from Numba's cache that a crash has emptied, cut short or filled with zeros.

    Numba can't read them, and would raise an error instead of compiling the code again. Its files are pickles, which
    end with a full stop.
    """
    for path in folder.rglob("*.nb[ci]"):
        with contextlib.suppress(OSError):
            with path.open("rb") as file:
                file.seek(-min(1, path.stat().st_size), os.SEEK_END)
                is_whole = file.read() == b"."
            if not is_whole:
                path.unlink()
