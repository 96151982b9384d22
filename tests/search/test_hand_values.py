"""What a hand was worth at each of its decisions, by the cards that everybody really held."""

import numpy as np
import pytest

from millebornes.analysis.reviews import codes_of
from millebornes.editions import Rules, make_rules
from millebornes.game import Hand, Match
from millebornes.players import player
from millebornes.players.table import Table
from millebornes.search.hand_values import HandDone, HandValues, values_of_hand

pytestmark = pytest.mark.slow  # the kernels of the search take long to compile

CLASSIC, CROWD, PAIRS = make_rules("classic"), make_rules("classic", 3, 3), make_rules("house", 4, 2)


def hand_of(rules: Rules, names: str, seed: int) -> Hand:
    """A hand that such players have played."""
    table = Table(Match.start(rules, seed, match_target=None), [player(name) for name in names.split()], seed)
    table.play_hand()
    return table.match.hand


def values(hand: Hand, *, target: int = 0, worlds: int = 30, seed: int = 1) -> HandValues:
    """What the hand was worth."""
    done = HandDone(tuple(card.index for card in hand.deck), hand.first, tuple(codes_of(hand)), (0,) * hand.rules.sides)
    return values_of_hand(hand.rules, done, np.full(hand.ply, -1, np.int64), target, worlds, seed)


@pytest.mark.parametrize("target", [0, 5000], ids=["points", "match"])
@pytest.mark.parametrize("rules", [CLASSIC, CROWD, PAIRS], ids=["2x2", "3x3", "4x2"])
def test_moves_of_the_maxims_are_worth_what_those_of_the_maxims_are(rules: Rules, target: int) -> None:
    hand = hand_of(rules, " ".join(["maxims"] * rules.seats), 4)
    found = values(hand, target=target)
    assert np.abs(found.made - found.usual).max() < 1e-9 or target == 0  # maxims that play hands for points may differ
    assert (found.other == found.made).all()  # nothing else was to be tried
    totals = found.made.sum(1)
    assert np.allclose(totals, 0 if target == 0 else 1)
    assert np.allclose(found.made[-1], found.end)


def test_the_end_of_a_hand_is_what_it_brought() -> None:
    hand = hand_of(CLASSIC, "maxims regular", 5)
    lead = hand.scores[0].total - hand.scores[1].total
    found = values(hand)
    assert found.end.tolist() == [lead, -lead]


def test_a_draw_changes_what_a_hand_is_worth_by_nothing_in_the_mean() -> None:
    """What chance brings after each decision scatters about zero, over many hands."""
    steps = []
    for seed in range(8):
        found = values(hand_of(CLASSIC, "maxims maxims", 100 + seed), worlds=12)
        steps.append((found.usual[1:, 0] - found.made[:-1, 0]).sum())
    mean, error = np.mean(steps), np.std(steps) / np.sqrt(len(steps))
    assert abs(mean) < 3.5 * error


def test_worlds_go_on_from_one_decision_to_the_next() -> None:
    """What is worth more from one decision to the next is told with far less noise than what it is worth."""
    hand = hand_of(CLASSIC, "maxims maxims", 6)
    first, second = (values(hand, worlds=16, seed=seed) for seed in (1, 2))
    levels = np.abs(first.usual - second.usual)[:-12, 0]
    steps = np.abs(np.diff(first.usual[:, 0]) - np.diff(second.usual[:, 0]))[:-12]
    assert steps.mean() < levels.mean()


def test_the_same_seed_tells_the_same() -> None:
    hand = hand_of(CLASSIC, "maxims regular", 7)
    first, again = values(hand), values(hand)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
