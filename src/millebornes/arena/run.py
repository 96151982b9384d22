"""Long tasks that you can interrupt and resume. A task measures its time and keeps its results in a file."""

import contextlib
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Self

from millebornes.arena.executors import Workers
from millebornes.errors import MALFORMED, SaveError
from millebornes.storage.files import refuse_device, write_atomically

SAVE_EVERY: Final = 5.0
"""The file is written at most once in this many seconds."""
SAVE_PART: Final = 20
"""The time between two writes is at least this many times as long as the last write took."""


class FileKind(NamedTuple):
    """A kind of file from which a run can resume.

    ``format`` is in the file, as is the key of its run, in a field named ``key``. ``title`` and ``word`` are for
    messages.
    """

    format: str
    title: str
    word: str = "file"
    key: str = "key"


class Run(ABC):
    """A long task that workers carry out. You can read the results at any time, even after an interruption.

    ``resume`` is the path of a file with the work done so far. If the file exists, the run continues from it, and then
    keeps it up to date. ``seconds`` is the total time of all runs, and ``wall`` is the time of this run.
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
    def report(self) -> dict[str, Any]:
        """Return the results of the work done so far as plain data."""

    @abstractmethod
    def work(self, workers: Workers) -> Generator[None, None, None]:
        """Do the remaining work. Yield after each step, whenever a file of the current state could be resumed."""

    def run(self, workers: Workers, on_progress: Callable[[Self], None] | None = None) -> None:
        """Do the remaining work. ``on_progress`` is called after each step.

        The file always contains everything done so far, even if the run ends with an error. Raises `MilleBornesError`
        if the work fails, and `SaveError` if a file can't be written.
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

    def key(self) -> Any:
        """Return, as plain data, everything that must be the same for a file to belong to this run."""
        return {}

    def state(self) -> dict[str, Any]:
        """Return everything that is needed to resume the run, as plain data."""
        return {}

    def restore(self, data: dict[str, Any]) -> None:
        """Resume from what `state` returned. Raises `SaveError` for another run, and any error for malformed data."""
        self.seconds = float(data["seconds"])

    def difference(self, kept: Any, wanted: Any) -> str | None:
        """Return a description of how a file's key differs from the expected key, or None if they are the same."""
        return next((f"its {name} differs" for name, value in wanted.items() if kept[name] != value), None)

    def first_difference(self, kept: Any, wanted: Any) -> str | None:
        """Do the same as `difference`, but with both values, and name the first rule that differs."""
        for name, now in wanted.items():
            was = kept[name]
            if was != now and name == "rules":
                name = next((field for field in {**now, **was} if was.get(field) != now.get(field)), name)
                was, now = was.get(name), now.get(name)
            if was != now:
                return f"its {name} is {json.dumps(was, ensure_ascii=False)}, not {json.dumps(now, ensure_ascii=False)}"
        return None

    def save(self) -> None:
        """Replace the file with a new one, if the run has a file. Raises `SaveError` if it can't be written."""
        if self.resume is None:
            return
        start, end = {"format": self.kind.format, self.kind.key: self.key()}, {"seconds": round(self.seconds, 3)}
        data = start | self.state() | end
        write_atomically(self.resume, json.dumps(data, separators=(",", ":")).encode() + b"\n")

    def load(self) -> None:
        """Resume from the file, if it exists. Subclasses call this method at the end of their constructors.

        Raises `SaveError` if the file is damaged or belongs to another run.
        """
        path = self.resume
        if path is None:
            return
        kind = self.kind
        try:
            refuse_device(path, f"a {kind.title}")
            data = json.loads(path.read_bytes())
            version = data["format"]
        except FileNotFoundError:
            return
        except OSError as error:
            raise SaveError(f"{path}: cannot be read ({error.strerror or error})") from None
        except MALFORMED:
            raise SaveError(f"{path}: this isn't a {kind.title}") from None
        if version != kind.format:
            raise SaveError(
                f'{path}: the format of this {kind.word} must be "{kind.format}", not {str(version)[:40]!r}'
            )
        try:
            other = self.difference(data[kind.key], json.loads(json.dumps(self.key())))
            if other is not None:
                raise SaveError(f"{path}: this {kind.word} belongs to another run: {other}")
            self.restore(data)
        except MALFORMED:
            raise SaveError(f"{path}: this {kind.word} is damaged") from None
