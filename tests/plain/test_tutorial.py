"""The tutorial at the keyboard, from the first lesson to the first game."""

import re
from pathlib import Path

import pytest

from millebornes.storage import statistics_file
from millebornes.tui.plain import PlayOptions
from tests.plain.driver import Game
from tests.plain.inside import Home

WAY = ["roll", "100", "out of gas", "repairs", "roll", "50", "end of limit", "200", "y", "200", "driving ace", "100"]
WAY += ["-75", "50", "n"]


def test_the_whole_tutorial(home: Home) -> None:
    played = home.play(PlayOptions(tutorial=True), [*WAY, "n"])
    assert played.status == 0
    assert played.text.startswith("The tutorial: one hand")
    for lesson in ("Welcome!", "Hazards stop that", "that's a coup fourré", "stop exactly at the goal"):
        assert lesson in played.text
    assert re.search(r"^Hand Total +1600 +275$", played.text, re.MULTILINE)
    assert "Have a good trip!\nPlay a game now? (Y/n)" in played.text
    assert not home.autosave.exists()
    assert not statistics_file().exists()


def test_a_game_follows(home: Home) -> None:
    played = home.play(PlayOptions(tutorial=True, seed="3"), [*WAY, "", "", "", "D 1"])
    assert "Hand 1. You begin." in played.after("Play a game now?")
    assert home.autosave.exists()


def test_other_moves_are_answered_and_change_nothing(home: Home) -> None:
    played = home.play(PlayOptions(tutorial=True), ["-100", "25", "undo", "S", "H", "roll", "-200", "undo", "roll"])
    assert "Not yet. Get moving first: play Roll." in played.text
    assert "You can't do that: you don't have that card (R2.5)." in played.text
    assert "The tutorial isn't saved" in played.text
    assert played.text.count("Welcome!") == 3  # at first, by H, and when the move was taken back
    assert "You could, but let's drive first: play 100 miles." in played.text
    assert played.text.count("You play Roll.") == 2


def test_enter_makes_the_move_after_a_hint(home: Home) -> None:
    played = home.play(PlayOptions(tutorial=True), [*(["H", ""] * len(WAY)), "n"])
    assert "Next step: play Roll.\nYour move (Enter: play Roll):" in played.text
    assert "Have a good trip!" in played.text


def test_no_to_a_coup_and_yes_to_the_extension_are_answered(home: Home) -> None:
    way = [*WAY]
    way[way.index("y") : way.index("y") + 1] = ["n", "puncture proof!"]
    played = home.play(PlayOptions(tutorial=True), [*way[:-1], "y", "finish"])
    assert "No, a coup fourré is the best thing that can happen to you. Call it." in played.text
    assert "Another time. For now, finish the hand." in played.text
    assert "Have a good trip!" in played.text


def test_it_can_be_asked_for_and_left(home: Home) -> None:
    played = home.play(PlayOptions(), ["T", "Q", "y"])
    assert played.status == 0
    assert "  T  tutorial: start with one hand, step by step" in played.text
    assert "Leave the tutorial? (Y/n)" in played.text
    assert "The game is kept" not in played.text
    assert "The tutorial: one hand" in played.text


@pytest.mark.parametrize("word", ["t", "tutoriel"])
def test_in_french(home: Home, word: str) -> None:
    way = ["feu vert", "100", "panne", "réparations", "vert", "50", "fin de limite", "200", "o", "200", "as", "100"]
    played = home.play(PlayOptions(language="fr"), [word, *way, "-75", "50", "n", "n"])
    assert "Bonne route" in played.text
    for english in ("Welcome", "the ", "your", "hand "):
        assert english not in played.after("Édition, par numéro"), english


def test_in_a_real_terminal(tmp_path: Path) -> None:
    with Game(tmp_path) as game:
        game.wait(r"\[classic\] ")
        game.send("t")
        for move in WAY:
            game.wait(r"Your move: ", r"\(y/n\) ")
            game.send(move)
        game.wait(r"Play a game now\? \(Y/n\) ")
        game.send("n")
        assert game.finish() == 0
    assert "Traceback" not in game.seen
