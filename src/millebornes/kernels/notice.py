"""Telling whoever waits that something is being compiled, which takes seconds, rather than loaded."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Final

__all__ = ["announce_compiling", "on_compiling"]

_listeners: Final = threading.local()


@contextlib.contextmanager
def on_compiling(begins: Callable[[], None] | None) -> Iterator[None]:
    """Call ``begins`` once when this thread begins to compile something, rather than to load it."""
    before = getattr(_listeners, "begins", None)
    _listeners.begins = begins
    try:
        yield
    finally:
        _listeners.begins = before


def announce_compiling() -> None:
    """Something is about to be compiled in this thread, or for it."""
    begins: Callable[[], None] | None = getattr(_listeners, "begins", None)
    _listeners.begins = None
    if begins is not None:
        begins()
