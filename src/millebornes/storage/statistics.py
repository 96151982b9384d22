"""Statistics of past games: each finished hand or match adds a line to a file in the data folder.

Lines are only ever added, and none is lost. If a line was cut off because the computer stopped or the disk was full, it
is skipped when the file is read. The next write first completes this line with a line break, so that no other line is
damaged. Practice games are not recorded.
"""

import contextlib
import dataclasses
import errno
import json
import os
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from millebornes.errors import MALFORMED
from millebornes.schema.reading import read
from millebornes.schema.statistics import HandResult, MatchResult
from millebornes.storage.files import data_folder, read_whole, refusal

FORMAT: Final = "millebornes-statistics/1"

_Record = TypeVar("_Record")


@dataclasses.dataclass(frozen=True)
class Results:
    """All recorded results, starting with the oldest, and the number of ``dropped`` lines that couldn't be read."""

    hands: tuple[HandResult, ...] = ()
    matches: tuple[MatchResult, ...] = ()
    dropped: int = 0


KINDS: Final[dict[str, type[HandResult] | type[MatchResult]]] = {"hand": HandResult, "match": MatchResult}
EARLIEST, LATEST = 1900, 9000
"""The range of years that dates can have. Dates outside it can't be shown in every time zone."""


def statistics_file() -> Path:
    """Return the path of the file that contains the results. The file may not exist yet."""
    return data_folder() / "statistics.jsonl"


def keep_result(result: HandResult | MatchResult, path: Path | None = None) -> None:
    """Add a result to the file, and return after it is on the disk. Raises `SaveError`."""
    append_record(statistics_file() if path is None else path, FORMAT, result)


def append_record(path: Path, name: str, record: msgspec.Struct) -> None:
    """Add a line with a record and the ``name`` of its format. Return after it is on the disk. Raises `SaveError`."""
    data = {"format": name, **msgspec.to_builtins(record)}
    line = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _append(path, line + b"\n")
    except OSError as error:
        raise refusal(path, error, "the statistics cannot be written") from None


def _append(path: Path, line: bytes) -> None:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o666)
    try:
        size = os.lseek(descriptor, 0, os.SEEK_END)
        if size:
            os.lseek(descriptor, size - 1, os.SEEK_SET)
            if os.read(descriptor, 1) != b"\n":
                line = b"\n" + line
        if os.write(descriptor, line) < len(line):
            # The part of the line that was written will be skipped from now on.
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with contextlib.suppress(OSError):  # some file systems can't do this
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def load_results(path: Path | None = None) -> Results:
    """Return all recorded results. Raises `SaveError` if the file exists but can't be read."""
    records, dropped = read_records(statistics_file() if path is None else path, "the statistics", _read)
    hands: dict[str, HandResult] = {}
    matches: dict[str, MatchResult] = {}
    for result in records:
        if isinstance(result, HandResult):
            hands.setdefault(result.id, result)
        elif result is not None:
            matches.setdefault(result.id, result)
    return Results(tuple(hands.values()), tuple(matches.values()), dropped)


def read_records(path: Path, what: str, read_record: Callable[[Any], _Record]) -> tuple[list[_Record], int]:
    """Return what ``read_record`` makes of the JSON in each line of a file, and the number of lines it can't read.

    If there is no file, there are no records. Raises a `SaveError` that calls the file ``what``.
    """
    records, dropped = [], 0
    for line in filter(bytes.strip, (read_whole(path, what) or b"").split(b"\n")):
        try:
            records.append(read_record(json.loads(line)))
        except MALFORMED:
            dropped += 1
    return records, dropped


def _read(data: Any) -> HandResult | MatchResult | None:
    """Return the result in a line, or None if a newer version wrote it. Invalid data can raise any exception."""
    if not isinstance(data, dict):
        raise ValueError
    if data["format"] != FORMAT or data["kind"] not in KINDS:
        if not str(data["format"]).startswith("millebornes-statistics/"):
            raise ValueError
        return None
    kind: type[HandResult] | type[MatchResult] = KINDS[data["kind"]]
    result = read(kind, data, fault=ValueError)
    if not EARLIEST < result.date.year < LATEST or result.sides > result.seats or result.seats % result.sides:
        raise ValueError
    rows = [result.points] if isinstance(result, HandResult) else [result.totals, *result.hands]
    if isinstance(result, HandResult) and result.luck is not None and len(result.luck) != result.sides:
        raise ValueError
    if any(len(row) != result.sides for row in rows):
        raise ValueError
    if not len(result.players) == len(result.names) == result.seats or len(result.hints) not in {0, result.seats}:
        raise ValueError
    return result if result.date.tzinfo else msgspec.structs.replace(result, date=result.date.replace(tzinfo=UTC))
