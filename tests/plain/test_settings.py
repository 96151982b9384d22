"""Settings at the keyboard, and in words."""

import dataclasses

import pytest

from millebornes.editions import make_rules
from millebornes.errors import SaveError
from millebornes.game import Match
from millebornes.i18n import translator
from millebornes.storage import Preferences, SavedGame, SaveWriter, load_preferences, save_preferences
from millebornes.storage.preferences import LINES, SCREEN
from millebornes.table.setup import GameSetup
from millebornes.tui.common.settings import SETTINGS, changed, settings_lines
from millebornes.tui.plain import PlayOptions
from tests.plain.inside import Home

ENGLISH = translator("en")
OPTIONS = PlayOptions(setup=GameSetup(places=("human", "random"), seed="3"))


def test_every_preference_can_be_set() -> None:
    assert {*SETTINGS, "last_game", "medium", "pace", "bell", "symbols"} == set(vars(Preferences()))
    lines = settings_lines(Preferences(brief=True, theme="french"), ENGLISH)
    assert [line.split()[0] for line in lines[1:]] == list(SETTINGS)
    assert any(line.split()[:2] == ["brief", "yes"] for line in lines)
    assert any(line.split()[:2] == ["theme", "french"] for line in lines)


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("one_key yes", {"one_key": True}),
        ("ONE-KEY=on", {"one_key": True}),
        ("brief on", {"brief": True}),
        ("colours none", {"colours": "none"}),
        ("colours auto", {"colours": "auto"}),
        ("language fr", {"language": "fr"}),
        ("theme auto", {"theme": None}),
        ("window scores", {"window": "scores"}),
    ],
)
def test_a_line_changes_one(text: str, change: dict[str, object]) -> None:
    before = Preferences(theme="french", last_game={"edition": "bsd"})
    assert changed(before, text, ENGLISH)[1] == Preferences.from_dict({**vars(before), **change}, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("volume 3", "There is no setting 'volume'; the settings are sort, "),
        ("one_key maybe", "one_key can be yes, no."),
        ("one_key", "one_key can be yes, no."),
        ("pace 2", "pace only affects the full-screen game; press F2 there to change it."),
        ("bell no", "bell only affects the full-screen game; press F2 there to change it."),
        ("medium screen", "There is no setting 'medium'"),
        ("language nl", "language can be auto, en, "),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(SaveError) as caught:
        changed(Preferences(), text, ENGLISH)
    assert str(caught.value).startswith(said)


def test_settings_are_listed_changed_and_kept(home: Home) -> None:
    played = home.play(OPTIONS, ["set", "set brief yes", "set volume 3", "set sort yes", "R"])
    assert "  one_key no " in played.text
    assert "There is no setting 'volume'" in played.text
    assert load_preferences(LINES).brief
    assert load_preferences(LINES).sort
    assert "Language and theme change when the next game starts" in played.text


def test_one_key_play(home: Home) -> None:
    assert "A number alone does nothing" in home.play(OPTIONS, ["1"]).text
    assert "Typing a card's number now uses the card right away." in home.play(OPTIONS, ["k"]).text
    played = home.play(OPTIONS, ["1", "2", "3", "4", "5", "6", "7", "9", "0"])
    assert "A number alone does nothing: U 9" in played.text
    assert played.text.count("A number alone") == 2
    assert "You play " in played.text or played.text.count("You can't do that") == 7


def test_theme_and_preferences_of_the_person_hold_in_saved_games_too(home: Home) -> None:
    home.play(OPTIONS, ["D 1"])
    save_preferences(Preferences(theme="rijwielspel"))
    assert "Draw pile" not in home.resume(home.autosave, "R").text
    english = PlayOptions(save=home.autosave, theme="english")
    assert "Draw pile" in home.play(english, ["R"]).text


def test_what_is_set_on_the_whole_screen_does_not_change_the_line_game(home: Home) -> None:
    save_preferences(Preferences(manual_pick=True, window="scores", one_key=True, pace=9, bell=False))
    played = home.play(OPTIONS, ["1", "R"])
    assert "A number alone does nothing" in played.text
    assert "P picks a card" not in played.text
    assert "Distance Driven" not in played.text


def test_what_is_set_in_the_line_game_does_not_change_the_whole_screen(home: Home) -> None:
    home.play(OPTIONS, ["manual", "K", "W", "B", "O"])
    assert dataclasses.replace(load_preferences(), last_game=None) == Preferences(sort=True)
    assert dataclasses.replace(load_preferences(LINES), last_game=None) == Preferences(
        sort=True, manual_pick=True, one_key=True, window="scores", brief=True, medium=LINES
    )


def test_a_game_saved_on_the_whole_screen_brings_none_of_its_habits(home: Home) -> None:
    match = Match.start(make_rules("classic"), "x", players=("You", "basic"))
    for medium, habits in ((LINES, True), (SCREEN, False)):
        preferences = Preferences(manual_pick=True, window="scores", sort=True, medium=medium)
        game = SavedGame(
            match=match, seats=("human", "basic"), seed="x", games=(0, 0), slots=((), ()), preferences=preferences
        )
        path = home.folder / f"{medium}.jsonl"
        SaveWriter().write(game, path)
        played = home.resume(path, "R")
        assert ("P picks a card" in played.text) is habits
        assert ("Distance Driven" in played.text) is habits
