"""A player's answers in practice, stored in a file in the data folder that only one program uses at a time.

Only the answers and the times when they were given are stored. They determine when each exercise is due again (see
`millebornes.analysis`).
"""

import datetime
import itertools
import json
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from millebornes.errors import MALFORMED, SaveError
from millebornes.schema.reading import read
from millebornes.schema.saves import ProgressObject
from millebornes.storage.files import data_folder, read_whole, refusal, rename_to_free, sweep, write_atomically
from millebornes.storage.locks import FileLock

PROGRESS_FORMAT: Final = "millebornes-practise/1"
FILE: Final = "progress.json"

MAX_EXERCISES: Final = 5000
"""The number of exercises with answers. Those that haven't been answered for longest are dropped first."""

MAX_ANSWERS: Final = 40
"""The number of answers to keep for each exercise. The oldest answers are dropped first."""


class Answer(NamedTuple):
    """An answer: the time when it was given (UTC, in whole seconds), and whether it was right."""

    moment: datetime.datetime
    right: bool


def practise_folder() -> Path:
    """Return the folder for practice. The folder may not exist yet."""
    return data_folder() / "practise"


class PractiseProgress:
    """All answers given so far, by the id of the exercise.

    The object locks the file until `close` is called, and can be used as a context manager. ``trouble`` is a message
    for the player if the file was damaged or couldn't be locked.
    """

    def __init__(self, path: Path, answers: dict[str, tuple[Answer, ...]], lock: FileLock | None, trouble: str) -> None:
        self.path: Final = path
        self.trouble: Final = trouble
        self._answers = answers
        self._lock = lock

    @classmethod
    def open(cls, folder: Path | None = None) -> "PractiseProgress":
        """Open and lock the file in a folder (`practise_folder` by default), creating the folder if necessary.

        If the file is damaged, it is renamed. Raises `SaveError` if another program has the file open, if a newer
        version of the program wrote it, or if it can't be read.
        """
        folder = practise_folder() if folder is None else folder
        path, lock, trouble = folder / FILE, None, ""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock.take(folder / "progress.lock")
            if lock is None:
                raise SaveError(f"{path}: a practice session is open in another window; close it first")
            sweep(folder)
        except OSError as error:
            trouble = str(refusal(path, error, "the progress cannot be saved"))
        try:
            try:
                answers = _load(path)
            except MALFORMED:
                aside = set_aside(path)
                answers, trouble = (
                    {},
                    f"{path}: the progress was damaged, so it starts again; the old file is kept as {aside}",
                )
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        return cls(path, answers, lock, trouble)

    def __enter__(self) -> "PractiseProgress":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Unlock the file so that other programs can use it."""
        if self._lock is not None:
            self._lock.release(remove=True)
            self._lock = None

    def history(self, exercise: str) -> tuple[Answer, ...]:
        """Return all answers to an exercise so far, starting with the oldest."""
        return self._answers.get(exercise, ())

    def record(self, exercise: str, answer: Answer) -> None:
        """Store an answer on the disk. If that raises `SaveError`, it counts only in this object."""
        history = self._answers.pop(exercise, ())
        moment = answer.moment.astimezone(datetime.UTC).replace(microsecond=0)
        if history:
            moment = max(moment, history[-1].moment)
        # Remove it and add it again, to keep the exercises in the order of their latest answers.
        self._answers[exercise] = (*history, Answer(moment, answer.right))[-MAX_ANSWERS:]
        while len(self._answers) > MAX_EXERCISES:
            del self._answers[next(iter(self._answers))]
        self._write()

    def _write(self) -> None:
        rows: dict[str, tuple[tuple[int, Literal[0, 1]], ...]] = {
            exercise: tuple([(int(answer.moment.timestamp()), 1 if answer.right else 0) for answer in history])
            for exercise, history in self._answers.items()
        }
        write_atomically(self.path, msgspec.json.encode(ProgressObject(format=PROGRESS_FORMAT, answers=rows)))


def _load(path: Path) -> dict[str, tuple[Answer, ...]]:
    text = read_whole(path, "the progress")
    if text is None:
        return {}
    data = json.loads(text)
    name = data["format"]
    if name != PROGRESS_FORMAT:
        if isinstance(name, str) and name.startswith("millebornes-practise/"):
            raise SaveError(f"{path}: this progress was saved by a newer version of the program ({name[:40]})")
        raise ValueError
    progress = read(ProgressObject, data, fault=ValueError)
    answers = {
        exercise: tuple(Answer(datetime.datetime.fromtimestamp(at, datetime.UTC), bool(right)) for at, right in pairs)
        for exercise, pairs in progress.answers.items()
    }
    ordered = sorted((item for item in answers.items() if item[1]), key=lambda item: item[1][-1].moment)
    return dict(ordered[-MAX_EXERCISES:])


def set_aside(path: Path) -> Path:
    """Rename a damaged file to ``NAME-damaged-1``, ``-2`` and so on. Return the new path. Raises `SaveError`."""
    names = (path.with_name(f"{path.stem}-damaged-{n}{path.suffix}") for n in itertools.count(1))
    try:
        return rename_to_free(path, names)
    except OSError as error:
        raise SaveError(f"{path}: damaged, and cannot be renamed ({error.strerror or error})") from None
