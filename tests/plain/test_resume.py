"""A game that was killed and taken up again is the game that it would have been."""

import random
import re
import signal
from pathlib import Path

import pytest

from millebornes.editions import edition
from millebornes.game import Match
from millebornes.roster import ROSTER
from millebornes.storage import Preferences, load_preferences, read_save, save_preferences
from millebornes.table.setup import GameSetup
from millebornes.tui.plain import PlayOptions
from tests.plain.driver import ANOTHER_HAND, ENDED, MOVE, QUESTION, Game
from tests.plain.inside import Home

TABLES = [
    ("wikibooks", ["--player", "human", "--player", "random", "--player", "basic"]),
    pytest.param("house", ["--seats", "4"], marks=pytest.mark.once),
]


def _moves(match: Match) -> list[list[str]]:
    return [[move.text for move in hand.moves] for hand in match.hands]


TURNS = 9


def _played(home: Path, options: list[str], kill: random.Random | None) -> tuple[Match, list[tuple[str, str]]]:
    """Play a while by a fixed recipe, with accidents or without; the match, and the hand of cards shown last."""
    autosave = home / "data" / "saves" / "autosave-1.jsonl"
    game = Game(home, *options)
    turn = 0
    shown: list[tuple[str, str]] = []
    while True:
        found = game.wait()
        if found == ANOTHER_HAND or turn == TURNS:
            break
        assert found != ENDED, game.latest
        if found == MOVE:
            if kill is not None and kill.random() < 0.3:
                game.child.kill(signal.SIGKILL)
                game.child.close(force=True)
                game = Game(home, str(autosave))
                continue
            turn += 1
            shown = re.findall(r"^  ([1-6P])  (.*?)\r?$", game.latest.rpartition("Your hand:")[2], re.MULTILINE)
            moves = game.legal()
            plays = [move for move in moves if not move.startswith("discard")]
            # By place, not by name: the order of the hand has to be the same as well.
            places = [card[0] for card in shown]
            game.send(plays[turn % len(plays)] if plays else f"D {places[turn % len(places)]}")
        elif found == QUESTION:
            game.send("ny"[turn % 2])
        else:
            game.send("")
    game.child.close(force=True)
    return read_save(autosave).match, shown


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_killed_game_goes_on_as_it_would_have(tmp_path: Path, edition: str, players: list[str]) -> None:
    options = ["--edition", edition, *players, "--seed", "11"]
    straight, hand = _played(tmp_path / "a", options, None)
    broken, same_hand = _played(tmp_path / "b", options, random.Random(1))
    assert _moves(straight) == _moves(broken)
    assert hand == same_hand


def number_of(player: str) -> str:
    """The number under which a player is offered."""
    return str([*ROSTER].index(player) + 1)


def test_the_last_choice_is_offered_again(home: Home) -> None:
    first = home.play(PlayOptions(seed="4"), ["house", "c", "", "", "Ann", number_of("maxims"), "300", "y", "Q", "y"])
    assert "Same as last time" not in first.text
    again = home.play(PlayOptions(seed="4"), ["", "Q", "y"])
    assert "Same as last time (house; 2 seats, 2 sides; Ann, maxims; to 300 points; practice)? (Y/n)" in again.text
    assert "Side 1: Ann." in again.text
    assert "Practice: “undo”" in again.text
    other = home.play(PlayOptions(seed="4"), ["n", "bsd", "", "Q", "y"])
    assert "Rules: bsd." in other.text
    assert (
        "Same as last time (bsd; 2 seats, 2 sides; You, casual; to 5000 points)?" in home.play(PlayOptions(), [""]).text
    )


def test_a_game_begun_by_options_is_offered_again(home: Home) -> None:
    rules = edition("house").rules(4, 2, {"targets": "left"})
    seats = ("random", "human", "basic", "maxims")
    setup = GameSetup(rules=rules, edition="house", places=seats, match_target=700, practice=True).with_names(("Ann",))
    home.play(PlayOptions(setup=setup), [])
    assert GameSetup.from_dict(load_preferences().last_game) == setup
    again = home.play(PlayOptions(), [""])
    assert (
        "Same as last time (house, with targets = left; 4 seats, 2 sides; random, Ann, basic, maxims; "
        "to 700 points; practice)?" in " ".join(again.text.split())
    )


def test_names_of_the_command_line_go_with_the_chosen_seats(home: Home) -> None:
    number = str(edition("classic").tables.index((3, 3)) + 1)
    home.play(PlayOptions(names=("Ann", "Bo"), practice=True), ["classic", "c", number, "2", "2 3", "", "", ""])
    found = GameSetup.from_dict(load_preferences().last_game)
    assert (found.rules.table, found.people, found.names) == ("3x3", [1, 2], ("", "Ann", "Bo"))
    assert found.practice


def test_the_questions_say_which_net_plays(home: Home) -> None:
    first = home.play(PlayOptions(), ["house", "c", "", "", "Ann", number_of("instant")])
    assert "Its net was trained at this table." in first.text
    last = {"seats": 2, "sides": 2, "players": ["champion", "instant"], "set": {"all_safeties_bonus": 700}}
    save_preferences(Preferences(last_game=last))
    told = home.play(PlayOptions(), []).text
    assert "champion: Its net was trained at Classic 2x2, the closest to this table." in told
    assert told.index("instant: Its net was trained at Classic 2x2") < told.index("Same as last time")


def test_a_last_choice_that_makes_no_sense_any_more_is_made_good(home: Home) -> None:
    save_preferences(Preferences(last_game={"edition": "gone.toml", "players": ["human", "maxims"], "seats": 9}))
    played = home.play(PlayOptions(seed="4"), [""])
    assert "Same as last time (classic; 2 seats, 2 sides; You, maxims; to 5000 points)?" in played.text
    assert "Hand 1. You begin." in played.text
