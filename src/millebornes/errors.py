"""All errors that this package raises on purpose, in one tree.

Each message is one sentence for a person: what is wrong, where, and what would be right.
"""

from typing import Final

__all__ = [
    "MALFORMED",
    "AnswerError",
    "ArgumentError",
    "EditionError",
    "IllegalMoveError",
    "MilleBornesError",
    "NotationError",
    "PlayerError",
    "SaveError",
    "SeatError",
    "TranscriptError",
    "printable",
]


class MilleBornesError(Exception):
    """The base class of all errors of this package. You can show its text to people as it is."""


class EditionError(MilleBornesError, ValueError):
    """An unknown edition, or a setting that is unknown, malformed, absurd or in conflict with another one.

    ``field`` is the name of the setting, if the error is about one. The text is a single line of printable characters.
    """

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(printable(message))
        self.field = field


class ArgumentError(MilleBornesError, TypeError):
    """A value of the wrong type. The text says which type is expected."""


class SeatError(MilleBornesError, IndexError):
    """A seat that the table doesn't have."""


class NotationError(MilleBornesError, ValueError):
    """A text that isn't a valid card, move, position or seed."""


class IllegalMoveError(MilleBornesError, ValueError):
    """A well-formed move that the rules don't allow now.

    ``clause`` is the clause that forbids the move (``"R4.1"``), ``reason`` says why in words, and ``legal`` holds the
    canonical texts of the legal moves.
    """

    def __init__(
        self, message: str, *, move: str = "", clause: str = "", reason: str = "", legal: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.move = move
        self.clause = clause
        self.reason = reason
        self.legal = legal


class TranscriptError(MilleBornesError, ValueError):
    """A transcript that is malformed, or records something that can't have happened. The text is a single line."""


class SaveError(MilleBornesError):
    """A saved game or settings file that can't be used (damaged, not ours, or too new) or couldn't be written.

    The text is a single line of printable characters, whatever the file is called. ``reason`` says in a few words why
    the system refused to write or read the file, such as "the disk is full". It is empty for all other errors.
    ``is_newer`` is true if the file comes from a newer version of the program.
    """

    def __init__(self, message: str, reason: str = "", *, is_newer: bool = False) -> None:
        super().__init__(printable(message))
        self.reason = printable(reason)
        self.is_newer = is_newer


class AnswerError(MilleBornesError, ValueError):
    """An answer to a request of the game loop that doesn't fit the request, or isn't legal."""


class PlayerError(MilleBornesError):
    """An unknown player, or one that broke the rules for players."""


MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""The errors that reading malformed data can raise, whatever a file contains.

For example: text instead of a number, infinity instead of a whole number, a list that is too short, or endless nesting.
"""


def printable(text: str) -> str:
    """Return a text for a message: one line, with control characters and bytes that aren't text escaped."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()
