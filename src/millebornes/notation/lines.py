"""The lines of a transcript file, one by one, as strictly read JSON objects."""

import dataclasses
import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final

from millebornes.errors import TranscriptError

__all__ = ["MAX_LINE", "Place", "read_objects", "show"]

MAX_LINE: Final = 16 << 20
"""Bytes that a line may have at most, its end not counted."""

BOM: Final = b"\xef\xbb\xbf"
SHOWN: Final = 60
MAX_MESSAGE: Final = 4000


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """Where in a transcript something stands: the file, the line, and the hand and ply where they are known."""

    where: str
    line: int
    hand: int | None = None
    ply: int | None = None

    def fault(self, text: str) -> TranscriptError:
        """The error that something is wrong here; always one line of printable characters."""
        parts = [self.where, f"line {self.line}"]
        if self.hand is not None:
            parts.append(f"hand {self.hand}" if self.ply is None else f"hand {self.hand}, ply {self.ply}")
        message = ": ".join([*parts, text])
        if len(message) > MAX_MESSAGE:
            message = message[: MAX_MESSAGE - 1] + "…"
        return TranscriptError("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message))

    def wrong(self, name: str, value: Any, right: str) -> TranscriptError:
        """The error that a field holds a wrong value; ``right`` says what it must be."""
        return self.fault(f"{name}: {show(value)} is not allowed; it must be {right}")


def show(value: Any) -> str:
    """A value as it stands in a transcript, for a message: shortened, and on one line."""
    if isinstance(value, dict):
        return "an object" if value else "{}"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "[]"
    if isinstance(value, str):
        value = value[: SHOWN + 1]
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def read_objects(lines: BinaryIO | Iterable[str | bytes], where: str) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Each line's JSON object and where it stands.

    ``lines`` is a binary stream, of which only one line at a time is in memory, or any lines, with or without their
    ends. Raises `TranscriptError` for whatever is no JSON object: blank lines, a byte-order mark, bytes that are not
    UTF-8, lone surrogates, duplicate keys, NaN and infinities, numbers and nesting beyond measure, lines of more than
    16 MiB.
    """
    number = 0
    for number, line in enumerate(_raw_lines(lines), 1):
        place = Place(where, number)
        if line.endswith(b"\n"):
            line = line[:-2] if line.endswith(b"\r\n") else line[:-1]
        if len(line) > MAX_LINE:
            raise place.fault(f"longer than {MAX_LINE >> 20} MiB; a line of a transcript is not")
        yield place, _read_object(place, line)
    if number == 0:
        raise Place(where, 1).fault('the file is empty; a transcript begins with {"format":"millebornes/1",…}')


def _raw_lines(lines: BinaryIO | Iterable[str | bytes]) -> Iterator[bytes]:
    readline = getattr(lines, "readline", None)
    if readline is not None:
        while line := readline(MAX_LINE + 3):
            yield line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
        return
    for line in lines:
        yield line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line


def _read_object(place: Place, line: bytes) -> dict[str, Any]:
    if line.startswith(BOM):
        raise place.fault("begins with a byte-order mark; a transcript is plain UTF-8 without one")
    if not line.strip():
        raise place.fault("a blank line; each line of a transcript is a JSON object")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise place.fault(f"not UTF-8: byte 0x{line[error.start]:02x} at byte {error.start + 1} of the line") from None
    try:
        value = _DECODER.decode(text)
        if "\\u" in text:
            _refuse_lone_surrogates(value)
    except _NotStrictError as error:
        raise place.fault(str(error)) from None
    except json.JSONDecodeError as error:
        near = show(text[max(error.pos - 10, 0) : error.pos + 20])
        raise place.fault(f"not JSON: {error.msg} at column {error.pos + 1}, near {near}") from None
    except RecursionError:
        raise place.fault("not JSON that can be read: nested too deeply") from None
    except ValueError:
        raise place.fault("not JSON that can be read: a number with thousands of digits") from None
    if not isinstance(value, dict):
        raise place.fault(f"{show(value)} is no JSON object; each line of a transcript is one")
    return value


class _NotStrictError(ValueError):
    """JSON that Python's decoder lets pass, but a transcript may not hold."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _NotStrictError(f"the key {show(key)} stands twice in one object")
            seen.add(key)
    return found


def _constant(name: str) -> Any:
    raise _NotStrictError(f"{name} is no JSON number")


def _float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise _NotStrictError(f"the number {text[:SHOWN]} is too large")
    return number


def _refuse_lone_surrogates(value: Any) -> None:
    """Only escapes can make them: the decoder joins the two halves of a pair, and leaves a half alone as it is."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        half = ord(error.object[error.start])
        raise _NotStrictError(f"\\u{half:04x} is half of a surrogate pair and no character") from None


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
