"""The errors that this package raises on purpose. All of them derive from `MilleBornesError`.

Each message is a single sentence that says what is wrong, where, and what would be right.
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
    "message_of",
    "printable",
    "shortened",
]


class MilleBornesError(Exception):
    """The base class of all errors of this package. The message can be shown to users as it is."""


class EditionError(MilleBornesError, ValueError):
    """An unknown edition, or a setting that is unknown, malformed, out of range or in conflict with another setting.

    ``field`` is the name of the setting, if the error is about a setting. The message is a single line of printable
    characters.
    """

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(printable(message))
        self.field = field


class ArgumentError(MilleBornesError, TypeError):
    """A value of the wrong type. The message says which type is expected."""


class SeatError(MilleBornesError, IndexError):
    """A seat that the table doesn't have."""


class NotationError(MilleBornesError, ValueError):
    """Raised for text that isn't a valid card, move, position or seed."""


class IllegalMoveError(MilleBornesError, ValueError):
    """A well-formed move that the rules don't allow at the moment.

    ``clause`` is the clause that forbids the move (such as ``"R4.1"``), ``reason`` says why in words, and ``legal``
    contains the legal moves in canonical notation.
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
    """A transcript that is malformed, or that records something impossible.

    The message is a single line of printable characters.
    """

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class SaveError(MilleBornesError):
    """A saved game or settings file that couldn't be written, or can't be used: damaged, not ours or too new.

    The message is a single line of printable characters, even if the file's name is not. ``reason`` says in a few words
    why the operating system refused to write or read the file, such as "the disk is full". The reason is empty if the
    cause was something else. ``is_newer`` is true if a newer version of the program wrote the file.
    """

    def __init__(self, message: str, reason: str = "", *, is_newer: bool = False) -> None:
        super().__init__(printable(message))
        self.reason = printable(reason)
        self.is_newer = is_newer


class AnswerError(MilleBornesError, ValueError):
    """An answer that isn't legal, or doesn't fit the question that the game loop asked."""


class PlayerError(MilleBornesError):
    """An unknown player, or a player that broke the rules for players."""


MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""The errors that reading malformed data can raise, whatever the data contains.

Examples of such data are text instead of a number, infinity instead of an integer, a list that is too short, and
nesting that is too deep.
"""


def printable(text: str) -> str:
    """Return the text as a single line for an error message. Control characters and undecodable bytes are escaped."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)


def shortened(text: str, most: int) -> str:
    """Return the text if it has at most ``most`` characters, and otherwise its beginning with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def message_of(error: BaseException, most: int = 200) -> str:
    """Return the message of another library's error as a single line, or the name of its class if it has none."""
    return shortened(printable(" ".join(str(error).split())) or type(error).__name__, most)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()
