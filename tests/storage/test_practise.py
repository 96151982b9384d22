"""Progress: every answer is on the disk, and nothing is lost silently."""

import datetime
import json
from pathlib import Path

import pytest

from millebornes.errors import SaveError
from millebornes.storage.practise import MAX_ANSWERS, Answer, PractiseProgress

START = datetime.datetime(2026, 5, 4, 12, tzinfo=datetime.UTC)
MINUTE = datetime.timedelta(minutes=1)


def file_of(folder: Path) -> Path:
    return folder / "progress.json"


def test_answers_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    with PractiseProgress.open(folder) as progress:
        assert (len(progress._answers), progress.history("x"), progress.trouble) == (0, (), "")
        progress.record("x", Answer(START, True))
        progress.record("y", Answer(START + MINUTE, False))
        progress.record("x", Answer(START + 2 * MINUTE, False))
    with PractiseProgress.open(folder) as progress:
        assert progress.history("x") == (Answer(START, True), Answer(START + 2 * MINUTE, False))
        assert progress.history("y") == (Answer(START + MINUTE, False),)
    assert [path.name for path in folder.iterdir()] == ["progress.json"]


def test_a_clock_that_was_put_back_changes_no_order(tmp_path: Path) -> None:
    with PractiseProgress.open(tmp_path) as progress:
        progress.record("x", Answer(START, True))
        progress.record("x", Answer(START - 1000 * MINUTE, False))
        assert [answer.moment for answer in progress.history("x")] == [START, START]


def test_it_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("millebornes.storage.practise.MAX_EXERCISES", 3)
    with PractiseProgress.open(tmp_path) as progress:
        for n in range(MAX_ANSWERS + 5):
            progress.record("x", Answer(START + n * MINUTE, True))
        assert len(progress.history("x")) == MAX_ANSWERS
        assert progress.history("x")[0].moment == START + 5 * MINUTE
        for n, name in enumerate("abxcd"):
            progress.record(name, Answer(START + (100 + n) * MINUTE, True))
    with PractiseProgress.open(tmp_path) as progress:
        assert [bool(progress.history(name)) for name in "abxcd"] == [False, False, True, True, True]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b"{}",
        b'{"format":"other/1","answers":{}}',
        b'{"format":"millebornes-practise/1"}',
        b'{"format":"millebornes-practise/1","answers":{"x":[[1]]}}',
        b'{"format":"millebornes-practise/1","answers":{"x":[["1",1]]}}',
        b'{"format":"millebornes-practise/1","answers":{"x":[[1e400,1]]}}',
        b'{"format":"millebornes-practise/1","answers":{"x":[[-1,1]]}}',
        b'{"format":"millebornes-practise/1","answers":{"x":[[1,2]]}}',
        b'{"format":"millebornes-practise/1","answers":{"":[[1,1]]}}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_set_aside_with_a_sentence(tmp_path: Path, data: bytes) -> None:
    file_of(tmp_path).write_bytes(data)
    with PractiseProgress.open(tmp_path) as progress:
        assert len(progress._answers) == 0
        assert "damaged" in progress.trouble
        assert "progress-damaged-1.json" in progress.trouble
        progress.record("x", Answer(START, True))
    assert (tmp_path / "progress-damaged-1.json").read_bytes() == data
    file_of(tmp_path).write_bytes(b"?")
    with PractiseProgress.open(tmp_path) as progress:
        assert "progress-damaged-2.json" in progress.trouble


def test_a_file_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    data = json.dumps({"format": "millebornes-practise/2", "answers": 7}).encode()
    file_of(tmp_path).write_bytes(data)
    for _again in range(2):  # the lock is let go
        with pytest.raises(SaveError, match="newer version"):
            PractiseProgress.open(tmp_path)
    assert file_of(tmp_path).read_bytes() == data


def test_one_program_at_a_time(tmp_path: Path) -> None:
    with PractiseProgress.open(tmp_path), pytest.raises(SaveError, match="a practice session is open"):
        PractiseProgress.open(tmp_path)
    PractiseProgress.open(tmp_path).close()


def test_where_nothing_can_be_kept_that_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "file" / "folder"
    folder.parent.write_bytes(b"")
    with pytest.raises(SaveError, match="cannot be read"):
        PractiseProgress.open(folder)
