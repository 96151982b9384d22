"""Preferences: kept between runs, newer keys left alone, wrong ones named."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from millebornes.errors import SaveError
from millebornes.storage import Preferences, load_preferences, save_preferences
from millebornes.storage.preferences import LINES

LAST_GAME = {
    "edition": "classic",
    "seats": 2,
    "sides": 2,
    "set": {"goal": 700},
    "players": ["human", "basic"],
    "names": ["Ann"],
    "match_target": None,
    "practice": True,
}
LIKED = Preferences(
    sort=True,
    manual_pick=True,
    window="scores",
    one_key=True,
    pace=0.25,
    colours="light",
    bell=False,
    language="fr",
    theme="rijwielspel",
    last_game=LAST_GAME,
)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    return tmp_path / "config" / "preferences.json"


def test_what_is_kept_is_read_again(path: Path) -> None:
    assert load_preferences() == Preferences()
    save_preferences(LIKED)
    assert load_preferences() == LIKED


def test_keys_of_newer_versions_stay(path: Path) -> None:
    save_preferences(Preferences())
    path.write_text('{"sort": true, "of_a_newer_version": [1], "last_game": {"newer": 1}}')
    assert load_preferences() == Preferences(sort=True, last_game={"newer": 1})
    save_preferences(LIKED)
    assert json.loads(path.read_text())["of_a_newer_version"] == [1]


def test_files_of_older_versions_are_read(path: Path) -> None:
    save_preferences(Preferences())
    path.write_text('{"sort": true, "manual_pick": false, "window": "scores"}')
    assert load_preferences() == Preferences(sort=True, window="scores")


def test_each_way_to_play_keeps_its_own(path: Path) -> None:
    save_preferences(LIKED)
    assert load_preferences(LINES) == dataclasses.replace(
        LIKED, manual_pick=False, window="commands", one_key=False, medium=LINES
    )
    own = dataclasses.replace(LIKED, brief=True, one_key=False, sort=False, medium=LINES)
    save_preferences(own)
    assert load_preferences(LINES) == own
    assert load_preferences() == dataclasses.replace(LIKED, sort=False)
    data = json.loads(path.read_text())
    data["lines"]["of_a_newer_version"] = 1
    path.write_text(json.dumps(data))
    save_preferences(own)
    assert json.loads(path.read_text()) == data


def test_wrong_values_of_the_line_game_are_named(path: Path) -> None:
    save_preferences(Preferences())
    for data, wanted in (
        ({"lines": 3}, "lines must be an object"),
        ({"lines": {"brief": 1}}, "brief: 1 is not allowed; it must be true"),
    ):
        path.write_text(json.dumps(data))
        with pytest.raises(SaveError, match=wanted):
            load_preferences(LINES)
        assert load_preferences() == Preferences()


def test_a_damaged_file_is_left_alone(path: Path) -> None:
    save_preferences(Preferences())
    path.write_text("{broken")
    for attempt in (load_preferences, lambda: save_preferences(LIKED)):
        with pytest.raises(SaveError, match="damaged"):
            attempt()
    assert path.read_text() == "{broken"


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("sort", 1, "true or false"),
        ("window", "door", "commands, scores"),
        ("window", ["scores"], "commands, scores"),
        ("pace", -0.1, "from 0 to 10"),
        ("pace", 10.5, "from 0 to 10"),
        ("pace", True, "from 0 to 10"),
        ("pace", 10**4000, "from 0 to 10"),
        ("pace", float("inf"), "from 0 to 10"),
        ("pace", float("nan"), "from 0 to 10"),
        ("pace", "fast", "from 0 to 10"),
        ("colours", "pink", "auto, dark, light, none"),
        ("bell", None, "true or false"),
        ("one_key", "yes", "true or false"),
        ("language", "nl", "one of en, "),
        ("theme", "space", "english"),
        ("last_game", [], "an object or null"),
        ("last_game", {"players": "human"}, 'players: "human" is not allowed; it must be a list of strings'),
        ("last_game", {"seats": "2"}, 'seats: "2" is not allowed; it must be a whole number'),
        ("last_game", {"set": None}, "set: null is not allowed; it must be an object"),
        ("last_game", {"match_target": -5}, "match_target: -5 is not allowed; it must be a whole number"),
        ("last_game", {"practice": 0}, "practice: 0 is not allowed; it must be true or false"),
    ],
)
def test_wrong_values_are_named(path: Path, name: str, value: Any, wanted: str) -> None:
    with pytest.raises(SaveError) as caught:
        Preferences.from_dict({name: value}, "file.json")
    assert str(caught.value).startswith(f"file.json: {name}")
    assert wanted in str(caught.value)


@pytest.mark.parametrize("pace", [0, 10, 2.5])
def test_a_pace_may_be_a_whole_number(pace: float) -> None:
    assert Preferences.from_dict({"pace": pace}, "").pace == pace


def test_a_saved_game_brings_its_table_and_nothing_else() -> None:
    saved = Preferences.from_dict(Preferences(sort=True, window="scores", pace=9, bell=False).for_save(), "")
    assert LIKED.at_table(saved) == Preferences.from_dict({**vars(LIKED), "manual_pick": False}, "")
    own = Preferences(medium=LINES)
    assert own.at_table(saved) == dataclasses.replace(own, sort=True)
