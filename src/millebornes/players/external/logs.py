"""Where the log of a program goes: a file for each process, of which the oldest are removed."""

import contextlib
import itertools
import os
from pathlib import Path
from typing import Final

from millebornes.errors import printable
from millebornes.storage.files import logs_folder

__all__ = ["last_line", "new_log"]

MOST_LOGS: Final = 100
TAIL: Final = 1 << 14
"""Bytes at the end of a log in which its last line is looked for."""
LONGEST_LINE: Final = 200
LONGEST_NAME: Final = 40

_numbers = itertools.count(1)


def new_log(program: str) -> Path | None:
    """Where a new log of ``program`` goes: there is no such file yet. None where there is no place for it.

    The oldest logs are removed, so that with this one there are at most a hundred.
    """
    folder = logs_folder()
    name = "".join(c if c.isascii() and (c.isalnum() or c in "._") else "_" for c in Path(program).name)[:LONGEST_NAME]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = list(folder.glob("bot-*.log"))
    except OSError:
        return None
    if len(found) >= MOST_LOGS:
        for log in sorted(found, key=_age)[: len(found) - MOST_LOGS + 1]:
            with contextlib.suppress(OSError):
                log.unlink(missing_ok=True)
    # A process number comes again some day, and soon in a container.
    paths = (folder / f"bot-{name or 'program'}-{os.getpid()}-{number}.log" for number in _numbers)
    return next(path for path in paths if not os.path.lexists(path))


def last_line(log: Path) -> str:
    """The last line of a log that is not blank, shortened and safe to print; "" for none."""
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - TAIL))
            data = stream.read(TAIL)
    except OSError:
        return ""
    lines = [" ".join(line.split()) for line in data.decode("utf-8", "replace").splitlines()]
    line = printable(next((line for line in reversed(lines) if line), ""))
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"


def _age(log: Path) -> float:
    """When a log was last written; of one that another process has just removed, long ago."""
    try:
        return log.stat().st_mtime
    except OSError:
        return 0.0
