"""The tutorial at the keyboard, from the first lesson to the first game."""

import re

from millebornes.storage import statistics_file
from millebornes.tui.plain import PlayOptions
from tests.plain.inside import Home

WAY = ["roll", "100", "out of gas", "repairs", "roll", "50", "end of limit", "200", "y", "200", "driving ace", "100"]
WAY += ["-75", "50", "n"]


def test_the_whole_tutorial(home: Home) -> None:
    played = home.play(PlayOptions(tutorial=True, seed="3"), [*WAY, "", "", "", "D 1"])
    assert played.status == 0
    assert played.text.startswith("The tutorial: one hand")
    for lesson in ("Welcome!", "Hazards stop that", "that's a coup fourré", "stop exactly at the goal"):
        assert lesson in played.text
    assert re.search(r"^Hand Total +1600 +275$", played.text, re.MULTILINE)
    assert "Have a good trip!\nPlay a game now? (Y/n)" in played.text
    assert "Hand 1. You begin." in played.after("Play a game now?")
    assert home.autosave.exists()
    assert not statistics_file().exists()


def test_other_moves_are_answered_and_change_nothing(home: Home) -> None:
    played = home.play(PlayOptions(tutorial=True), ["-100", "25", "undo", "S", "H", "", "-200", "undo", "roll"])
    assert "Next step: play Roll.\nYour move (Enter: play Roll):" in played.text
    assert "Not yet. Get moving first: play Roll." in played.text
    assert "You can't do that: you don't have that card (R2.5)." in played.text
    assert "The tutorial isn't saved" in played.text
    assert played.text.count("Welcome!") == 3  # at first, by H, and when the move was taken back
    assert "You could, but let's drive first: play 100 miles." in played.text
    assert played.text.count("You play Roll.") == 2


def test_it_can_be_asked_for_and_left(home: Home) -> None:
    played = home.play(PlayOptions(), ["T", "Q", "y"])
    assert played.status == 0
    assert "  T  tutorial: start with one hand, step by step" in played.text
    assert "Leave the tutorial? (Y/n)" in played.text
    assert "The game is kept" not in played.text
    assert "The tutorial: one hand" in played.text
