"""What kernels are made of, declared without Numba, which takes time and memory to import.

Numba is imported when Python first calls a kernel, or when one that is compiled asks for another. A game whose machine
code is kept in files (`millebornes.rules.machine_code`) never needs it.
"""

import threading
from collections.abc import Callable
from typing import Any, Final

__all__ = ["Declared", "Intrinsic", "intrinsic", "of_numba"]

_making: Final = threading.RLock()


class Declared:
    """Something of Numba, made by ``make`` when it is first used. Kernels may name it as if it were made already.

    ``source`` is the plain function that it is made of, if it is made of one. ``portable`` gives the same in plain
    Python (`millebornes.rules.plain`); it is the source unless another function is given.
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
        from numba.core.registry import cpu_target

        made = self.made
        cpu_target.typing_context.refresh()  # so that it knows of what was made just now
        return cpu_target.typing_context.resolve_value_type(made)

    def __call__(self, *args: Any) -> Any:
        """Call it as Python does."""
        return self.made(*args)


class Intrinsic(Declared):
    """What writes LLVM instructions: its source gives a signature, and the function that writes them.

    ``plain`` does the same in Python, if that is known.
    """

    plain: Callable[..., Any] | None = None

    def in_python(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate the function that does the same in Python."""
        self.plain = function
        return function


def intrinsic(function: Callable[..., Any]) -> Intrinsic:
    """`numba.extending.intrinsic`: the function gives a signature, and the one that writes LLVM instructions."""

    def make() -> Any:
        from numba.extending import intrinsic

        return intrinsic(function)

    return Intrinsic(make, function)


def of_numba(name: str) -> Declared:
    """What kernels may call that ``numba`` has under this name."""

    def make() -> Any:
        import numba

        return getattr(numba, name)

    return Declared(make)
