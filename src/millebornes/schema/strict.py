"""Read JSON strictly, line by line. Lines that other programs might reject, or read differently, are refused."""

import json
import math
from typing import Any, Final

__all__ = ["NotStrictError", "read_object", "show"]

SHOWN: Final = 60
"""The maximum number of characters of a value to show in a message."""


class NotStrictError(ValueError):
    """A line that isn't a JSON object, or that other programs could read differently.

    The message is a sentence about a line of a file. ``answer`` says the same in words that can follow "answered with".
    """

    def __init__(self, sentence: str, answer: str) -> None:
        super().__init__(sentence)
        self.answer: Final = answer


def read_object(line: bytes) -> dict[str, Any]:
    """Return the object that a line contains. Raises `NotStrictError`."""
    try:
        text = line.decode("utf-8")
        value = _DECODER.decode(text)
        if "\\u" in text:  # the decoder only joins complete pairs of surrogates
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except NotStrictError:
        raise
    except UnicodeDecodeError as error:
        at = error.start
        raise NotStrictError(
            f"not UTF-8: byte 0x{line[at]:02x} at byte {at + 1} of the line",
            f"invalid UTF-8: {show(line[max(0, at - 20) :], plain=True)}",
        ) from None
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        raise NotStrictError(
            f"{half} is half of a surrogate pair, which isn't a character",
            "half of a surrogate pair (\\ud800 to \\udfff), which isn't a character",
        ) from None
    except json.JSONDecodeError as error:
        at = error.pos
        raise NotStrictError(
            f"not JSON: {error.msg} at column {at + 1}, near {show(text[max(at - 10, 0) : at + 20])}",
            f"invalid JSON: {show(text, plain=True)} ({error.msg} at column {at + 1})",
        ) from None
    except RecursionError:
        raise NotStrictError("not JSON that can be read: nested too deeply", "JSON that is nested too deeply") from None
    except ValueError:
        digits = "a number with thousands of digits"
        raise NotStrictError(f"not JSON that can be read: {digits}", digits) from None
    if not isinstance(value, dict):
        raise NotStrictError(
            f"{show(value)} isn't a JSON object; each line must be one",
            f"{show(value, plain=True)} instead of a JSON object",
        )
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
                raise NotStrictError(
                    f"the key {show(key)} occurs twice in one object",
                    f"an object in which the key {show(key, plain=True)} occurs twice",
                )
            seen.add(key)
    return found


def _constant(name: str) -> Any:
    raise NotStrictError(f"{name} isn't a JSON number", f"{name}, which isn't a JSON number")


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        shown = text[:SHOWN]
        raise NotStrictError(f"the number {shown} is too large", f"a number that is too large: {shown}")
    return number


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
