"""Luck: nought on the average whatever is played, and the numbers are those that the measurement gives."""

import random

import numpy as np
import numpy.typing as npt
import pytest

from millebornes.cards import Card
from millebornes.editions import EDITIONS, Rules, edition, make_rules
from millebornes.game import Hand
from millebornes.game.move import move_codes
from millebornes.policies.batch import KernelPlayer, play_one
from millebornes.policies.card_worth import WORTH
from millebornes.session import luck
from millebornes.session.luck import luck_of
from tests.plain.inside import deck_of


def chance(rules: Rules, seed: int) -> Hand:
    """A hand played at random."""
    rng, hand = random.Random(seed), Hand.deal(rules, seed, first=seed % rules.seats)
    while not hand.is_over:
        hand = hand.play(rng.choice(list(hand.legal_moves)))
    return hand


def played(rules: Rules, seed: int, player: str) -> Hand:
    """A hand that kernels play, so that many take no time."""
    one = play_one(rules, [KernelPlayer.named(player, rules)] * rules.seats, seed=seed, first=seed % rules.seats)
    hand = Hand.from_deck(rules, [list(Card)[kind] for kind in one.deck], first=seed % rules.seats)
    codes = [{code: move for move, code in move_codes(rules, side).codes.items()} for side in range(rules.sides)]
    for code in one.codes:
        assert hand.seat is not None
        hand = hand.play(codes[rules.side_of(hand.seat)][code])
    assert hand.is_over
    return hand


@pytest.mark.parametrize("name", EDITIONS)
def test_luck_is_nought_on_the_average(name: str) -> None:
    rules = edition(name).rules(*edition(name).tables[-1])
    values = np.array([luck_of(chance(rules, seed)) for seed in range(100)])
    errors = values.std(axis=0, ddof=1) / len(values) ** 0.5
    assert (abs(values.mean(axis=0)) < 4 * errors).all()
    assert (values.std(axis=0) > 100).all()


def test_luck_counts_each_card_against_what_lay_in_the_pile() -> None:
    rules = make_rules("classic")
    hands = {0: "right_of_way 25 25 25 25 25", 1: "50 50 50 50 50 50"}
    hand = Hand.from_deck(rules, deck_of(rules, hands, "75 driving_ace"))
    left = dict(zip(Card, rules.deck, strict=True))
    wanted = [0.0, 0.0]
    dealt = [Card(card) for pair in zip(hands[0].split(), hands[1].split(), strict=True) for card in pair]
    for place, card in enumerate([*dealt, Card.D75]):
        wanted[place % 2] += WORTH[card] - sum(WORTH[k] * n for k, n in left.items()) / sum(left.values())
        left[card] -= 1
    assert luck_of(hand) == pytest.approx(wanted)
    after = luck_of(hand.play("-25"))
    assert after[0] == pytest.approx(wanted[0])
    assert after[1] - wanted[1] > 300


def test_a_constant_more_for_every_card_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = chance(make_rules("classic"), 3)
    before = luck_of(hand)
    monkeypatch.setattr(luck, "WORTH", {card: worth + 1000 for card, worth in WORTH.items()})
    assert luck_of(hand) == pytest.approx(before)


def measured(hands: int) -> npt.NDArray[np.float64]:
    """The worth of the kinds by least squares: what comes nearest to the difference in points."""
    rules = make_rules("classic")
    worth, rows, points = dict(WORTH), [], []
    for seed in range(hands):
        hand = played(rules, seed, "maxims")
        row = []
        for card in Card:
            luck.WORTH = {kind: int(kind is card) for kind in Card}  # type: ignore[attr-defined]
            own, other = luck_of(hand)
            row.append(own - other)
        rows.append(row)
        points.append(hand.scores[0].total - hand.scores[1].total)
    luck.WORTH = worth  # type: ignore[attr-defined]
    found: npt.NDArray[np.float64] = np.linalg.lstsq(np.array(rows), np.array(points, float), rcond=1e-9)[0]
    shift: float = (found * rules.deck).sum() / rules.cards
    return np.asarray(found - shift)


@pytest.mark.campaign
def test_the_numbers_are_those_of_the_measurement() -> None:
    found = measured(6000)
    for card in Card:
        assert found[card.index] == pytest.approx(WORTH[card], abs=60), card
    assert np.corrcoef(found, list(WORTH.values()))[0, 1] > 0.99
