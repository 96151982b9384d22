"""Wrap lines at ordinary spaces, but not at the no-break space that French puts before a colon."""

import re

import rich._wrap

__all__ = ["keep_no_break_spaces"]

_BLANK = r"[^\S\u00a0\u202f]"
_LETTER = r"(?:\S|[\u00a0\u202f])"


def keep_no_break_spaces() -> None:
    """Stop Rich and Textual from breaking lines at no-break spaces, which they do by default.

    Neither library has a setting for this, but both use the same pattern to find words.
    """
    rich._wrap.re_word = re.compile(f"{_BLANK}*{_LETTER}+{_BLANK}*")
