"""R1: the cards of Mille Bornes, as data.

Each *kind* of card has a canonical name that all programs use, a short code for boards and positions, and an index. The
index gives the card's place in packed words, which have three bits for each kind (see `millebornes.rules.state`).
"""

import enum
from collections.abc import Iterable
from typing import Final

__all__ = [
    "ANSWERS",
    "CODES",
    "DECKS",
    "DISTANCES",
    "FULL_DECK",
    "HAZARDS",
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

    D25 = "25"
    D50 = "50"
    D75 = "75"
    D100 = "100"
    D200 = "200"
    ACCIDENT = "accident"
    OUT_OF_GAS = "out_of_gas"
    FLAT_TIRE = "flat_tire"
    STOP = "stop"
    SPEED_LIMIT = "speed_limit"
    REPAIRS = "repairs"
    GASOLINE = "gasoline"
    SPARE_TIRE = "spare_tire"
    ROLL = "roll"
    END_OF_LIMIT = "end_of_limit"
    DRIVING_ACE = "driving_ace"
    EXTRA_TANK = "extra_tank"
    PUNCTURE_PROOF = "puncture_proof"
    RIGHT_OF_WAY = "right_of_way"

    index: int  # type: ignore[assignment]  # hides str.index, which no card needs
    group: Group

    @property
    def code(self) -> str:
        """The short code for boards and positions, such as ``"OUT"``."""
        return CODES[self]

    @property
    def miles(self) -> int:
        """The number of miles (or kilometres) on a distance card, or 0 for any other card."""
        return MILES.get(self, 0)

    def __repr__(self) -> str:
        return f"Card({self.value!r})"


_CARDS = tuple(Card)
DISTANCES: Final = _CARDS[:5]
HAZARDS: Final = _CARDS[5:10]
REMEDIES: Final = _CARDS[10:15]
"""The remedies, in the order of the hazards that they end."""
SAFETIES: Final = _CARDS[15:]

for _index, _card in enumerate(Card):
    _card.index = _index
for _group, _cards in zip(Group, (DISTANCES, HAZARDS, REMEDIES, SAFETIES), strict=True):
    for _card in _cards:
        _card.group = _group

MILES: Final = {card: int(card.value) for card in DISTANCES}
REMEDY_OF: Final = dict(zip(HAZARDS, REMEDIES, strict=True))
SAFETY_OF: Final = {
    Card.ACCIDENT: Card.DRIVING_ACE,
    Card.OUT_OF_GAS: Card.EXTRA_TANK,
    Card.FLAT_TIRE: Card.PUNCTURE_PROOF,
    Card.STOP: Card.RIGHT_OF_WAY,
    Card.SPEED_LIMIT: Card.RIGHT_OF_WAY,
}
ANSWERS: Final = {safety: tuple(hazard for hazard in HAZARDS if SAFETY_OF[hazard] is safety) for safety in SAFETIES}
"""The hazards that each safety protects against."""

CODES: Final = dict(
    zip(_CARDS, "25 50 75 100 200 ACC OUT FLT STP LIM REP GAS SPR ROL EOL ACE TNK PPF ROW".split(), strict=True)
)

FULL_DECK: Final = dict(zip(_CARDS, (10, 10, 10, 12, 4, 3, 3, 3, 5, 4, 6, 6, 6, 14, 6, 1, 1, 1, 1), strict=True))
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
