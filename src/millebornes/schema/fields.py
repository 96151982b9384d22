"""Helpers for the fields of Structs: descriptions and common types of numbers."""

from typing import Annotated, Final

from msgspec import Meta

from millebornes.cards import Card

DEFAULT_TARGET: Final = 5000
"""The default number of points that ends a match (R8.1)."""
MAX_SEATS: Final = 8
MAX_TABLE_SEATS: Final = 12
"""The maximum number of seats in a record of a finished game, even one written by a later version."""
MAX_CARDS: Final = 192
"""The number of cards in the largest deck."""
MAX_NUMBER: Final = 10**9
MAX_POINTS: Final = 10**12


def about(text: str, right: str | None = None, *, clause: str | None = None) -> Meta:
    """Return the description of a field for the documentation.

    ``right`` completes the words "it must be ..." in error messages, which also cite ``clause``.
    """
    extra = {"right": right, "clause": clause}
    return Meta(description=text, extra={name: value for name, value in extra.items() if value} or None)


Seat = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
Side = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
CardCounts = dict[Card, Annotated[int, Meta(ge=0, le=MAX_CARDS)]]
"""The number of cards of each kind. Kinds that have no cards can be left out."""
