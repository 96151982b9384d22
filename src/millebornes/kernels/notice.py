"""Let callers know when code has to be compiled, which takes seconds, instead of being loaded from disk."""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Final

_listeners: Final = threading.local()


@contextlib.contextmanager
def on_compiling(begins: Callable[[], None] | None) -> Iterator[None]:
    """Call ``begins`` once if this thread starts to compile something in this block."""
    before = getattr(_listeners, "begins", None)
    _listeners.begins = begins
    try:
        yield
    finally:
        _listeners.begins = before


def announce_compiling() -> None:
    """Announce that this thread is about to compile something, or to have it compiled."""
    begins: Callable[[], None] | None = getattr(_listeners, "begins", None)
    _listeners.begins = None
    if begins is not None:
        begins()
