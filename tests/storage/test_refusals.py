"""A file that cannot be written: why, in words, whatever the system calls it."""

import dataclasses
import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from millebornes.errors import SaveError
from millebornes.schema.statistics import ReviewResult
from millebornes.storage import Preferences, save_preferences, write_atomically
from millebornes.storage.files import reason_of
from millebornes.storage.statistics import append_record

RECORD = ReviewResult(id="1", objective="points", seats=(), sides=())
REASONS = {
    "ENOSPC": "the disk is full",
    "EDQUOT": "your disk quota is used up",
    "EROFS": "the disk is read-only",
    "EACCES": "permission was denied",
    "EPERM": "permission was denied",
    "EIO": "the disk reported an error",
    "EFBIG": "the file would be larger than this system allows",
}


@pytest.mark.parametrize("name", REASONS)
def test_every_file_says_why_it_cannot_be_written(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> int:
        raise OSError(getattr(errno, name), os.strerror(getattr(errno, name)))

    monkeypatch.setenv("MILLEBORNES_HOME", str(tmp_path))
    save_preferences(Preferences(pace=2.0))
    before = (tmp_path / "config" / "preferences.json").read_bytes()
    monkeypatch.setattr(os, "write", refuse)
    writes: tuple[Callable[[], None], ...] = (
        lambda: write_atomically(tmp_path / "save", b"x"),
        lambda: append_record(tmp_path / "data" / "statistics.jsonl", "x", RECORD),
        lambda: save_preferences(dataclasses.replace(Preferences(), pace=3.0)),
    )
    for write in writes:
        with pytest.raises(SaveError) as raised:
            write()
        assert raised.value.reason == REASONS[name]
        assert f"({REASONS[name]})" in str(raised.value)
    assert (tmp_path / "config" / "preferences.json").read_bytes() == before
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_folder_that_is_gone_and_one_in_the_place_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="the folder does not exist"):
        write_atomically(tmp_path / "gone" / "save", b"x")
    with pytest.raises(SaveError, match="there is a folder with that name"):
        append_record(tmp_path, "x", RECORD)
    with pytest.raises(SaveError, match="the name is too long"):
        write_atomically(tmp_path / ("x" * 300), b"x")


def test_what_only_windows_tells() -> None:
    error = OSError(errno.EACCES, "The process cannot access the file")
    error.winerror = 32  # type: ignore[attr-defined,unused-ignore]
    assert reason_of(error) == "another program has it open"
    assert reason_of(OSError(9999, "something new")) == "something new"
