"""Luck: the part of a hand's result that no player decided.

Each card that a side receives counts as its worth minus the average worth of the cards that were still in the draw pile
and could have come instead. On average, everyone's luck is therefore zero, no matter how they play and how much the
cards are thought to be worth. Even a bad player isn't unlucky in the long run.

`millebornes.policies.card_worth` lists the worth of each kind of card.
"""

from millebornes.cards import Card
from millebornes.game import Hand
from millebornes.policies.card_worth import WORTH


def luck_of(hand: Hand) -> tuple[float, ...]:
    """Return each side's luck in this hand so far, in points, based on the cards it was dealt and has drawn."""
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
            for card in then.drawn_cards:
                got(card, then.seat)
    return tuple(luck)
