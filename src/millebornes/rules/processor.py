"""What machine code depends on beside its source."""

import functools
import hashlib
import os
from typing import Final

import llvmlite.binding as llvm

__all__ = ["processor"]

CODE_SETTINGS: Final = (
    "BOUNDSCHECK CPU_FEATURES CPU_NAME DEBUGINFO DISABLE_JIT ENABLE_AVX LOOP_VECTORIZE OPT SLP_VECTORIZE"
).split()
"""What changes the code that Numba makes, where its environment sets it (``NUMBA_OPT``)."""


@functools.cache
def processor() -> str:
    """A hash of what machine code depends on beside its source: the processor, and how Numba is told to compile."""
    asked = [(name, os.environ.get(f"NUMBA_{name}")) for name in CODE_SETTINGS]
    features = llvm.get_host_cpu_features().flatten()
    told = repr((llvm.get_process_triple(), llvm.get_host_cpu_name(), features, asked))
    return hashlib.sha256(told.encode()).hexdigest()[:16]
