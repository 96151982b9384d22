"""Text for terminals and pipes that can't show every character.

Characters that are missing are spelled with those that are available.
"""

import codecs
import unicodedata
from collections.abc import Mapping
from typing import Final

__all__ = ["RESPELL", "respelled"]

RESPELL: Final = "millebornes-respell"
"""The name of this error handler, for ``stream.reconfigure(errors=RESPELL)``."""

_SPELLINGS: Final[Mapping[str, str]] = {
    "’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "…": "...", "–": "-", "—": "-", "−": "-", "‑": "-",
    "„": '"', "±": "+-", "×": "x", "·": "-", "•": "*", "→": "->", "←": "<-", "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE",
    "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "€": "EUR",
    "▶": ">", "◀": "<", "▲": "^", "▸": ">",
}  # fmt: skip


def _spelling(character: str) -> str:
    """Return a character in ASCII: without its accent, in its usual spelling, or else as its number."""
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
    """Handle encoding errors. Decoding errors have other causes, so they are raised again."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_spelling, error.object[error.start : error.end])), error.end


codecs.register_error(RESPELL, _respell)


def respelled(text: str, encoding: str) -> str:
    """Return the text with each character that the encoding lacks replaced by others, never by a question mark."""
    return text.encode(encoding, RESPELL).decode(encoding)
