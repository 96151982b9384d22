"""The characters that a terminal can show, and the replacements for all other characters.

The characters are identified by the name of an encoding, which contains exactly the characters that can be shown. None
means that every character can be shown.
"""

import codecs
import functools
import os
import unicodedata
from collections.abc import Mapping
from typing import Final

__all__ = ["PLAIN", "fold_cells", "repertoire", "shown_in"]

PLAIN: Final = "ascii"
CONSOLES: Final = {"linux": "latin-1", "cons25": "latin-1"}
"""The encodings of consoles that have a single small font. The locale doesn't matter for them."""

_COERCED: Final = {"C.UTF-8", "C.utf8", "UTF-8"}
"""The values to which Python itself sets LC_CTYPE if the locale is C, and which therefore say nothing."""

_CELLS: Final = {
    **dict.fromkeys("─╌┄┈╶╴╼╾⎯—–‐‑−▔▃▄▅▂", "-"),
    **dict.fromkeys("━═▬╍┅╸╺▆▇", "="),
    **dict.fromkeys("│┃║╎┆┊▏▎▍▌▐▕▊▋▉╵╷╹╻▮▯╽╿", "|"),
    **dict.fromkeys("█■▓▙▟▛▜▗▖▘▝◼", "#"),
    **dict.fromkeys("░·∙•⋅", "."),
    **dict.fromkeys("▒◌", ":"),
    **dict.fromkeys("▁", "_"),
    **dict.fromkeys("▶▸➤❯›→☛⮞", ">"),
    **dict.fromkeys("◀◂❮‹←⮜", "<"),
    **dict.fromkeys("▲△↑▴", "^"),
    **dict.fromkeys("▼▽↓▾", "v"),
    **dict.fromkeys("●◆★✪❖❂◉◎✚", "*"),
    **dict.fromkeys("○□◇", "o"),
    **dict.fromkeys("✗✘×╳⨯", "x"),
    **dict.fromkeys("✓✔", "+"),
    **dict.fromkeys("⊘⊖⌓", "!"),
    **dict.fromkeys("«»“”„", '"'),
    **dict.fromkeys("‘’‚´`", "'"),
    **dict.fromkeys("╱", "/"),
    **dict.fromkeys("╲", "\\"),
    "…": ".",
    "±": "~",
    "œ": "o",
    "Œ": "O",
    "æ": "a",
    "ß": "s",
    "\u00a0": " ",
    "\u202f": " ",
    "°": "o",
    "⎿": "+",
}
"""Characters used in drawings, with replacements of the same width."""


def repertoire(environ: Mapping[str, str] = os.environ) -> str | None:
    """Return the encoding of the characters that the terminal can show, or None for all characters (UTF-8).

    The result depends on TERM and the locale. Without a locale, the function assumes a modern terminal, which can show
    everything.
    """
    console, codeset = CONSOLES.get(environ.get("TERM", "").lower()), _codeset(environ)
    return codeset if codeset == PLAIN or console is None else console


def shown_in(asked: bool | None, wish: str) -> str | None:
    """Return the encoding to draw with, by the option ``asked`` or, if it is None, the preference ``wish``."""
    if asked is None and wish == "auto":
        return repertoire()
    return None if asked or (asked is None and wish == "yes") else PLAIN


def _codeset(environ: Mapping[str, str]) -> str | None:
    values = {name: environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG")}
    if values["LC_CTYPE"] in _COERCED:
        values["LC_CTYPE"] = ""
    value = next(filter(None, values.values()), None)
    if value is None:
        return None
    if value in {"C", "POSIX"}:
        return PLAIN
    codeset = value.partition(".")[2].partition("@")[0]
    if not codeset:  # a locale such as ``fr_FR``: only the system knows its encoding, which is UTF-8 nearly everywhere
        return None
    try:
        known = codecs.lookup(codeset).name
    except LookupError:
        return PLAIN
    return None if known.startswith("utf") else known


def _shows(char: str, encoding: str) -> bool:
    try:
        char.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


@functools.lru_cache(4096)
def _letter(char: str, encoding: str) -> str:
    """Return a replacement for a character that can be shown. If possible, it is the same letter without accents."""
    for form in ("NFC", "NFKD"):
        for part in unicodedata.normalize(form, char):
            if _shows(part, encoding):
                return part
    name = unicodedata.name(char, "")
    if name.startswith("BOX DRAWINGS"):
        return "+"
    return "_" if unicodedata.category(char)[0] in "LN" else "."


@functools.lru_cache(4096)
def _cell(char: str, encoding: str) -> str:
    if char.isascii() or (char.isalpha() and _shows(char, encoding)):
        return char
    shown = _CELLS.get(char) or _letter(char, encoding)
    if unicodedata.combining(char):
        return ""
    return shown * 2 if unicodedata.east_asian_width(char) in "WF" else shown


def fold_cells(text: str, encoding: str) -> str:
    """Return ``text`` in characters that the terminal can show, with the same width in columns."""
    return text if text.isascii() else "".join(_cell(char, encoding) for char in text)
