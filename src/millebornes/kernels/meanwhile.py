"""Playing on while machine code is made elsewhere: kernels as plain Python, and whether this process waits.

A program that people or hosts wait for (`play_on`) never compiles while they do. Until machine code can be loaded, the
kernels that a game needs run as the functions that they are compiled from, with the same results. That is fast enough
for a game, but not for a search. All other programs compile what they need when they need it.
"""

import functools
import os
import types
from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np

from millebornes.kernels.decorator import Declared, Intrinsic, rebind

__all__ = ["IS_HERE", "NET", "bring", "either", "in_python", "is_at_hand", "play_on", "plays_on"]

IS_HERE: Final = os.environ.get("MILLEBORNES_COMPILE", "").strip() == "here"
"""Whether all is to be compiled in the process that needs it, and when it does."""

NET: Final = "net"
"""The purpose of kernels by which a net is asked, and what it reads of the past is kept."""

_state: Final = {"plays on": False}
_at_hand: Final[set[str]] = set()


def play_on() -> bool:
    """Wait for no machine code from now on; False where it is to be compiled here (``MILLEBORNES_COMPILE=here``)."""
    _state["plays on"] = not IS_HERE
    return not IS_HERE


def plays_on() -> bool:
    """Whether this process waits for no machine code."""
    return _state["plays on"]


def bring(what: str) -> None:
    """Machine code for some purpose has been loaded."""
    _at_hand.add(what)


def is_at_hand(what: str) -> bool:
    """Whether kernels for some purpose may be called: they are loaded, or may be waited for."""
    return what in _at_hand or not plays_on()


def either(kernel: Callable[..., Any], what: str) -> Callable[..., Any]:
    """A kernel that runs as plain Python until what belongs to a purpose is at hand."""

    def call(*args: Any) -> Any:
        return (kernel if is_at_hand(what) else in_python(cast(Declared, kernel)))(*args)

    return call


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
    assert isinstance(kernel.portable, types.FunctionType), kernel
    return rebind(kernel.portable, _plain)
