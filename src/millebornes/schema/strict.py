"""Read JSON strictly, line by line. Lines that other programs might reject, or read differently, are refused."""

import json
import math
from collections import Counter
from typing import Any, Final

from millebornes.errors import NotationError, printable, shortened

SHOWN: Final = 60
"""The maximum number of characters of a value to show in a message."""


def read_object(line: bytes) -> dict[str, Any]:
    """Return the object that a line contains.

    Raises a `NotationError` if the line isn't a JSON object, or if other programs could read it differently. The
    message can follow the number of a line, or "answered with".
    """
    try:
        text = line.decode("utf-8")
        value = _DECODER.decode(text)
        if "\\u" in text:  # the decoder only joins complete pairs of surrogates
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except NotationError:
        raise
    except UnicodeDecodeError as error:
        wrong = f"invalid UTF-8: byte 0x{line[error.start]:02x} at byte {error.start + 1} of the line"
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        wrong = f"half of a surrogate pair ({half}), which isn't a character"
    except json.JSONDecodeError as error:
        near = show(text[max(error.pos - 10, 0) : error.pos + 20])
        wrong = f"invalid JSON: {error.msg} at column {error.pos + 1}, near {near}"
    except RecursionError:
        wrong = "JSON that is nested too deeply"
    except ValueError:
        wrong = "a number with thousands of digits"
    else:
        if isinstance(value, dict):
            return value
        wrong = f"{show(value)} instead of a JSON object"
    raise NotationError(wrong)


def show(value: Any) -> str:
    """Return a value as JSON for a message: printable, on one line, and shortened if necessary."""
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
    return shortened(printable(json.dumps(value, ensure_ascii=False)), SHOWN)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        [(again, _count)] = Counter(key for key, _ in pairs).most_common(1)
        raise NotationError(f"an object in which the key {show(again)} occurs twice")
    return data


def _constant(name: str) -> Any:
    raise NotationError(f"{name}, which isn't a JSON number")


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise NotationError(f"a number that is too large: {text[:SHOWN]}")
    return number


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
