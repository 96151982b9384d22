"""Machine code of kernels that is stored in files, and loaded and called without Numba.

Importing Numba takes longer than a game should take to start, and more memory than the game itself. So a kernel that a
game calls all the time takes only records and words, and is stored as an object file that needs nothing but the C
library. LLVM loads it, and ctypes calls it.
"""

import ctypes
import functools
import hashlib
import sys
from collections.abc import Callable
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np

from millebornes.kernels.decorator import Declared
from millebornes.kernels.store import BOUNDS_CHECKED, processor, store

__all__ = ["WORD", "bare_kernel"]

WORD: Final = np.dtype(np.uint64)
IS_USED: Final = sys.platform == "linux" and not BOUNDS_CHECKED
"""Loading object files is only tested on Linux. Checked kernels raise Python exceptions, which need Numba."""

_loaded: Final[list[Any]] = []
"""Engines that must stay in memory, because their code is called by its address."""


@functools.cache
def bare_kernel(kernel: Declared, name: str, *parameters: np.dtype[Any]) -> Callable[..., int] | None:
    """Return a kernel as a C function that returns zero. Its parameters are addresses of records, or words (`WORD`).

    Two addresses come before them: one for the result and one for an exception, although kernels don't raise any. The
    code named ``name`` is read from the cache folder, or compiled and stored there. Returns None if the kernel can't
    run without Numba.
    """
    if not IS_USED:
        return None
    file = f"{name}-{_described(parameters)}"
    found = store.read(file)
    if found is None:
        made = _compiled(kernel, parameters)
        if made is None:
            return None
        found = made
        store.write(file, found)
    symbol, _, code = found.partition(b"\0")
    words = [ctypes.c_uint64 if kind == WORD else ctypes.c_void_p for kind in parameters]
    # Unlike CFUNCTYPE, this keeps Python's lock. Releasing it would cost more than the call.
    kind = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, *words)
    return kind(_load(symbol.decode(), code))


def _described(parameters: tuple[np.dtype[Any], ...]) -> str:
    """Return a hash of the parameters and the processor."""
    return hashlib.sha256(repr((str(parameters), processor())).encode()).hexdigest()[:32]


def _compiled(kernel: Declared, parameters: tuple[np.dtype[Any], ...]) -> bytes | None:
    """Return the function's name and its object file, or None if that needs more than the C library."""
    from numba import from_dtype, uint64

    made = kernel.made.bare_code(uint64(*map(from_dtype, parameters)))
    return None if made is None else made[0].encode() + b"\0" + made[1]


def _load(symbol: str, code: bytes) -> int:
    """Load an object file, whose names are separate from other files, and return the address of a function in it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault", jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _loaded.append(engine)
    return int(engine.get_function_address(symbol))
