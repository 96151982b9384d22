"""What the cards were worth: luck as the part of a hand's result that nobody decided.

Every card that a side gets counts with its worth less the mean worth of all the cards that could have come instead,
which are those left in the draw pile. So luck is zero on average for everybody, however they play and for
whatever worth one puts on the cards; a bad player cannot be unlucky in the long run.

`millebornes.policies.card_worth` has the worth of the kinds.
"""

from millebornes.cards import Card
from millebornes.game import Hand
from millebornes.policies.card_worth import WORTH
from millebornes.session.drawing import drawn_now

__all__ = ["luck_of"]


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
    for then in hand.moments:
        if then.seat is not None:
            for card in drawn_now(then):
                got(card, then.seat)
    return tuple(luck)
