"""The game for OpenSpiel: by its own tests, by a recorded playthrough, and against our own rules and search."""

import functools
import itertools
import os
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from absl import flags  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough, ismcts, mcts  # noqa: E402

from millebornes.envs import openspiel  # noqa: E402
from millebornes.errors import MilleBornesError  # noqa: E402
from millebornes.game import InformationState  # noqa: E402
from tests.damage import complaint  # noqa: E402

GOLDEN = Path(__file__).parents[1] / "data" / "openspiel"
SMALL = "millebornes(settings=goal:100;extension_goal:none;hand_size:3;deck:25*4+100*4+roll*5+stop*3+right_of_way*1)"
GAMES = ["millebornes", "millebornes(edition=house,seats=4)", "millebornes(edition=wikibooks,seats=3)"]
RULES = "classic/2x2/deck=25*5+50*1+100*5+STP*3+ROL*5+ROW*1;hand_size=3;goal=400;extension_goal=none"
END = f"{RULES} ROL:-:100*3:-|ROL:-:50;100*2:ROW 25*2;ROL|25*2;ROL - 25;STP;ROL;STP*2 50;100*5;ROL*2;ROW play:1 0 -"


def played(game: Any, seed: int, steps: int = 10_000) -> Any:
    """A state after random moves."""
    chance, state = random.Random(seed), game.new_initial_state()
    while steps and not state.is_terminal():
        if state.is_chance_node():
            kinds, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(kinds, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
        steps -= 1
    return state


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_finds_nothing_wrong(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_players_know_what_the_game_layer_says(name: str) -> None:
    # The hand that the history tells is the engine's; players' texts are as different as their information states are;
    # at the end the leads are those of the score sheets.
    game = pyspiel.load_game(name)
    for steps in (20, 45, 70, 10_000):
        state = played(game, 5, steps)
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[-1][0])
        hand = state.played_hand()
        assert hand.hands == state.hand().hands
        assert hand.is_over == state.is_terminal()
        seat = 0 if hand.seat is None else hand.seat
        seen = InformationState.of(hand, seat)
        own = [word for word in state.information_state_string(seat).split()[1:] if word.startswith("+")]
        assert len(own) == len(seen.dealt) + sum(len(getattr(event, "cards", None) or ()) for event in seen.events)
        assert len(state.information_state_tensor(seat)) == game.information_state_tensor_size()
        if hand.is_over:
            points = [sheet.total for sheet in hand.scores]
            assert state.returns()[0] == points[0] - (sum(points) - points[0]) / (len(points) - 1)
            assert sum(state.returns()) == pytest.approx(0)
        else:
            again = state.resample_from_infostate(seat, lambda: 0.37)
            assert again.information_state_string(seat) == state.information_state_string(seat)
            assert again.legal_actions() == state.legal_actions()


@pytest.mark.parametrize("name", [*(pytest.param(name, marks=pytest.mark.once) for name in GAMES), SMALL])
def test_resampling_keeps_what_a_player_knows(name: str) -> None:
    # At every chance node, in the deal and in draws, and at decisions of others, secret questions among them: players
    # know and see the same, and as many cards are still to be chosen.
    game, chance = pyspiel.load_game(name), random.Random(4)
    for seed in (1, 2):
        state, steps = game.new_initial_state(), list(played(game, seed).full_history())
        for step in steps:
            if state.is_chance_node() or chance.random() < 0.1:
                for player in range(game.num_players()):
                    again = state.resample_from_infostate(player, chance.random)
                    assert again.information_state_string(player) == state.information_state_string(player)
                    assert again.observation_string(player) == state.observation_string(player)
                    assert again.observation_tensor(player) == state.observation_tensor(player)
                    if state.is_chance_node():
                        left = (state._to_deal, state._to_draw)
                        assert again.is_chance_node()
                        assert (again._to_deal, again._to_draw) == left
            state.apply_action(step.action)


def test_a_recorded_playthrough() -> None:
    # MILLEBORNES_UPDATE=1 writes it anew.
    file = GOLDEN / "small.txt"
    if os.environ.get("MILLEBORNES_UPDATE"):
        file.write_text(generate_playthrough.playthrough(SMALL, None, seed=3), encoding="utf-8")
    flags.FLAGS.mark_as_parsed()  # as OpenSpiel's own programs do
    original, again = generate_playthrough.replay(str(file))
    assert again == original


def test_search_by_openspiel_plays_the_whole_game() -> None:
    game = pyspiel.load_game("millebornes")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(2))
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=500.0,
        max_simulations=3,
        max_world_samples=-1,
        random_state=np.random.RandomState(1),
        evaluator=evaluator,
    )
    state = played(game, 1, 100)
    asked = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        elif state.current_player() == 0:
            state.apply_action(bot.step(state))
            asked += 1
        else:
            state.apply_action(state.legal_actions()[0])
    assert asked


