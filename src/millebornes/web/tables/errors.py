"""Errors that become responses. Each has an HTTP status, a word for programs, and a sentence for people."""

from typing import Any, Final

from millebornes.errors import MilleBornesError
from millebornes.table.refusal import CommandError

_STATUSES: Final = {
    "creator": 403,
    "illegal": 422,
    "malformed": 400,
    "no_seat": 404,
    "too_long": 413,
    "turn": 403,
}
"""The HTTP statuses for the words with which a table refuses a command. For all others it is 409 (conflict)."""


class ApiError(MilleBornesError):
    """A request that can't be carried out. ``more`` contains additional keys for the answer.

    ``retry_after`` is in seconds. If the word ``error`` doesn't say enough, ``why`` is a sentence that pages can
    translate. Programs get ``text``.
    """

    def __init__(
        self, status: int, error: str, text: str, retry_after: int | None = None, *, why: str | None = None, **more: Any
    ) -> None:
        super().__init__(text)
        self.status = status
        self.error = error
        self.retry_after = retry_after
        self.why = why
        self.more = more

    @classmethod
    def of(cls, error: CommandError) -> "ApiError":
        """Return the error for a command that a table has refused."""
        return cls(_STATUSES.get(error.word, 409), error.word, str(error), why=error.why, **error.more)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as a JSON object."""
        return {"error": self.error, "text": str(self), **self.more}
