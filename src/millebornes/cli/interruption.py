"""Support for interrupting a long command, which then still prints the results so far."""

import contextlib
import dataclasses
import signal
import threading
from collections.abc import Iterator
from typing import Any, Final

import click

RESULTS_SO_FAR: Final = "these are the results so far"


@dataclasses.dataclass
class Interruption:
    """Whether a block of work ``happened`` to be interrupted before it was finished."""

    happened: bool = False


@contextlib.contextmanager
def interruptible(note: str = RESULTS_SO_FAR) -> Iterator[Interruption]:
    """Let Ctrl-C, SIGTERM and SIGHUP end only this block. A message says so, followed by ``note``.

    Signals that the process ignores, for example because of ``nohup``, are still ignored.
    """
    interruption = Interruption()
    try:
        with as_interrupts("SIGTERM", "SIGHUP"):
            yield interruption
    except KeyboardInterrupt:
        interruption.happened = True
        with contextlib.suppress(OSError):  # the terminal no longer exists
            click.echo(f"millebornes: interrupted; {note}", err=True)


@contextlib.contextmanager
def as_interrupts(*names: str) -> Iterator[None]:
    """Let these signals act like Ctrl-C, but once: programs often get several, one of them through their group."""
    received = False

    def interrupt(number: int, frame: Any) -> None:
        nonlocal received
        if not received:
            received = True
            raise KeyboardInterrupt

    changed = []
    if threading.current_thread() is threading.main_thread():  # handlers can be set only in the main thread
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
