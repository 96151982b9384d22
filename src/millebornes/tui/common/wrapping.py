"""Wrap lines at ordinary spaces, but not at the no-break space that French puts before a colon."""

import re

import rich._wrap

_BLANK = r"[^\S\u00a0\u202f]"
_LETTER = r"(?:\S|[\u00a0\u202f])"


def keep_no_break_spaces() -> None:
    """Stop Rich and Textual from breaking lines at no-break spaces. Neither has a setting for this."""
    rich._wrap.re_word = re.compile(f"{_BLANK}*{_LETTER}+{_BLANK}*")
