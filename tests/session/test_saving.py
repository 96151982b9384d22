"""Saving and leaving, without a screen: where a game is kept, what a person is told and asked, and what fails."""

import errno
import os
import random
from pathlib import Path
from typing import Any

import pytest

from millebornes.editions import make_rules
from millebornes.errors import SaveError
from millebornes.i18n import translator
from millebornes.notation import read_match
from millebornes.session.game_session import GameSession
from millebornes.session.saving import Saver
from millebornes.storage import (
    SaveWriter,
    hold_save,
    let_go,
    open_slot,
    read_save,
    saves_folder,
    typed_path,
)
from millebornes.storage.locks import FileLock, lock_file
from tests.session.driving import HUMAN, session
from tests.session.new_games import named_game
from tests.session.test_practice import advance

PLAYED = "this game is being played by another running program"
RESUME = "To resume it: millebornes play"


OPEN: list[Saver] = []
"""The savers of this test, whose slots are to be freed after it."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    while OPEN:
        OPEN.pop().release()
    let_go()


def begun(*, moves: int = 2, slot: bool = True, **more: Any) -> Saver:
    """The saver of a game in which some moves have been made."""
    table, rng = session(HUMAN, "random", seed="4", **more), random.Random(1)
    for _ in range(moves):
        advance(table, rng)
    saver = Saver(table, open_slot() if slot else None, translator("en"))
    saver.auto()
    OPEN.append(saver)
    return saver


def table_of(saver: Saver) -> GameSession:
    return saver._session


def kept() -> list[str]:
    return sorted(path.name for path in saves_folder().glob("*.jsonl"))


def fill_disk(monkeypatch: pytest.MonkeyPatch, below: Path) -> None:
    """From now on no file can be written below a folder."""
    opened = os.open

    def full(path: Any, *arguments: Any, **more: Any) -> int:
        if arguments and arguments[0] & (os.O_WRONLY | os.O_RDWR) and below in Path(os.fsdecode(path)).parents:
            raise OSError(errno.ENOSPC, "No space left on device")
        return opened(path, *arguments, **more)

    monkeypatch.setattr(os, "open", full)


def test_a_game_without_a_move_is_not_kept(folder: Path) -> None:
    saver = begun(moves=0)
    assert (saver.is_wanted, saver.keeps, saver.ways_out) == (False, False, ("leave", "stay"))
    assert saver.outlook() == "There's nothing to save yet."
    assert saver.attempt_before_leaving() is None
    assert saver.leave() == saver.end() == (0, "")
    assert kept() == []


def test_a_game_keeps_itself(folder: Path) -> None:
    saver = begun()
    assert (saver.keeps, saver.ways_out) == (True, ("leave", "save", "delete", "stay"))
    assert saver.outlook() == "Your game is saved. To resume it, type: millebornes play"
    assert saver.deletion() == "Delete this game? You can't get it back."
    path = saves_folder() / "autosave-1.jsonl"
    assert saver.leave() == (0, f"Your game is saved in {path}. {RESUME}")
    assert read_save(path).match.hands == table_of(saver).match.hands
    saver.abandon()
    assert kept() == []


def test_a_game_in_a_file_of_its_own_stays_there(folder: Path) -> None:
    saver, path = begun(), folder / "a b.jsonl"
    assert saver.save(path) is None
    assert table_of(saver).file == path
    assert saver.outlook() == f"Your game is saved in {path}. To resume it, type: millebornes play '{path}'"
    assert "You lose everything since" in saver.deletion()
    before = path.read_bytes()
    advance(table_of(saver), random.Random(1))
    saver.auto()
    saver.abandon()
    assert path.read_bytes() == before
    assert saver.leave() == (0, f"Your game is saved in {path}. {RESUME} '{path}'")
    assert path.read_bytes() != before
    assert kept() == []


def test_a_game_moves_to_another_file(folder: Path) -> None:
    saver, one, two = begun(moves=0), folder / "one.jsonl", folder / "two.jsonl"
    assert [saver.save(one), saver.save(one), saver.save(two)] == [None] * 3
    assert saver.is_wanted  # its file exists, though nobody has moved
    advance(table_of(saver), random.Random(1))
    assert saver.leave()[0] == 0
    assert (read_save(one).match.hand.ply, read_save(two).match.hand.ply) == (0, 1)
    assert not list(lock_file(one).parent.glob(lock_file(one).name))


def test_names_of_new_files(folder: Path) -> None:
    saver = begun()
    assert saver.suggested() == Path("millebornes.jsonl")
    assert saver.save(Path("millebornes.jsonl").absolute()) is None
    assert saver.suggested() == folder / "millebornes.jsonl"
    assert begun().suggested() == Path("millebornes-2.jsonl")
    for name, says in (("~nobody-of-this-name/x", "no such home folder"), ("a\0b", "control characters")):
        with pytest.raises(SaveError, match=says):
            typed_path(name)


FOREIGN = [
    (b"my diary\n", "a saved game of Mille Bornes"),
    (b"", "the file is empty"),
    (b'{"format":"millebornes/2"}\n', "newer version"),
    (b'{"format":"millebornes/1","save":{"version":99}}\n', "newer version"),
    (b'{"format":"millebornes/1","save":{"version":1,"checksum":"0"}}\n', "damaged"),
]


def test_what_is_no_save_of_ours_is_not_written_over(folder: Path) -> None:
    saver, path = begun(), folder / "precious"
    for content, says in FOREIGN:
        path.write_bytes(content)
        assert saver.overwriting(path) is None
        trouble = saver.save(path)
        assert trouble is not None
        assert says in trouble
        assert path.read_bytes() == content
        with pytest.raises(SaveError, match=says):
            read_save(path)
    for name in ("no/such/folder/x", ".", "/dev/null"):
        assert saver.save(Path(name)) is not None
    for slot in ("autosave-1.jsonl", "autosave-2.jsonl"):
        assert "this name is reserved for games that save themselves" in str(saver.save(saves_folder() / slot))
    assert table_of(saver).file is None
    assert saver.save(folder / "good.jsonl") is None


def test_another_game_is_written_over_only_when_asked(folder: Path) -> None:
    saver, path = begun(), folder / "other.jsonl"
    other = named_game(make_rules("classic"), (HUMAN, "basic"), ("a", "b"), 5000, "x")
    SaveWriter().write(other, path)
    assert saver.overwriting(path) == f"{path} already exists. Replace it?"
    assert saver.save(path) is None
    assert saver.overwriting(path) is None
    assert read_save(path).seed == "4"


def test_a_game_that_is_played_elsewhere_is_not_written_over(folder: Path) -> None:
    saver, path = begun(), folder / "held.jsonl"
    SaveWriter().write(named_game(make_rules("classic"), (HUMAN, "basic"), ("a", "b"), 5000, "x"), path)
    before = path.read_bytes()
    lock_file(path).parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock.take(lock_file(path))
    assert lock is not None
    assert saver.overwriting(path) is None
    assert saver.save(path) == f"The game couldn't be saved. {path}: {PLAYED}."
    with pytest.raises(SaveError, match=PLAYED):
        hold_save(path)
    assert path.read_bytes() == before
    lock.release()
    assert saver.save(path) is None


def test_a_full_disk_is_told_once_and_keeps_nobody_in_the_game(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saver, path = begun(), saves_folder() / "autosave-1.jsonl"
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        fill_disk(patch, folder / "data")
        advance(table_of(saver), random.Random(1))
        assert [saver.auto(), saver.auto()] == ["Not saved: the disk is full.", None]
        assert saver.attempt_before_leaving() == "Not saved: the disk is full."
        assert not saver.keeps
        assert "you lose what you played after" in saver.outlook()
        assert saver.deletion().startswith("Quit without saving? If you quit now, you lose what you played after")
        status, text = saver.end()
        assert status == 1
        assert text.startswith("Not saved: the disk is full. If you quit now, you lose")
        saver.abandon()
        assert path.read_bytes() == before
        assert saver.save(folder / "x.jsonl") is None  # there is room elsewhere
        assert saver.leave() == (0, f"Your game is saved in {folder / 'x.jsonl'}. {RESUME} {folder / 'x.jsonl'}")
    assert saver.auto() is None


def test_a_file_that_fails_leaves_the_game_in_its_slot(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "own").mkdir()
    saver = begun()
    assert saver.save(folder / "own" / "x.jsonl") is None
    advance(table_of(saver), random.Random(1))
    fill_disk(monkeypatch, folder / "own")
    status, text = saver.leave()
    assert status == 0
    assert text.startswith(f"Not saved in {folder / 'own' / 'x.jsonl'}: the disk is full. Your game is saved in ")
    assert kept() == ["autosave-1.jsonl"]


def test_without_a_folder_for_saves_a_game_can_still_get_a_file(folder: Path) -> None:
    saver = begun(slot=False)
    assert (saver.can_save, saver.ways_out) == (False, ("save", "delete", "stay"))
    assert saver.auto() is None
    assert saver.outlook() == "If you quit without saving to a file, you lose this game."
    assert saver.leave() == (1, "The game couldn't be saved. no writable folder found.")
    assert saver.save(folder / "x.jsonl") is None
    assert saver.ways_out == ("leave", "save", "delete", "stay")
    assert saver.leave()[0] == 0


def test_a_finished_match_is_kept_under_a_name_of_its_own(folder: Path) -> None:
    saver, rng = begun(target=1), random.Random(1)
    while not table_of(saver).is_over:
        advance(table_of(saver), rng)
    assert saver.is_settled
    assert saver.leave()[0] == 0
    (name,) = kept()
    assert name.startswith("game-")
    with (saves_folder() / name).open("rb") as stream:
        assert read_match(stream).is_over


def test_two_games_keep_apart(folder: Path) -> None:
    savers = [begun(), begun()]
    assert kept() == ["autosave-1.jsonl", "autosave-2.jsonl"]
    savers[0].abandon()
    assert kept() == ["autosave-2.jsonl"]
