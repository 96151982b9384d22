"""Games that saved themselves and cannot be read any more are reported, and left as they are."""

import dataclasses
import json
from pathlib import Path

import pytest

from millebornes.editions import make_rules
from millebornes.i18n import translator
from millebornes.session.unfinished import describe_unfinished, unfinished_games, unreadable_games
from millebornes.storage import SaveWriter, saves_folder
from millebornes.storage.checksum import add_checksum
from tests.session.new_games import named_game

DAMAGED = ["The saved game PATH is damaged and can't be continued. The file is left as it is."]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    saves_folder().mkdir(parents=True)
    return saves_folder()


def game(**settings: object) -> bytes:
    rules = make_rules("classic", settings=settings)
    made = named_game(rules, ["human", "basic"], ["Ann", "basic"])
    return SaveWriter().data(dataclasses.replace(made, match=made.match.play(made.match.hand.legal_moves[0])))


def test_a_person_may_be_called_like_a_player(folder: Path) -> None:
    made = named_game(make_rules("classic"), ["human", "casual"], ["casual", "casual"])
    made = dataclasses.replace(made, match=made.match.play(made.match.hand.legal_moves[0]))
    (folder / "autosave-1.jsonl").write_bytes(SaveWriter().data(made))
    (found,) = unfinished_games()
    assert found.shown_names(translator("en")) == ["casual", "Sam · Easy"]


def told(folder: Path, data: bytes, name: str = "autosave-3.jsonl") -> list[str]:
    path = folder / name
    path.write_bytes(data)
    try:
        return [line.replace(str(path), "PATH") for line in unreadable_games(translator())]
    finally:
        assert path.read_bytes() == data
        path.unlink()


def test_what_is_damaged(folder: Path) -> None:
    good = game()
    for data in (good[:-20], b"", bytes(len(good)), good.replace(b"Ann", b"Bob"), b"my diary", b"{}", good[:40]):
        assert told(folder, data) == DAMAGED, data[:60]
    assert told(folder, good[:-1], "game-2026-01-01-000000.jsonl") == DAMAGED


def test_what_is_well_sealed_and_makes_no_sense(folder: Path) -> None:
    lines = game().decode().splitlines()
    header = json.loads(lines[0])
    header["sides"], header["save"]["checksum"] = "two", "0" * 64
    assert told(folder, add_checksum([json.dumps(header, separators=(",", ":")), *lines[1:]])) == DAMAGED


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Classic, with"), ("de", "Klassisch, mit"), ("fr", "Classique, avec")]
)
def test_changed_settings_are_named(folder: Path, language: str, title: str) -> None:
    (folder / "autosave-3.jsonl").write_bytes(game(targets="left", hand_size=4, deck="reduced"))
    (found,) = unfinished_games()
    parts = describe_unfinished(found, translator(language))[1].split(" · ")
    assert parts[0] == f"{title} deck = reduced, hand_size = 4, targets = left"


def test_a_save_cannot_name_the_file_of_an_edition(folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('name = "own"\ntitle = "A file that was read"\nlike = "classic"\n')
    lines = game().decode().splitlines()
    header = json.loads(lines[0])
    header["edition"], header["save"]["checksum"] = str(own), "0" * 64
    (folder / "autosave-3.jsonl").write_bytes(add_checksum([json.dumps(header, separators=(",", ":")), *lines[1:]]))
    (found,) = unfinished_games()
    assert found.rules is None


@pytest.mark.parametrize("name", ["of tomorrow", "", 5, ["classic"], {}])
def test_an_edition_that_is_not_known_has_custom_rules(folder: Path, name: object) -> None:
    lines = game().decode().splitlines()
    header = json.loads(lines[0])
    header["edition"], header["save"]["checksum"] = name, "0" * 64
    (folder / "autosave-3.jsonl").write_bytes(add_checksum([json.dumps(header, separators=(",", ":")), *lines[1:]]))
    (found,) = unfinished_games()
    assert describe_unfinished(found, translator())[1].startswith("Custom rules · to 5000 points · hand 1 · ")


def test_what_a_newer_program_wrote(folder: Path) -> None:
    assert told(folder, b'{"format":"millebornes/2"}\n') == [
        "The saved game PATH is from a newer version of the program. The file is left as it is."
    ]


def test_what_cannot_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "autosave-3.jsonl":
            raise PermissionError(13, "Permission denied")
        return read(path)

    path = folder / "autosave-3.jsonl"
    path.write_bytes(game())
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert unreadable_games(translator()) == [
        f"The saved game {path} can't be read: permission was denied. The file is left as it is."
    ]


def test_nothing_is_said_of_those_that_are_right(folder: Path) -> None:
    (folder / "autosave-1.jsonl").write_bytes(game())
    assert unreadable_games(translator()) == []
    assert len(unfinished_games()) == 1
