"""A saved game is played by one program at a time, whatever its file is called and wherever it lies."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from millebornes.errors import SaveError
from millebornes.storage import hold_save, let_go, saves_folder, slot_of
from millebornes.storage.autosave import is_slot
from millebornes.storage.locks import FileLock, is_played_elsewhere, lock_file

PLAYED = "this game is being played by another running program"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def other() -> Iterator["Other"]:
    """Another program, which holds what it is told to."""
    program = Other()
    yield program
    program.end()


class Other:
    def __init__(self) -> None:
        code = (
            "import sys; from pathlib import Path; from millebornes.storage import hold_save, let_go\n"
            "for line in sys.stdin:\n"
            "    do, path = line[0], Path(line[1:-1])\n"
            "    (hold_save if do == '+' else let_go)(path); print('done', flush=True)"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def do(self, what: str, path: Path) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{what}{path}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


def test_two_programs(tmp_path: Path, other: Other) -> None:
    path = tmp_path / "game"
    other.do("+", path)
    for _ in range(2):
        assert is_played_elsewhere(path)
        with pytest.raises(SaveError, match=f"game: {PLAYED}"):
            hold_save(path)
    with pytest.raises(SaveError, match=PLAYED):
        slot_of(path)
    let_go(path)  # it is not ours
    assert is_played_elsewhere(path)
    other.do("-", path)
    hold_save(path)
    hold_save(path)
    assert not is_played_elsewhere(path)
    assert slot_of(path) is None
    let_go(path)
    let_go(path)
    other.do("+", path)
    other.end()  # however it ends
    hold_save(path)
    let_go(path)


def test_nothing_is_left_behind(tmp_path: Path, home: Path) -> None:
    let_go()
    hold_save(tmp_path / "game")
    assert len(list((home / "data" / "locks").iterdir())) == 1
    let_go(tmp_path / "game")
    assert list((home / "data" / "locks").iterdir()) == []
    assert not is_played_elsewhere(tmp_path / "game")
    assert list((home / "data" / "locks").iterdir()) == []
    for name in "ab":
        hold_save(tmp_path / name)
    assert len(list((home / "data" / "locks").iterdir())) == 2
    let_go()
    assert list((home / "data" / "locks").iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")
def test_all_names_of_a_file_are_one(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "other").symlink_to(tmp_path / "folder")
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "game")
    names = [tmp_path / "folder" / "game", tmp_path / "other" / "game", tmp_path / "link"]
    assert len({lock_file(name) for name in names}) == 1
    assert len({lock_file(tmp_path / name) for name in ("a", "b", "a\udcff", "a\n")}) == 4


def test_a_lock_that_its_holder_removes_is_taken_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between opening a lock's file and locking it, its holder may end and remove it: that lock is worth nothing."""
    path = tmp_path / "lock"
    calls = 0

    def locked(stream: object) -> bool:
        nonlocal calls
        calls += 1
        if calls == 1:
            path.unlink()
        return True

    monkeypatch.setattr("millebornes.storage.locks._lock", locked)
    lock = FileLock.take(path)
    assert calls == 2
    assert lock is not None
    assert path.exists()
    lock.release(remove=True)
    assert not path.exists()


def test_where_no_lock_can_be_had_nobody_is_refused(tmp_path: Path, home: Path) -> None:
    home.mkdir()
    (home / "data").write_text("a file in the place of the folder")
    hold_save(tmp_path / "game")
    assert not is_played_elsewhere(tmp_path / "game")
    let_go(tmp_path / "game")


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")
def test_which_files_are_slots(tmp_path: Path) -> None:
    folder = saves_folder()
    folder.mkdir(parents=True)
    (tmp_path / "link").symlink_to(folder)
    assert is_slot(folder / "autosave-1.jsonl")
    assert is_slot(tmp_path / "link" / "autosave-16.jsonl")
    assert not is_slot(folder / "autosave-17.jsonl")
    assert not is_slot(tmp_path / "autosave-1.jsonl")
    held = slot_of(tmp_path / "link" / "autosave-2.jsonl")
    assert held is not None
    with pytest.raises(SaveError, match=PLAYED):
        slot_of(folder / "autosave-2.jsonl")
    held.release()
