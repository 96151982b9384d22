"""Progress of long commands, which is shown on standard error if that is a terminal."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from millebornes.cli.common import COMPILING, announcing_compilation
from millebornes.kernels.notice import on_compiling

if TYPE_CHECKING:
    from rich.console import Console


def console_for_progress() -> "Console | None":
    """Return a console on standard error, or None if that isn't a terminal, so that no progress is shown."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    from rich.console import Console

    return Console(stderr=True)


class Work:
    """The progress of a command. Without a terminal, nothing is shown."""

    def __init__(self, show: Callable[[str, int, int | None], None] | None = None) -> None:
        self._show: Final = show

    def show(self, done: int, total: int) -> None:
        """Show how much of the work is done."""
        self.say("", done, total)

    def say(self, text: str, done: int = 0, total: int | None = None) -> None:
        """Show what the command is doing in place of its title. If ``text`` is empty, show the title again."""
        if self._show is not None:
            self._show(text, done, total)


@contextlib.contextmanager
def at_work(title: str) -> Iterator[Work]:
    """Show a bar on standard error during a ``with`` block, and say so if code has to be compiled.

    If standard error isn't a terminal, only compiling is reported, as `announcing_compilation` does.
    """
    console = console_for_progress()
    if console is None:
        with announcing_compilation():
            yield Work()
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[count]}", markup=False),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}", markup=False),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=None, count="", left="")

        def show(text: str, done: int, total: int | None) -> None:
            count, left = ("", "") if total is None else (f"{done}/{total}", "left")
            bar.update(task, description=text or title, completed=done, total=total, count=count, left=left)

        with on_compiling(lambda: show(COMPILING, 0, None)):
            yield Work(show)
