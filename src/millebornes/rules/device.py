"""Kernels on a CUDA device: the same functions, compiled by `numba.cuda`.

Nothing is written anew for a device. `on_device` takes the plain function of a kernel and lets it call, in place of
each kernel that it names, what `on_device` makes of that one. In Numba's simulator (``NUMBA_ENABLE_CUDASIM=1``) the
same functions run in Python.
"""

import dis
import functools
import types
from collections.abc import Callable
from typing import Any

from millebornes.rules.declared import Declared, Intrinsic

__all__ = ["is_simulated", "on_device"]


def is_simulated() -> bool:
    """Whether Numba was told, before it was imported, to simulate a device."""
    from numba.core import config

    return bool(config.ENABLE_CUDASIM)


@functools.cache
def on_device(kernel: Any) -> Any:
    """What functions on a device call in place of a kernel; it is compiled together with its callers."""
    assert isinstance(kernel, Declared), kernel
    assert kernel.portable is not None, "Numba has no such thing for devices"
    if not isinstance(kernel, Intrinsic):
        from numba import cuda

        return cuda.jit(device=True)(_calling_device(kernel.portable))
    if is_simulated():
        return kernel.plain
    from numba.cuda.extending import intrinsic

    return intrinsic(kernel.portable)


def _calling_device(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, naming what runs on a device where it names kernels."""
    names = dict(function.__globals__)
    asked = {one.argval for one in dis.get_instructions(function) if one.opname == "LOAD_GLOBAL"}
    for name in sorted(asked):
        if isinstance(names.get(name), Declared):
            names[name] = on_device(names[name])
    made = types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    made.__module__, made.__qualname__ = function.__module__, function.__qualname__
    return made
