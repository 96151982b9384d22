"""The decorators for kernels and their parts, which declare them without importing Numba.

Numba takes time and memory to import. So it is only imported when Python first calls a kernel, or when a kernel being
compiled needs another one. A game whose machine code is stored in files (`millebornes.kernels.machine_code`) never
needs it.
"""

import dis
import functools
import threading
import types
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numpy as np

from millebornes.kernels.store import BOUNDS_CHECKED, store

__all__ = ["Declared", "Intrinsic", "callback", "inner_kernel", "intrinsic", "kernel", "rebind"]

Function = TypeVar("Function", bound=Callable[..., Any])

_making: Final = threading.RLock()
_callbacks: Final[list["Declared"]] = []
"""Kernels that must stay in memory, because other code knows their address."""


class Declared:
    """A Numba object that is made by ``make`` when it is first used. Kernels can refer to it as if it existed already.

    ``source`` is the plain function that it is made from, if there is one. ``portable`` does the same in plain Python
    (`millebornes.kernels.meanwhile`). It is the source unless you pass another function.
    """

    def __init__(
        self,
        make: Callable[[], Any],
        source: Callable[..., Any] | None = None,
        portable: Callable[..., Any] | None = None,
    ) -> None:
        self._make: Final = make
        self._made: Any = None
        self.portable: Final = portable or source
        self.__doc__ = source.__doc__ if source else None

    @property
    def made(self) -> Any:
        """The Numba object, which is made only once."""
        if self._made is None:
            with _making:
                if self._made is None:
                    self._made = self._make()
        return self._made

    @property
    def _numba_type_(self) -> Any:
        """Numba's type for it when a kernel refers to it."""
        from millebornes.kernels.compiler import type_of

        return type_of(self.made)

    def __call__(self, *args: Any) -> Any:
        """Call it from Python."""
        return self.made(*args)


class Intrinsic(Declared):
    """A function that writes LLVM instructions. Its source returns a signature and the function that writes them.

    ``plain`` does the same in Python, if there is such a function.
    """

    plain: Callable[..., Any] | None = None

    def in_python(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate the function that does the same in Python."""
        self.plain = function
        return function


def kernel(function: Function) -> Function:
    """Compile a function with Numba when it is first called, and keep the result in the cache folder."""
    return cast(Function, _kernel(function, forceinline=False))


def inner_kernel(function: Function, *, portable: Function | None = None) -> Function:
    """Declare a kernel that is always inlined into its callers, for the few small functions of the innermost loops.

    ``portable`` does the same on any processor, if ``function`` needs features of this computer's processor.
    """
    return cast(Function, _kernel(function, forceinline=True, portable=portable))


def callback(function: Callable[..., Any], *records: np.dtype[Any]) -> int:
    """Compile a plain function of ``records`` to C code that returns an integer, and return its address.

    The code is stored in the cache folder. Call it with `millebornes.kernels.memory.call_at`.
    """
    from numba import from_dtype, int64

    compiled = _kernel(function, forceinline=False)
    _callbacks.append(compiled)
    return int(compiled.made.address(int64(*map(from_dtype, records))))


def intrinsic(function: Callable[..., Any]) -> Intrinsic:
    """Declare an `Intrinsic` with `numba.extending.intrinsic`.

    ``function`` returns a signature and the function that writes LLVM instructions.
    """

    def make() -> Any:
        from numba.extending import intrinsic

        return intrinsic(function)

    return Intrinsic(make, function)


def rebind(function: types.FunctionType, replace: Callable[[Declared], Any]) -> types.FunctionType:
    """Return a copy of a function in which each `Declared` object, such as a kernel, is replaced by ``replace``."""
    names = dict(function.__globals__)
    for one in dis.get_instructions(function):
        if one.opname == "LOAD_GLOBAL" and isinstance(names.get(one.argval), Declared):
            names[one.argval] = replace(names[one.argval])
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)


def _kernel(function: Callable[..., Any], *, forceinline: bool, portable: Callable[..., Any] | None = None) -> Declared:
    def make() -> Any:
        options = {"nogil": True, "boundscheck": BOUNDS_CHECKED, "forceinline": forceinline}
        return _compiler()(function, options, store)

    return Declared(make, function, portable)


@functools.cache
def _compiler() -> Callable[..., Any]:
    """Return the class that makes kernels with the installed version of Numba."""
    try:
        from millebornes.kernels.compiler import Kernel
    except ImportError:  # the private parts of this Numba are different
        from millebornes.kernels.numba_cache import CachedKernel, for_numba

        return lambda function, *more: CachedKernel(rebind(function, lambda one: for_numba(one.made)), *more)
    return Kernel
