"""Playing on while machine code is made elsewhere: whether this process does, and what it has at hand.

A program that people or hosts wait for (`play_on`) never compiles while they do: kernels that a game needs run as plain
Python (`millebornes.rules.plain`) until their machine code can be loaded. All others compile what they need when they
need it.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from millebornes.rules.declared import Declared

__all__ = ["IS_HERE", "NET", "bring", "either", "is_at_hand", "play_on", "plays_on"]

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
        if is_at_hand(what):
            return kernel(*args)
        from millebornes.rules.plain import in_python

        return in_python(cast("Declared", kernel))(*args)

    return call
