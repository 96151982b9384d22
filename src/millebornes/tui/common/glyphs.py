"""Symbols or plain characters: which of them a terminal gets, and a plain character for each symbol."""

import functools
import os
import unicodedata
from collections.abc import Mapping
from typing import Final

CONSOLES: Final = {"linux", "cons25"}
"""Values of TERM for consoles with a single small font. The locale doesn't matter for them."""

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


def can_show_symbols(encoding: str | None, environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether a terminal shows all characters. Otherwise, it gets only ASCII.

    This depends on the encoding of its stream, TERM and the locale. Without a locale, the function assumes a modern
    terminal, which can show everything.
    """
    chosen = "" if environ.get("LC_CTYPE") in _COERCED else environ.get("LC_CTYPE")
    locale = environ.get("LC_ALL") or chosen or environ.get("LANG") or ""
    codeset = locale.partition(".")[2].partition("@")[0]  # only the system knows that of ``fr_FR``: nearly always UTF-8
    return (
        _is_unicode(encoding or "utf-8")
        and _is_unicode(codeset or "utf-8")
        and locale not in {"C", "POSIX"}
        and environ.get("TERM", "").lower() not in CONSOLES
    )


def _is_unicode(encoding: str) -> bool:
    return encoding.lower().startswith("utf")


@functools.lru_cache(4096)
def _cell(char: str) -> str:
    if char.isascii():
        return char
    if unicodedata.combining(char):
        return ""
    shown = _CELLS.get(char) or next(filter(str.isascii, unicodedata.normalize("NFKD", char)), "")
    if not shown and unicodedata.name(char, "").startswith("BOX DRAWINGS"):
        shown = "+"
    elif not shown:
        shown = "_" if unicodedata.category(char)[0] in "LN" else "."
    return shown * 2 if unicodedata.east_asian_width(char) in "WF" else shown


def in_plain_cells(text: str) -> str:
    """Return the text in ASCII, with the same width in columns."""
    return text if text.isascii() else "".join(map(_cell, text))
