"""The last line of the screen while something is open: the keys of that, not of what lies below."""

import re
from collections.abc import Sequence
from typing import Final

from textual.content import Content
from textual.widgets import Static

__all__ = ["FULL_HEIGHT", "KeyHelp", "KeyLine", "keys_of"]

FULL_HEIGHT: Final = 24
"""Rows of the screen from which there is a line for keys beside the largest window."""

KeyHelp = Sequence[tuple[str, str]]
"""Keys as they are shown, each with what it does in a word or two."""

_PARTED: Final = re.compile(r"\s*:\s+")


def keys_of(subtitle: str) -> KeyHelp:
    """The keys that the lower edge of a window tells, such as ``Enter: list · Esc: back``."""
    parts = (_PARTED.split(part, maxsplit=1) for part in subtitle.split(" · "))
    return [(part[0], part[1]) for part in parts if len(part) == 2]


class KeyLine(Static):
    """Keys, side by side."""

    def __init__(self, keys: KeyHelp) -> None:
        super().__init__(markup=False)
        self._keys = tuple(keys)

    def render(self) -> Content:
        """All of them; the last without words, where there is no room."""
        for worded in range(len(self._keys), -1, -1):
            parts = [
                Content.assemble(Content.styled(f" {key} ", "reverse"), f" {words}" if n < worded else "")
                for n, (key, words) in enumerate(self._keys)
            ]
            shown = Content("   ").join(parts)
            if shown.cell_length <= self.content_size.width:
                break
        return shown
