"""Which characters a terminal can show, and what stands for those that it cannot.

What it can show is named by an encoding: its characters can be shown, others are replaced. None: everything can.
"""

import codecs
import functools
import os
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Final

__all__ = ["PLAIN", "fold_cells", "repertoire", "shown_in"]

PLAIN: Final = "ascii"
CONSOLES: Final = {"linux": "latin-1", "cons25": "latin-1"}
"""What consoles show that have one small font, whatever the locale says."""

_COERCED: Final = {"C.UTF-8", "C.utf8", "UTF-8"}
"""What Python sets LC_CTYPE to by itself where the locale is C."""

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
"""Characters of drawings, each for one of the same width."""


def repertoire(environ: Mapping[str, str] | None = None, initial: Mapping[str, str] | None = None) -> str | None:
    """The encoding of what the terminal shows, from TERM and the locale; None: UTF-8, so everything.

    ``initial`` is the environment that the process was started with: Python sets LC_CTYPE to UTF-8 by itself where
    the locale is C. Where nothing names a locale, the terminal is taken for one of today, which shows everything.
    """
    initial = _initial() if environ is None and initial is None else initial
    environ = os.environ if environ is None else environ
    console = CONSOLES.get(environ.get("TERM", "").lower())
    codeset = _codeset(environ, environ if initial is None else initial)
    if codeset == PLAIN or console is None:
        return codeset
    return console


def shown_in(asked: bool | None, wish: str) -> str | None:
    """What to draw with, as of `repertoire`: ``asked`` on the command line, else by ``wish``, a preference.

    ``"yes"`` and ``"no"`` say whether there are to be symbols, ``"auto"`` leaves it to the terminal.
    """
    if asked is None and wish == "auto":
        return repertoire()
    return None if asked or (asked is None and wish == "yes") else PLAIN


def _codeset(environ: Mapping[str, str], initial: Mapping[str, str]) -> str | None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        value = environ.get(name, "")
        if name == "LC_CTYPE" and value in _COERCED and value != initial.get(name):
            continue
        if value:
            break
    else:
        return None
    if value in {"C", "POSIX"}:
        return PLAIN
    codeset = value.partition(".")[2].partition("@")[0]
    if not codeset:  # as ``fr_FR``: which it is only the system knows; it is UTF-8 nearly everywhere today
        return None
    try:
        known = codecs.lookup(codeset).name
    except LookupError:
        return PLAIN
    return None if known.startswith("utf") else known


def _initial() -> Mapping[str, str] | None:
    """The environment at the start of the process, where the system tells it."""
    try:
        pairs = Path("/proc/self/environ").read_bytes().split(b"\0")
    except OSError:
        return {}
    return {os.fsdecode(name): os.fsdecode(value) for name, _, value in (pair.partition(b"=") for pair in pairs)}


def _shows(char: str, encoding: str) -> bool:
    try:
        char.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


@functools.lru_cache(4096)
def _letter(char: str, encoding: str) -> str:
    """A character without its accents, in one character that can be shown."""
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
    """A text in letters that can be shown and plain characters, as many columns wide as before."""
    return text if text.isascii() else "".join(_cell(char, encoding) for char in text)
