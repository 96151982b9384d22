"""The log of a program: what it wrote to its standard error, up to a limit."""

import contextlib
import itertools
import os
import threading
from pathlib import Path
from typing import IO, Final

from millebornes.errors import printable, shortened
from millebornes.storage.files import logs_folder

HEAD: Final = 8 << 20
"""The number of bytes from the beginning of the output that a log contains …"""
TAIL: Final = 1 << 20
"""… and from its end."""
CHUNK: Final = 1 << 16
MAX_LOGS: Final = 100
MAX_TAIL_BYTES: Final = 1 << 14
"""The number of bytes at the end of a log that `last_line` reads."""
MAX_LINE: Final = 200
"""The maximum number of characters of the last line to show."""
MAX_NAME: Final = 40
"""The maximum length of the program's name in the name of its log file."""

_numbers = itertools.count(1)


class ProgramLog(threading.Thread):
    """A thread that copies a program's standard error to a file until no more can arrive.

    ``path`` is the file, or None if there is no place for it. It is created when the first byte arrives, can be read
    only by its owner, and never replaces another file. It contains the first 8 MiB of the output, and the last 1 MiB
    once the output has ended. Data that can't be written is dropped.
    """

    def __init__(self, program: str, output: IO[bytes]) -> None:
        super().__init__(daemon=True, name="millebornes log")
        self.path: Final = _new_path(program)
        self._output: Final = output
        self.start()

    def run(self) -> None:
        """Copy the output."""
        room, tail, dropped = HEAD, bytearray(), 0
        with self._output:
            data = self._output.read(CHUNK)
            if not data:
                return
            with _create(self.path) as file:
                while data:
                    _write(file, data[:room])
                    tail += data[room:]
                    room = max(0, room - len(data))
                    if len(tail) > 2 * TAIL:
                        dropped += len(tail) - TAIL
                        del tail[:-TAIL]
                    data = self._output.read(CHUNK)
                if dropped:
                    _write(file, f"\n({dropped} bytes that stood here were dropped)\n".encode())
                _write(file, tail)


def _create(path: Path | None) -> IO[bytes]:
    """Return a new file. If it can't be created, return one that drops all data."""
    with contextlib.suppress(OSError):
        if path is not None:
            return open(path, "xb", buffering=0, opener=lambda name, flags: os.open(name, flags, 0o600))
    return open(os.devnull, "wb", buffering=0)  # noqa: PTH123


def _write(file: IO[bytes], data: bytes | bytearray) -> None:
    with contextlib.suppress(OSError):  # the disk is full, so the rest is dropped
        while data:
            data = data[file.write(data) :]


def _new_path(program: str) -> Path | None:
    """Return an unused path for a new log of ``program``, or None if there is no place for a log.

    The oldest logs are removed to keep at most a hundred, including the new one.
    """
    folder = logs_folder()
    name = "".join(c if c.isascii() and (c.isalnum() or c in "._") else "_" for c in Path(program).name)[:MAX_NAME]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        logs = list(folder.glob("bot-*.log"))
    except OSError:
        return None
    if len(logs) >= MAX_LOGS:
        for log in sorted(logs, key=_age)[: len(logs) - MAX_LOGS + 1]:
            with contextlib.suppress(OSError):
                log.unlink(missing_ok=True)
    # Process numbers are reused at some point, and quickly in a container.
    paths = (folder / f"bot-{name or 'program'}-{os.getpid()}-{number}.log" for number in _numbers)
    return next(path for path in paths if not os.path.lexists(path))


def _age(log: Path) -> float:
    """Return the time when a log was last written, or a time long ago if another process has just removed it."""
    try:
        return log.stat().st_mtime
    except OSError:
        return 0.0


def last_line(log: Path) -> str:
    """Return the last line of a log that isn't blank, shortened and safe to print, or "" if there is no such line."""
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - MAX_TAIL_BYTES))
            data = stream.read(MAX_TAIL_BYTES)
    except OSError:
        return ""
    lines = [" ".join(line.split()) for line in data.decode("utf-8", "replace").splitlines()]
    return shortened(printable(next((line for line in reversed(lines) if line), "")), MAX_LINE)
