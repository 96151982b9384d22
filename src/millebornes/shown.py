"""Make text from other sources safe to display: player names, and the contents of files and messages.

Names contain only visible characters, and are compared by how they look. All text for a terminal passes through
`visible`, which escapes control characters and characters that change the writing direction.
"""

import codecs
import functools
import re
import unicodedata
from collections.abc import Sequence
from typing import Final

__all__ = [
    "LONGEST_NAME",
    "RESPELL",
    "clean_name",
    "clean_text",
    "distinct",
    "in_ascii",
    "look_of",
    "one_line",
    "visible",
]

LONGEST_NAME: Final = 20
"""The maximum number of characters in a name."""
_MOST_MARKS: Final = 4
"""The maximum number of marks on one letter. More marks than this would run into the lines above and below."""
_NON_JOINER: Final = "\u200c"
_JOINER: Final = "\u200d"
_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\U00013441\U00013442"
    "\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
"""Letters, marks and symbols that are invisible."""
_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
_TWINS: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеіјорсухѕһԁԛԝ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορϲ",
    "ABESIJKMHOPCTYXaeijopcyxshdqw" + "ABEZHIKMNOPTYXavopc",
)
"""Cyrillic and Greek letters that look like Latin letters."""
_UNSEEN: Final = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u08e2\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""The characters to escape: all control and format characters except line breaks, tabs and joiners."""
_UNSEEN_STYLED: Final = re.compile(_UNSEEN.pattern.replace("[\0-\x08\x0b-\x1f", "[\0-\x06\x0e-\x1a\x1c-\x1f"))
"""The characters to escape in styled text, which may contain our own sequences for the cursor and for colours."""


def visible(text: str, *, styled: bool = False) -> str:
    r"""Return text for a terminal, of one or more lines, with invisible characters escaped, as in ``\u001b``.

    Valid JSON remains valid. If ``styled`` is true, the program's own sequences for colours and the cursor are kept.
    """
    unseen = _UNSEEN_STYLED if styled else _UNSEEN
    return unseen.sub(_written_out, text) if unseen.search(text) else text


def _written_out(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[n]:02x}{units[n + 1]:02x}" for n in range(0, len(units), 2))


def one_line(text: str) -> str:
    """Return text from a file as one line, with single spaces. Invisible characters are escaped by `visible`."""
    return visible(" ".join(text.split()))


# ---------------------------------------------------------------- plain characters

RESPELL: Final = "millebornes-respell"
"""An error handler for output streams, which spells the characters that the encoding lacks in ASCII."""

_SPELLINGS: Final = {
    "’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "…": "...", "–": "-", "—": "-", "−": "-", "‑": "-",
    "„": '"', "±": "+-", "×": "x", "·": "-", "•": "*", "→": "->", "←": "<-", "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE",
    "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "€": "EUR",
    "▶": ">", "◀": "<", "▲": "^", "▸": ">",
}  # fmt: skip


def in_ascii(text: str) -> str:
    """Return the text in ASCII. Each letter loses its accent, and no character becomes a question mark."""
    return text.encode("ascii", RESPELL).decode()


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


# ---------------------------------------------------------------- names


def clean_text(text: str) -> str:
    """Return the visible part of a text as one line, in composed form (NFC) and with single spaces.

    The result may be empty. Control, format, unassigned, private and blank characters are removed. A joiner is kept
    only if it changes how the text looks: between two pictures, after a virama, or between letters of Arabic and
    related scripts.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept: list[str] = []
    marks = 0
    composed = unicodedata.normalize("NFC", text)
    for place, char in enumerate(composed):
        category = unicodedata.category(char)
        if char in {_JOINER, _NON_JOINER}:
            if kept and _joins(char, kept[-1], composed[place + 1 : place + 2]):
                kept.append(char)
        elif char.isspace() or category[0] == "Z":
            kept.append(" ")
        elif category in _HIDDEN or _BLANK.match(char):
            continue
        elif category in {"Mn", "Me"}:
            marks += 1
            if kept and kept[-1] != " " and marks <= _MOST_MARKS:
                kept.append(char)
            continue
        else:
            kept.append(char)
        marks = 0
    return _trimmed("".join(kept))


def _trimmed(text: str) -> str:
    return " ".join(text.split()).strip(f" {_JOINER}{_NON_JOINER}")


def _joins(joiner: str, before: str, after: str) -> bool:
    if not after:
        return False
    if unicodedata.combining(before) == 9:  # a virama
        return True
    if joiner == _JOINER:
        return unicodedata.category(before) in {"So", "Sk"} and unicodedata.category(after) == "So"
    return all(unicodedata.bidirectional(char) == "AL" for char in (before, after))


@functools.lru_cache(maxsize=1024)
def clean_name(text: str) -> str:
    """Return a name as it is displayed, cleaned by `clean_text` and shortened. The result may be empty."""
    return _trimmed(clean_text(text[: 10 * LONGEST_NAME])[:LONGEST_NAME])


@functools.lru_cache(maxsize=1024)
def look_of(name: str) -> str:
    """Return a key that is the same for all names that look the same, even if their characters differ."""
    shown = unicodedata.normalize("NFKC", clean_text(name)).translate(_TWINS)
    shown = shown.replace(_JOINER, "").replace(_NON_JOINER, "")
    return " ".join(unicodedata.normalize("NFKC", shown.casefold()).translate(_TWINS).split())


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, adding ``#2``, ``#3`` and so on to any that looks the same as an earlier one."""
    found: list[str] = []
    looks: set[str] = set()
    for name in names:
        n, shown = 1, name
        while look_of(shown) in looks:
            n += 1
            shown = f"{name}#{n}"
        found.append(shown)
        looks.add(look_of(shown))
    return tuple(found)