def test_a_state_that_began_at_a_position_can_be_pickled() -> None:
    state = pyspiel.load_game("millebornes", {"position": END}).new_initial_state()
    for _ in range(5):
        state.apply_action(state.legal_actions()[0])
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


@pytest.mark.once
def test_the_value_of_an_end_is_what_our_search_finds() -> None:
    # -50 is what our search of ends finds.
    game = pyspiel.load_game("millebornes", {"position": END})
    learner = cfr.CFRPlusSolver(game)
    for _ in range(10):
        learner.evaluate_and_update_policy()
    assert exploitability.exploitability(game, learner.average_policy()) < 2


ODD: list[Any] = [None, "5", 2.5, True, [], -1, 99, 700, 1 << 40, 10**30, np.float64(3), np.int64(77), object()]


def test_an_action_that_is_none_changes_nothing() -> None:
    game = pyspiel.load_game("millebornes")
    dealing, playing, over = game.new_initial_state(), played(game, 5, 20), played(game, 5)
    while playing.is_chance_node():
        playing.apply_action(playing.legal_actions()[0])
    for state, action in itertools.product((dealing, playing, over), ODD):
        before = str(state), state.history()
        told = complaint(functools.partial(state.apply_action, action))
        assert told is not None
        assert ("hand is over" if state is over else "isn't a legal action here") in told
        assert (str(state), state.history()) == before
    playing.apply_action(np.int64(playing.legal_actions()[0]))


def test_only_legal_actions_are_applied() -> None:
    game = pyspiel.load_game("millebornes")
    state = played(game, 5, 20)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    wrong = set(range(game.num_distinct_actions())).difference(state.legal_actions())
    assert all(complaint(functools.partial(state.clone().apply_action, action)) for action in wrong)
    for player, action in ((9, 0), (-7, 0), (0, 999), (-1, 99)):
        told = complaint(functools.partial(state.action_to_string, player, action))
        assert told is not None
        assert "there is no" in told
    assert complaint(lambda: state.resample_from_infostate(9, lambda: 0.5)) is not None


def test_wrong_parameters_are_told() -> None:
    cases: tuple[tuple[Any, str], ...] = (
        ({"edition": "klassik"}, "there is no edition 'klassik'"),
        ({"edition": 5}, "edition: 5 is not allowed; it must be text"),
        ({"seats": "x"}, "seats: 'x' is not allowed; it must be a whole number"),
        ({"seats": 2.5}, "seats: 2.5 is not allowed"),
        ({"sides": None}, "sides: None is not allowed"),
        ({"settings": ["goal"]}, "settings: .* must be text"),
        ({"colour": "red"}, "there is no parameter 'colour'; the parameters are edition, seats"),
        ("classic", "the parameters must be a dictionary"),
        ({"settings": "goal"}, "'goal' isn't a setting; write them as FIELD:VALUE"),
        ({"position": "nonsense"}, "position"),
    )
    for params, told in cases:
        with pytest.raises((MilleBornesError, pyspiel.SpielError), match=told):
            openspiel.MilleBornesGame(params)
