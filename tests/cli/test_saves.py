import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from millebornes.cli import cli
from millebornes.editions import make_rules
from millebornes.game import Match
from millebornes.storage import AutosaveSlot, SavedGame, open_slot


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "en")
    return tmp_path


def play(name: str) -> AutosaveSlot:
    """A game that has been begun by a person of this name and saved itself; its slot is still held."""
    match = Match.start(make_rules(), "seed", players=(name, "basic"), match_target=1000)
    match = match.play(match.hand.legal_moves[0])
    slot = open_slot()
    seats = ("human", "basic")
    slot.write(SavedGame(match=match, seats=seats, seed="seed", games=(0, 0), slots=((), ())))
    return slot


def leave(name: str) -> Path:
    """As `play`, the program having ended."""
    slot = play(name)
    slot.release()
    return slot.path


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["saves", *words])


def test_unfinished_games_are_listed_in_words_and_as_data() -> None:
    assert run().stdout == "There are no unfinished games.\n"
    assert run("--language", "fr").stdout == "Il n’y a pas de partie inachevée.\n"
    assert json.loads(run("--json").stdout) == []
    first, second = leave("Ann"), leave("Bo")
    listed = run()
    assert listed.exit_code == 0
    assert "autosave-1  Ann, Sam · basic   0 : 0\n            Classic · to 1000 points · hand 1 · 20" in listed.stdout
    assert "autosave-2  Bo, Sam · basic   0 : 0\n" in listed.stdout
    found = {game["name"]: game for game in json.loads(run("--json").stdout)}
    assert {name: game["path"] for name, game in found.items()} == {"autosave-1": str(first), "autosave-2": str(second)}
    del found["autosave-1"]["date"]
    assert found["autosave-1"] == {
        "name": "autosave-1",
        "path": str(first),
        "players": ["Ann", "basic"],
        "totals": [0, 0],
        "hand_points": [0, 0],
        "hand": 1,
        "edition": "classic",
        "set": {},
        "match_target": 1000,
        "practice": False,
    }
    assert [game["name"] for game in json.loads(run("autosave-2.jsonl", "--json").stdout)] == ["autosave-2"]


def test_named_games_are_deleted_and_no_others() -> None:
    first, second, third = leave("Ann"), leave("Bo"), leave("Cy")
    refused = run("--delete")
    assert refused.exit_code == 2
    assert "name the games to delete" in refused.stderr
    refused = run("--delete", "autosave-1", "autosave-7")
    assert refused.exit_code == 2
    assert "there is no unfinished game 'autosave-7'; the unfinished games are autosave-" in refused.stderr
    assert first.exists()
    deleted = run("--delete", "autosave-1", "autosave-3", "autosave-1")
    assert deleted.exit_code == 0
    assert deleted.stdout == "Deleted: autosave-1\nDeleted: autosave-3\n"
    assert [path.exists() for path in (first, second, third)] == [False, True, False]
    assert [game["name"] for game in json.loads(run("--delete", "--json", "autosave-2").stdout)] == ["autosave-2"]
    assert "there are none" in run("autosave-2").stderr


def test_what_is_played_or_damaged_is_neither_listed_nor_deleted() -> None:
    slot = play("Ann")
    damaged = leave("Bo")
    damaged.write_bytes(damaged.read_bytes()[:-10])
    try:
        assert run().stdout == "There are no unfinished games.\n"
        for name in ("autosave-1", "autosave-2", "../saves/autosave-1", "autosave-1.lock"):
            assert run("--delete", name).exit_code == 2
        assert slot.path.exists()
        assert damaged.exists()
    finally:
        slot.release()
    assert "Ann" in run().stdout
