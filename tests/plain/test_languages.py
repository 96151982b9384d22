"""Every line of the plain game is translated, in each language that everything is translated to."""

from collections.abc import Sequence

import pytest

from millebornes.tui.plain import PlayOptions
from tests.plain.inside import Home
from tests.untranslated import COMPLETE, english_in

ALL = ("hand", "status", "miles", "hazard", "limit", "safeties", "pile", "score", "goal", "players", "last", "log")
COMMANDS = (
    "?",
    "? R4.1",
    "L",
    "O",
    "O",
    "R",
    "W",
    "T",
    "sheet words",
    "B",
    "B",
    "K",
    "K",
    "set",
    "set x 1",
    "stats",
    "x",
)

GAMES: dict[str, Sequence[str]] = {
    "questions": ["?", "x", "2", "?", "c", "?", "?", "1", "?", "1", "?", "0", "?", "n", "L", "Q", "?", "", ""],
    "several people": ["", "c", "3", "2", "?", "1 2", "?", "Ann", "Bo", "?", "1", "1000", "o", "", "?", "Q", "q"],
    "tutorial": ["t", "?", "H", "Q", "o"],
    "commands": [
        "",
        "",
        *COMMANDS,
        *ALL,
        "U",
        "?",
        "",
        "U 9",
        "D",
        "P",
        "Z",
        "C",
        "y",
        "discard 1",
        "Q",
        "d",
        "n",
        "n",
    ],
    "saving": ["", "", "D 1", "S", "?", "no/x", "-", "S", "x.jsonl", "S", "", "Q", "s", "-", "d", "o"],
}


@pytest.mark.parametrize("language", COMPLETE)
@pytest.mark.parametrize("name", GAMES)
def test_every_line_is_translated(home: Home, name: str, language: str) -> None:
    played = home.play(PlayOptions(language=language, seed="3"), GAMES[name])
    assert english_in(played.text, language) == set()


@pytest.mark.parametrize("language", COMPLETE)
def test_unfinished_games_and_damaged_ones(home: Home, language: str) -> None:
    home.play(PlayOptions(language=language, seed="3"), ["", "", "D 1"])
    damaged = home.autosave.with_name("autosave-2.jsonl")
    damaged.write_bytes(home.autosave.read_bytes()[:-20])
    played = home.play(PlayOptions(language=language), ["?", "x", "d 1", "?", "n", "1", "Q", ""])
    assert str(damaged) in played.text
    assert english_in(played.text, language) == set()
