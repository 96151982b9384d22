"""The decorators that declare kernels and their parts without importing Numba.

Importing Numba takes time and memory. It is therefore imported only when Python first calls a kernel, or when a kernel
that is being compiled needs another. A game never needs Numba if its machine code is already stored in files
(`millebornes.kernels.machine_code`).
"""

import dis
import inspect
import threading
import types
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numpy as np

from millebornes.kernels.store import BOUNDS_CHECKED, KernelStore, store

Function = TypeVar("Function", bound=Callable[..., Any])

_making: Final = threading.RLock()
_callbacks: Final[list["LazyObject"]] = []
"""Kernels that must stay in memory because other code calls them by their address."""


class LazyObject:
    """An object of Numba that ``make`` creates when it is first used. Kernels can refer to it before that.

    ``source`` is the plain function from which it is made, if any. ``portable`` does the same in plain Python
    (`millebornes.kernels.python_fallback`), and is ``source`` by default.
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
        """The Numba object, created on first use."""
        if self._made is None:
            with _making:
                if self._made is None:
                    self._made = self._make()
        return self._made

    def __call__(self, *args: Any) -> Any:
        """Call the Numba object from Python."""
        return self.made(*args)


class Intrinsic(LazyObject):
    """A function that writes LLVM instructions. ``plain`` is a function that does the same in Python, or None."""

    plain: Callable[..., Any] | None = None

    def in_python(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate the function that does the same in plain Python."""
        self.plain = function
        return function


def kernel(function: Function) -> Function:
    """Compile a function with Numba when it is first called, and store the machine code in the cache folder."""
    return cast(Function, _kernel(function, forceinline=False))


def inner_kernel(function: Function, *, portable: Function | None = None) -> Function:
    """Declare a small kernel that is always inlined. ``portable`` does the same on any processor, if it differs."""
    return cast(Function, _kernel(function, forceinline=True, portable=portable))


def higher_order_kernel(function: Function) -> Function:
    """Declare a kernel that takes other kernels as arguments. It is inlined, and compiled anew for each of them.

    It isn't stored itself, because Numba couldn't find it again: in every process, the arguments are new objects.
    """
    return cast(Function, _kernel(function, forceinline=True, is_stored=False))


def callback(function: Callable[..., Any], *records: np.dtype[Any]) -> int:
    """Compile a function of ``records`` to C code, to be called with `call_at`, and return its address."""
    from numba import from_dtype, int64

    compiled = _kernel(function, forceinline=False)
    _callbacks.append(compiled)
    return int(compiled.made.address(int64(*map(from_dtype, records))))


def intrinsic(function: Callable[..., Any]) -> Intrinsic:
    """Declare an `Intrinsic` by a function that returns a signature and a function that writes LLVM instructions."""

    def make() -> Any:
        from numba.extending import intrinsic

        return intrinsic(function)

    return Intrinsic(make, function)


def instruction(result: str, *parameters: str) -> Callable[[Callable[..., Any]], Intrinsic]:
    """Declare an `Intrinsic` by a function that writes LLVM code, and Numba's types by name ("" for any type)."""
    names = [inspect.Parameter(f"p{n}", inspect.Parameter.POSITIONAL_ONLY) for n in range(len(parameters) + 1)]

    def declare(write: Callable[..., Any]) -> Intrinsic:
        def typed(_context: Any, *given: Any) -> Any:
            from numba import types

            kinds = [getattr(types, name) if name else kind for name, kind in zip(parameters, given, strict=True)]
            return getattr(types, result)(*kinds), write

        typed.__name__, typed.__doc__ = write.__name__, write.__doc__
        # Without the names, Numba would pass ``given`` as a tuple.
        typed.__signature__ = inspect.Signature(names)  # type: ignore[attr-defined]
        return intrinsic(typed)

    return declare


def rebind(function: types.FunctionType, replace: Callable[[LazyObject], Any]) -> types.FunctionType:
    """Return a copy of a function in which ``replace`` has replaced each `LazyObject` object, such as a kernel."""
    names = dict(function.__globals__)
    for one in dis.get_instructions(function):
        if one.opname == "LOAD_GLOBAL" and isinstance(names.get(one.argval), LazyObject):
            names[one.argval] = replace(names[one.argval])
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)


def _kernel(
    function: Callable[..., Any],
    *,
    forceinline: bool,
    is_stored: bool = True,
    portable: Callable[..., Any] | None = None,
) -> LazyObject:
    def make() -> Any:
        from millebornes.kernels.compiler import Kernel, for_numba

        options = {"nogil": True, "boundscheck": BOUNDS_CHECKED, "forceinline": forceinline}
        bound = rebind(cast(types.FunctionType, function), lambda one: for_numba(one.made))
        return Kernel(bound, options, store if is_stored else KernelStore(None))

    return LazyObject(make, function, portable)
