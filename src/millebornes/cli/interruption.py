"""Long commands that can be ended before they are done, and then print what they know so far."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any, Final

import click

__all__ = ["KNOWN_SO_FAR", "Interruption", "interruptible"]

KNOWN_SO_FAR: Final = "this is what is known so far"


class Interruption:
    """Whether a block was ended before it was done."""

    def __init__(self) -> None:
        self.happened = False


@contextlib.contextmanager
def interruptible(known: str = KNOWN_SO_FAR) -> Iterator[Interruption]:
    """Control-C, SIGTERM and SIGHUP end the block and no more; a line on standard error says so, and what is ``known``.

    Signals that are ignored stay ignored (``nohup``).
    """
    interruption = Interruption()
    try:
        with _as_interrupts("SIGTERM", "SIGHUP"):
            yield interruption
    except KeyboardInterrupt:
        interruption.happened = True
        with contextlib.suppress(OSError):  # a terminal that has gone
            click.echo(f"millebornes: interrupted; {known}", err=True)


@contextlib.contextmanager
def _as_interrupts(*names: str) -> Iterator[None]:
    """These signals do what Control-C does, once: a program is often sent several, alone and with its group."""
    received = False

    def interrupt(number: int, frame: Any) -> None:
        nonlocal received
        if not received:
            received = True
            raise KeyboardInterrupt

    changed = []
    if threading.current_thread() is threading.main_thread():  # only there can handlers be set
        for name in names:
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, interrupt)
                changed.append(number)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)
