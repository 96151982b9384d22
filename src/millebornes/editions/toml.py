"""Read TOML that other people wrote. Errors say what can't be read, and on which line."""

import re
import tomllib
from typing import Any, Final

_LONG_NUMBER: Final = re.compile(r"\d(?:_?\d){999,}")


class TomlError(ValueError):
    """Raised for text that can't be read as TOML. The message says what is wrong and where, without a full stop."""


def parse_toml(text: str) -> dict[str, Any]:
    """Return the data in a TOML document. Raises `TomlError`."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(f"not a TOML file ({error})") from None
    except RecursionError:
        raise TomlError("not a TOML file that can be read (nested too deeply)") from None
    except ValueError:  # Python refuses to convert numbers with thousands of digits
        number = _LONG_NUMBER.search(text)
        where = "" if number is None else f"line {text.count(chr(10), 0, number.start()) + 1}: "
        raise TomlError(f"{where}a number with thousands of digits cannot be read") from None
