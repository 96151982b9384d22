"""The letters of the commands: the same at every table, line by line and on the whole screen, in either case."""

from typing import Final

__all__ = ["LETTERS"]

LETTERS: Final = {
    "pick": "p",
    "use": "u",
    "discard": "d",
    "order": "o",
    "legal": "l",
    "hint": "h",
    "undo": "z",
    "counts": "c",
    "window": "w",
    "one_key": "k",
    "scores": "t",
    "redraw": "r",
    "save": "s",
    "quit": "q",
    "yes": "y",
    "no": "n",
}
"""The letter of each command, by the name of its action on the whole screen (`millebornes.tui.full.keys.ACTIONS`)."""
