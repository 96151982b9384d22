"""What environments tell a seat: the same from kernels and from plain Python, and nothing of hidden cards."""

import dataclasses
import random
from typing import Any

import numpy as np
import pytest

from millebornes import make_rules
from millebornes.cards import Card
from millebornes.envs import HandBatch, TableOptions, action_of, actions, move_of, observation_fields, observation_of
from millebornes.envs.stepping import DISABLED, SAME_STEP
from millebornes.errors import MilleBornesError
from millebornes.game import Hand, InformationState, Phase
from tests.policies.replays import deal_hidden_anew

TABLES: list[dict[str, Any]] = [
    {},
    {"edition": "house", "seats": 4, "sides": 2},
    {"edition": "wikibooks", "seats": 3},
    {"edition": "bsd"},
    {"edition": "mille2", "settings": {"targets": "left"}},
    {"edition": "classic", "seats": 8, "sides": 4},
]
HISTORY = 5
SEED = 11


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_kernels_and_python_write_the_same_numbers(table: dict[str, Any]) -> None:
    # Random hands, by the kernels and by the game layer: every seat sees the same of both, the mask says what is
    # legal, and every number lies within its range. Decks are those of the seed.
    chance = random.Random(f"{table}")
    batch = HandBatch(TableOptions(history=HISTORY, **table), 1, mode=DISABLED)
    rules = batch.rules
    batch.seed(SEED)
    for number in (1, 2):
        batch.reset()
        hand = Hand.deal(rules, SEED, (number - 1) % rules.seats, number)
        check_seats(batch, hand)
        while hand.seat is not None:
            assert batch.seats[0] == hand.seat
            texts = actions(rules, rules.side_of(hand.seat))
            assert sorted(str(texts[n]) for n in np.flatnonzero(batch.masks[0])) == list(hand.legal_moves.texts)
            move = chance.choice(hand.legal_moves)
            action = action_of(rules, hand.seat, move)
            assert move_of(rules, hand.seat, action) == move
            hand = hand.play(move)
            assert batch.step([action]) == 0
            assert bool(batch.terminated[0]) == hand.is_over
            check_seats(batch, hand)
        points = [sheet.total for sheet in hand.scores]
        assert batch.scores[0].tolist() == points
        assert batch.rewards_by_side[0].tolist() == points
        assert batch.masks[0].all()  # whatever is asked of it is not looked at


def check_seats(batch: HandBatch, hand: Hand) -> None:
    """Every seat sees by kernels what plain Python says."""
    fields = observation_fields(batch.rules, HISTORY)
    for seat in range(batch.rules.seats):
        found = batch.observe(0, seat)
        if hand.ply % 9 == 0 or hand.phase is not Phase.PLAY:
            expected = observation_of(InformationState.of(hand, seat), HISTORY)
        else:
            expected = observation_of(hand.view(seat), HISTORY)
            expected[-2 * HISTORY :] = found[-2 * HISTORY :]
        wrong = [(fields[n].name, found[n], expected[n]) for n in np.flatnonzero(found != expected)]
        assert wrong == []
        assert all(field.low <= value <= field.high for field, value in zip(fields, found, strict=True))


def test_hidden_cards_change_no_observation() -> None:
    # The cards that a seat cannot see lie anywhere else: other hands and the draw pile are shuffled together. That
    # somebody else is asked for a coup fourré shows no more than what they hold.
    chance = random.Random(5)
    questions = 0
    for table in (TableOptions(), TableOptions(edition="house", seats=4, sides=2)):
        batch = HandBatch(table, 1, mode=SAME_STEP)
        batch.seed(3)
        batch.reset()
        for _ in range(150):
            hand, deciding = batch.hand(0), int(batch.seats[0])
            viewer = chance.randrange(batch.rules.seats)
            before = batch.observe(0, viewer)
            if hand.phase is Phase.COUP and viewer != deciding:
                expected = dataclasses.replace(hand.view(viewer), mover=None, phase=Phase.PLAY, pending=None)
                assert (before == observation_of(expected)).all()
                questions += 1
            kept = batch._states[0].copy()
            deal_hidden_anew(batch._states[0], batch.rules, viewer, chance)
            if hand.phase is Phase.PLAY:
                assert (batch.observe(0, viewer) == before).all()
            batch._states[0] = kept
            batch.step([chance.choice(np.flatnonzero(batch.masks[0]).tolist())])
    assert questions


def test_actions_are_numbered_alike_at_every_table() -> None:
    two, six = make_rules("classic"), make_rules("classic", 6, 3)
    assert actions(six)[:64] == actions(two)
    assert [actions(two, side)[3 * Card.STOP.index + 1] for side in (0, 1)] == ["stop>1", "stop>0"]
    assert actions(six)[64 + 3 * Card.STOP.index + 1] == "stop>2"
    assert sum(text is not None for text in actions(six)[64:]) == 5


def test_wrong_questions_are_answered_in_sentences() -> None:
    rules = make_rules()
    with pytest.raises(MilleBornesError, match="99 isn't an action"):
        move_of(rules, 0, 99)
    with pytest.raises(MilleBornesError, match="seat 0 can never play stop>0"):
        action_of(rules, 0, "stop>0")
    with pytest.raises(MilleBornesError, match="history: -1 is not allowed; it must be a whole number"):
        observation_fields(rules, -1)
    with pytest.raises(MilleBornesError, match="'match' needs a match_target"):
        TableOptions(reward="match")
    with pytest.raises(MilleBornesError, match=r"call reset\(\) before step"):
        HandBatch(TableOptions(), 2).step([0, 0])
    names = [field.name for field in observation_fields(rules, 3)]
    assert len(names) == len(set(names))
