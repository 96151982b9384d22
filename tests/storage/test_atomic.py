"""At every moment either the old or the new save is there, whole: kill the writer anywhere, let any step fail."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from millebornes.editions import make_rules
from millebornes.errors import SaveError
from millebornes.game import Match
from millebornes.storage import SavedGame, SaveWriter, read_save, write_atomically
from millebornes.storage.files import rename_to_free

STEPS = ("open", "write", "fsync", "close", "replace")


class Killed(BaseException):
    """The program ends here."""


def _game(plies: int) -> SavedGame:
    match = Match.start(make_rules(), "7", players=("You", "random"))
    for _ in range(plies):
        match = match.play(match.hand.legal_moves[0])
    return SavedGame(match=match, seats=("human", "random"), seed="7", games=(0, 0), slots=((), ()))


def _failing(monkeypatch: pytest.MonkeyPatch, step: str, at: int, error: BaseException, after: bool) -> list[int]:
    """Let the ``at``-th call of a step fail, before or after it is done; counts the calls."""
    real: Callable[..., Any] = getattr(os, step)
    calls = [0]

    def faulty(*args: Any, **kwargs: Any) -> Any:
        calls[0] += 1
        if calls[0] == at and not after:
            raise error
        result = real(*args, **kwargs)
        if calls[0] == at:
            raise error
        return result

    monkeypatch.setattr(os, step, faulty)
    return calls


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("at", [1, 2])
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), Killed()], ids=["fails", "killed"])
def test_old_or_new_but_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, at: int, after: bool, error: BaseException
) -> None:
    path = tmp_path / "game.jsonl"
    writer = SaveWriter()
    writer.write(_game(3), path)
    old = path.read_bytes()
    new = writer.data(_game(4))
    with monkeypatch.context() as patch:
        calls = _failing(patch, step, at, error, after)
        try:
            write_atomically(path, new)
        except (SaveError, Killed) as told:
            assert isinstance(told, type(error)) or "the disk is full" in str(told)  # noqa: PT017 (some steps do not come)
        happened = calls[0] >= at
    assert path.read_bytes() in {old, new}
    if not happened:
        assert path.read_bytes() == new
    assert read_save(path).match.hand.ply in {3, 4}
    writer.write(_game(5), path)  # whatever was left behind does not hinder the next save
    assert read_save(path).match.hand.ply == 5


def test_short_writes_are_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data)[:10]))
    write_atomically(tmp_path / "x", b"0123456789" * 5 + b"end")
    assert (tmp_path / "x").read_bytes() == b"0123456789" * 5 + b"end"


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.storage.test_atomic import _game
from millebornes.storage import SaveWriter
games = [_game(n) for n in range(1, 30)]
print("ready", flush=True)
writer = SaveWriter()
while True:
    for game in games:
        writer.write(game, Path({path!r}))
"""


def _kill_writers(tmp_path: Path, rounds: int) -> None:
    path = tmp_path / "game.jsonl"
    root = str(Path(__file__).parents[2])
    rng = random.Random(5)
    seen = set()
    for _ in range(rounds):
        code = WRITER.format(root=root, path=str(path))
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            while not path.exists():
                assert process.poll() is None
                time.sleep(0.001)
            for _ in range(25):  # it is looked at while it is being written over as well
                time.sleep(rng.random() * 0.004)
                seen.add(read_save(path).match.hand.ply)
            process.send_signal(signal.SIGKILL)
        assert 1 <= read_save(path).match.hand.ply < 30
    assert seen <= set(range(1, 30))


def test_a_killed_writer_leaves_a_whole_save(tmp_path: Path) -> None:
    _kill_writers(tmp_path, 2)


@pytest.mark.campaign
def test_many_killed_writers_leave_whole_saves(tmp_path: Path) -> None:
    _kill_writers(tmp_path, 100)


def test_links_are_followed_and_permissions_kept(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.write_bytes(b"old")
    real.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(real)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert real.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]


@pytest.mark.parametrize("name", ["no/folder/x", ".", "a\0b", "x" * 300])
def test_places_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(SaveError, match="cannot be written"):
        write_atomically(tmp_path / name, b"data")


def test_a_file_never_takes_the_name_of_another(tmp_path: Path) -> None:
    file, taken, free = (tmp_path / name for name in ("file", "taken", "free"))
    file.write_text("new")
    taken.write_text("old")
    assert rename_to_free(file, [taken, free]) == free
    assert (taken.read_text(), free.read_text(), file.exists()) == ("old", "new", False)
    with pytest.raises(FileNotFoundError):
        rename_to_free(file, [tmp_path / "other"])
    assert not (tmp_path / "other").exists()


def test_a_file_that_was_renamed_in_spite_of_an_error_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, free = tmp_path / "file", tmp_path / "free"
    file.write_text("new")
    replace = Path.replace

    def rename_and_fail(source: Path, target: Path) -> None:
        replace(source, target)
        raise FileNotFoundError(errno.ENOENT, "", str(source), None, str(target))

    monkeypatch.setattr(Path, "replace", rename_and_fail)
    with pytest.raises(FileNotFoundError):
        rename_to_free(file, [free])
    assert free.read_text() == "new"
