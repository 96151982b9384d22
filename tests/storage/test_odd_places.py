"""Games are saved and found again whatever lies in the place of a save, and whatever its file is called."""

import dataclasses
import os
import sys
from pathlib import Path

import pytest

from millebornes.editions import make_rules
from millebornes.errors import SaveError
from millebornes.game import Match
from millebornes.storage import SavedGame, SaveWriter, open_slot, read_save, save_path, saves_folder, unfinished

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="file names as POSIX has them")

DEALT = Match.start(make_rules(), "s", players=("a", "b"))
GAME = SavedGame(
    match=DEALT.play(next(iter(DEALT.hand.legal_moves))),  # without a move it would not be kept
    seats=("human", "human"),
    seed="s",
    games=(0, 0),
    slots=((), ()),
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def put(path: Path, what: str) -> None:
    """Something else in the place of a save or a lock."""
    path.parent.mkdir(parents=True, exist_ok=True)
    match what:
        case "folder":
            path.mkdir()
        case "dangling link":
            path.symlink_to(path.with_name("nowhere") / "at all")
        case "dangling link to a file":
            path.symlink_to(path.with_name("not-there"))
        case "loop":
            path.symlink_to(path)
        case "link to a folder":
            (path.parent / "elsewhere").mkdir()
            path.symlink_to(path.parent / "elsewhere")
        case "pipe":
            os.mkfifo(path)


ODD = ["folder", "dangling link", "dangling link to a file", "loop", "link to a folder", "pipe"]


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("name", ["autosave-1.jsonl", "autosave-1.lock"])
def test_a_slot_with_something_else_in_its_place(what: str, name: str) -> None:
    put(saves_folder() / name, what)
    slot = open_slot()
    slot.write(GAME)
    slot.release()
    found = unfinished()
    assert found is not None
    assert found.path == slot.path
    assert read_save(found.path).match == dataclasses.replace(GAME.match, seed=GAME.seed)
    found.release()


@pytest.mark.parametrize("what", [what for what in ODD if what != "dangling link to a file"])
def test_a_save_with_something_else_in_its_place_is_refused(tmp_path: Path, what: str) -> None:
    path = tmp_path / "game"
    put(path, what)
    before = path.lstat()
    with pytest.raises(SaveError, match="/game: "):
        SaveWriter().write(GAME, path)
    with pytest.raises(SaveError, match="/game: "):
        read_save(path)
    assert os.path.samestat(before, path.lstat())


NAMES = [b"\xff\xfe.jsonl", b"a\nb", b"\x1b[31mred", "\u202eabc\x9b31m".encode(), b"~", b"-x", b" "]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_are_no_text(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / os.fsdecode(name)
    game = dataclasses.replace(GAME, file=str(path))
    SaveWriter().write(game, path)
    assert read_save(path).file == str(path)
    slot = open_slot()
    slot.write(game)
    slot.release()
    found = unfinished(path)
    assert found is not None
    found.release()
    assert unfinished(tmp_path / "other") is None
    path.write_bytes(b"{")
    with pytest.raises(SaveError) as caught:
        read_save(path)
    assert str(caught.value).isprintable()


def test_names_that_no_file_can_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SaveError, match=r"a\\x00b: no file can have this name"):
        save_path("a\0b")
    with pytest.raises(SaveError, match="there is no such home folder"):
        save_path("~nobody-has-this-name/x")
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(SaveError, match="the current folder no longer exists"):
        save_path("x")
    assert save_path("/x") == Path("/x")


def test_a_game_that_cannot_be_written_as_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="cannot be written as JSON"):
        SaveWriter().write(dataclasses.replace(GAME, seed="\udcff"), tmp_path / "game")
    assert list(tmp_path.glob("game*")) == []
