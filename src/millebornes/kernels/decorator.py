"""The decorators for kernels, and what kernels are made of, declared without Numba.

Numba takes time and memory to import. So it is imported when Python first calls a kernel, or when a kernel that is
compiled asks for another one. A game whose machine code is kept in files (`millebornes.kernels.machine_code`) never
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
"""Kernels that must stay in memory, because others know their address."""


class Declared:
    """Something of Numba, made by ``make`` when it is first used. Kernels may name it as if it were made already.

    ``source`` is the plain function that it is made of, if it is made of one. ``portable`` gives the same in plain
    Python (`millebornes.kernels.meanwhile`); it is the source unless another function is given.
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
        """The thing itself, made once."""
        if self._made is None:
            with _making:
                if self._made is None:
                    self._made = self._make()
        return self._made

    @property
    def _numba_type_(self) -> Any:
        """What Numba takes it for where a kernel names it."""
        from millebornes.kernels.compiler import type_of

        return type_of(self.made)

    def __call__(self, *args: Any) -> Any:
        """Call it as Python does."""
        return self.made(*args)


class Intrinsic(Declared):
    """A function that writes LLVM instructions: its source returns a signature and the function that writes them.

    ``plain`` does the same in Python, if that is known.
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
    """A kernel that is always copied into its callers: for the few small functions of the innermost loops.

    ``portable`` gives the same on any processor, where ``function`` needs one like this computer's.
    """
    return cast(Function, _kernel(function, forceinline=True, portable=portable))


def callback(function: Callable[..., Any], *records: np.dtype[Any]) -> int:
    """Compile a plain function of such records, which returns a whole number, as C code; return its address.

    The code is kept in the cache folder. `millebornes.kernels.memory.call_at` calls it.
    """
    from numba import from_dtype, int64

    compiled = _kernel(function, forceinline=False)
    _callbacks.append(compiled)
    return int(compiled.made.address(int64(*map(from_dtype, records))))


def intrinsic(function: Callable[..., Any]) -> Intrinsic:
    """`numba.extending.intrinsic`: the function returns a signature, and the function that writes LLVM instructions."""

    def make() -> Any:
        from numba.extending import intrinsic

        return intrinsic(function)

    return Intrinsic(make, function)


def rebind(function: types.FunctionType, replace: Callable[[Declared], Any]) -> types.FunctionType:
    """A function like this one that names what ``replace`` returns, where this one names kernels and the like."""
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
    """What makes kernels with the version of Numba that is installed."""
    try:
        from millebornes.kernels.compiler import Kernel
    except ImportError:  # its private parts are others
        from millebornes.kernels.numba_cache import CachedKernel, for_numba

        return lambda function, *more: CachedKernel(rebind(function, lambda one: for_numba(one.made)), *more)
    return Kernel
