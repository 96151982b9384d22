"""Two programs and one saved game: the second is refused in a sentence, and nothing is written over."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from millebornes.editions import make_rules
from millebornes.errors import SaveError
from millebornes.game import Match
from millebornes.storage import read_save
from millebornes.storage.locks import FileLock, is_played_elsewhere, lock_file
from millebornes.table.setup import GameSetup
from millebornes.tui.plain import PlayOptions
from tests.plain.driver import MOVE, Game
from tests.plain.inside import Home

PLAYED = "this game is being played by another running program"
NEW = PlayOptions(setup=GameSetup(places=("human", "random"), seed="3"))


@pytest.fixture
def held(home: Home) -> Iterator[Path]:
    """A saved game that another program plays."""
    path = home.save(Match.start(make_rules(), "x", players=("a", "b")), ("human", "random"), "held.jsonl")
    lock_file(path).parent.mkdir(parents=True)
    lock = FileLock.take(lock_file(path))
    assert lock is not None
    yield path
    lock.release()


def test_a_game_that_is_being_played_is_not_resumed(home: Home, held: Path) -> None:
    before = held.read_bytes()
    with pytest.raises(SaveError, match=f"held.jsonl: {PLAYED}"):
        home.resume(held, "n")
    assert held.read_bytes() == before


def test_a_file_that_another_new_game_was_begun_for_is_taken(home: Home, held: Path) -> None:
    held.unlink()
    with pytest.raises(SaveError, match=PLAYED):
        home.play(PlayOptions(setup=GameSetup(places=("human", "random")), save=held), ["n"])


def test_a_game_is_not_saved_over_one_that_is_being_played(home: Home, held: Path) -> None:
    before = held.read_bytes()
    played = home.play(NEW, ["S", str(held), "-", "L", "D", "1", "Q", "s", str(held), "mine.jsonl"])
    assert played.status == 0
    assert played.text.count(f"The game couldn't be saved. {held}: {PLAYED}.") == 2
    assert "Write over it?" not in played.text
    assert "You can:" in played.text
    assert held.read_bytes() == before
    assert read_save(home.folder / "mine.jsonl").file == str(home.folder / "mine.jsonl")
    assert list(lock_file(held).parent.iterdir()) == [lock_file(held)]  # that of one's own file is gone


def test_no_lock_is_left_where_no_game_begins(home: Home) -> None:
    (home.folder / "broken").write_text("x")
    with pytest.raises(SaveError, match="a saved game"):
        home.resume(home.folder / "broken")
    with pytest.raises(SaveError, match="there is no such file"):
        home.resume(home.folder / "new", "n")
    assert list((home.folder / "data" / "locks").iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal as POSIX has them")
def test_two_real_programs(tmp_path: Path) -> None:
    save = tmp_path / "a b.jsonl"
    command = [sys.executable, "-m", "millebornes", "play", "--plain", str(save)]
    environment = {**os.environ, "MILLEBORNES_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}

    def second() -> tuple[int, str]:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=300
        )
        return done.returncode, done.stderr

    refused = (1, f"millebornes: {save}: {PLAYED}\n")
    with Game(tmp_path, str(save), "--player", "human", "--player", "random", "--seed", "3") as game:
        assert game.wait() == MOVE
        assert second() == refused  # before it was ever saved
        game.send("S")
        game.wait(r"goes back\): ")
        game.ask("")
        before = save.read_bytes()
        assert second() == refused
        game.send("Q")
        game.wait("N keeps playing: ")
        game.send("")
        assert game.finish() == 0
    assert save.read_bytes() == before
    assert not is_played_elsewhere(save)
    assert second() == (0, "")
    assert list((tmp_path / "data" / "locks").iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="file names as POSIX has them")
def test_the_command_that_is_told_goes_on_with_the_game(tmp_path: Path) -> None:
    name = b"\xff\n'\\\x1b[31m b$(x).jsonl"
    environment = {**os.environ, "MILLEBORNES_HOME": str(tmp_path / "home"), "LC_ALL": "C.UTF-8"}

    def run(words: str, typed: bytes = b"") -> str:
        command = ["bash", "-c", f"{words} --plain --language en"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, input=typed, capture_output=True, timeout=300)
        assert (done.returncode, done.stderr) == (0, b"")
        text = done.stdout.decode()
        assert text.replace("\n", "").isprintable()
        return text

    octal = "".join(f"\\{byte:03o}" for byte in name)
    options = "--player human --player random --seed 3"
    first = run(f"'{sys.executable}' -m millebornes play ./\"$(printf '{octal}')\" {options}", b"D 1\n")
    again = run(first.rpartition("To resume it: ")[2].strip())
    assert [os.fsencode(path.name) for path in tmp_path.iterdir() if path.name != "home"] == [name]
    assert again.rpartition("To resume it: ")[2] == first.rpartition("To resume it: ")[2]
