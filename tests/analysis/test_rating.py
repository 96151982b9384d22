"""Ratings: none for few decisions, and intervals that count hands, not decisions."""

import random

import pytest

from millebornes.analysis.rating import MIN_DECISIONS, SCALE, rating


def test_few_decisions_have_no_rating() -> None:
    assert rating([[5.0] * (MIN_DECISIONS - 1)]) is None
    assert rating([]) is None
    assert rating([[5.0] * 50, [5.0] * (MIN_DECISIONS - 50)]) is not None


@pytest.mark.parametrize("place", range(len(SCALE)))
def test_the_scale_is_met(place: int) -> None:
    root, elo = SCALE[place]
    told = rating([[root**2] * 25] * 8)
    assert told is not None
    assert told.value == pytest.approx(elo)
    assert told.ci95[0] < elo < told.ci95[1]


def test_decisions_of_one_hand_are_alike() -> None:
    """The same losses tell less where whole hands went badly."""
    rng = random.Random(1)
    losses = [[rng.choice([0.0, 9.0]) for _ in range(25)] for _ in range(8)]
    mixed, sorted_ = rating(losses), rating([[0.0] * 25] * 4 + [[9.0] * 25] * 4)
    assert mixed is not None
    assert sorted_ is not None
    assert sorted_.ci95[1] - sorted_.ci95[0] > 1.3 * (mixed.ci95[1] - mixed.ci95[0])


def test_more_hands_never_make_it_surer_than_the_scale() -> None:
    told = rating([[2.0] * 25] * 4000)
    assert told is not None
    assert told.ci95[1] - told.ci95[0] > 30


def test_what_is_told_has_an_end() -> None:
    for loss in (0.0, 400.0):
        told = rating([[loss] * 50] * 4)
        assert told is not None
        assert -700 <= told.ci95[0] <= told.value <= told.ci95[1] <= 250
