"""The error with which a table refuses a command."""

from typing import Any

from millebornes.errors import MilleBornesError


class CommandError(MilleBornesError):
    """A command that a table doesn't carry out. Nothing has changed.

    ``word`` is the reason for programs, and the text says it in a sentence. If the word doesn't say enough, ``why`` is
    a sentence that a screen can translate. ``more`` contains additional details by name, such as ``legal``.
    """

    def __init__(self, word: str, text: str, *, why: str | None = None, **more: Any) -> None:
        super().__init__(text)
        self.word = word
        self.why = why
        self.more = more
