"""What the cards were worth: luck as the part of a hand's result that nobody decided.

Every card that a side gets counts with its worth less the mean worth of all the cards that could have come instead,
which are those left in the draw pile. So luck is zero on average for everybody, however they play and for
whatever worth one puts on the cards; a bad player cannot be unlucky in the long run.

The worth of the kinds comes from 40,000 hands of the player `maxims` against itself (the classic edition, two seats):
they are the numbers that, summed up in this way, come nearest to the difference in points at the end of a hand. They
account for half of its variance (a correlation of 0.72), each with a standard error of 6 points or less. They serve at
every other table: over 4,000 to 8,000 hands at each of the other editions' tables for two, for `basic`, and at classic
tables of 3, 4 and 6, the correlation was 0.62 to 0.76, at most 0.04 less than with numbers of the table's own, and the
difference in points was 0.83 to 1.03 times what luck said.
"""

from collections.abc import Mapping
from typing import Final

from millebornes.cards import Card
from millebornes.game import Hand
from millebornes.session.drawing import drawn_now

__all__ = ["WORTH", "luck_of"]

WORTH: Final[Mapping[Card, int]] = {
    Card.D25: -63,
    Card.D50: -58,
    Card.D75: -63,
    Card.D100: -44,
    Card.D200: -17,
    Card.ACCIDENT: 84,
    Card.OUT_OF_GAS: 84,
    Card.FLAT_TIRE: 84,
    Card.STOP: 18,
    Card.SPEED_LIMIT: -14,
    Card.REPAIRS: -29,
    Card.GASOLINE: -29,
    Card.SPARE_TIRE: -29,
    Card.ROLL: 20,
    Card.END_OF_LIMIT: -34,
    Card.DRIVING_ACE: 403,
    Card.EXTRA_TANK: 403,
    Card.PUNCTURE_PROOF: 403,
    Card.RIGHT_OF_WAY: 896,
}
"""Points that a card of each kind is worth, against the mean of a full deck; kinds that differ only by what they are
called share a number. Only differences matter."""


def luck_of(hand: Hand) -> tuple[float, ...]:
    """What luck has been worth to each side in this hand so far, in points: the cards dealt and drawn."""
    rules = hand.rules
    left = dict(zip(Card, rules.deck, strict=True))
    luck = [0.0] * rules.sides

    def got(card: Card, seat: int) -> None:
        mean = sum(WORTH[kind] * count for kind, count in left.items()) / sum(left.values())
        luck[rules.side_of(seat)] += WORTH[card] - mean
        left[card] -= 1

    start = hand.at(0)
    for place, card in enumerate(start.deck[: rules.seats * rules.hand_size]):  # R2.4
        got(card, (start.first + place) % rules.seats)
    moments = [hand]
    while (parent := moments[-1].parent) is not None:
        moments.append(parent)
    for then in reversed(moments):
        if then.seat is not None:
            for card in drawn_now(then):
                got(card, then.seat)
    return tuple(luck)
