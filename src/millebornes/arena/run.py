"""Long work that can be interrupted and gone on with: its clock, its file, and the loop that keeps both up to date."""

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
"""Seconds between two writes of the file, at least."""
SAVE_PART: Final = 20
"""The time between two writes is so many times as long as it took to write the last one."""


class FileKind(NamedTuple):
    """A kind of files that runs go on from: its ``format``, what messages call it, and where its key stands."""

    format: str
    title: str
    word: str = "file"
    key: str = "key"


class Run(ABC):
    """Long work on some workers. What is known can be asked for at any moment, also after an interruption.

    ``resume`` is a file with what was done so far, gone on from if it is there, and kept up to date. ``seconds`` are
    what the work has taken in all runs, ``wall`` what it has taken in this one.
    """

    kind: ClassVar[FileKind]

    def __init__(self, resume: Path | None = None) -> None:
        self.resume: Final = resume
        self.seconds = 0.0
        self.wall = 0.0

    @property
    @abstractmethod
    def complete(self) -> bool:
        """Whether all is done that was asked for."""

    @abstractmethod
    def results(self) -> Record:
        """The results so far."""

    @abstractmethod
    def report(self) -> dict[str, Any]:
        """The same as plain data."""

    @abstractmethod
    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Do all that is left; yields whenever more is known, and then stands where a file can go on from."""

    def run(self, workers: Workers, on_progress: Callable[[Self], None] | None = None) -> None:
        """Do all that is left; ``on_progress`` is called whenever more is known.

        However it ends, the file then holds all that is known. Raises `MilleBornesError` when the work cannot be done,
        `SaveError` when a file cannot be written.
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
        """All that must be equal for a file to belong to this run, as plain data."""
        return {}

    def state(self) -> dict[str, Any]:
        """All that is needed to go on, as plain data."""
        return {}

    def restore(self, data: dict[str, Any]) -> None:
        """Go on from what `state` gave. Raises `SaveError` for what does not fit, what Python raises for nonsense."""
        self.seconds = float(data["seconds"])

    def difference(self, kept: Any, wanted: Any) -> str | None:
        """How the key of a file differs from the one that is wanted, in words; None where it does not."""
        return next((f"its {name} differs" for name, value in wanted.items() if kept[name] != value), None)

    def save(self) -> None:
        """Bring the file, if there is to be one, up to date, in one step. Raises `SaveError`."""
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
        """Go on from the file, if there is one; what a subclass ends its construction with.

        Raises `SaveError` for a file that is damaged or of another run.
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
            raise SaveError(f"{path}: this is no {kind.title}") from None
        if found != kind.format:
            raise SaveError(f'{path}: the format of such a {kind.word} is "{kind.format}", not {found!r}')
        try:
            other = self.difference(data[kind.key], json.loads(json.dumps(self.key())))
            if other is not None:
                raise SaveError(f"{path}: this {kind.word} belongs to another run: {other}")
            self.restore(data)
        except MALFORMED:
            raise SaveError(f"{path}: this {kind.word} is damaged") from None
