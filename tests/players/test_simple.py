import random
from collections import Counter

from millebornes.editions import make_rules
from millebornes.game import Hand
from millebornes.players import player


def test_random_makes_each_legal_move_equally_often() -> None:
    hand = Hand.deal(make_rules(), 5)
    legal, seated, rng = hand.legal_moves, player("random"), random.Random(1)
    assert hand.seat is not None
    view = hand.view(hand.seat)
    counts = Counter(seated.choose(view, legal, rng) for _ in range(1000 * len(legal)))
    assert set(counts) == set(legal)
    expected = 1000
    chi_squared = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_squared < 3 * len(legal)
