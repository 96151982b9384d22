"""Load and call the machine code of kernels from files, without Numba.

Importing Numba takes longer than a game should take to start, and more memory than the game itself. The kernels that a
game calls all the time therefore take only records and words, and are stored as object files that need nothing but the
C library. LLVM loads these files, and ctypes calls the functions in them.
"""

import ctypes
import functools
import hashlib
import sys
from collections.abc import Callable
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np

from millebornes.kernels.decorator import LazyObject
from millebornes.kernels.store import BOUNDS_CHECKED, processor, store

WORD: Final = np.dtype(np.uint64)
IS_USED: Final = sys.platform == "linux" and not BOUNDS_CHECKED
"""Whether object files are loaded. This is only tested on Linux, and exceptions of checked kernels need Numba."""

_loaded: Final[list[Any]] = []
"""LLVM engines that must stay in memory because their code is called by its address."""


@functools.cache
def bare_kernel(kernel: LazyObject, name: str, *parameters: np.dtype[Any]) -> Callable[..., int] | None:
    """Return a kernel as a C function, which always returns zero.

    Its first two parameters are the addresses of the result and of an exception, although kernels never raise any. All
    other parameters are addresses of records, or words (`WORD`). The machine code is read from the file ``name`` in the
    cache folder, or else compiled and stored there. Returns None if the kernel can't run without Numba.
    """
    if not IS_USED:
        return None
    file = f"{name}-{_described(parameters)}"
    stored = store.read(file)
    if stored is None:
        made = _compiled(kernel, parameters)
        if made is None:
            return None
        stored = made
        store.write(file, stored)
    symbol, _, code = stored.partition(b"\0")
    words = [ctypes.c_uint64 if kind == WORD else ctypes.c_void_p for kind in parameters]
    # Unlike CFUNCTYPE, this type doesn't release Python's lock, which would cost more than the call itself.
    kind = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, *words)
    return kind(_load(symbol.decode(), code))


def _described(parameters: tuple[np.dtype[Any], ...]) -> str:
    """Return a hash of the parameter types and the processor."""
    return hashlib.sha256(repr((str(parameters), processor())).encode()).hexdigest()[:32]


def _compiled(kernel: LazyObject, parameters: tuple[np.dtype[Any], ...]) -> bytes | None:
    """Return the function's name and its object file, or None if the code needs more than the C library."""
    from numba import from_dtype, uint64

    made = kernel.made.bare_code(uint64(*map(from_dtype, parameters)))
    return None if made is None else made[0].encode() + b"\0" + made[1]


def _load(symbol: str, code: bytes) -> int:
    """Load an object file and return the address of a function in it. Names in different files are kept separate."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault", jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _loaded.append(engine)
    return int(engine.get_function_address(symbol))
