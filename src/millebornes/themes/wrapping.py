"""Where lines may break: at a blank, but not at the no-break space that French puts before a colon."""

import re

import rich._wrap

__all__ = ["keep_no_break_spaces"]

_BLANK = r"[^\S\u00a0\u202f]"
_LETTER = r"(?:\S|[\u00a0\u202f])"


def keep_no_break_spaces() -> None:
    """Make Rich, and so Textual, keep together what a no-break space joins: they break lines at it as at a blank.

    Neither offers a setting for this; both ask one pattern what a word is.
    """
    rich._wrap.re_word = re.compile(f"{_BLANK}*{_LETTER}+{_BLANK}*")
