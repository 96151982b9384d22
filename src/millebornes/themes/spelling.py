"""Text for terminals and pipes that cannot show every letter: what they lack is written with letters they have."""

import codecs
import unicodedata
from collections.abc import Mapping
from typing import Final

__all__ = ["RESPELL", "respelled"]

RESPELL: Final = "millebornes-respell"
"""The name of the error handler: ``stream.reconfigure(errors=RESPELL)``."""

_SPELLINGS: Final[Mapping[str, str]] = {
    "’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "…": "...", "–": "-", "—": "-", "−": "-", "‑": "-",
    "„": '"', "±": "+-", "×": "x", "·": "-", "•": "*", "→": "->", "←": "<-", "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE",
    "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "€": "EUR",
    "▶": ">", "◀": "<", "▲": "^", "▸": ">",
}  # fmt: skip


def _spelling(character: str) -> str:
    """A character in ASCII: without its accent, or as people write it where it is lacking, else by its number."""
    known = _SPELLINGS.get(character)
    if known is not None:
        return known
    if unicodedata.combining(character):
        return ""
    if character.isspace():
        return " "
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return plain or character.encode("ascii", "backslashreplace").decode()


def _respell(error: UnicodeError) -> tuple[str, int]:
    """The error handler for encoding; what cannot be decoded is a mistake of another kind."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_spelling, error.object[error.start : error.end])), error.end


codecs.register_error(RESPELL, _respell)


def respelled(text: str, encoding: str) -> str:
    """The text with every character that an encoding lacks written with others; never a question mark for one."""
    return text.encode(encoding, RESPELL).decode(encoding)
