"""Every error that this package raises on purpose, in one tree.

Messages are one sentence for a person: what is wrong, where, and what would have been right.
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
    """Base of all errors of this package; its text can be shown to a person as it is."""


class EditionError(MilleBornesError, ValueError):
    """An unknown edition, or a setting that is unknown, malformed, absurd or contradicts another one.

    ``field`` names the setting where there is one. The text is a single line of printable characters.
    """

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(printable(message))
        self.field = field


class ArgumentError(MilleBornesError, TypeError):
    """A value of another kind than is wanted; the text says what is."""


class SeatError(MilleBornesError, IndexError):
    """A seat that the table does not have."""


class NotationError(MilleBornesError, ValueError):
    """A text that is no card, move, position or seed."""


class IllegalMoveError(MilleBornesError, ValueError):
    """A well-formed move that the rules forbid now.

    ``clause`` is the clause that forbids it (``"R4.1"``), ``reason`` says why in words, ``legal`` are the canonical
    texts of the moves that are legal instead.
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
    """A transcript that is malformed or records something that cannot have happened; the text is a single line."""


class SaveError(MilleBornesError):
    """A saved game or settings file that is damaged, foreign, newer, or could not be written.

    The text is a single line of printable characters, whatever the file is called. ``reason`` says in a few words why
    the system refused to write or read the file, such as "the disk is full"; it is empty for every other fault.
    ``is_newer``: the file is of a newer version of the program.
    """

    def __init__(self, message: str, reason: str = "", *, is_newer: bool = False) -> None:
        super().__init__(printable(message))
        self.reason = printable(reason)
        self.is_newer = is_newer


class AnswerError(MilleBornesError, ValueError):
    """What a driver of the game loop answered is no answer to its request, or not a legal one."""


class PlayerError(MilleBornesError):
    """An unknown player, or one that broke the rules of being a player."""


MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What taking data apart may raise that is not as it should be, whatever somebody wrote into a file.

A text for a number, an infinity for a whole number, a list too short, nesting without end.
"""


def printable(text: str) -> str:
    """A text for a message: one line in which control characters, and bytes that are no text, are seen as escapes."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()
