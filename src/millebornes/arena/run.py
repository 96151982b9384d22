"""Long work that can be interrupted and resumed: its clock, its file, and the loop that keeps both up to date."""

import contextlib
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Self

from millebornes.arena.executors import Workers
from millebornes.arena.report import Record
from millebornes.errors import MALFORMED, SaveError
from millebornes.storage.files import write_atomically

__all__ = ["FileKind", "Run"]

SAVE_EVERY: Final = 5.0
"""The minimum number of seconds between two writes of the file."""
SAVE_PART: Final = 20
"""The time between two writes is at least this many times the duration of the last one."""


class FileKind(NamedTuple):
    """A kind of file for resuming runs: its ``format``, its ``title`` and ``word`` in messages, and its ``key``.

    The key of a run is in the field with the name ``key``.
    """

    format: str
    title: str
    word: str = "file"
    key: str = "key"


class Run(ABC):
    """Long work on workers. You can read the results so far at any time, even after an interruption.

    ``resume`` is a file with the work done so far. If the file exists, the run continues from it. The run keeps the
    file up to date. ``seconds`` is the time that the work has taken in all runs, and ``wall`` the time in this run.
    """

    kind: ClassVar[FileKind]

    def __init__(self, resume: Path | None = None) -> None:
        self.resume: Final = resume
        self.seconds = 0.0
        self.wall = 0.0

    @property
    @abstractmethod
    def complete(self) -> bool:
        """Whether all the work is done."""

    @abstractmethod
    def results(self) -> Record:
        """Return the results so far."""

    @abstractmethod
    def report(self) -> dict[str, Any]:
        """Return the results so far as plain data."""

    @abstractmethod
    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Do the remaining work. Yields after each step, in a state that a file can resume from."""

    def run(self, workers: Workers, on_progress: Callable[[Self], None] | None = None) -> None:
        """Do the remaining work. ``on_progress`` is called after each step.

        The file contains everything that is known, even if the run ends with an error. Raises `MilleBornesError` if the
        work can't be done, and `SaveError` if a file can't be written.
        """
        start, before = time.monotonic(), self.seconds
        due = start + SAVE_EVERY
        try:
            with contextlib.closing(self.work(workers)) as work:
                for _ in work:
                    begun = time.monotonic()
                    self.wall = begun - start
                    self.seconds = before + self.wall
                    if begun > due:
                        self.save()
                        now = time.monotonic()
                        due = now + max(SAVE_EVERY, SAVE_PART * (now - begun))
                    if on_progress is not None:
                        on_progress(self)
        finally:
            self.wall = time.monotonic() - start
            self.seconds = before + self.wall
            self.save()

    # ------------------------------------------------------------------ the file

    def key(self) -> Any:
        """Return everything that must be equal for a file to belong to this run, as plain data."""
        return {}

    def state(self) -> dict[str, Any]:
        """Return everything that is needed to resume, as plain data."""
        return {}

    def restore(self, data: dict[str, Any]) -> None:
        """Resume from the data of `state`. Raises `SaveError` if it doesn't fit.

        If the data is malformed, any error of Python can be raised.
        """
        self.seconds = float(data["seconds"])

    def difference(self, kept: Any, wanted: Any) -> str | None:
        """Return the difference between the key of a file and the expected one, in words, or None if they agree."""
        return next((f"its {name} differs" for name, value in wanted.items() if kept[name] != value), None)

    def save(self) -> None:
        """Update the file, if there is one, in a single step. Raises `SaveError`."""
        if self.resume is None:
            return
        data = {
            "format": self.kind.format,
            self.kind.key: self.key(),
            **self.state(),
            "seconds": round(self.seconds, 3),
        }
        write_atomically(self.resume, json.dumps(data, separators=(",", ":")).encode() + b"\n")

    def load(self) -> None:
        """Resume from the file, if it exists. Subclasses call this at the end of their constructors.

        Raises `SaveError` if the file is damaged or belongs to another run.
        """
        path = self.resume
        if path is None:
            return
        kind = self.kind
        try:
            data = json.loads(path.read_bytes())
            found = data["format"]
        except FileNotFoundError:
            return
        except OSError as error:
            raise SaveError(f"{path}: cannot be read ({error.strerror or error})") from None
        except MALFORMED:
            raise SaveError(f"{path}: this isn't a {kind.title}") from None
        if found != kind.format:
            raise SaveError(f'{path}: the format of this {kind.word} must be "{kind.format}", not {found!r}')
        try:
            other = self.difference(data[kind.key], json.loads(json.dumps(self.key())))
            if other is not None:
                raise SaveError(f"{path}: this {kind.word} belongs to another run: {other}")
            self.restore(data)
        except MALFORMED:
            raise SaveError(f"{path}: this {kind.word} is damaged") from None
