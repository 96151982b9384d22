"""R1: the cards of Mille Bornes, as data.

Each *kind* of card has a canonical name that all programs use, a short code for boards and positions, and an index. The
index gives the card's place in packed words, which have three bits for each kind (see `millebornes.rules.state`).
"""

import enum
from collections.abc import Iterable
from typing import Any, Final

__all__ = [
    "ANSWERS",
    "CODES",
    "DECKS",
    "DISTANCES",
    "FULL_DECK",
    "HAZARDS",
    "MAJOR_HAZARDS",
    "MILES",
    "REDUCED_DECK",
    "REMEDIES",
    "REMEDY_OF",
    "SAFETIES",
    "SAFETY_OF",
    "Card",
    "Group",
    "sorted_cards",
]


class Group(enum.StrEnum):
    """The four groups of cards (R1)."""

    DISTANCE = "distance"
    HAZARD = "hazard"
    REMEDY = "remedy"
    SAFETY = "safety"


class Card(enum.StrEnum):
    """A kind of card.

    The value is the canonical name, and ``card.index`` is the card's place in packed words (0–18).
    """

    D25 = "25", "25", Group.DISTANCE, 10
    D50 = "50", "50", Group.DISTANCE, 10
    D75 = "75", "75", Group.DISTANCE, 10
    D100 = "100", "100", Group.DISTANCE, 12
    D200 = "200", "200", Group.DISTANCE, 4
    ACCIDENT = "accident", "ACC", Group.HAZARD, 3, "repairs", "driving_ace"
    OUT_OF_GAS = "out_of_gas", "OUT", Group.HAZARD, 3, "gasoline", "extra_tank"
    FLAT_TIRE = "flat_tire", "FLT", Group.HAZARD, 3, "spare_tire", "puncture_proof"
    STOP = "stop", "STP", Group.HAZARD, 5, "roll", "right_of_way"
    SPEED_LIMIT = "speed_limit", "LIM", Group.HAZARD, 4, "end_of_limit", "right_of_way"
    REPAIRS = "repairs", "REP", Group.REMEDY, 6
    GASOLINE = "gasoline", "GAS", Group.REMEDY, 6
    SPARE_TIRE = "spare_tire", "SPR", Group.REMEDY, 6
    ROLL = "roll", "ROL", Group.REMEDY, 14
    END_OF_LIMIT = "end_of_limit", "EOL", Group.REMEDY, 6
    DRIVING_ACE = "driving_ace", "ACE", Group.SAFETY, 1
    EXTRA_TANK = "extra_tank", "TNK", Group.SAFETY, 1
    PUNCTURE_PROOF = "puncture_proof", "PPF", Group.SAFETY, 1
    RIGHT_OF_WAY = "right_of_way", "ROW", Group.SAFETY, 1

    _value_: str
    index: int  # type: ignore[assignment]  # hides str.index, which no card needs
    code: str
    """The short code for boards and positions, such as ``"OUT"``."""
    group: Group
    in_full_deck: int
    """The number of cards of this kind in the full deck."""
    remedy_and_safety: tuple[str, ...]
    """For a hazard, the names of its remedy and its safety. It is empty for all other cards."""

    def __new__(cls, name: str, *row: Any) -> "Card":
        """Make a kind of card from its row in the table above."""
        card = str.__new__(cls, name)
        card._value_, card.index = name, len(cls.__members__)
        card.code, card.group, card.in_full_deck, *remedy_and_safety = row
        card.remedy_and_safety = tuple(remedy_and_safety)
        return card

    @property
    def miles(self) -> int:
        """The number of miles (or kilometres) on a distance card, or 0 for any other card."""
        return MILES.get(self, 0)

    def __repr__(self) -> str:
        return f"Card({self.value!r})"


DISTANCES, HAZARDS, REMEDIES, SAFETIES = (tuple(card for card in Card if card.group is group) for group in Group)
MAJOR_HAZARDS: Final = HAZARDS[: HAZARDS.index(Card.STOP)]
"""The hazards after which a side needs a remedy and a roll."""

MILES: Final = {card: int(card.value) for card in DISTANCES}
REMEDY_OF: Final = {hazard: Card(hazard.remedy_and_safety[0]) for hazard in HAZARDS}
"""The remedy for each hazard."""
SAFETY_OF: Final = {hazard: Card(hazard.remedy_and_safety[1]) for hazard in HAZARDS}
"""The safety against each hazard."""
ANSWERS: Final = {safety: tuple(hazard for hazard in HAZARDS if SAFETY_OF[hazard] is safety) for safety in SAFETIES}
"""The hazards that each safety protects against."""
CODES: Final = {card: card.code for card in Card}

FULL_DECK: Final = {card: card.in_full_deck for card in Card}
"""The number of cards of each kind in the full deck of 106 cards."""
REDUCED_DECK: Final = {card: count - (card.group is Group.HAZARD) for card, count in FULL_DECK.items()}
"""The number of cards of each kind in the reduced deck of 101 cards, which has one card less of each hazard."""
DECKS: Final = {"full": FULL_DECK, "reduced": REDUCED_DECK}
"""The known decks, by name."""


def sorted_cards(cards: Iterable[Card]) -> list[Card]:
    """Return the cards sorted by kind, in the order of `Card`.

    >>> [str(card) for card in sorted_cards([Card.ROLL, Card.D25])]
    ['25', 'roll']
    """
    return sorted(cards, key=lambda card: card.index)
