"""The questions that a table asks a person. Only the person in that seat may see them."""

from typing import NamedTuple

from millebornes.cards import Card


class Turn(NamedTuple):
    """Ask the player in ``seat`` for a move. Only they may see ``drawn``."""

    seat: int
    drawn: tuple[Card, ...]


class Coup(NamedTuple):
    """Ask the player in ``seat`` whether to call a coup fourré with ``safety`` (R5.1, R5.6).

    ``holds`` is true if the player holds the safety; only this player may know. Without the safety, the only answer is
    to pass (R5.5).
    """

    seat: int
    safety: Card
    holds: bool


class Extension(NamedTuple):
    """Ask the player in ``seat`` whether to extend the trip (R6.2)."""

    seat: int


SeatQuestion = Turn | Coup | Extension
"""A question that one seat answers with a move."""
