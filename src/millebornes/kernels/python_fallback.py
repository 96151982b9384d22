"""Run kernels as plain Python while their machine code is made elsewhere, and decide whether this process waits.

A program that must never keep players or hosts waiting calls `compile_in_background`, and then compiles nothing itself.
Until their machine code can be loaded, the kernels that a game needs run as the Python functions they are compiled
from, with the same results. This is fast enough for a game, but not for a search. All other programs compile their
kernels when they first need them.
"""

import functools
import os
import types
from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np

from millebornes.kernels.decorator import Intrinsic, LazyObject, rebind

COMPILES_HERE: Final = os.environ.get("MILLEBORNES_COMPILE", "").strip() == "here"
"""Whether every kernel is compiled in the process that needs it, at the moment when it is needed."""

NET: Final = "net"
"""The purpose of the kernels that evaluate a net or record the past for it."""

_mode: Final = {"compiles_in_background": False}
_loaded: Final[set[str]] = set()


def compile_in_background() -> bool:
    """Stop this process from waiting for machine code, and return True, unless ``MILLEBORNES_COMPILE=here`` is set."""
    _mode["compiles_in_background"] = not COMPILES_HERE
    return not COMPILES_HERE


def compiles_in_background() -> bool:
    """Return whether this process runs kernels as plain Python instead of waiting for machine code."""
    return _mode["compiles_in_background"]


def mark_loaded(purpose: str) -> None:
    """Record that the machine code for a purpose has been loaded."""
    _loaded.add(purpose)


def is_usable(purpose: str) -> bool:
    """Return whether the kernels for a purpose can be called: they are loaded, or this process may wait for them."""
    return purpose in _loaded or not compiles_in_background()


def with_fallback(kernel: Callable[..., Any], purpose: str) -> Callable[..., Any]:
    """Return a function that runs a kernel as plain Python until the machine code for its purpose is loaded."""

    def call(*args: Any) -> Any:
        return (kernel if is_usable(purpose) else in_python(cast(LazyObject, kernel)))(*args)

    return call


@functools.cache
def in_python(kernel: LazyObject) -> Callable[..., Any]:
    """Return the plain Python function of a kernel, whose integers overflow as they do in kernels."""
    function = _plain(kernel)

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return call


@functools.cache
def _plain(kernel: LazyObject) -> Callable[..., Any]:
    """Return a kernel's plain Python function, which calls other plain functions instead of kernels."""
    if isinstance(kernel, Intrinsic):
        assert kernel.plain is not None, f"{kernel.portable} has no form in Python"
        return kernel.plain
    assert isinstance(kernel.portable, types.FunctionType), kernel
    return rebind(kernel.portable, _plain)
