"""Read JSON strictly, line by line. Lines that other programs might reject, or read differently, are refused."""

import json
from typing import Any, Final, Literal

__all__ = ["SHOWN", "NotStrictError", "read_object", "show"]

SHOWN: Final = 60
"""The maximum number of characters of a value to show in a message."""

Kind = Literal["encoding", "syntax", "twice", "constant", "large", "digits", "surrogate", "depth", "kind"]


class NotStrictError(ValueError):
    """A line that isn't a JSON object, or that other programs could read differently.

    ``kind`` says what the problem is, and ``value`` contains the details:

    * ``encoding``: the line isn't UTF-8; the index of the first wrong byte
    * ``syntax``: the line isn't JSON; the decoder's message, the index and the text
    * ``twice``: the key that appears twice in one object
    * ``constant``: ``NaN`` or an infinity, which JSON doesn't have
    * ``large``: the text of a number that is too large for a float
    * ``digits``: a number with thousands of digits
    * ``surrogate``: the code of an unpaired surrogate
    * ``depth``: the objects are nested too deeply
    * ``kind``: the value of a line that is JSON, but not an object
    """

    def __init__(self, kind: Kind, value: Any = None) -> None:
        super().__init__(kind, value)
        self.kind: Final = kind
        self.value: Final = value

    def sentence(self, line: bytes) -> str:
        """Return a sentence that says what is wrong with a line of a file."""
        value = self.value
        match self.kind:
            case "encoding":
                return f"not UTF-8: byte 0x{line[value]:02x} at byte {value + 1} of the line"
            case "syntax":
                said, at, text = value
                return f"not JSON: {said} at column {at + 1}, near {show(text[max(at - 10, 0) : at + 20])}"
            case "twice":
                return f"the key {show(value)} occurs twice in one object"
            case "constant":
                return f"{value} isn't a JSON number"
            case "large":
                return f"the number {value[:SHOWN]} is too large"
            case "digits":
                return "not JSON that can be read: a number with thousands of digits"
            case "surrogate":
                return f"\\u{value:04x} is half of a surrogate pair, which isn't a character"
            case "depth":
                return "not JSON that can be read: nested too deeply"
            case "kind":
                return f"{show(value)} isn't a JSON object; each line must be one"


def read_object(line: bytes) -> dict[str, Any]:
    """Return the object that a line contains. Raises `NotStrictError`."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotStrictError("encoding", error.start) from None
    try:
        value = _DECODER.decode(text)
        if "\\u" in text:
            _refuse_lone_surrogates(value)
    except NotStrictError:
        raise
    except json.JSONDecodeError as error:
        raise NotStrictError("syntax", (error.msg, error.pos, text)) from None
    except RecursionError:
        raise NotStrictError("depth") from None
    except ValueError:
        raise NotStrictError("digits") from None
    if not isinstance(value, dict):
        raise NotStrictError("kind", value)
    return value


def show(value: Any, *, plain: bool = False) -> str:
    """Return a value as JSON for a message: on one line, and shortened if necessary.

    If ``plain`` is true, only printable ASCII is used.
    """
    if isinstance(value, dict):
        return "an object" if value else "{}"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "[]"
    if isinstance(value, bytes):
        value = value[: SHOWN + 1].decode("utf-8", "replace")
    if isinstance(value, str):
        value = value[: SHOWN + 1]
    elif isinstance(value, int) and abs(value) >= 10**SHOWN:
        return "a number with many digits"
    text = json.dumps(value, ensure_ascii=plain)
    rest = "…"
    if plain:
        text, rest = text.replace("\x7f", "\\u007f"), "..."
    return text if len(text) <= SHOWN else text[: SHOWN - len(rest)] + rest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise NotStrictError("twice", key)
            seen.add(key)
    return found


def _constant(name: str) -> Any:
    raise NotStrictError("constant", name)


def _float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise NotStrictError("large", text)
    return number


def _refuse_lone_surrogates(value: Any) -> None:
    """Raise `NotStrictError` if the value contains an unpaired surrogate.

    The JSON decoder only joins complete pairs.
    """
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise NotStrictError("surrogate", ord(error.object[error.start])) from None


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
