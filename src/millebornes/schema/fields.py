"""What fields of many objects have in common: their meaning as a note, and the usual kinds of number."""

from typing import Annotated, Final

from msgspec import Meta

from millebornes.cards import Card

__all__ = [
    "DEFAULT_TARGET",
    "MAX_CARDS",
    "MAX_NUMBER",
    "MAX_POINTS",
    "MAX_SEATS",
    "MAX_TABLE_SEATS",
    "CardCounts",
    "Seat",
    "Side",
    "about",
]

DEFAULT_TARGET: Final = 5000
"""Points that end a match where nothing else is said (R8.1)."""
MAX_SEATS: Final = 8
MAX_TABLE_SEATS: Final = 12
"""Seats that records of finished games may name, those of later versions among them."""
MAX_CARDS: Final = 192
"""Cards in the largest deck."""
MAX_NUMBER: Final = 10**9
MAX_POINTS: Final = 10**12


def about(text: str, right: str | None = None, *, clause: str | None = None) -> Meta:
    """The meaning of a field, as the documents show it.

    ``right`` ends the sentence "it must be ..." of an error, and ``clause`` is the clause that the error cites.
    """
    extra = {"right": right, "clause": clause}
    return Meta(description=text, extra={name: value for name, value in extra.items() if value} or None)


Seat = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
Side = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]
CardCounts = dict[Card, Annotated[int, Meta(ge=0, le=MAX_CARDS)]]
"""How many cards of each kind; kinds without cards may be left out."""
