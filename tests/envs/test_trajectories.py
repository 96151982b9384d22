"""Trajectories: the hands of batches, decision by decision, as arrays."""

import dataclasses

import numpy as np
import pytest

from millebornes import make_rules
from millebornes.cards import Card
from millebornes.envs import move_of, observation_of, play_trajectories
from millebornes.errors import MilleBornesError, PlayerError
from millebornes.game import Hand
from millebornes.policies import games
from millebornes.policies.batch import KernelPlayer, play_batch
from millebornes.rules.engine import engine_for

SEED, BEGIN, GAMES = 9, 4, 5


@pytest.mark.parametrize("names", [["random"] * 2, ["basic", "maxims"], ["random"] * 4, ["maxims", "random", "basic"]])
def test_rows_are_the_decisions_of_the_batch(names: list[str]) -> None:
    # The hands come out as those of play_batch; played again by the game layer, every decision is what the row says:
    # the seat, what it saw, what was legal, what it did.
    rules = make_rules("classic", len(names))
    played = play_trajectories(rules, names, GAMES, seed=SEED, begin=BEGIN)
    players = [KernelPlayer.named(name, rules) for name in names]
    line = [list(range(len(names)))]
    batch = play_batch(rules, players, line, GAMES, seed=SEED, begin=BEGIN, streams=False)
    assert (played.points == batch.points[:, 0]).all()
    assert len(played) == batch.moves
    observations, masks = played.batch()
    leads, points = played.returns("lead"), played.returns()
    for game in range(BEGIN, BEGIN + GAMES):
        word = SEED + game * int(games.MIX_GAME) + int(games.MIX_DECK) & (1 << 64) - 1
        deck = [tuple(Card)[kind] for kind in engine_for(rules).shuffled(word)]
        hand = Hand.from_deck(rules, deck, game % rules.seats)
        for row in np.flatnonzero(played.games == game):
            assert hand.seat == played.seats[row]
            assert hand.seat is not None
            assert (observations[row] == observation_of(hand.view(hand.seat))).all()
            legal = {str(move_of(rules, hand.seat, int(action))) for action in np.flatnonzero(masks[row])}
            assert legal == set(hand.legal_moves.texts)
            own = rules.side_of(hand.seat)
            total = played.points[game - BEGIN]
            assert points[row] == total[own]
            assert leads[row] == pytest.approx(total[own] - (total.sum() - total[own]) / (rules.sides - 1))
            hand = hand.play(move_of(rules, hand.seat, int(played.actions[row])))
        assert hand.is_over


def test_arrays_are_used_again() -> None:
    rules = make_rules()
    first = play_trajectories(rules, ["random", "random"], 20, seed=1)
    again = play_trajectories(rules, ["random", "random"], 20, seed=2, into=first)
    assert again.seen.base is first.seen.base
    assert (again.points == play_trajectories(rules, ["random", "random"], 20, seed=2).points).all()
    assert len(play_trajectories(rules, ["random", "random"], 0, seed=2)) == 0


def test_wrong_questions_are_answered_in_sentences() -> None:
    rules = make_rules()
    with pytest.raises(PlayerError, match="1 players for 2 seats"):
        play_trajectories(rules, ["random"], 1, seed=1)
    played = play_trajectories(rules, ["random", "random"], 1, seed=1)
    with pytest.raises(IndexError, match="rows: out of range"):
        played.batch([len(played)])
    legal = played.legal
    for other in (legal[:-1], np.concatenate([legal, legal], axis=1)):  # kernels would read and write beyond the arrays
        with pytest.raises(MilleBornesError, match="do not fit the table"):
            dataclasses.replace(played, legal=other).batch()
    with pytest.raises(MilleBornesError, match="'match' is not allowed for single hands"):
        played.returns("match")
