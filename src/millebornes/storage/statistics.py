"""Statistics of past games: each finished hand and match is a line of a file in the data folder, and none is lost.

The file only grows. A line that was cut off (the machine stopped, the disk was full) is passed over when it is read,
and ended before the next is written, so that it spoils no other. Practice games are not kept.
"""

import contextlib
import dataclasses
import datetime
import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from millebornes.errors import MALFORMED, SaveError
from millebornes.storage.folders import data_folder
from millebornes.storage.refusals import refusal

__all__ = [
    "FORMAT",
    "HandResult",
    "MatchResult",
    "Results",
    "append_line",
    "keep_result",
    "load_results",
    "statistics_file",
]

FORMAT: Final = "millebornes-statistics/1"

LARGEST: Final = 64 << 20
"""Bytes that are read; far more than a life of playing."""

MOST_SEATS: Final = 12
LARGEST_NUMBER: Final = 10**12


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Result:
    """What hands and matches have in common.

    ``id`` is the same for the same cards and moves, so that nothing counts twice; ``date`` is when it ended (with the
    zone of the clock); ``edition`` is None for rules of one's own; ``players`` are kinds by seat (``human``, or a
    computer player's name), ``names`` what they were called. ``hints`` counts by seat how often a hint was asked for;
    it is empty in records of older versions.
    """

    id: str
    date: datetime.datetime
    edition: str | None
    seats: int
    sides: int
    players: tuple[str, ...]
    names: tuple[str, ...]
    hints: tuple[int, ...] = ()

    def hints_of(self, side: int) -> int:
        """How many hints a side asked for."""
        return sum(count for seat, count in enumerate(self.hints) if self.side_of(seat) == side)

    def side_of(self, seat: int) -> int:
        """The side that a seat plays for (R2.2)."""
        return seat % self.sides


@dataclasses.dataclass(frozen=True, kw_only=True)
class HandResult(_Result):
    """A finished hand: ``points`` by side, and what luck was worth to each side (see `luck`), if that is known.

    ``match_target`` is that of its match, None for a single hand; ``number`` counts the hands of the match.
    """

    match_target: int | None
    number: int
    points: tuple[int, ...]
    luck: tuple[float, ...] | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class MatchResult(_Result):
    """A finished match: ``totals`` by side, ``hands`` the points of each hand by side, and the winning side.

    ``winner`` is None for a draw, and where several sides won by a forfeit; ``loser`` is the side that lost by a
    forfeit, None for a match that was played to its end.
    """

    match_target: int | None
    totals: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    winner: int | None
    loser: int | None = None


@dataclasses.dataclass(frozen=True)
class Results:
    """All that has been kept, oldest first, each once; ``dropped`` counts lines that could not be read."""

    hands: tuple[HandResult, ...] = ()
    matches: tuple[MatchResult, ...] = ()
    dropped: int = 0


KINDS: Final[dict[str, type[HandResult] | type[MatchResult]]] = {"hand": HandResult, "match": MatchResult}


def statistics_file() -> Path:
    """Where results are kept; it may not exist yet."""
    return data_folder() / "statistics.jsonl"


def keep_result(result: HandResult | MatchResult, path: Path | None = None) -> None:
    """Add a result to the file, and see it on the disk before returning. Raises `SaveError`; nothing older is lost."""
    path = statistics_file() if path is None else path
    kind = "hand" if isinstance(result, HandResult) else "match"
    data = {"format": FORMAT, "kind": kind, **dataclasses.asdict(result), "date": result.date.isoformat()}
    line = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")
    append_line(path, line)


def append_line(path: Path, line: bytes) -> None:
    """Add a line (without its end) to a file, and see it on the disk before returning. Raises `SaveError`."""
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
            # What is there of the line is passed over from now on.
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with contextlib.suppress(OSError):  # not every file system can
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def load_results(path: Path | None = None) -> Results:
    """All kept results; an absent file holds none. Raises `SaveError` where a file cannot be read at all."""
    path = statistics_file() if path is None else path
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST)
    except FileNotFoundError:
        return Results()
    except OSError as error:
        raise SaveError(f"{path}: the statistics cannot be read ({error.strerror or error})") from None
    hands: dict[str, HandResult] = {}
    matches: dict[str, MatchResult] = {}
    dropped = 0
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        try:
            result = _read(json.loads(line))
        except MALFORMED:
            dropped += 1
            continue
        if isinstance(result, HandResult):
            hands.setdefault(result.id, result)
        elif result is not None:
            matches.setdefault(result.id, result)
    return Results(tuple(hands.values()), tuple(matches.values()), dropped)


def _read(data: Any) -> HandResult | MatchResult | None:
    """A line's result; None for those of newer programs. Raises whatever comes for what makes no sense."""
    if not isinstance(data, dict):
        raise ValueError
    if data["format"] != FORMAT or data["kind"] not in KINDS:
        if not str(data["format"]).startswith("millebornes-statistics/"):
            raise ValueError
        return None
    made = KINDS[data["kind"]]
    given = {"hints": [], **data}  # older versions did not count them
    known = {field.name: _FIELDS[field.name](given[field.name]) for field in dataclasses.fields(made)}
    result = made(**known)
    if not 2 <= result.sides <= result.seats <= MOST_SEATS or result.seats % result.sides:
        raise ValueError
    rows = [result.points] if isinstance(result, HandResult) else [result.totals, *result.hands]
    if isinstance(result, HandResult) and result.luck is not None and len(result.luck) != result.sides:
        raise ValueError
    if any(len(row) != result.sides for row in rows):
        raise ValueError
    if not len(result.players) == len(result.names) == result.seats or len(result.hints) not in {0, result.seats}:
        raise ValueError
    return result


_Value = TypeVar("_Value")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value


def _whole(value: Any) -> int:
    if type(value) is not int or not -LARGEST_NUMBER < value < LARGEST_NUMBER:
        raise ValueError
    return value


def _number(value: Any) -> float:
    if type(value) not in {int, float} or not -LARGEST_NUMBER < value < LARGEST_NUMBER:
        raise ValueError
    return float(value)


def _or_none(read: Callable[[Any], _Value]) -> Callable[[Any], _Value | None]:
    return lambda value: None if value is None else read(value)


def _several(read: Callable[[Any], _Value]) -> Callable[[Any], tuple[_Value, ...]]:
    def row(value: Any) -> tuple[_Value, ...]:
        if not isinstance(value, list):
            raise ValueError
        return tuple(read(part) for part in value)

    return row


def _date(value: Any) -> datetime.datetime:
    found = datetime.datetime.fromisoformat(_text(value))
    if not 1900 < found.year < 9000:  # beyond, other zones cannot show it
        raise ValueError
    return found if found.tzinfo is not None else found.replace(tzinfo=datetime.UTC)


_FIELDS: Final[dict[str, Callable[[Any], Any]]] = {
    "id": _text,
    "date": _date,
    "edition": _or_none(_text),
    "seats": _whole,
    "sides": _whole,
    "players": _several(_text),
    "names": _several(_text),
    "hints": _several(_whole),
    "match_target": _or_none(_whole),
    "number": _whole,
    "points": _several(_whole),
    "luck": _or_none(_several(_number)),
    "totals": _several(_whole),
    "hands": _several(_several(_whole)),
    "winner": _or_none(_whole),
    "loser": _or_none(_whole),
}
