"""``millebornes replay`` of a data set: its games one after the other, or written as transcripts."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from millebornes.arena.records import Records
from millebornes.data import read_games

__all__ = ["recorded", "written"]

Told = Callable[[BinaryIO | Iterable[str | bytes], str], Iterator[bytes]]

NEXT: Final = b"\n"


def recorded(path: Path, game: int | None, told: Told, as_json: bool) -> Iterator[bytes]:
    """What is told of the games of a data set, or of one of them. Raises `TranscriptError` at the first fault."""
    is_first = True
    for found in read_games(path, game):
        if not found.lines:  # nothing was dealt
            continue
        if not is_first and not as_json:
            yield NEXT
        is_first = False
        yield from told(found.lines, f"{found.file}, game {found.number}")


def written(path: Path, game: int | None, record: Path) -> str:
    """Write the transcripts of a data set's games, as ``millebornes arena --record`` does; tell how many.

    Raises `TranscriptError` at the first fault, `SaveError`.
    """
    records, count = Records(record), 0
    for found in read_games(path, game):
        records.games = found.number - 1
        records.add(found.lines)
        count += 1
    return f"{record}: {count:,} transcripts"
