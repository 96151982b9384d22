"""New games: the names in their seats and their seeds."""

from millebornes.i18n import translator
from millebornes.session.new_game import new_game, seat_names
from millebornes.storage import Preferences
from millebornes.table.setup import GameSetup

ENGLISH = translator("en")


def test_everyone_gets_a_name_of_their_own() -> None:
    assert seat_names(GameSetup(), ENGLISH) == ("You", "casual")
    shared = GameSetup(places=("human", "basic", "human", "human", "basic"), names=("Ann", "Zoë", "", " ann "))
    assert seat_names(shared, ENGLISH) == ("Ann", "basic", "Player 2", "ann#2", "basic#2")


def test_a_new_game_is_that_of_its_setup() -> None:
    setup = GameSetup(names=("Ann",), match_target=700, seed="4", practice=True)
    game = new_game(setup, Preferences(), ENGLISH)
    assert (game.seats, game.match.players, game.match.match_target) == (setup.places, ("Ann", "casual"), 700)
    assert (game.seed, game.match.seed, game.practice, game.match.rules) == ("4", "4", True, setup.rules)
    assert new_game(GameSetup(), Preferences(), ENGLISH).seed != new_game(GameSetup(), Preferences(), ENGLISH).seed
