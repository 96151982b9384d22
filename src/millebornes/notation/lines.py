"""Read the lines of a transcript file strictly as JSON objects, one by one."""

import dataclasses
import itertools
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final

from millebornes.errors import NotationError, TranscriptError, printable, shortened
from millebornes.schema.reading import refusal
from millebornes.schema.strict import read_object

MAX_LINE: Final = 16 << 20
"""The maximum number of bytes in a line, without the line break."""

BOM: Final = b"\xef\xbb\xbf"
MAX_MESSAGE: Final = 4000


@dataclasses.dataclass(frozen=True, slots=True)
class TranscriptPlace:
    """A place in a transcript: the file, the line and, if known, the hand and the ply."""

    where: str
    line: int
    hand: int | None = None
    ply: int | None = None

    def fault(self, text: str) -> TranscriptError:
        """Return an error about a problem in this place. Its message is a single line of printable characters."""
        parts = [self.where, f"line {self.line}"]
        if self.hand is not None:
            parts.append(f"hand {self.hand}" if self.ply is None else f"hand {self.hand}, ply {self.ply}")
        return TranscriptError(printable(shortened(": ".join([*parts, text]), MAX_MESSAGE)))

    def wrong(self, name: str, value: Any, right: str) -> TranscriptError:
        """Return an error about a field whose value is wrong. ``right`` says what the value must be."""
        return self.fault(refusal(name, value, right))


def read_objects(
    lines: BinaryIO | Iterable[str | bytes], where: str
) -> Iterator[tuple[TranscriptPlace, dict[str, Any]]]:
    """Yield the JSON object of each line with its place.

    ``lines`` is a binary stream, which is read line by line, or an iterable of lines with or without line breaks.
    Raises `TranscriptError` for anything that isn't a JSON object: blank lines, a byte-order mark, bytes that aren't
    UTF-8, lone surrogates, duplicate keys, NaN and infinities, numbers that are too large, nesting that is too deep,
    and lines of more than 16 MiB.
    """
    number = 0
    for number, line in enumerate(_raw_lines(lines), 1):
        place = TranscriptPlace(where, number)
        if line.endswith(b"\n"):
            line = line[:-2] if line.endswith(b"\r\n") else line[:-1]
        if len(line) > MAX_LINE:
            raise place.fault(f"longer than {MAX_LINE >> 20} MiB, the limit for a line of a transcript")
        yield place, _read_object(place, line)
    if number == 0:
        raise TranscriptPlace(where, 1).fault(
            'the file is empty; a transcript begins with {"format":"millebornes/1",…}'
        )


def _raw_lines(lines: BinaryIO | Iterable[str | bytes]) -> Iterator[bytes]:
    readline = getattr(lines, "readline", None)
    if readline is not None:  # a stream, of bytes or of text
        lines = itertools.takewhile(bool, iter(lambda: readline(MAX_LINE + 3), None))
    for line in lines:
        yield line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line


def _read_object(place: TranscriptPlace, line: bytes) -> dict[str, Any]:
    if line.startswith(BOM):
        raise place.fault("begins with a byte-order mark; a transcript is plain UTF-8 without one")
    if not line.strip():
        raise place.fault("a blank line; each line of a transcript is a JSON object")
    try:
        return read_object(line)
    except NotationError as error:
        raise place.fault(str(error)) from None
