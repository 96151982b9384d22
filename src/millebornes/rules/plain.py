"""Kernels as plain Python, for as long as their machine code is still being made.

They are the functions that the kernels are compiled from, and so give the same. A move takes a millisecond rather than
a microsecond: enough for a game, not for a search.
"""

import dis
import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from millebornes.rules.declared import Declared, Intrinsic

__all__ = ["in_python"]


@functools.cache
def in_python(kernel: Declared) -> Callable[..., Any]:
    """The function of a kernel, to be called with NumPy's records and arrays. Whole numbers overflow as in kernels."""
    function = _plain(kernel)

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return call


@functools.cache
def _plain(kernel: Declared) -> Callable[..., Any]:
    """The function of a kernel, which names plain functions where it names kernels."""
    if isinstance(kernel, Intrinsic):
        assert kernel.plain is not None, f"{kernel.portable} has no form in Python"
        return kernel.plain
    function = kernel.portable
    assert isinstance(function, types.FunctionType), kernel
    names = dict(function.__globals__)
    for one in dis.get_instructions(function):
        if one.opname == "LOAD_GLOBAL" and isinstance(names.get(one.argval), Declared):
            names[one.argval] = _plain(names[one.argval])
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)
